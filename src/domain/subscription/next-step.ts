import { type AttemptNumber, type Closing, type ClosingReason, includesAttempt, type Step } from './step';
import type { Instant } from '../time';
import { amountOfCycle, changeFor, judgeFreeze, isAnnounced, untriedBefore, waitedAtTheEnd } from './pending-change';
import { currentPause, isPaused } from './pauses';
import { isLeftToReplacement } from './replacements';
import {
  earliestRetry,
  planRetry,
  retriesLeft,
  retriesPlanned,
  retryLimit,
  type RetryPolicy,
  type RetryQuestion,
} from './retries';
import { collectionWindow, type CollectionWindow, dueAt, firstTryAt, hasCycle } from './schedule';
import { type CollectPlan, isTerminal, type OpenCycle, type Rejection, type SubscriptionState } from './state';
import { dueFrom } from './transitions';

/**
 * Decides the next step of a subscription from its state and the time. Pure.
 * @param followed attempts that already have their own workflows
 */
export function nextStep(state: SubscriptionState, now: Instant, followed: readonly AttemptNumber[] = []): Step {
  const beside = outcomesBeside(state, now).find((plan) => !includesAttempt(followed, plan));
  if (beside !== undefined) return { kind: 'follow', plan: beside };
  const step = decide(state, now);
  const { pendingChange } = state;
  if (pendingChange?.announcement.kind !== 'due' || !isStillSteered(state)) return step;
  if (pendingChange.announceAt <= now && step.kind !== 'drop_change')
    return { kind: 'announce', change: pendingChange };
  if (step.kind !== 'wait' || (step.until !== null && step.until <= pendingChange.announceAt)) return step;
  return { ...step, until: pendingChange.announceAt };
}

function isStillSteered(state: SubscriptionState): boolean {
  return (state.status === 'active' || state.status === 'paused') && state.cancellation === null;
}

/** Attempts whose outcome is awaited in parallel: neither later cycles nor a cancellation wait for them. */
export function outcomesBeside(state: SubscriptionState, now: Instant): readonly CollectPlan[] {
  const { open, pending } = state;
  return open !== null && open.unsettled !== 'none' && isEnding(state)
    ? [...pending, unsettledPlan(state, open, now)]
    : pending;
}

function isEnding({ status, cancellation }: SubscriptionState): boolean {
  return isTerminal(status) || cancellation !== null;
}

function decide(state: SubscriptionState, now: Instant): Step {
  const { open } = state;
  if (isTerminal(state.status)) return afterTheEnd(state);
  if (state.cancellation !== null) return { kind: 'cancel_consent' };
  if (state.status === 'pending_consent') return { kind: 'await_consent' };
  if (open !== null && open.unsettled !== 'none') return { kind: 'collect', plan: unsettledPlan(state, open, now) };
  if (!hasCycle(state.terms, state.cycle)) return state.pending.length > 0 ? waitForPending() : { kind: 'complete' };
  const window = collectionWindow(state.terms, state.cycle);
  const answered = open !== null && (open.rejection !== null || open.captureFailed);
  if (!answered && window.dueAt <= now && isPaused(state.pauses, window.dueAt)) {
    return closing(state, window, 'skipped', 'paused');
  }
  if (open === null && state.skips.includes(state.cycle))
    return closing(state, window, 'skipped', 'skipped_by_request');
  const pause = currentPause(state);
  if (pause?.until != null && pause.until <= now) return { kind: 'resume', at: pause.until };
  if (answered) return dun(state, open, window, now);
  return collectFirst(state, window, now);
}

/** The first attempt of a cycle: within its window, and not while paused (rules 3, 4, 23). */
function collectFirst(state: SubscriptionState, window: CollectionWindow, now: Instant): Step {
  const sendBefore = sendLimit(state, window);
  if (now >= window.dueAt && now >= sendBefore) {
    if (isLeftToReplacement(state, window.dueAt)) return closing(state, window, 'skipped', 'replaced');
    return isPausedAtTheEnd(state, now, sendBefore)
      ? closing(state, window, 'skipped', 'paused')
      : closing(state, window, 'missed', 'window_closed');
  }
  const pause = currentPause(state);
  if (pause !== null) {
    const limit = now < window.dueAt ? window.dueAt : sendBefore;
    return { kind: 'wait', until: Math.min(limit, pause.until ?? limit), why: 'paused' };
  }
  if (isLeftToReplacement(state, window.dueAt)) return { kind: 'wait', until: sendBefore, why: 'replacement' };
  const startAt = Math.max(firstAttemptAt(state, window), amountFreeAt(state, window));
  if (now < startAt) return { kind: 'wait', until: startAt, why: 'due' };
  const first = waitForHold(state, now, sendBefore) ?? dropChangeFirst(state, window);
  return first ?? { kind: 'collect', plan: attemptPlan(state, window, sendBefore) };
}

