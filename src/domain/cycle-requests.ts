import { hasCycle } from './due-dates';
import { collectionWindow } from './collection-window';
import type { Instant } from './instant';
import { conflict, type Refusal } from './requests';
import { MAX_RETRIES, planRetry, retriesAllowed, retryLimit } from './retry-plan';
import { isTerminal, type SubscriptionState } from './subscription';

/** Whether a cycle may still be skipped: before its first attempt only. */
export function refuseSkip(state: SubscriptionState, cycle: number): Refusal | null {
  const ended = refuseEnded(state);
  if (ended !== null) return ended;
  if (!hasCycle(state.terms, cycle)) return conflict(`cycle ${cycle} does not exist: the subscription ends before it`);
  if (cycle < state.cycle) return conflict(`cycle ${cycle} is over`);
  if (cycle === state.cycle && state.open !== null) return conflict(`the first attempt of cycle ${cycle} has begun`);
  return null;
}

/** The cycle will not be collected; the calendar stays as it is. */
export function skipCycle(state: SubscriptionState, cycle: number): SubscriptionState {
  return { ...state, skips: [...state.skips.filter((each) => each !== cycle), cycle] };
}

/** Whether the next attempt may be made now instead of at its planned time, by the state and by the service's limits. */
export function refuseRetryNow(state: SubscriptionState, cycle: number, now: Instant): Refusal | null {
  const ended = refuseEnded(state);
  if (ended !== null) return ended;
  const { open } = state;
  if (state.status === 'paused') return conflict('the subscription is paused');
  if (open?.rejection == null || open.cycle !== cycle || open.doubt !== 'none') {
    return conflict(`cycle ${cycle} does not wait for a retry`);
  }
  const { collectBy } = collectionWindow(state.terms, cycle);
  const firstFailureAt = open.firstFailureAt ?? open.rejection.at;
  if (!open.rejection.retryable) return limit(`the rejection ${open.rejection.detail} is final`);
  if (open.attempt > retriesAllowed(open.policy))
    return limit(`no retry is left: at most ${MAX_RETRIES} after a failed authorization`);
  if (now >= retryLimit(firstFailureAt, collectBy, open.policy)) return limit('the time for retries is over');
  const question = { retry: open.attempt, firstFailureAt, collectBy, noticeAt: now, policy: open.policy };
  return planRetry(question) === null ? limit('no time is left for a notice and a retry after it') : null;
}

/** The retry follows the payer's notice at once, by a minute. */
export function retryNow(state: SubscriptionState): SubscriptionState {
  return state.open === null ? state : { ...state, open: { ...state.open, retryNow: true } };
}

/** Only what the service cannot tell is for a person to decide (decisions 18). */
export function refuseResolve({ open }: SubscriptionState, cycle: number): Refusal | null {
  if (open?.cycle === cycle && open.doubt === 'unresolved') return null;
  return conflict(`nothing of cycle ${cycle} is unresolved`);
}

function refuseEnded(state: SubscriptionState): Refusal | null {
  if (isTerminal(state.status)) return conflict(`the subscription is ${state.status}`);
  return state.cancellation === null ? null : conflict('the subscription is being cancelled');
}

function limit(message: string): Refusal {
  return { code: 'retry_not_allowed', message };
}
