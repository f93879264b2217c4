import type { AttemptState } from '../send';
import { type Instant, LAST_INSTANT, toIso } from '../time';
import type { RefusedAmount } from './amount';
import { retryQuestion, sendLimit } from './next-step';
import type { ClosingReason } from './step';
import { currentPause } from './pauses';
import { CYCLES_AHEAD, lastReached } from './pending-change';
import { earliestRetry, MAX_RETRIES, retryLimit } from './retries';
import { type Calendar, dueAt, hasCycle, collectionWindow } from './schedule';
import {
  type ConsentResult,
  type Cancellation,
  type CycleStatus,
  isTerminal,
  type Pause,
  type SubscriptionState,
} from './state';

/** The machine-readable codes of refusals: the `code` in the API's response. */
export const REFUSAL_CODES = [
  'state_conflict',
  'invalid_request',
  'retry_not_allowed',
  'amount_change_not_allowed',
] as const;

/** Why a request is refused. The message is for users. */
export interface Refusal {
  readonly code: (typeof REFUSAL_CODES)[number];
  readonly message: string;
  /** The field of the request that is invalid; absent if it is not about a single field. */
  readonly path?: string;
  /** Set if a rule forbids the amount. */
  readonly verdict?: RefusedAmount;
}

export function conflict(message: string): Refusal {
  return { code: 'state_conflict', message };
}

function isBeingCancelled({ cancellation, status }: SubscriptionState): boolean {
  return cancellation !== null && !isTerminal(status);
}

/** Why the subscription may not be paused until `until`; null if it may (rule 23). */
export function refusePause(state: SubscriptionState, until: Instant | null, now: Instant): Refusal | null {
  if (until !== null && until <= now) {
    return {
      code: 'invalid_request',
      message: `until must be in the future; got ${toIso(until)}, now is ${toIso(now)}`,
    };
  }
  if (isBeingCancelled(state)) return conflict('the subscription is being cancelled');
  if (state.status === 'paused')
    return conflict(`the subscription is paused ${endOf(currentPause(state))}; resume it first`);
  if (state.status !== 'active') return conflict(`only an active subscription can be paused; it is ${state.status}`);
  return null;
}

function endOf(pause: Pause | null): string {
  return pause?.until == null ? 'until it is resumed' : `until ${toIso(pause.until)}`;
}

/** Whether the subscription is already paused until the requested instant, so that nothing needs to be done. */
export function isPausedAsAsked(state: SubscriptionState, until: Instant | null): boolean {
  if (state.status !== 'paused' || isBeingCancelled(state)) return false;
  return currentPause(state)?.until === (until === LAST_INSTANT ? null : until);
}

export function refuseResume(state: SubscriptionState): Refusal | null {
  if (isBeingCancelled(state)) return conflict('the subscription is being cancelled');
  if (state.status !== 'paused') return conflict(`only a paused subscription can be resumed; it is ${state.status}`);
  return null;
}

export function refuseCancel(state: SubscriptionState): Refusal | null {
  if (state.status === 'completed' || state.status === 'consent_failed') {
    return conflict(`the subscription is ${state.status}; nothing is left to cancel`);
  }
  return null;
}

/** No attempt starts from now on; the status changes once the service has confirmed (rule 24). */
export function startCancelling(state: SubscriptionState, cancellation: Cancellation): SubscriptionState {
  return { ...state, cancellation };
}

/** Why nothing can be acknowledged; null if something can. @param others open items that are not part of the state */
export function refuseAcknowledge(state: SubscriptionState, others: readonly string[] = []): Refusal | null {
  const isNothing = state.standing.attention.length + others.length === 0;
  return isNothing ? conflict('nothing of this subscription needs attention') : null;
}

export function acknowledge(state: SubscriptionState): SubscriptionState {
  return { ...state, standing: { ...state.standing, attention: [] } };
}

