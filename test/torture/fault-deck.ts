import type { FaultSpec } from '../../src/sandbox';

/** A fault without the requests to which it applies. */
export type Fault = Readonly<Omit<FaultSpec, 'match' | 'times'> & Record<string, unknown>>;

/**
 * Shorter than the settle time of the programs. The settle time says how late a service may carry out a request or list what it
 * has made; after it, two debits could not be distinguished from one. Real ms.
 */
const LATE = 600;
/** Longer than a request may take. */
const TOO_LATE = 2_500;

/** Faults of the request that debits: every kind that the simulator has. */
export const ON_DEBIT: readonly Fault[] = [
  { kind: 'lost_answer' },
  { kind: 'lost_answer' },
  { kind: 'swallowed', close: true },
  { kind: 'swallowed', close: false },
  { kind: 'hang' },
  { kind: 'error_after_commit', status: 500 },
  { kind: 'error_after_commit', status: 404, html: true },
  { kind: 'error_before_commit', status: 503 },
  { kind: 'error_before_commit', status: 502, html: true },
  { kind: 'malformed', variant: 'truncated' },
  { kind: 'malformed', variant: 'html' },
  { kind: 'malformed', variant: 'wrong_types' },
  { kind: 'delay', delayMs: LATE },
  { kind: 'delay', delayMs: TOO_LATE },
  { kind: 'late_commit', delayMs: LATE },
  { kind: 'late_listing', delayMs: LATE },
  { kind: 'rate_limit', retryAfter: 1 },
  { kind: 'rate_limit', retryAfter: null },
  { kind: 'forbidden' },
  { kind: 'unauthorized' },
  { kind: 'huge', bytes: 50_000_000 },
  { kind: 'gzip_bomb', bytes: 200_000_000 },
  { kind: 'slow_body', delayMs: 300 },
];

/** Faults of the requests that capture or refund: all but the late listing, which exists only for authorizations. */
export const ON_ORDER: readonly Fault[] = ON_DEBIT.filter(({ kind }) => kind !== 'late_listing');

/** Faults of requests that only read. */
export const ON_QUESTION: readonly Fault[] = [
  { kind: 'lost_answer' },
  { kind: 'swallowed', close: true },
  { kind: 'hang' },
  { kind: 'error_before_commit', status: 500 },
  { kind: 'error_before_commit', status: 503, html: true },
  { kind: 'malformed', variant: 'truncated' },
  { kind: 'malformed', variant: 'html' },
  { kind: 'malformed', variant: 'wrong_types' },
  { kind: 'rate_limit', retryAfter: 1 },
  { kind: 'forbidden' },
  { kind: 'unauthorized' },
  { kind: 'gzip_bomb', bytes: 200_000_000 },
  { kind: 'slow_body', delayMs: 300 },
];

/** Faults of the request for a token, which belongs to no subscription. */
export const ON_TOKEN: readonly Fault[] = [
  { kind: 'error_before_commit', status: 503 },
  { kind: 'lost_answer' },
  { kind: 'malformed', variant: 'truncated' },
  { kind: 'delay', delayMs: LATE },
];
