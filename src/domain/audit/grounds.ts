import { amountFreeAt, firstAttemptAt, retryPlan, retryQuestion } from '../subscription/next-step';
import type { Closing } from '../subscription/step';
import { isPaused } from '../subscription/pauses';
import { LAST_CHANCE, planRetry, retryLimit, type RetryQuestion } from '../subscription/retries';
import type { CollectPlan, OpenCycle, Rejection, SubscriptionState } from '../subscription/state';
import { type Instant, isoOrNull, toIso } from '../time';
import type { EventData } from './event';

/**
 * The facts behind decisions, as written to the audit log, with instants as ISO text. They must be read before the decision
 * changes the state.
 */

/** Why an attempt is made at this time. */
export interface WhyNow {
  readonly because: 'due' | 'spread' | 'postponed' | 'increase_free' | 'hold_ended' | 'requested' | RetryTime;
  /** For a retry. */
  readonly firstFailureAt?: string;
  /** For a retry: when the payer was notified of the previous failure. */
  readonly noticeAt?: string;
}

/**
 * Which part of rule 14 determines the time of a retry: its offset; the minute after the notice or the gap, if that ends later;
 * or the last chance.
 */
export type RetryTime = 'planned' | 'after_notice' | 'after_gap' | 'last_chance';

export interface WhyRetryThen {
  readonly because: RetryTime;
  readonly firstFailureAt: string;
}

/** Called before the attempt starts. */
export function whyNow(state: SubscriptionState, plan: CollectPlan, now: Instant): WhyNow {
  const question = retryAsked(state, plan);
  if (question === null) return { because: whyFirst(state, plan) };
  const retryAt = planRetry(question);
  const isRequested = retryAt === null || isRetryMoved(state, retryAt, now);
  return {
    because: isRequested ? 'requested' : retryTime(question, retryAt),
    firstFailureAt: toIso(question.firstFailureAt),
    noticeAt: toIso(question.noticeAt),
  };
}

/**
 * The instant from which the lateness of the attempt is counted; called before the attempt starts. Time before the end of a pause
 * or a hold does not count, and a retry that an operator requested earlier than planned is planned for `now`.
 */
export function plannedFor(state: SubscriptionState, plan: CollectPlan, now: Instant): Instant {
  const question = retryAsked(state, plan);
  const planned =
    question === null
      ? Math.max(firstAttemptAt(state, plan), amountFreeAt(state, plan))
      : Math.min(plannedRetry(state, question) ?? now, now);
  const resumed = state.pauses.flatMap(({ until }) => (until === null || until > now ? [] : [until]));
  return Math.max(planned, Math.min(state.heldUntil ?? planned, now), ...resumed);
}

function plannedRetry({ open }: SubscriptionState, question: RetryQuestion): Instant | null {
  return open === null ? null : retryPlan(open)(question);
}

/** Whether an operator's request determines the time of the retry, earlier or later than planned. */
function isRetryMoved({ open }: SubscriptionState, plannedAt: Instant, now: Instant): boolean {
  const from = open?.retryFrom ?? null;
  return from !== null && (now < plannedAt || from > plannedAt);
}

/** The facts that determine the retry; null for a first attempt. */
function retryAsked({ open }: SubscriptionState, { collectBy }: CollectPlan): RetryQuestion | null {
  if (open?.rejection == null || open.notice.kind !== 'delivered') return null;
  return retryQuestion(open, open.rejection, collectBy, open.notice.at);
}

function whyFirst(state: SubscriptionState, plan: CollectPlan): WhyNow['because'] {
  const spreadAt = firstAttemptAt(state, plan);
  const freeAt = amountFreeAt(state, plan);
  if (state.heldUntil !== undefined && state.heldUntil > Math.max(spreadAt, freeAt)) return 'hold_ended';
  if (freeAt > spreadAt) return 'increase_free';
  if (state.postponements?.some(({ cycle }) => cycle === plan.cycle) === true) return 'postponed';
  return spreadAt > plan.dueAt ? 'spread' : 'due';
}

/** Why a retry is planned for `retryAt`. */
export function whyRetryThen(
  open: OpenCycle,
  rejection: Rejection,
  collectBy: Instant,
  retryAt: Instant,
): WhyRetryThen {
  const question = retryQuestion(open, rejection, collectBy, rejection.at);
  return { because: retryTime(question, retryAt), firstFailureAt: toIso(question.firstFailureAt) };
}

/** The last refusal in the open cycle, and the limit for its retries; null if nothing was refused. */
export function retryDetails({ open }: SubscriptionState, collectBy: Instant): EventData | null {
  if (open?.rejection == null) return null;
  const firstFailureAt = open.firstFailureAt ?? open.rejection.at;
  return {
    attempt: open.attempt,
    detail: open.rejection.detail,
    firstFailureAt: toIso(firstFailureAt),
    retryUntil: toIso(retryLimit(firstFailureAt, collectBy, open.policy)),
  };
}

/**
 * The details of a cycle that ends uncollected: its window, the pause that stopped it, the attempt that was authorized but not
 * debited, or otherwise the last refusal.
 */
export function closingDetails({ open, pauses }: SubscriptionState, { window, reason }: Closing): EventData {
  const pause = pauses.find((each) => isPaused([each], window.dueAt)) ?? pauses.at(-1);
  return {
    collectBy: toIso(window.collectBy),
    ...(reason !== 'paused' || pause === undefined
      ? {}
      : { pause: { since: toIso(pause.since), until: isoOrNull(pause.until) } }),
    ...(reason === 'capture_failed' ? open?.failedCapture : lastRefusal(open)),
  };
}

function lastRefusal(open: OpenCycle | null): EventData {
  if (open?.rejection == null) return {};
  const { attempt, detail, at } = open.rejection;
  return { rejection: { attempt, detail, at: toIso(at) } };
}

function retryTime(question: RetryQuestion, retryAt: Instant): RetryTime {
  const { firstFailureAt, previousAt, collectBy, policy } = question;
  if (policy.offsets.some((offset) => retryAt === firstFailureAt + offset)) return 'planned';
  if (retryAt === retryLimit(firstFailureAt, collectBy, policy) - LAST_CHANCE) return 'last_chance';
  return retryAt === previousAt + policy.gap ? 'after_gap' : 'after_notice';
}
