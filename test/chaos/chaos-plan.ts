import fc from 'fast-check';
import { type Misfortune, misfortune } from '../activities/misfortunes';

/** A request for another amount before the cycle: a part of the consent's amount, or null to withdraw the pending change. */
export interface PlannedChange {
  readonly before: number;
  readonly share: number | null;
}

/** A refund after the cycle: a part of the rest of its debit. 1 is all of the rest; more than 1 must be refused. */
export interface PlannedRefund {
  readonly after: number;
  readonly share: number;
}

/** An Event Dependent payment; captures and refunds are given as parts of the rest. */
export interface PlannedPayment {
  readonly cents: number;
  readonly captures: readonly number[];
  /** The share of the first capture that is refunded. */
  readonly refund: number | null;
  readonly misfortunes: readonly Misfortune[];
}

/** Everything that one seed plans. */
export interface ChaosPlan {
  readonly wallet: string;
  readonly cents: number;
  readonly cycles: number;
  readonly changes: readonly PlannedChange[];
  readonly refunds: readonly PlannedRefund[];
  /** The faults, in this sequence: one for each run of an activity; the last runs have none. */
  readonly misfortunes: readonly Misfortune[];
  readonly payment: PlannedPayment | null;
  /** Whether attempts are made within workflow tasks, if possible. */
  readonly inPlace: boolean;
  /** Whether the steps of a collection are written as they are while all connections are in use. */
  readonly busyLedger: boolean;
}

/** Wallets of payers. Whether the payer pays in the end does not depend on the faults; `collects` says whether. */
const WALLETS: readonly { readonly wallet: string; readonly collects: boolean }[] = [
  { wallet: 'approves', collects: true },
  { wallet: 'insufficient-funds-once', collects: true },
  { wallet: 'insufficient-funds-2', collects: true },
  { wallet: 'rejected-late-once', collects: true },
  { wallet: 'rejected-with-id-once', collects: true },
  { wallet: 'slow-600', collects: true },
  { wallet: 'final-rejection', collects: false },
  { wallet: 'insufficient-funds-always', collects: false },
  { wallet: 'capture-fails', collects: false },
];

const MAX_CYCLES = 3;

const change: fc.Arbitrary<PlannedChange> = fc.record({
  before: fc.constantFrom(0, 1, 1, 1, 2, 2, 2),
  share: fc.constantFrom(0.3, 0.5, 0.8, 1, 1.01, 1.2, 1.5, 3, null),
});

const payment: fc.Arbitrary<PlannedPayment> = fc.record({
  cents: fc.integer({ min: 100, max: 20_000 }),
  // Some of these make captures of the same amount, which only the ledger can distinguish.
  captures: fc.constantFrom([1], [0.5, 1], [0.25, 0.5, 0.1], [0.5, 0.5, 1]),
  refund: fc.constantFrom(null, 0.5, 1),
  misfortunes: fc.array(misfortune, { maxLength: 6 }),
});

const plans: fc.Arbitrary<ChaosPlan> = fc.record({
  wallet: fc.oneof(
    { weight: 4, arbitrary: fc.constant('approves') },
    { weight: 6, arbitrary: fc.constantFrom(...WALLETS.map(({ wallet }) => wallet)) },
  ),
  cents: fc.oneof(fc.integer({ min: 100, max: 12_000 }), fc.constantFrom(14_999, 15_000, 15_001)),
  cycles: fc.integer({ min: 1, max: MAX_CYCLES }),
  changes: fc.array(change, { maxLength: 4 }).map((each) => each.toSorted((one, other) => one.before - other.before)),
  refunds: fc.array(fc.record({ after: fc.nat({ max: MAX_CYCLES - 1 }), share: fc.constantFrom(0.3, 0.5, 1, 1.5) }), {
    maxLength: 3,
  }),
  misfortunes: fc.array(misfortune, { maxLength: 10 }),
  payment: fc.option(payment, { freq: 2 }),
  inPlace: fc.boolean(),
  busyLedger: fc.boolean(),
});

/** The plan of a seed, which is always the same for that seed. */
export function planOf(seed: number): ChaosPlan {
  const [plan] = fc.sample(plans, { seed, numRuns: 1 });
  if (plan === undefined) throw new Error('no plan was drawn');
  return plan;
}

/** Whether the bank lets every date of this payer be collected: then none may be lost. */
export function collectsEveryDate(wallet: string): boolean {
  return WALLETS.find((each) => each.wallet === wallet)?.collects === true;
}
