import type { PaymentAccount } from '../../src/sandbox';
import { type Agreement, DAY, dueOf, plusMonths, type Repetition } from './calendar';

/** "Maximum amount for an increase", cents (reference, Limits). */
const CAPS: Readonly<Record<Repetition, number>> = {
  WEEKLY: 15_000,
  MONTHLY: 50_000,
  QUARTERLY: 150_000,
  HALF_YEARLY: 250_000,
  YEARLY: 500_000,
};

/** The part of the service's authorization on which allowed amounts depend; cents. */
export interface Authorized {
  readonly amount: number;
  readonly createdAt: string;
  readonly cycle: number | null;
  readonly result: string;
  /** Whether the authorization was debited. */
  readonly isDebited: boolean;
}

export function authorizedOf({
  authorizations,
  debits,
}: Pick<PaymentAccount, 'authorizations' | 'debits'>): Authorized[] {
  const debited = new Set(debits.filter(({ status }) => status === 'successful').map((each) => each.authorizationId));
  return authorizations.map((each) => ({ ...each, isDebited: debited.has(each.authorizationId) }));
}

/** The terms on which allowed amounts depend. */
export type AmountTerms = Pick<Agreement, 'repetition' | 'first' | 'end' | 'cents'>;

export type Verdict = 'accepted' | 'refused';
export type Verdicts = readonly Verdict[];

/** The possible answers to a request for another amount, by the service's own record and the reference alone. */
export function amountAnswers(
  terms: AmountTerms,
  authorizations: readonly Authorized[],
  fromCycle: number,
  cents: number,
): Verdicts {
  if (terms.end !== null && dueOf(terms, fromCycle) >= terms.end) return ['refused'];
  const isOpen = authorizations.length > 0 && authorizations.at(-1)?.result !== 'successful';
  if (!isOpen) return ruleOn(terms, authorizations, fromCycle, cents);
  return cents > CAPS[terms.repetition] * 2 && cents > terms.cents ? ['refused'] : ['accepted', 'refused'];
}

/** Whether the cycle may collect the amount after what was collected before it. */
export function ruleOn(
  terms: AmountTerms,
  authorizations: readonly Authorized[],
  cycle: number,
  cents: number,
): Verdicts {
  const paid = authorizations.filter(({ result }) => result === 'successful');
  const current = currentOf(terms, paid);
  if (cents === current) return ['accepted'];
  // "The first payment must equal exactly the amount given in the consent".
  if (!paid.some(({ isDebited }) => isDebited)) return ['refused'];
  if (cents < current || cents <= terms.cents) return ['accepted'];
  const cap = CAPS[terms.repetition];
  if (cents > cap || terms.cents > cap) return ['refused'];
  const lastIncrease = lastCountedIncrease(terms.cents, paid);
  if (lastIncrease === null) return ['accepted'];
  const free = plusMonths(lastIncrease, 6);
  const due = dueOf(terms, cycle);
  if (due >= free) return ['accepted'];
  return due + DAY < free ? ['refused'] : ['accepted', 'refused'];
}

/** The amount that was collected last, or is being collected; at first the consent's amount. */
export function currentOf(terms: AmountTerms, authorizations: readonly Authorized[]): number {
  return authorizations.filter(({ result }) => result !== 'failed').at(-1)?.amount ?? terms.cents;
}

/** "Repeating an amount is no increase", and an increase up to the consent amount does not count. */
function lastCountedIncrease(consent: number, paid: readonly Authorized[]): number | null {
  let [before, at] = [consent, null as number | null];
  for (const { amount, createdAt } of paid) {
    if (amount > before && amount > consent) at = Date.parse(createdAt);
    before = amount;
  }
  return at;
}
