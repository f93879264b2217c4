import { HOUR, MINUTE, type Instant } from '../time';

/** "at most 3 attempts within a 3-day window, and only after informing the payer" (reference, Subscription limits 2). */
export const MAX_RETRIES = 3;
export const RETRY_WINDOW = 72 * HOUR;
/** A retry follows its delivered notice by at least this. */
export const AFTER_NOTICE = MINUTE;
/** Where nothing else is left, one retry is planned this long before the limit. */
export const LAST_CHANCE = HOUR;

/** Frozen with the cycle's first attempt (rule 9). Offsets in ms from the first failure, ascending, at most {@link MAX_RETRIES}. */
export interface RetryPolicy {
  readonly offsets: readonly number[];
  /** Business ms before any limit of the service after which nothing is sent any more. */
  readonly transit: number;
}

/** `L`: before it, and not at it, a retry may be sent (rule 14). */
export function retryLimit(firstFailureAt: Instant, collectBy: Instant, policy: RetryPolicy): Instant {
  return Math.min(firstFailureAt + RETRY_WINDOW, collectBy) - policy.transit;
}

/** How many retries a cycle may have: as many as the policy names; one, at the last chance, where it names none. */
export function retriesAllowed(policy: RetryPolicy): number {
  return Math.min(MAX_RETRIES, Math.max(policy.offsets.length, 1));
}

export interface RetryQuestion {
  /** 1 to {@link MAX_RETRIES}: which retry of the cycle is to be planned. */
  readonly retry: number;
  readonly firstFailureAt: Instant;
  readonly collectBy: Instant;
  /** When the notice about the failure just before was delivered; for a forecast, when it may be at the earliest. */
  readonly noticeAt: Instant;
  readonly policy: RetryPolicy;
}

/**
 * When the retry is to be made, or null where none may be (rule 14): `max(planned, notice + 1 minute)`, dropped at
 * or past `L`. Where no retry of the plan would remain, one is planned at `L − 1 h`, if that is after the notice.
 */
export function planRetry(question: RetryQuestion): Instant | null {
  const { retry, firstFailureAt, noticeAt, policy } = question;
  if (retry > retriesAllowed(policy)) return null;
  const limit = retryLimit(firstFailureAt, question.collectBy, policy);
  const offset = policy.offsets[retry - 1];
  if (offset !== undefined) {
    const planned = Math.max(firstFailureAt + offset, noticeAt + AFTER_NOTICE);
    if (planned < limit) return planned;
  }
  if (retry > 1) return null;
  const lastChance = limit - LAST_CHANCE;
  return lastChance > noticeAt ? Math.max(lastChance, noticeAt + AFTER_NOTICE) : null;
}

/** How many retries of the plan could still be made from retry number `next` on, were each notice delivered at once. */
export function retriesLeft(question: RetryQuestion): number {
  let left = 0;
  for (let retry = question.retry; retry <= MAX_RETRIES; retry += 1) {
    const at = planRetry({ ...question, retry });
    if (at === null) break;
    left += 1;
  }
  return left;
}
