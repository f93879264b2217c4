import { counted } from '../money';
import { HOUR, MINUTE, SECOND } from '../time';

/** Calls that comparing one payment makes: its authorizations, captures and refunds. */
const CALLS = 3;
/** Payments per second if calls are not capped and the service answers within 20 ms, as measured. */
const UNCAPPED = 190;

/**
 * A sentence with the estimated duration of comparing at most this many payments.
 * @param cap calls per second; null if uncapped
 */
export function estimate(payments: number, cap: number | null): string {
  const aSecond = cap === null ? UNCAPPED : cap / CALLS;
  const by = cap === null ? 'if the service answers quickly' : `at ${cap} calls a second`;
  return `up to ${counted(payments, 'payment')} to compare, ${CALLS} calls each: about ${inWords((payments / aSecond) * SECOND)} ${by}`;
}

const MINUTES_PER_HOUR = HOUR / MINUTE;

function inWords(ms: number): string {
  if (ms < MINUTE) return 'a minute';
  const whole = Math.ceil(ms / MINUTE);
  const [hours, minutes] = [Math.floor(whole / MINUTES_PER_HOUR), whole % MINUTES_PER_HOUR];
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes} min`;
}

/** The progress of a comparison. */
export interface Progress {
  readonly done: number;
  readonly left: number;
  /** Real time at which it started. */
  readonly since: number;
}

/**
 * The expected end at the current pace; null before anything is done.
 * @param now real time
 */
export function endOf({ done, left, since }: Progress, now: number): number | null {
  return done <= 0 ? null : now + (Math.max(0, left) * (now - since)) / done;
}
