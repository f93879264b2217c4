import { z } from 'zod';
import { DAY, SECOND } from '../domain/time';
import { headerText, readHttpDate, type WireHeaders, type ExchangeOutcome } from './http-exchange';
import { parseJson, detail, saysFailed, text } from './wire';

/** The service's own refusal: a readable Failure body (rule 12). */
export interface Failure {
  /** True for AUTHORIZATION_REJECTION_RETRYABLE alone; every other detail is final. */
  readonly retryable: boolean;
  /** The reason code in upper case. */
  readonly detail: string;
  readonly description: string;
  readonly httpStatus: number;
}

export interface Accepted<T> {
  readonly kind: 'accepted';
  readonly value: T;
  /**
   * Real ms by which the service's clock is ahead of ours at the least, negative where it is behind. Left out where
   * both may agree, and where its `Date` header does not show it.
   */
  readonly clockLead?: number;
  /** Of a list: why it does not show everything, by its own account. Such a list proves no absence (rule 39). */
  readonly incomplete?: string;
}

/** Refused. `value` is the refused record where the answer names it: its id and createdAt (rule 14). */
export interface Rejected<T> {
  readonly kind: 'rejected';
  readonly failure: Failure;
  readonly value?: T;
}

/** The service did not act on it; it may be sent again with back-off (rule 17). */
export interface NotSent {
  readonly kind: 'not_sent';
  readonly reason: string;
  /** Real milliseconds the service asked to wait, at most a day. */
  readonly retryAfterMs?: number;
  /** Left out where no answer came. */
  readonly httpStatus?: number;
}

/** Bytes may have left and no word came back that can be relied on: reconcile, never repeat (rule 17). */
export interface Unknown {
  readonly kind: 'unknown';
  readonly reason: string;
  /**
   * An accepted answer that names a record and cannot be stored as it came, as JSON text. What was sent was made: it never
   * counts as never made (rule 38).
   */
  readonly accepted?: string;
  /** Of a whole answer that could not be read. */
  readonly httpStatus?: number;
}

/** Of a process that stops: its turn does not come any more. */
export const HELD_BACK: NotSent = { kind: 'not_sent', reason: 'this process makes no more calls' };

/** What became of one call. Expected outcomes only: a fault in our own code throws. */
export type ServiceResult<T> = Accepted<T> | Rejected<T> | NotSent | Unknown;

/** The same word of the service, of another value. */
export function mapAnswer<T, U>(answer: ServiceResult<T>, to: (value: T) => U): ServiceResult<U> {
  switch (answer.kind) {
    case 'accepted':
      return { ...answer, value: to(answer.value) };
    case 'rejected': {
      const { value, ...refusal } = answer;
      return value === undefined ? refusal : { ...refusal, value: to(value) };
    }
    case 'not_sent':
    case 'unknown':
      return answer;
  }
}

export type CallOutcome = ServiceResult<unknown>['kind'];

export function notSent(reason: string, retryAfterMs?: number): NotSent {
  return retryAfterMs === undefined ? { kind: 'not_sent', reason } : { kind: 'not_sent', reason, retryAfterMs };
}

export function unknown(reason: string): Unknown {
  return { kind: 'unknown', reason };
}

/**
 * Real milliseconds to wait by a Retry-After header, in seconds or as an HTTP date; undefined where it says neither.
 * Never negative, and never more than a day, so that one absurd header cannot park a portfolio.
 */
export function readRetryAfter(header: WireHeaders[string], realNow: number): number | undefined {
  const text = headerText(header) ?? '';
  const until = /^\d+$/.test(text) ? realNow + Number(text) * SECOND : readHttpDate(text);
  return until === undefined ? undefined : Math.min(Math.max(0, until - realNow), DAY);
}

/** The only detail after which the same payment may be tried again (rule 12). */
const RETRYABLE = 'AUTHORIZATION_REJECTION_RETRYABLE';

/** Details that come from the bank: the order was looked at, regardless of the HTTP status (rule 12). */
const REJECTIONS = [RETRYABLE, 'AUTHORIZATION_REJECTION_FINAL'];

/**
 * Words of refusal that count beside a 5xx too. On their own, 5xx statuses leave the outcome unknown, and so does
 * INTERNAL_ERROR, which says that something broke, not that nothing was done.
 */
