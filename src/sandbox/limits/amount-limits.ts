import { type BrokenRules, NONE_BROKEN } from '../faults/broken-rules';
import { INTERVALS, iso, plusMonths, type Repetition } from '../payments/calendar';
import { inEuros, refused, type Verdict } from './verdict';

const MONTHS_BETWEEN_INCREASES = 6;

export interface AmountTerms {
  readonly repetition: Repetition;
  /** The consent's amount, cents. */
  readonly amount: number;
}

export interface PastAmount {
  readonly amount: number;
  readonly createdAt: number;
  readonly result: 'pending' | 'successful' | 'failed';
}

/** Whether `amount` may be collected at `now`, given earlier payments (reference, Subscription limits 3 to 7). */
export function judgeAmount(
  terms: AmountTerms,
  past: readonly PastAmount[],
  amount: number,
  now: number,
  broken: BrokenRules = NONE_BROKEN,
): Verdict {
  if (!past.some((one) => one.result === 'successful')) {
    return amount === terms.amount || broken.has('first-amount')
      ? { kind: 'allowed' }
      : refused('AMOUNT_NOT_ALLOWED', `the first payment must be exactly ${inEuros(terms.amount)}`);
  }
  // A pending payment may still succeed, so it counts as successful.
  const paid = past.filter((one) => one.result !== 'failed');
  const previous = paid[paid.length - 1]?.amount ?? terms.amount;
  if (amount <= terms.amount || amount <= previous) return { kind: 'allowed' };
  return judgeIncrease(terms, lastIncreaseAt(terms, paid), amount, now, broken);
}

/** When the amount was last increased, or null. Only an increase beyond the consent amount counts. */
function lastIncreaseAt(terms: AmountTerms, paid: readonly PastAmount[]): number | null {
  let previous = terms.amount;
  let increasedAt: number | null = null;
  for (const { amount, createdAt } of paid) {
    if (amount > previous && amount > terms.amount) increasedAt = createdAt;
    previous = amount;
  }
  return increasedAt;
}

function judgeIncrease(
  terms: AmountTerms,
  increasedAt: number | null,
  amount: number,
  now: number,
  broken: BrokenRules,
): Verdict {
  const { cap } = INTERVALS[terms.repetition];
  if (terms.amount > cap) {
    return refused(
      'AMOUNT_NOT_ALLOWED',
      `the consent amount exceeds the cap of ${inEuros(cap)}, so no increase is allowed`,
    );
  }
  const isCapped = !(terms.repetition === 'WEEKLY' && broken.has('weekly-cap'));
  if (isCapped && amount > cap) {
    return refused('AMOUNT_NOT_ALLOWED', `an increase may reach ${inEuros(cap)} at most`);
  }
  const isTooSoon = increasedAt !== null && now < plusMonths(increasedAt, MONTHS_BETWEEN_INCREASES);
  if (isTooSoon && !broken.has('six-months')) {
    return refused(
      'AMOUNT_NOT_ALLOWED',
      `the amount was increased at ${iso(increasedAt)}; the next increase needs 6 months`,
    );
  }
  return { kind: 'allowed' };
}
