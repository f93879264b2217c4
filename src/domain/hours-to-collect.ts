import { CALLS_PER_CYCLE } from './findings';
import { COLLECTION_WINDOW } from './subscription/schedule';
import { type ClockSetting, DAY, HOUR, MINUTE, SECOND } from './time';

/** Calls to the payment service for one retry: those of a first attempt, and the captures before it (rule 39). */
const CALLS_PER_RETRY = CALLS_PER_CYCLE + 1;
/** An authorization that stays pending is polled once a minute. */
const POLLS_PER_DAY = DAY / MINUTE;

/** The attempts to send on a day. */
export interface Load {
  readonly firstAttempts: number;
  readonly retries: number;
}

/** The backlog before the first day, and what is polled. */
export interface Waiting extends Load {
  /** Authorizations that have been pending for a long time. */
  readonly pending: number;
}

/** The cap on calls. */
export interface Cap {
  /** Of real time, of the whole installation. */
  readonly callsPerSecond: number;
  /** Of business time. */
  readonly speed: number;
}

/** @param callsPerSecond undefined without a cap; then there is none */
export function capOf(callsPerSecond: number | undefined, setting: ClockSetting | null): Cap | null {
  return callsPerSecond === undefined ? null : { callsPerSecond, speed: setting?.speed ?? 1 };
}

/**
 * How many hours of business time the cap on calls needs for each of the days, which follow one another: a day begins with
 * what the day before has left (rule 42). To the hundredth, rounded up, so that no answer promises too much.
 * @param until business ms from now to the first day, in which what waits is sent
 */
export function hoursToCollect(days: readonly Load[], waiting: Waiting, until: number, cap: Cap): number[] {
  const hourly = (cap.callsPerSecond * (HOUR / SECOND)) / cap.speed;
  const left = (calls: number, ms: number) => Math.max(0, calls - hourly * (ms / HOUR));
  let backlog = left(callsFor(waiting) + (waiting.pending * POLLS_PER_DAY) / cap.speed, until);
  return days.map((day) => {
    const calls = backlog + callsFor(day);
    backlog = left(calls, DAY);
    return Math.ceil((calls / hourly) * 100) / 100;
  });
}

function callsFor({ firstAttempts, retries }: Load): number {
  return firstAttempts * CALLS_PER_CYCLE + retries * CALLS_PER_RETRY;
}

/**
 * How many hours a day's collecting may take before people are alerted: 24, or the spread if it is longer, but never more than half
 * of a collection window that the agreement's end cuts short (rule 42).
 * @param spread business ms
 * @param shortestWindow business ms from a due date of that day to the end of its agreement; null if none ends
 */
export function hoursAllowed(spread: number, shortestWindow: number | null): number {
  const usual = Math.max(DAY, spread);
  const isCut = shortestWindow !== null && shortestWindow < COLLECTION_WINDOW;
  return (isCut ? Math.min(usual, shortestWindow / 2) : usual) / HOUR;
}