/** Only `successful` makes the subscription active; any other result ends it (rule 6). */
export function afterConsent(state: SubscriptionState, result: ConsentResult): SubscriptionState {
  if (state.status !== 'pending_consent') return state;
  switch (result.kind) {
    case 'granted':
      return { ...state, status: 'active' };
    case 'failed':
      return { ...state, status: 'consent_failed' };
    case 'cancelled':
      return { ...state, status: 'cancelled', cancelledBy: result.by };
  }
}

/** Why a cycle cannot be skipped; null if it can. It can be skipped only before its first attempt. */
export function refuseSkip(state: SubscriptionState, cycle: number): Refusal | null {
  const ended = refuseEndedCycle(state, cycle);
  if (ended !== null) return ended;
  if (cycle === state.cycle && state.open !== null) return conflict(`the first attempt of cycle ${cycle} has started`);
  return refuseFarAhead(state, cycle);
}

/** Refuses a cycle beyond the next {@link CYCLES_AHEAD} due dates. */
export function refuseFarAhead(state: SubscriptionState, cycle: number): Refusal | null {
  const last = lastReached(state);
  if (cycle <= last) return null;
  const until = `the next ${CYCLES_AHEAD} due dates, up to cycle ${last}, due ${toIso(dueAt(state.terms, last))}`;
  return conflict(`cycle ${cycle} is too far ahead: skips, postponements and changes of amount reach ${until}`);
}

/**
 * Refuses a cycle that has ended, even if before its due date, or that does not exist, or whose subscription has ended
 * or is being cancelled.
 */
export function refuseEndedCycle(state: SubscriptionState, cycle: number): Refusal | null {
  const ended = refuseEnded(state);
  if (ended !== null) return ended;
  return refuseMissing(state.terms, cycle) ?? (cycle < state.cycle ? conflict(`cycle ${cycle} has ended`) : null);
}

/** Refuses a cycle that the calendar does not have (rules 2, 3). */
export function refuseMissing(calendar: Calendar, cycle: number): Refusal | null {
  if (hasCycle(calendar, cycle)) return null;
  const what = calendar.endAt === null ? 'the calendar' : 'the subscription';
  return conflict(`cycle ${cycle} does not exist: ${what} ends before it`);
}

/** The cycle will not be collected; the calendar does not change. */
export function skipCycle(state: SubscriptionState, cycle: number): SubscriptionState {
  return { ...state, skips: [...state.skips.filter((each) => each !== cycle), cycle] };
}

/**
 * Why the first attempt of a cycle may not be moved to `until`; null if it may, within its window (rule 3). Moving it to its
 * due date cancels the postponement.
 */
export function refusePostponement(
  state: SubscriptionState,
  cycle: number,
  until: Instant,
  now: Instant,
): Refusal | null {
  const refusal = refuseSkip(state, cycle);
  if (refusal !== null) return refusal;
  if (state.skips.includes(cycle)) return conflict(`cycle ${cycle} is skipped`);
  const window = collectionWindow(state.terms, cycle);
  if (until === window.dueAt) return null;
  const earliest = Math.max(window.dueAt, now);
  const limitAt = sendLimit(state, window);
  if (until > earliest && until < limitAt) return null;
  return {
    code: 'invalid_request',
    path: 'until',
    message: `expected an instant after ${toIso(earliest)} and before ${toIso(limitAt)}, or the due date; got ${toIso(until)}`,
  };
}

/** Postpones the first attempt of the cycle; its due date, its window and the calendar do not change. */
export function postpone(state: SubscriptionState, cycle: number, until: Instant): SubscriptionState {
  const { postponements = [], ...rest } = state;
  const others = postponements.filter((each) => each.cycle !== cycle);
  const all = until === dueAt(state.terms, cycle) ? others : [...others, { cycle, until }];
  return all.length === 0 ? rest : { ...rest, postponements: all };
}

/**
 * Why the next retry may not be made at `from` instead of its planned time, by the state and by the service's limits; null if
 * it may.
 * @param from `now` for an immediate retry
 */
