import { type ClockSetting, HOUR, type Instant, realDelay, scaledTimeout } from '../time';
import { type RetryLater, retryLater, isServiceFault, type SideEffect, type Wait } from './action';
import { type Attempt, type Facts, isDebit } from './attempt';

const MIN_PAUSE = 500;
const MAX_PAUSE = 60_000;

/** A pause that grows with age: a fifth of the age, between half a second and a minute. Real ms. */
export function growingPause(age: number, longest = MAX_PAUSE): number {
  return Math.min(longest, Math.max(MIN_PAUSE, age / 5));
}

/** A pause without a deadline: it grows to an hour, or less on a fast test clock. Real ms. */
export function slowPause(age: number, clock: ClockSetting | null): number {
  return growingPause(age, scaledTimeout(clock, HOUR));
}

type Now = Pick<Facts, 'realNow' | 'clock'>;

/** A growing pause, at least as long as the service requested, that ends no later than the limit. */
export function pauseUntil(facts: Now, limit: Instant | null, age: number, atLeast = 0): number {
  return endingBy(facts, limit, Math.max(growingPause(age), atLeast));
}

/**
 * The pause once an operator has been notified: it grows to an hour (rule 41). Within the window it shrinks again towards the
 * end, to a fifth of the time left, and ends no later than the window, as a debit that was never made may still be collected.
 */
export function slowPauseUntil(facts: Now, limit: Instant | null, age: number, atLeast = 0): number {
  const left = untilLimit(facts, limit);
  const pause = slowPause(left > 0 ? Math.min(age, left) : age, facts.clock);
  return endingBy(facts, limit, Math.max(pause, atLeast));
}

/** The pause, cut at the limit so that reaching it is noticed at once; uncut if the limit has passed. Real ms. */
export function endingBy(facts: Now, limit: Instant | null, pause: number): number {
  const left = untilLimit(facts, limit);
  return left > 0 ? Math.min(pause, left) : pause;
}

function untilLimit({ clock, realNow }: Now, limit: Instant | null): number {
  return limit === null ? Infinity : realDelay(clock, realNow, limit);
}

/** Real ms after which an order that cannot be sent is also reported to an operator. */
const UNSENT_FOR_LONG = HOUR;

/** The pause that the service requested, and what must be recorded first. */
export interface PauseOptions {
  /** Real ms. */
  readonly atLeast?: number;
  readonly sideEffects?: readonly SideEffect[];
}

/** Nothing can be sent now. An order is retried, and an operator may resolve it meanwhile. */
export function later(
  attempt: Attempt,
  facts: Facts,
  stop: Wait,
  why: string,
  { atLeast = 0, sideEffects = [] }: PauseOptions = {},
): RetryLater {
  const { age, clock } = facts;
  if (isDebit(attempt)) {
    return retryLater(stop, why, pauseUntil(facts, attempt.sendBefore, age, atLeast), ...sideEffects);
  }
  const isSlow = attempt.endsAt === null && isServiceFault(stop);
  const longest = Math.max(isSlow ? slowPause(age, clock) : growingPause(age), atLeast);
  const pause = endingBy(facts, attempt.sendBefore, longest);
  const isForOperator = isServiceFault(stop) && age >= UNSENT_FOR_LONG;
  return retryLater(
    stop,
    why,
    pause,
    ...sideEffects,
    ...(isForOperator ? [{ kind: 'operator', reason: why } as const] : []),
  );
}
