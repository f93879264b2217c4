import { CALLS_PER_CYCLE } from './findings';
import { COLLECTION_WINDOW } from './subscription/schedule';
import { type ClockSetting, DAY, HOUR, MINUTE, SECOND } from './time';

/** Calls to the payment service per retry: those of a first attempt, and one for the captures before it (rule 39). */
const CALLS_PER_RETRY = CALLS_PER_CYCLE + 1;
/** An upper estimate of the polls per day of an authorization that stays pending: one a minute. */
const POLLS_PER_DAY = DAY / MINUTE;

/** The attempts to send on a day. */
export interface Load {
  readonly firstAttempts: number;
  readonly retries: number;
}

/** The backlog before the first day, and pending authorizations. */
export interface Waiting extends Load {
  /** Authorizations that have been pending for a long time. */
  readonly pending: number;
}

/** The cap on calls. */
export interface Cap {
  /** Calls of the whole installation per second of real time. */
  readonly callsPerSecond: number;
  /** How much faster business time runs than real time. */
  readonly speed: number;
}

/**
 * The cap, with the speed of the test clock; null without a cap.
 * @param callsPerSecond undefined without a cap
 */
export function capOf(callsPerSecond: number | undefined, setting: ClockSetting | null): Cap | null {
  return callsPerSecond === undefined ? null : { callsPerSecond, speed: setting?.speed ?? 1 };
}

/**
 * How many hours of business time the cap on calls needs for each of several consecutive days. Each day starts with the backlog
 * of the previous one (rule 42). Rounded up to hundredths, so that no answer promises too much.
 * @param until business ms from now to the first day, during which the backlog is already being sent
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
 * The hours that a day's collecting may take before an alert fires: 24, or the spread if that is longer, but at most half of a
 * collection window that the subscription's end cuts short.
 * @param spread business ms
 * @param shortestWindow business ms from a due date of that day to the end of its subscription; null if none ends
 */
export function hoursAllowed(spread: number, shortestWindow: number | null): number {
  const usual = Math.max(DAY, spread);
  const isCut = shortestWindow !== null && shortestWindow < COLLECTION_WINDOW;
  return (isCut ? Math.min(usual, shortestWindow / 2) : usual) / HOUR;
}
