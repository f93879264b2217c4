import type { Instant } from '../domain/time';
import { isFault, quoted, readCount, readInstant, type Reading } from './simulate-values';

/** How an attempt may fail, and what the simulator does for it. */
export const FAILURE_CODES = {
  insufficient_funds: 'the bank rejects it, and it may be retried',
  transaction_limit: 'the bank rejects it, and it may be retried',
  account_closed: 'the bank rejects it for good',
  capture_failed: 'it is authorized, and the debit fails',
  lost_answer: 'the debit is made and its answer lost',
  lost_request: 'the request never arrives',
} as const;
export type FailureCode = keyof typeof FAILURE_CODES;

const RETRYABLE: ReadonlySet<FailureCode> = new Set(['insufficient_funds', 'transaction_limit']);
const COUNTED: ReadonlySet<FailureCode> = new Set([...RETRYABLE, 'lost_request']);
const MOST_TIMES = 99;

export interface Failure {
  /** Null: every cycle. */
  readonly cycle: number | null;
  /** Attempts that fail, from the cycle's first on; Infinity for all of them. */
  readonly times: number;
  readonly code: FailureCode;
}

export interface Pause {
  readonly from: Instant;
  readonly until: Instant | null;
}

export interface AmountChange {
  readonly cycle: number;
  readonly cents: number;
}

export function isRetryable(code: FailureCode): boolean {
  return RETRYABLE.has(code);
}

/** `3:insufficient_funds`, `3x2:insufficient_funds`, `3xalways:insufficient_funds`, `always:account_closed`. */
export function readFailure(text: string): Reading<Failure> {
  const [, where = '', times, code = ''] = /^(\d{1,5}|always)(?:x(\d{1,2}|always))?:(\w+)$/.exec(text) ?? [];
  if (where === '') {
    return { fault: `expected such as 3:insufficient_funds, 3x2:…, 3xalways:… or always:…; got ${quoted(text)}` };
  }
  if (!isFailureCode(code)) {
    return { fault: `expected one of ${Object.keys(FAILURE_CODES).join(', ')}; got ${quoted(code)} in ${text}` };
  }
  if (where === 'always' && !isRetryable(code) && code !== 'account_closed' && code !== 'capture_failed') {
    return { fault: `${code} happens to a cycle, such as 3:${code}; got ${quoted(text)}` };
  }
  if (times !== undefined && (where === 'always' || !COUNTED.has(code))) {
    return { fault: `${where === 'always' ? 'always' : code} takes no count; got ${quoted(text)}` };
  }
  if (times === '0' || (times === 'always' && !isRetryable(code))) {
    return { fault: `expected a count from 1 to ${MOST_TIMES}; got ${quoted(text)}` };
  }
  const cycle = where === 'always' ? null : Number(where);
  const count = times === 'always' || cycle === null ? Infinity : Number(times ?? 1);
  return { value: { cycle, code, times: count } };
}

function isFailureCode(text: string): text is FailureCode {
  return Object.hasOwn(FAILURE_CODES, text);
}

/** `2027-02-01..2027-03-15`, or `2027-02-01..` for a pause that nobody ends. */
export function readPause(text: string): Reading<Pause> {
  const [first = '', last, more] = text.split('..');
  if (last === undefined || more !== undefined)
    return { fault: `expected such as 2027-02-01..2027-03-15; got ${quoted(text)}` };
  const from = readInstant(first);
  const until: Reading<Instant | null> = last === '' ? { value: null } : readInstant(last);
  if (isFault(from)) return from;
  if (isFault(until)) return until;
  if (until.value !== null && until.value <= from.value)
    return { fault: `must end after it begins; got ${quoted(text)}` };
  return { value: { from: from.value, until: until.value } };
}

const HIGHEST_CYCLE = 10_000;
const HIGHEST_AMOUNT = 100_000_000;

/** `5:2499`: from cycle 5 on 24.99 EUR. */
export function readAmount(text: string): Reading<AmountChange> {
  const [cycleText = '', centsText = '', more] = text.split(':');
  const cycle = readCount(cycleText, 1, HIGHEST_CYCLE);
  const cents = readCount(centsText, 1, HIGHEST_AMOUNT);
  if (more !== undefined || isFault(cycle) || isFault(cents)) {
    return { fault: `expected a cycle from 1 on and its cents, such as 5:2499; got ${quoted(text)}` };
  }
  return { value: { cycle: cycle.value, cents: cents.value } };
}
