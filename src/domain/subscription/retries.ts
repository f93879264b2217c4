import { HOUR, MINUTE, type Instant } from '../time';

/** "at most 3 attempts within a 3-day window, and only after informing the payer" (reference, Subscription limits 2). */
export const MAX_RETRIES = 3;
export const RETRY_WINDOW = 72 * HOUR;
/** The minimum time between the delivered notice and the retry. */
export const AFTER_NOTICE = MINUTE;
/** If no planned retry fits, one is planned this long before the limit. */
export const LAST_CHANCE = HOUR;

/** Frozen when the subscription is created (rule 14). Offsets in ms from the first failure, ascending, at most {@link MAX_RETRIES}. */
export interface RetryPolicy {
  readonly offsets: readonly number[];
  /** In the last `transit` ms before any time limit of the service nothing is sent. Business time. */
  readonly transit: number;
  /** The minimum business ms between two attempts of one cycle, see {@link retryGap}. */
  readonly gap: number;
}

/** The configured gap, or the smallest distance between two planned attempts if that is less. */
export function retryGap(offsets: readonly number[], asked: number): number {
  const distances = offsets.map((offset, index) => offset - (offsets[index - 1] ?? 0));
  return Math.min(asked, ...distances);
}

/** `L`: a retry may be sent only strictly before this instant (rule 14). */
export function retryLimit(firstFailureAt: Instant, collectBy: Instant, policy: RetryPolicy): Instant {
  return Math.min(firstFailureAt + RETRY_WINDOW, collectBy) - policy.transit;
}

/** The number of retries planned for a cycle: those of the policy; or one, at the last chance, if the policy has none. */
export function retriesPlanned(policy: RetryPolicy): number {
  return Math.min(MAX_RETRIES, Math.max(policy.offsets.length, 1));
}

export interface RetryQuestion {
  /** 1 to {@link MAX_RETRIES}: the number of this retry in its cycle. It does not determine the planned time. */
  readonly retry: number;
  readonly firstFailureAt: Instant;
  /** When the previous attempt was sent, by our clock. */
  readonly previousAt: Instant;
  readonly collectBy: Instant;
  /** When the notice about the previous failure was delivered; for a forecast, the earliest possible delivery. */
  readonly noticeAt: Instant;
  readonly policy: RetryPolicy;
}

/**
 * When the next retry is made, or null if none is allowed (rule 14). Planned times are instants: the earliest one after
 * the previous attempt counts, so that several retries missed in a pause or an outage are followed by only one. It is delayed
 * until a minute after the notice, and until the gap after the previous attempt has passed; at or after `L` it is dropped. If no
 * retry of the cycle would fit, one is planned at `L − 1 h`.
 */
export function planRetry(question: RetryQuestion): Instant | null {
  if (question.retry > MAX_RETRIES) return null;
  const { retry, firstFailureAt, previousAt, noticeAt, policy } = question;
  const limit = retryLimit(firstFailureAt, question.collectBy, policy);
  const planned = policy.offsets.map((offset) => firstFailureAt + offset).find((at) => at > previousAt);
  if (planned !== undefined) {
    const at = Math.max(planned, noticeAt + AFTER_NOTICE, previousAt + policy.gap);
    if (at < limit) return at;
  }
  return retry === 1 ? lastChance(question, limit) : null;
}

/**
 * The retry at the last chance; null if it came less than {@link LAST_CHANCE} after the failure, or too soon after the
 * notice.
 */
function lastChance({ firstFailureAt, noticeAt }: RetryQuestion, limit: Instant): Instant | null {
  const at = limit - LAST_CHANCE;
  return at >= firstFailureAt + LAST_CHANCE && at >= noticeAt + AFTER_NOTICE ? at : null;
}

/**
 * When a retry requested by an operator is made, or null if none is allowed. Planned time and gap do not apply, but the notice,
 * the limit `L` and the number of retries do.
 * @param from the requested instant
 */
export function earliestRetry(question: RetryQuestion, from: Instant): Instant | null {
  const { retry, firstFailureAt, collectBy, noticeAt, policy } = question;
  const at = Math.max(from, noticeAt + AFTER_NOTICE);
  return retry <= MAX_RETRIES && at < retryLimit(firstFailureAt, collectBy, policy) ? at : null;
}

/** How many retries can still be made if each notice is delivered immediately. */
export function retriesLeft(question: RetryQuestion): number {
  const at = planRetry(question);
  if (at === null) return 0;
  return 1 + retriesLeft({ ...question, retry: question.retry + 1, previousAt: at, noticeAt: at });
}