const DEFINITE_REFUSALS = new Set([
  ...REJECTIONS,
  'CONSENT_NOT_VALID',
  'INTERVAL_NOT_MATCHED',
  'AMOUNT_NOT_ALLOWED',
  'RETRY_NOT_ALLOWED',
  'CAPTURE_EXCEEDS_AUTHORIZATION',
  'CAPTURE_PERIOD_ENDED',
  'REFUND_EXCEEDS_CAPTURE',
  'CAPTURE_ID_REQUIRED',
  'STATE_CONFLICT',
  'INVALID_REQUEST',
  'NOT_FOUND',
]);

/** Statuses on which, but for a rejection in the body, the service has not looked at the order at all (rules 12, 17). */
const NOT_SENT: Readonly<Record<number, string>> = {
  401: 'the service refused a fresh token (401)',
  403: 'the service refused these credentials or this address (403)',
  429: 'the service takes no more requests for now (429)',
};

const failureBody = z.object({ result: z.string().refine(saysFailed), detail, description: text });
const claimedSuccess = z.object({ status: z.object({ result: z.string().regex(/^\s*successful\s*$/i) }) });

/** Reads a record out of a parsed body; null where it is not the one expected, whole and well-typed. */
export type ReadValue<T> = (body: unknown, headers?: WireHeaders) => T | null;

export interface ReadContext {
  readonly realNow: number;
  readonly mask: (text: string) => string;
}

/** What one exchange means. Where in doubt it is `unknown`: the caller then asks before it sends anything again. */
export function readAnswer<T>(
  outcome: ExchangeOutcome,
  readValue: ReadValue<T>,
  context: ReadContext,
): ServiceResult<T> {
  if (outcome.kind === 'not_sent') return notSent(outcome.reason);
  const body = outcome.kind === 'answered' ? parseJson(outcome, context.mask) : undefined;
  const refusal = outcome.status === undefined ? null : readRefusal(body, outcome.status, readValue);
  if (refusal !== null) return refusal;
  const { status: httpStatus } = outcome;
  const unlooked = httpStatus === undefined ? undefined : NOT_SENT[httpStatus];
  if (unlooked !== undefined && httpStatus !== undefined) {
    const retryAfterMs = readRetryAfter(outcome.headers?.['retry-after'], context.realNow);
    return { ...notSent(unlooked, retryAfterMs), httpStatus };
  }
  if (outcome.kind === 'broken') return unknown(outcome.reason);
  const isAccepted = outcome.status >= 200 && outcome.status < 300;
  const value = isAccepted ? readValue(body, outcome.headers) : null;
  if (value !== null) return { kind: 'accepted', value };
  const accepted = isAccepted ? namedRecord(body) : null;
  const reason = `unreadable answer with status ${outcome.status}`;
  const answer = { ...unknown(reason), httpStatus: outcome.status };
  return accepted === null ? answer : { ...answer, accepted };
}

const NAMES = ['authorizationId', 'captureId', 'refundId'] as const;
/** Of an answer that cannot be stored as it came; nothing in them is personal data. */
const KEPT = [...NAMES, 'paymentId', 'amount', 'createdAt', 'status', 'result'] as const;
const LONGEST_KEPT = 300;

/** What an accepted answer says of the record that it names, as JSON text; null if it names none. */
function namedRecord(body: unknown): string | null {
  const parsed = z.record(z.string(), z.unknown()).safeParse(body);
  if (!parsed.success || !NAMES.some((name) => typeof parsed.data[name] === 'string')) return null;
  const kept = KEPT.flatMap((name) => {
    const value = parsed.data[name];
    return value !== undefined && JSON.stringify(value).length <= LONGEST_KEPT ? [[name, value] as const] : [];
  });
  return JSON.stringify(Object.fromEntries(kept));
}

/** An answer carrying result FAILED is a failure; which details count depends on its HTTP status. */
function readRefusal<T>(body: unknown, httpStatus: number, readValue: ReadValue<T>): Rejected<T> | null {
  const parsed = failureBody.safeParse(body);
  if (!parsed.success || claimedSuccess.safeParse(body).success) return null;
  const { detail: code, description } = parsed.data;
  if (httpStatus >= 500 && !DEFINITE_REFUSALS.has(code)) return null;
  if (NOT_SENT[httpStatus] !== undefined && !REJECTIONS.includes(code)) return null;
  const failure: Failure = { retryable: code === RETRYABLE, detail: code, description, httpStatus };
  const value = readValue(body);
  return value === null ? { kind: 'rejected', failure } : { kind: 'rejected', failure, value };
}
