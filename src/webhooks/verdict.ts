import { randomInt } from 'node:crypto';
import { DAY, SECOND } from '../domain/time';

/** The part of the outcome of a try that decides what follows. */
export interface TryOutcome {
  /** Null if there was no response. */
  readonly status: number | null;
  /** Real ms for which the endpoint asked to wait; null if it did not. */
  readonly retryAfter: number | null;
}

export type Verdict =
  | { readonly state: 'delivered' | 'dead' }
  /** `wait` in real ms. */
  | { readonly state: 'pending'; readonly wait: number };

/** The longest delay that an endpoint can ask for. */
const MAX_WAIT = DAY;
/** Waits vary by up to a tenth, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;

/**
 * Whether a try has delivered, must be repeated, or was the last.
 * @param tries number of tries so far, including this one
 * @param waits seconds after each failed try; there is one more try than waits
 */
export function judgeTry(outcome: TryOutcome, tries: number, waits: readonly number[]): Verdict {
  const { status, retryAfter } = outcome;
  if (status !== null && status >= 200 && status < 300) return { state: 'delivered' };
  const wait = waits[tries - 1];
  if (wait === undefined) return { state: 'dead' };
  return { state: 'pending', wait: Math.max(jittered(wait * SECOND), Math.min(retryAfter ?? 0, MAX_WAIT)) };
}

function jittered(ms: number): number {
  const most = Math.round(ms * JITTER);
  return most === 0 ? ms : ms - most + randomInt(2 * most + 1);
}

/** `Retry-After` in ms: seconds, or a date; null if it is neither. @param now real time */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
