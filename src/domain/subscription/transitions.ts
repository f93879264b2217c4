import type { Instant } from '../time';
import { isIncreaseNow } from './amount';
import { afterAuthorized, afterLateAuthorized } from './pending-change';
import type { Closing } from './step';
import { unresolvedItem, withAttentionItem, withoutAttentionItemsOf } from './attention-items';
import { remainingPauses } from './pauses';
import { isLeftToReplacement } from './replacements';
import { collectionWindow, dueAt, firstCycleFrom, hasCycle } from './schedule';
import {
  isTerminal,
  type AttemptResult,
  type CancelledBy,
  type CollectPlan,
  type CollectResult,
  type FailedCapture,
  type OpenCycle,
  type PendingAttempt,
  type Rejection,
  type SubscriptionState,
} from './state';

/** Applies the result of the open cycle's attempt. */
export function afterCollect(state: SubscriptionState, plan: CollectPlan, result: AttemptResult): SubscriptionState {
  const { open } = state;
  if (open === null) return state;
  switch (result.kind) {
    case 'collected':
      return afterCollected(state, plan, result.at);
    case 'rejected':
      return withOpen(withoutAttentionItemsOf(state, plan.cycle), rejected(open, plan.attempt, result));
    case 'capture_failed':
      return withAttentionItem(
        afterAuthorized(withOpen(state, notDebited(open, plan.attempt, result)), plan, result.at),
        `capture_failed:${plan.cycle}`,
      );
    case 'pending':
      return setAside(state, plan, 'pending_past_window');
    case 'unlisted':
      return setAside(state, plan, 'unlisted');
    case 'unknown':
      return withOpen(state, { ...open, unsettled: 'unknown' });
    case 'unresolved':
      return withAttentionItem(withOpen(state, { ...open, unsettled: 'unresolved' }), unresolvedItem(plan.cycle));
    case 'absent':
      return withOpen(withoutAttentionItemsOf(state, plan.cycle), { ...open, unsettled: 'none' });
  }
}

/**
 * Opens the cycle of a result that was found before the cycle's first attempt: another system may have collected it.
 */
export function beginCycle(state: SubscriptionState, { cycle, attempt, amount }: CollectPlan): SubscriptionState {
  if (state.open !== null || state.cycle !== cycle) return state;
  const open: OpenCycle = {
    cycle,
    amount,
    attempt,
    policy: state.policy,
    retryFrom: null,
    rejection: null,
    firstFailureAt: null,
    notice: { kind: 'due' },
    captureFailed: false,
    unsettled: 'none',
  };
  return { ...state, open };
}

function rejected(open: OpenCycle, attempt: number, result: Omit<Rejection, 'attempt'>): OpenCycle {
  const { at, sentAt, detail, description, retryable } = result;
  const sent = sentAt === undefined ? {} : { sentAt };
  return {
    ...open,
    attempt: attempt + 1,
    firstFailureAt: open.firstFailureAt ?? at,
    rejection: { attempt, at, ...sent, detail, description, retryable },
    notice: { kind: 'due' },
    unsettled: 'none',
  };
}

function notDebited(open: OpenCycle, attempt: number, result: CaptureFailed): OpenCycle {
  return { ...open, captureFailed: true, failedCapture: failedCapture(attempt, result), unsettled: 'none' };
}

type CaptureFailed = Extract<CollectResult, { kind: 'capture_failed' }>;

/** The part of a failed capture that is stored and reported (rule 11). */
export function failedCapture(attempt: number, result: CaptureFailed): FailedCapture {
  const { authorizationId, captureId, detail } = result;
  return { attempt, authorizationId, captureId, detail };
}

function afterCollected(state: SubscriptionState, plan: CollectPlan, at: Instant): SubscriptionState {
  const settled = afterAuthorized(withoutAttentionItemsOf(state, plan.cycle), plan, at);
  const collected = {
    ...advance(settled),
    collectedOnce: true,
    standing: { ...settled.standing, dunning: false, pastDue: false },
  };
  return withLateDebit(collected, plan.cycle);
}

/** A debit after a cancellation opens an attention item. */
function withLateDebit(state: SubscriptionState, cycle: number): SubscriptionState {
  const isLate = state.status === 'cancelled' || state.cancellation !== null;
  return isLate ? withAttentionItem(state, `debit_after_cancel:${cycle}`) : state;
}

/**
 * Sets an attempt aside because its window has ended, or because lists lack its authorization: its cycle stays open in parallel to
 * later cycles (rules 10, 41).
 */
function setAside(state: SubscriptionState, plan: CollectPlan, item: SetAside): SubscriptionState {
  const countsAsIncrease = isIncreaseNow(state, plan.amount);
  const attempt: PendingAttempt = { ...plan, settleOnly: true, parked: true, countsAsIncrease };
  return advance({ ...withItemInstead(state, item, plan.cycle), pending: [...state.pending, attempt] });
}

/** Adds the attention item of an attempt that the ledger shows as pending although its window has ended. */
export function withPendingPastWindow(state: SubscriptionState, cycle: number): SubscriptionState {
  return withItemInstead(state, 'pending_past_window', cycle);
}

/** Replaces the attention items of the cycle by this one. The cycle does not wait for a retry any more. */
function withItemInstead(state: SubscriptionState, item: SetAside, cycle: number): SubscriptionState {
  const waiting = withAttentionItem(withoutAttentionItemsOf(state, cycle), `${item}:${cycle}`);
  return { ...waiting, standing: { ...waiting.standing, dunning: false } };
}

