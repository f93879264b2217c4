import { z } from 'zod';
import { DAY, SECOND } from '../domain/time';
import { headerText, readHttpDate, type WireHeaders, type ExchangeOutcome } from './http-exchange';
import { parseJson, detail, saysFailed, text } from './wire';

/** A refusal by the service: a readable Failure body (rule 12). */
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
   * Minimum real ms by which the service's clock is ahead of ours, negative if it is behind. Omitted if both may agree,
   * or if the `Date` header does not show it.
   */
  readonly clockLead?: number;
  /** For a list: why the list itself says that it is not complete. Such a list proves no absence (rule 39). */
  readonly incomplete?: string;
}

/** Refused. `value` is the refused record if the answer contains it: its id and createdAt (rule 14). */
export interface Rejected<T> {
  readonly kind: 'rejected';
  readonly failure: Failure;
  readonly value?: T;
}

/** The service did not act on the call; it may be sent again with back-off (rule 17). */
export interface NotSent {
  readonly kind: 'not_sent';
  readonly reason: string;
  /** Real milliseconds the service asked to wait, at most a day. */
  readonly retryAfterMs?: number;
  /** Omitted if there was no answer. */
  readonly httpStatus?: number;
}

/**
 * Bytes may have been sent and no reliable answer came back: the caller asks for the outcome, and never repeats (rule
 * 17).
 */
export interface Unknown {
  readonly kind: 'unknown';
  readonly reason: string;
  /**
   * The JSON text of an accepted answer that names a record but cannot be read in full. The record exists, so the call must not count
   * as never made (rule 38).
   */
  readonly accepted?: string;
  /** The status of a complete answer that could not be read. */
  readonly httpStatus?: number;
}

/** The result of calls that were not made because the process stops. */
export const CALL_REFUSED: NotSent = { kind: 'not_sent', reason: 'this process makes no more calls' };

/** The result of one call. Expected outcomes only: an error in our own code throws. */
export type ServiceResult<T> = Accepted<T> | Rejected<T> | NotSent | Unknown;

/** Maps the value of a result. */
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
 * Real milliseconds to wait according to a Retry-After header, in seconds or as an HTTP date; undefined if it is neither.
 * Never negative, and never more than a day, so that one absurd header cannot stop all collection.
 */
export function readRetryAfter(header: WireHeaders[string], realNow: number): number | undefined {
  const text = headerText(header) ?? '';
  const until = /^\d+$/.test(text) ? realNow + Number(text) * SECOND : readHttpDate(text);
  return until === undefined ? undefined : Math.min(Math.max(0, until - realNow), DAY);
}

/** The only detail after which the same payment may be tried again (rule 12). */
const RETRYABLE = 'AUTHORIZATION_REJECTION_RETRYABLE';

/** Details that come from the bank: the request was processed, regardless of the HTTP status (rule 12). */
const REJECTIONS = [RETRYABLE, 'AUTHORIZATION_REJECTION_FINAL'];

/**
 * Details that are refusals even with a 5xx status. On its own, a 5xx status leaves the outcome unknown, and so does
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

/** Statuses with which, unless the body is a rejection, the service has not processed the request at all (rules 12, 17). */
const NOT_SENT: Readonly<Record<number, string>> = {
  401: 'the service refused a fresh token (401)',
  403: 'the service refused these credentials or this address (403)',
  429: 'the service limits the rate of requests (429)',
};

const failureBody = z.object({ result: z.string().refine(saysFailed), detail, description: text });
const claimedSuccess = z.object({ status: z.object({ result: z.string().regex(/^\s*successful\s*$/i) }) });

/** Reads a record from a parsed body; null unless it is the expected one, complete and well-typed. */
export type ReadValue<T> = (body: unknown, headers?: WireHeaders) => T | null;

export interface ReadContext {
  readonly realNow: number;
  readonly mask: (text: string) => string;
}

/**
 * Interprets one exchange. If it is unclear, the result is `unknown`: the caller asks for the outcome before it sends
 * again.
 */
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
  const notSentReason = httpStatus === undefined ? undefined : NOT_SENT[httpStatus];
  if (notSentReason !== undefined && httpStatus !== undefined) {
    const retryAfterMs = readRetryAfter(outcome.headers?.['retry-after'], context.realNow);
    return { ...notSent(notSentReason, retryAfterMs), httpStatus };
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
/** The fields that are stored of an answer that cannot be read in full; none is personal data. */
const STORED = [...NAMES, 'paymentId', 'amount', 'createdAt', 'status', 'result'] as const;
const MAX_STORED_LENGTH = 300;

/** The record that an accepted answer names, as JSON text; null if it names none. */
function namedRecord(body: unknown): string | null {
  const parsed = z.record(z.string(), z.unknown()).safeParse(body);
  if (!parsed.success || !NAMES.some((name) => typeof parsed.data[name] === 'string')) return null;
  const stored = STORED.flatMap((name) => {
    const value = parsed.data[name];
    return value !== undefined && JSON.stringify(value).length <= MAX_STORED_LENGTH ? [[name, value] as const] : [];
  });
  return JSON.stringify(Object.fromEntries(stored));
}

/** An answer with result FAILED is a failure; which details count depends on the HTTP status. */
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