/** A hold stops the attempt but skips nothing: the attempt is made when the hold ends, if that is before the limit (rule 16). */
function waitForHold({ heldUntil }: SubscriptionState, now: Instant, limit: Instant): Step | null {
  if (heldUntil === undefined || heldUntil <= now) return null;
  return { kind: 'wait', until: Math.min(heldUntil, limit), why: 'on_hold' };
}

/**
 * When the amount of the cycle may be collected. An increase that counts is judged again when its cycle is frozen, and may have
 * to wait (rules 20, 21).
 */
export function amountFreeAt(state: SubscriptionState, window: CollectionWindow): Instant {
  const freezing = judgeFreeze(state, window);
  return freezing.kind === 'allowed' ? freezing.notBefore : window.dueAt;
}

/** The step that drops a change that the cycle may not collect: it is no longer allowed, or the payer has not been notified (rule 21). */
function dropChangeFirst(state: SubscriptionState, window: CollectionWindow): Step | null {
  const { cycle } = state;
  const change = changeFor(state, cycle);
  if (change === null) return null;
  const freezing = judgeFreeze(state, window);
  if (freezing.kind === 'drop') return { kind: 'drop_change', change, cycle, reason: freezing.reason };
  return isAnnounced(state) ? null : { kind: 'drop_change', change, cycle, reason: 'not_announced' };
}

/**
 * Whether a pause stopped the cycle in the last millisecond in which it could have been sent, or at `now` if that is
 * earlier.
 */
function isPausedAtTheEnd(state: SubscriptionState, now: Instant, limit: Instant): boolean {
  return isPaused(state.pauses, Math.min(now, limit - 1));
}

/** The instant to which the first attempt in this window is postponed; null if it is not postponed. */
function postponementOf(
  { postponements = [], terms }: SubscriptionState,
  { dueAt: due }: CollectionWindow,
): Instant | null {
  return postponements.find(({ cycle }) => dueAt(terms, cycle) === due)?.until ?? null;
}

/** Nothing is sent at or after this instant: the end of the window, less the transit margin. */
export function sendLimit(state: SubscriptionState, window: CollectionWindow): Instant {
  return window.collectBy - policyOf(state).transit;
}

/** When the first attempt of the cycle is planned. */
export function firstAttemptAt(state: SubscriptionState, window: CollectionWindow): Instant {
  const postponedUntil = postponementOf(state, window);
  return firstTryAt(window, { transit: policyOf(state).transit, spread: state.spread, postponedUntil });
}

function policyOf(state: SubscriptionState): RetryPolicy {
  return state.open?.policy ?? state.policy;
}

/**
 * After a rejection: notify, wait, retry, or end the cycle (rules 12 to 15). After a failed capture the cycle ends
 * (rule 11).
 */
function dun(state: SubscriptionState, open: OpenCycle, window: CollectionWindow, now: Instant): Step {
  const { rejection } = open;
  if (open.captureFailed || rejection === null) return closing(state, window, 'failed', 'capture_failed');
  if (!rejection.retryable) return closing(state, window, 'failed', 'rejected');
  const question = retryQuestion(open, rejection, window.collectBy, rejection.at);
  const limit = retryLimit(question.firstFailureAt, window.collectBy, open.policy);
  const plan = retryPlan(open);
  if (plan(question) === null) return closing(state, window, 'failed', whyNoRetry(state, question, window));
  const isUnsent = open.notice.kind === 'undeliverable' || (open.notice.kind === 'sending' && now >= limit);
  if (isUnsent) return closing(state, window, 'failed', 'notice_undeliverable');
  if (open.notice.kind === 'sending') return { kind: 'wait', until: limit, why: 'notice' };
  const noticeAt = open.notice.kind === 'delivered' ? open.notice.at : now;
  const retryAt = plan({ ...question, noticeAt });
  if (retryAt === null || now >= limit) return lateEnd(state, window, now, limit);
  if (open.notice.kind === 'due') {
    return {
      kind: 'notify',
      ...window,
      rejection,
      retryAt,
      retryUntil: limit,
      retriesLeft: retriesLeft({ ...question, noticeAt }),
    };
  }
  const pause = currentPause(state);
  if (pause !== null) return { kind: 'wait', until: Math.min(limit, pause.until ?? limit), why: 'paused' };
  if (now < retryAt) return { kind: 'wait', until: retryAt, why: 'retry' };
  return waitForHold(state, now, limit) ?? { kind: 'collect', plan: attemptPlan(state, window, limit) };
}

/** The retry as planned by the policy, or at the time that an operator has requested (rule 14). */
export function retryPlan({ retryFrom }: OpenCycle): (question: RetryQuestion) => Instant | null {
  return retryFrom === null ? planRetry : (question) => earliestRetry(question, retryFrom);
}

