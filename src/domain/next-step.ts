import { collectionWindow, type CollectionWindow } from './collection-window';
import { dueAt, hasCycle } from './due-dates';
import type { Instant } from './instant';
import { currentPause, isPaused } from './pauses';
import { AFTER_NOTICE, MAX_RETRIES, planRetry, retriesLeft, retryLimit, type RetryQuestion } from './retry-plan';
import { type CollectPlan, isTerminal, type OpenCycle, type Rejection, type SubscriptionState } from './subscription';

/** Why a cycle ends uncollected. */
export type ClosingReason =
  | 'paused'
  | 'window_closed'
  | 'rejected'
  | 'capture_failed'
  | 'retries_used'
  | 'no_time_left'
  | 'out_of_time'
  | 'notice_undeliverable'
  | 'consent_ended';

export interface Closing {
  readonly kind: 'close';
  readonly cycle: number;
  readonly window: CollectionWindow;
  readonly status: 'skipped' | 'missed' | 'failed';
  readonly reason: ClosingReason;
}

export type WaitReason = 'due' | 'retry' | 'paused' | 'cancelling' | 'pending';

/** What a subscription does next. A wait ends at its instant or with the next message; null: only with a message. */
export type Step =
  | { readonly kind: 'wait'; readonly until: Instant | null; readonly why: WaitReason }
  | { readonly kind: 'collect'; readonly plan: CollectPlan }
  | {
      readonly kind: 'notify';
      readonly dueAt: Instant;
      readonly collectBy: Instant;
      readonly rejection: Rejection;
      readonly retryAt: Instant;
      readonly retryUntil: Instant;
      readonly retriesLeft: number;
    }
  | Closing
  | { readonly kind: 'resume'; readonly at: Instant }
  | { readonly kind: 'complete' }
  | { readonly kind: 'finish' };

/**
 * The one decision of a subscription's life: given its state and the time, what to do next. Pure; the workflow carries
 * it out, applies the result and asks again.
 */
export function nextStep(state: SubscriptionState, now: Instant): Step {
  const { open } = state;
  if (open !== null && open.doubt !== 'none') return { kind: 'collect', plan: settling(state, open) };
  if (isTerminal(state.status)) return afterTheEnd(state);
  if (state.cancellation !== null) return { kind: 'wait', until: null, why: 'cancelling' };
  if (!hasCycle(state.terms, state.cycle)) return state.pending.length > 0 ? waitForPending() : { kind: 'complete' };
  const window = collectionWindow(state.terms, state.cycle);
  if (open?.rejection == null && window.dueAt <= now && isPaused(state.pauses, window.dueAt)) {
    return closing(state, window, 'skipped', 'paused');
  }
  const pause = currentPause(state);
  if (pause?.until != null && pause.until <= now) return { kind: 'resume', at: pause.until };
  if (open !== null && (open.rejection !== null || open.captureFailed)) return dun(state, open, window, now);
  return collectFirst(state, window, now);
}

/** The cycle's first attempt: in its window, and not while paused (decisions 3, 4, 23). */
function collectFirst(state: SubscriptionState, window: CollectionWindow, now: Instant): Step {
  const sendBefore = window.collectBy - (state.open?.policy ?? state.policy).transit;
  if (now >= window.dueAt && (now >= sendBefore || state.open?.windowClosed === true)) {
    return isPaused(state.pauses, Math.min(now, sendBefore))
      ? closing(state, window, 'skipped', 'paused')
      : closing(state, window, 'missed', 'window_closed');
  }
  const pause = currentPause(state);
  if (pause !== null) {
    const limit = now < window.dueAt ? window.dueAt : sendBefore;
    return { kind: 'wait', until: Math.min(limit, pause.until ?? limit), why: 'paused' };
  }
  const startAt = window.dueAt + Math.min(state.spread, (window.collectBy - window.dueAt) / 2);
  if (now < startAt) return { kind: 'wait', until: startAt, why: 'due' };
  return { kind: 'collect', plan: attemptPlan(state, window, sendBefore) };
}

/** After a rejection: notice, wait, retry, or the end of the cycle (decisions 12 to 15). */
function dun(state: SubscriptionState, open: OpenCycle, window: CollectionWindow, now: Instant): Step {
  const { rejection } = open;
  if (open.captureFailed || rejection === null) return closing(state, window, 'failed', 'capture_failed');
  if (!rejection.retryable) return closing(state, window, 'failed', 'rejected');
  if (open.attempt > MAX_RETRIES) return closing(state, window, 'failed', 'retries_used');
  const question = retryQuestion(open, rejection, window);
  const limit = retryLimit(question.firstFailureAt, window.collectBy, open.policy);
  if (planRetry(question) === null) return closing(state, window, 'failed', 'no_time_left');
  if (open.notice.kind === 'undeliverable') return closing(state, window, 'failed', 'notice_undeliverable');
  const noticeAt = open.notice.kind === 'delivered' ? open.notice.at : now;
  const retryAt = planRetry({ ...question, noticeAt });
  if (retryAt === null || now >= limit || open.windowClosed) return lateEnd(state, window, Math.min(now, limit));
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
  const at = open.retryNow ? Math.min(retryAt, noticeAt + AFTER_NOTICE) : retryAt;
  if (now < at) return { kind: 'wait', until: at, why: 'retry' };
  return { kind: 'collect', plan: attemptPlan(state, window, limit) };
}

function retryQuestion(open: OpenCycle, rejection: Rejection, window: CollectionWindow): RetryQuestion {
  return {
    retry: open.attempt,
    firstFailureAt: open.firstFailureAt ?? rejection.at,
    collectBy: window.collectBy,
    noticeAt: rejection.at,
    policy: open.policy,
  };
}

/** There was time for a retry, and it passed: in a pause, or without one in an outage or for want of a notice. */
function lateEnd(state: SubscriptionState, window: CollectionWindow, limit: Instant): Closing {
  return closing(state, window, 'failed', isPaused(state.pauses, limit) ? 'paused' : 'out_of_time');
}

/** The subscription is over: what is open is closed, what is pending is waited for. */
function afterTheEnd(state: SubscriptionState): Step {
  const { open } = state;
  if (open === null) return state.pending.length > 0 ? waitForPending() : { kind: 'finish' };
  const window = collectionWindow(state.terms, open.cycle);
  if (open.captureFailed) return closing(state, window, 'failed', 'capture_failed');
  return closing(state, window, open.rejection === null ? 'skipped' : 'failed', 'consent_ended');
}

function attemptPlan(state: SubscriptionState, window: CollectionWindow, sendBefore: Instant): CollectPlan {
  return {
    cycle: state.cycle,
    attempt: state.open?.attempt ?? 0,
    amount: state.open?.amount ?? state.current,
    ...window,
    sendBefore,
    nextDueAt: hasCycle(state.terms, state.cycle + 1) ? dueAt(state.terms, state.cycle + 1) : null,
    settleOnly: false,
    knownUnresolved: false,
  };
}

/** Asks what became of an attempt in doubt. Nothing else goes on before it is settled (decisions 18). */
function settling(state: SubscriptionState, open: OpenCycle): CollectPlan {
  const window = collectionWindow(state.terms, open.cycle);
  return {
    ...attemptPlan(state, window, window.dueAt),
    settleOnly: true,
    knownUnresolved: open.doubt === 'unresolved',
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