export function refuseRetry(state: SubscriptionState, cycle: number, from: Instant, now: Instant): Refusal | null {
  const ended = refuseEnded(state);
  if (ended !== null) return ended;
  const { open } = state;
  if (state.status === 'paused') return conflict('the subscription is paused');
  if (open?.rejection == null || open.cycle !== cycle || open.unsettled !== 'none') {
    return conflict(`cycle ${cycle} is not waiting for a retry`);
  }
  const { collectBy } = collectionWindow(state.terms, cycle);
  const noticeAt = open.notice.kind === 'delivered' ? open.notice.at : now;
  const question = retryQuestion(open, open.rejection, collectBy, noticeAt);
  if (!open.rejection.retryable) return finalRejection(open.rejection.detail);
  if (open.attempt > MAX_RETRIES) return NO_RETRY_LEFT;
  const limitAt = retryLimit(question.firstFailureAt, collectBy, open.policy);
  if (now >= limitAt) return TIME_IS_OVER;
  if (earliestRetry(question, now) === null) return limit('there is no time left for a notice and a retry');
  if (from < now || from >= limitAt) {
    const message = `expected an instant from ${toIso(now)} on and before ${toIso(limitAt)}; got ${toIso(from)}`;
    return { code: 'invalid_request', path: 'at', message };
  }
  return null;
}

/** A cycle that has ended and is no longer part of the state. */
interface ClosedCycle {
  readonly status: CycleStatus;
  readonly reason: string | null;
  readonly attempts: readonly { readonly state: AttemptState; readonly detail: string | null }[];
}

/** Names the limit that forbids another retry of a cycle whose last attempt was rejected; null if the cycle ended for another reason. */
export function refuseRetryOfClosed({ status, reason, attempts }: ClosedCycle): Refusal | null {
  const last = attempts.at(-1);
  if (status !== 'failed' || last === undefined) return null;
  if (last.state === 'rejected') return finalRejection(last.detail);
  if (last.state !== 'rejected_retryable') return null;
  return reason === ('retries_used' satisfies ClosingReason) ? NO_RETRY_LEFT : TIME_IS_OVER;
}

/**
 * When a requested retry will be made if its notice was delivered before or is delivered now; null if it cannot be
 * made.
 */
export function requestedRetryAt({ open, terms }: SubscriptionState, from: Instant, now: Instant): Instant | null {
  if (open?.rejection == null) return null;
  const { collectBy } = collectionWindow(terms, open.cycle);
  const noticeAt = open.notice.kind === 'delivered' ? open.notice.at : now;
  return earliestRetry(retryQuestion(open, open.rejection, collectBy, noticeAt), from);
}

/** The retry is made at or after `from`, and at least a minute after the payer's notice. */
export function retryFrom(state: SubscriptionState, from: Instant): SubscriptionState {
  return state.open === null ? state : { ...state, open: { ...state.open, retryFrom: from } };
}

/** Operators decide only about outcomes that the service cannot report, or does not finalize (rules 18, 41). */
export function refuseResolve({ open, pending }: SubscriptionState, cycle: number): Refusal | null {
  if (open?.cycle === cycle && open.unsettled === 'unresolved') return null;
  if (pending.some((each) => each.cycle === cycle)) return null;
  return conflict(`nothing of cycle ${cycle} is unresolved`);
}

function refuseEnded(state: SubscriptionState): Refusal | null {
  if (isTerminal(state.status)) return conflict(`the subscription is ${state.status}`);
  return state.cancellation === null ? null : conflict('the subscription is being cancelled');
}

const NO_RETRY_LEFT = limit(`no retry is left: at most ${MAX_RETRIES} after a failed authorization`);
const TIME_IS_OVER = limit('the time for retries has passed');

function finalRejection(detail: string | null): Refusal {
  return limit(detail === null ? 'the rejection is final' : `the rejection ${detail} is final`);
}

function limit(message: string): Refusal {
  return { code: 'retry_not_allowed', message };
}