/** The facts that determine the next retry of the open cycle. */
export function retryQuestion(
  { attempt: retry, firstFailureAt, policy }: OpenCycle,
  rejection: Rejection,
  collectBy: Instant,
  noticeAt: Instant,
): RetryQuestion {
  const previousAt = rejection.sentAt ?? rejection.at;
  return { retry, firstFailureAt: firstFailureAt ?? rejection.at, previousAt, collectBy, noticeAt, policy };
}

/**
 * Why no retry is left: all planned retries were made, the window is too short for another one, or the first attempt was too
 * late for any. The last case, for example after a pause or an outage, must not count as exhausted retries (rule 15).
 */
function whyNoRetry(state: SubscriptionState, question: RetryQuestion, window: CollectionWindow): ClosingReason {
  if (question.retry > retriesPlanned(question.policy)) return 'retries_used';
  const start = firstAttemptAt(state, window);
  const onTime = { ...question, firstFailureAt: start, previousAt: start, noticeAt: start };
  return question.retry === 1 && planRetry(onTime) !== null ? 'out_of_time' : 'no_time_left';
}

/** There was time for a retry, but it passed: during a pause, a hold or an outage, or without a delivered notice. */
function lateEnd(state: SubscriptionState, window: CollectionWindow, now: Instant, limit: Instant): Closing {
  return closing(state, window, 'failed', isPausedAtTheEnd(state, now, limit) ? 'paused' : 'out_of_time');
}

/** The next step after the subscription has ended: an open cycle is closed, and pending attempts are awaited. */
function afterTheEnd(state: SubscriptionState): Step {
  const { open } = state;
  if (open === null)
    return dueBeforeTheEnd(state) ?? (state.pending.length > 0 ? waitForPending() : { kind: 'finish' });
  if (open.unsettled !== 'none') return waitForPending();
  const window = collectionWindow(state.terms, open.cycle);
  if (open.captureFailed) return closing(state, window, 'failed', 'capture_failed');
  return closing(state, window, open.rejection === null ? 'skipped' : 'failed', 'consent_ended');
}

/**
 * The closing of a cycle that was due but not yet attempted when the merchant cancelled, or when another end of the consent was
 * noticed: it was waiting, paused, or delayed by an outage (rules 4, 7).
 */
function dueBeforeTheEnd(state: SubscriptionState): Closing | null {
  const end = waitedAtTheEnd(state);
  const window = end === null ? null : untriedBefore(state, end);
  if (end === null || window === null) return null;
  const sendBefore = sendLimit(state, window);
  if (isPaused(state.pauses, window.dueAt) || isPausedAtTheEnd(state, end, sendBefore)) {
    return closing(state, window, 'skipped', 'paused');
  }
  return sendBefore <= end
    ? closing(state, window, 'missed', 'window_closed')
    : closing(state, window, 'skipped', 'consent_ended');
}

function attemptPlan(state: SubscriptionState, window: CollectionWindow, sendBefore: Instant): CollectPlan {
  return {
    cycle: state.cycle,
    attempt: state.open?.attempt ?? 0,
    amount: amountOfCycle(state, state.cycle),
    ...window,
    sendBefore,
    nextDueAt: dueFrom(state, state.cycle + 1),
    settleOnly: false,
    parked: false,
    knownUnresolved: false,
  };
}

/** The plan of an attempt whose outcome is awaited, or that an operator may resolve (rules 18, 41); null if there is none. */
export function planToSettle(state: SubscriptionState, cycle: number, now: Instant): CollectPlan | null {
  const { open } = state;
  const parked = state.pending.find((each) => each.cycle === cycle);
  if (parked !== undefined) return parked;
  return open?.cycle === cycle && open.unsettled !== 'none' ? unsettledPlan(state, open, now) : null;
}

/**
 * The plan of an attempt whose outcome is unknown. Within its limits it continues as it started: a send that was never executed
 * may be repeated (rule 17). While a refused attempt is listed again, no retry is sent.
 */
function unsettledPlan(state: SubscriptionState, open: OpenCycle, now: Instant): CollectPlan {
  const window = collectionWindow(state.terms, open.cycle);
  const limit =
    open.firstFailureAt === null
      ? sendLimit(state, window)
      : retryLimit(open.firstFailureAt, window.collectBy, open.policy);
  const mayBeSent = open.unsettled === 'unknown' && now < window.collectBy && !isEnding(state);
  return mayBeSent ? attemptPlan(state, window, limit) : settlingPlan(state, open);
}

function settlingPlan(state: SubscriptionState, open: OpenCycle): CollectPlan {
  const window = collectionWindow(state.terms, open.cycle);
  return {
    ...attemptPlan(state, window, window.dueAt),
    settleOnly: true,
    knownUnresolved: open.unsettled === 'unresolved',
  };
}

function closing(
  state: SubscriptionState,
  window: CollectionWindow,
  status: Closing['status'],
  reason: ClosingReason,
): Closing {
  return { kind: 'close', cycle: state.cycle, window, status, reason };
}

function waitForPending(): Step {
  return { kind: 'wait', until: null, why: 'pending' };
}
