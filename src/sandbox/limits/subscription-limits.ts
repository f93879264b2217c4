import { type BrokenRules, NONE_BROKEN } from '../faults/broken-rules';
import { datesAround, iso, type Schedule, type ScheduledDate } from '../payments/calendar';
import { judgeAmount, type PastAmount } from './amount-limits';
import { refused, type Verdict } from './verdict';

const HOUR = 3_600_000;
/** "Deviation from the scheduled payment date: up to 5 days (120 hours), whatever the interval." */
export const MAX_DEVIATION = 120 * HOUR;
/** The limit if that rule is broken. */
const TOO_FAR = 168 * HOUR;
/** "After a failed authorization: at most 3 attempts within a 3-day window." */
export const MAX_RETRIES = 3;
export const RETRY_WINDOW = 72 * HOUR;

/** What the payer agreed to. Amount in cents, instants in epoch milliseconds. */
export interface SubscriptionTerms extends Schedule {
  readonly amount: number;
  readonly startAt: number;
}

export interface PastAuthorization extends PastAmount {
  readonly cycle: number;
}

/** Whether an authorization of `amount` that arrives at `now` is allowed, and which date it is for. */
export function judgeAuthorization(
  terms: SubscriptionTerms,
  past: readonly PastAuthorization[],
  amount: number,
  now: number,
  broken: BrokenRules = NONE_BROKEN,
): Verdict<ScheduledDate> {
  const date = dateFor(terms, past, now, broken);
  if (date === null) {
    return refused(
      'INTERVAL_NOT_MATCHED',
      `no unpaid payment date of this subscription is within 120 hours of ${iso(now)}`,
    );
  }
  const retry = judgeRetry(
    past.filter((one) => one.cycle === date.cycle && one.result === 'failed'),
    now,
    broken,
  );
  if (retry.kind === 'refused') return retry;
  const change = judgeAmount(terms, past, amount, now, broken);
  return change.kind === 'refused' ? change : { kind: 'allowed', ...date };
}

/**
 * The oldest date within range that is neither paid nor pending. Weekly ranges overlap: a date whose attempts are used up
 * still counts until its 120 hours have passed, so that one attempt too many is not taken for the first of the next date.
 * If the rule against paying a date twice is broken, it is the oldest date within range, paid or not.
 */
function dateFor(
  terms: SubscriptionTerms,
  past: readonly PastAuthorization[],
  now: number,
  broken: BrokenRules,
): ScheduledDate | null {
  if (now < terms.startAt || (terms.endAt !== null && now >= terms.endAt)) return null;
  const dates = datesAround(terms, now, broken.has('deviation') ? TOO_FAR : MAX_DEVIATION);
  if (broken.has('one-debit-per-date')) return dates[0] ?? null;
  const taken = new Set(past.filter((one) => one.result !== 'failed').map((one) => one.cycle));
  return dates.find((date) => !taken.has(date.cycle)) ?? null;
}

function judgeRetry(failed: readonly PastAuthorization[], now: number, broken: BrokenRules): Verdict {
  const first = failed[0];
  if (first === undefined) return { kind: 'allowed' };
  if (failed.length > MAX_RETRIES && !broken.has('three-retries')) {
    return refused('RETRY_NOT_ALLOWED', `this payment date has had its first attempt and ${MAX_RETRIES} more`);
  }
  if (now - first.createdAt > RETRY_WINDOW) {
    return refused('RETRY_NOT_ALLOWED', `the first attempt failed at ${iso(first.createdAt)}, more than 72 hours ago`);
  }
  return { kind: 'allowed' };
}
