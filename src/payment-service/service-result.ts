/** The service's own word of refusal: a readable Failure body (decisions 12). */
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
   * Real ms by which the service's clock is ahead of ours at the least, negative where it is behind. Left out where both
   * may agree, and where its `Date` header does not tell.
   */
  readonly clockLead?: number;
}

/** Refused. `value` is the refused record where the answer names it: its id and createdAt (decisions 14). */
export interface Rejected<T> {
  readonly kind: 'rejected';
  readonly failure: Failure;
  readonly value?: T;
}

/** The service did not act on it; it may be sent again with back-off (decisions 17). */
export interface NotSent {
  readonly kind: 'not_sent';
  readonly reason: string;
  /** Real milliseconds the service asked to wait, at most a day. */
  readonly retryAfterMs?: number;
}

/** Bytes may have left and no word came back that can be relied on: reconcile, never repeat (decisions 17). */
export interface Unknown {
  readonly kind: 'unknown';
  readonly reason: string;
}

/** Of a process that stops: its turn does not come any more. */
export const HELD_BACK: NotSent = { kind: 'not_sent', reason: 'this process makes no more calls' };

/** What became of one call. Expected outcomes only: a fault in our own code throws. */
export type ServiceResult<T> = Accepted<T> | Rejected<T> | NotSent | Unknown;

export type CallOutcome = ServiceResult<unknown>['kind'];

export function notSent(reason: string, retryAfterMs?: number): NotSent {
  return retryAfterMs === undefined ? { kind: 'not_sent', reason } : { kind: 'not_sent', reason, retryAfterMs };
}

export function unknown(reason: string): Unknown {
  return { kind: 'unknown', reason };
}
