import type { PaymentAccount } from '../../src/sandbox';
import { DAY, dueOf, plusMonths, type Repetition } from './calendar';
import type { Model } from './model';
import type { Answer } from './real';

/** "Maximum amount for an increase", cents (reference, Limits). */
const CAPS: Readonly<Record<Repetition, number>> = {
  ...{ WEEKLY: 15_000, MONTHLY: 50_000, QUARTERLY: 150_000, HALF_YEARLY: 250_000, YEARLY: 500_000 },
};

type Kinds = readonly Answer['kind'][];

/** What a request for another amount may be answered with, by the service's own record and the reference alone. */
export function amountAnswers(model: Model, account: PaymentAccount, fromCycle: number, cents: number): Kinds {
  const { agreement } = model;
  if (agreement.end !== null && dueOf(agreement, fromCycle) >= agreement.end) return ['refused'];
  const paid = account.authorizations.filter(({ result }) => result === 'successful');
  const isOpen = account.authorizations.at(-1)?.result !== 'successful';
  const current = paid.at(-1)?.amount ?? agreement.cents;
  if (isOpen && account.authorizations.length > 0)
    return cents > CAPS[agreement.repetition] * 2 && cents > agreement.cents ? ['refused'] : ['accepted', 'refused'];
  if (cents === current) return ['accepted'];
  if (paid.length === 0) return ['refused'];
  if (cents < current || cents <= agreement.cents) return ['accepted'];
  const cap = CAPS[agreement.repetition];
  if (cents > cap || agreement.cents > cap) return ['refused'];
  const lastIncrease = lastCountedIncrease(agreement.cents, paid);
  if (lastIncrease === null) return ['accepted'];
  const free = plusMonths(lastIncrease, 6);
  const due = dueOf(agreement, fromCycle);
  if (due >= free) return ['accepted'];
  return due + DAY < free ? ['refused'] : ['accepted', 'refused'];
}

/** "Repeating an amount is no increase", and one up to the consent amount does not count. */
function lastCountedIncrease(consent: number, paid: PaymentAccount['authorizations']): number | null {
  let [before, at] = [consent, null as number | null];
  for (const { amount, createdAt } of paid) {
    if (amount > before && amount > consent) at = Date.parse(createdAt);
    before = amount;
  }
  return at;
}
