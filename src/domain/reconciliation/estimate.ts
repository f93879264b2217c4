import { HOUR, MINUTE, SECOND } from '../time';

/** Calls that comparing one payment makes: its authorizations, captures and refunds. */
const CALLS = 3;
/** Payments a second where calls are not capped and the service answers within 20 ms, as measured. */
const UNCAPPED = 190;

/** The longest time that comparing these payments takes, as text. @param cap calls a second; null if uncapped */
export function estimate(payments: number, cap: number | null): string {
  const aSecond = cap === null ? UNCAPPED : cap / CALLS;
  const by = cap === null ? 'if the service answers quickly' : `at ${cap} calls a second`;
  return `up to ${payments} ${payments === 1 ? 'payment' : 'payments'} to compare, ${CALLS} calls each: about ${inWords((payments / aSecond) * SECOND)} ${by}`;
}

function inWords(ms: number): string {
  if (ms < MINUTE) return 'a minute';
  const [hours, minutes] = [Math.floor(ms / HOUR), Math.ceil((ms % HOUR) / MINUTE)];
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes} min`;
}

/** How far a comparison has come. */
export interface Progress {
  readonly done: number;
  readonly left: number;
  /** Real time at which it began. */
  readonly since: number;
}

/** When it ends, if it goes on as it did so far; null before anything is done. @param now real time */
export function endOf({ done, left, since }: Progress, now: number): number | null {
  return done <= 0 ? null : now + (Math.max(0, left) * (now - since)) / done;
}
