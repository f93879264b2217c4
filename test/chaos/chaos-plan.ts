import fc from 'fast-check';
import { type Misfortune, misfortune } from '../activities/misfortunes';

/** What one seed brings about. */
export interface ChaosPlan {
  readonly wallet: string;
  readonly cycles: number;
  /** Met in this order, one by each run of an activity; the last runs meet none. */
  readonly misfortunes: readonly Misfortune[];
}

/** Each pays in the end, or not, whatever befalls us; `collects` says which. */
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

const plans: fc.Arbitrary<ChaosPlan> = fc.record({
  wallet: fc.oneof(
    { weight: 4, arbitrary: fc.constant('approves') },
    { weight: 6, arbitrary: fc.constantFrom(...WALLETS.map(({ wallet }) => wallet)) },
  ),
  cycles: fc.integer({ min: 1, max: 3 }),
  misfortunes: fc.array(misfortune, { maxLength: 10 }),
});

/** The same for a seed, always. */
export function planOf(seed: number): ChaosPlan {
  const [plan] = fc.sample(plans, { seed, numRuns: 1 });
  if (plan === undefined) throw new Error('no plan was drawn');
  return plan;
}

/** Whether the bank lets every date of this payer be collected: then none may be lost. */
export function collectsEveryDate(wallet: string): boolean {
  return WALLETS.find((each) => each.wallet === wallet)?.collects === true;
}
