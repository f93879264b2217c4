import { type ClockSetting, HOUR, type Instant, realDelay, scaledTimeout } from '../time';
import { type RetryLater, retryLater, isServiceFault, type RetryReason, type SideEffect } from './action';
import { type Attempt, type Facts, isDebit } from './attempt';

const MIN_WAIT = 500;
const MAX_WAIT = 60_000;

/** A wait that grows with age: a fifth of the age, between half a second and a minute. Real ms. */
export function growingWait(age: number, longest = MAX_WAIT): number {
  return Math.min(longest, Math.max(MIN_WAIT, age / 5));
}

/** A wait without a deadline: it grows to an hour, or less on a fast test clock. Real ms. */
export function slowWait(age: number, clock: ClockSetting | null): number {
  return growingWait(age, scaledTimeout(clock, HOUR));
}

type Now = Pick<Facts, 'realNow' | 'clock'>;

/** A growing wait, at least as long as the service requested, that ends no later than the limit. */
export function growingWaitUntil(facts: Now, limit: Instant | null, age: number, atLeast = 0): number {
  return endingBy(facts, limit, Math.max(growingWait(age), atLeast));
}

/**
 * The wait once an operator has been notified: it grows to an hour (rule 41). Within the window it shrinks again towards the
 * end, to a fifth of the time left, and ends no later than the window, as a debit that was never made may still be collected.
 */
export function slowWaitUntil(facts: Now, limit: Instant | null, age: number, atLeast = 0): number {
  const left = untilLimit(facts, limit);
  const wait = slowWait(left > 0 ? Math.min(age, left) : age, facts.clock);
  return endingBy(facts, limit, Math.max(wait, atLeast));
}

/** The wait, cut at the limit so that reaching it is noticed at once; uncut if the limit has passed. Real ms. */
export function endingBy(facts: Now, limit: Instant | null, wait: number): number {
  const left = untilLimit(facts, limit);
  return left > 0 ? Math.min(wait, left) : wait;
}

function untilLimit({ clock, realNow }: Now, limit: Instant | null): number {
  return limit === null ? Infinity : realDelay(clock, realNow, limit);
}

/** Real ms after which an order that cannot be sent is also reported to an operator. */
const UNSENT_FOR_LONG = HOUR;

/** The wait that the service requested, and what must be recorded first. */
export interface WaitOptions {
  /** Real ms. */
  readonly atLeast?: number;
  readonly sideEffects?: readonly SideEffect[];
}

/** Nothing can be sent now; tried again after a growing wait. An operator may resolve an order meanwhile. */
export function later(
  attempt: Attempt,
  facts: Facts,
  stop: RetryReason,
  why: string,
  { atLeast = 0, sideEffects = [] }: WaitOptions = {},
): RetryLater {
  const { age, clock } = facts;
  if (isDebit(attempt)) {
    return retryLater(stop, why, growingWaitUntil(facts, attempt.sendBefore, age, atLeast), ...sideEffects);
  }
  const isSlow = attempt.endsAt === null && isServiceFault(stop);
  const longest = Math.max(isSlow ? slowWait(age, clock) : growingWait(age), atLeast);
  const wait = endingBy(facts, attempt.sendBefore, longest);
  const isForOperator = isServiceFault(stop) && age >= UNSENT_FOR_LONG;
  return retryLater(
    stop,
    why,
    wait,
    ...sideEffects,
    ...(isForOperator ? [{ kind: 'operator', reason: why } as const] : []),
  );
}