/** Why an attempt is set aside while later cycles continue. */
type SetAside = 'pending_past_window' | 'unlisted';

/** An attempt that is polled until it is final while later cycles continue. */
export function followedBeside(
  state: SubscriptionState,
  { cycle, attempt, amount }: Pick<CollectPlan, 'cycle' | 'attempt' | 'amount'>,
): PendingAttempt {
  const window = collectionWindow(state.terms, cycle);
  return {
    cycle,
    attempt,
    amount,
    ...window,
    sendBefore: window.dueAt,
    nextDueAt: dueFrom(state, cycle + 1),
    settleOnly: true,
    parked: true,
    knownUnresolved: false,
  };
}

/**
 * Applies the outcome of an authorization that was followed in parallel to later cycles. If it was successful but its
 * capture failed, an operator decides (rule 11).
 * @param isLast whether no later cycle has started; skipped ones do not count (rule 25)
 */
export function afterPending(
  state: SubscriptionState,
  attempt: PendingAttempt,
  result: CollectResult,
  isLast: boolean,
): SubscriptionState {
  const rest = state.pending.filter((other) => other.cycle !== attempt.cycle);
  const settled = withoutAttentionItemsOf({ ...state, pending: rest }, attempt.cycle);
  const isCollected = result.kind === 'collected';
  // Another attempt has collected the cycle: a failure of this one changes nothing about that.
  const isCollectedBefore = attempt.ended === 'collected' && !isCollected;
  const isAgain = result.kind === 'rejected' && result.again === true;
  const decides = isLast && !isCollectedBefore && !isAgain;
  const standing = decides ? { ...settled.standing, pastDue: !isCollected } : settled.standing;
  if (result.kind !== 'collected' && result.kind !== 'capture_failed') return { ...settled, standing };
  const taken = afterLateAuthorized({ ...settled, standing }, attempt, result.at);
  if (isCollectedBefore) return taken;
  if (!isCollected) return withAttentionItem(taken, `capture_failed:${attempt.cycle}`);
  return withLateDebit({ ...taken, collectedOnce: true }, attempt.cycle);
}

/** The cycle ends uncollected; a skipped cycle does not change the standing (rule 25). */
export function afterClosing(state: SubscriptionState, step: Closing): SubscriptionState {
  const pastDue = step.status === 'skipped' ? state.standing.pastDue : true;
  const closed = advance({ ...state, standing: { ...state.standing, dunning: false, pastDue } });
  return step.reason === 'notice_undeliverable'
    ? withAttentionItem(closed, `notice_undeliverable:${step.cycle}`)
    : closed;
}

/** The payer is being notified, and the retry waits. */
export function startDunning(state: SubscriptionState): SubscriptionState {
  return { ...state, standing: { ...state.standing, dunning: true } };
}

/**
 * The consent has ended: nothing more is collected (rule 7).
 * @param noticedAt when the end was noticed, for due dates that were waiting at that time; null if there are none, or if a
 *   cancellation determines the time
 */
export function endConsent(
  state: SubscriptionState,
  by: CancelledBy,
  noticedAt: Instant | null = null,
): SubscriptionState {
  if (isTerminal(state.status)) return state;
  const ended = noticedAt === null ? {} : { endSeenAt: noticedAt };
  return { ...state, pendingChange: null, status: 'cancelled', cancelledBy: by, ...ended };
}

/** The first cycle in which no attempt was refused or awaits its outcome. */
function nextUntried({ open, cycle }: SubscriptionState): number {
  return open !== null && (open.rejection !== null || open.unsettled !== 'none') ? cycle + 1 : cycle;
}

/** The next untried cycle that is neither skipped nor within a pause whose end is known. It may not exist. */
export function nextToCollect(state: SubscriptionState): number {
  let cycle = nextUntried(state);
  const pause = state.status === 'paused' ? state.pauses.at(-1) : undefined;
  if (pause?.until != null && dueAt(state.terms, cycle) >= pause.since) {
    cycle = Math.max(cycle, firstCycleFrom(state.terms, pause.until));
  }
  while (state.skips.includes(cycle)) cycle += 1;
  return cycle;
}

/** The due date of the first cycle from `cycle` on that no operator has skipped; null if there is none. */
export function dueFrom(state: SubscriptionState, cycle: number): Instant | null {
  let next = cycle;
  while (state.skips.includes(next)) next += 1;
  return hasCycle(state.terms, next) ? dueAt(state.terms, next) : null;
}

/** When the next cycle to be collected falls due; null if there is none. */
export function nextDueAt(state: SubscriptionState): Instant | null {
  if (isTerminal(state.status)) return null;
  const due = dueFrom(state, nextToCollect(state));
  return due !== null && isLeftToReplacement(state, due) ? null : due;
}

function advance(state: SubscriptionState): SubscriptionState {
  const cycle = state.cycle + 1;
  const skips = state.skips.filter((each) => each >= cycle);
  const { postponements, ...rest } = state;
  const postponed = postponements?.filter((each) => each.cycle >= cycle) ?? [];
  const later = postponed.length === 0 ? {} : { postponements: postponed };
  return { ...rest, ...later, cycle, open: null, skips, pauses: remainingPauses(state, dueAt(state.terms, cycle)) };
}

function withOpen(state: SubscriptionState, open: OpenCycle): SubscriptionState {
  return { ...state, open };
}
