import { type Money, sameMoney } from '../money';
import type { Instant } from '../time';
import {
  type AmountRule,
  countsOnceAuthorized,
  currentAmount,
  isCurrentOnceAuthorized,
  isIncreaseNow,
  later,
  verdictOn,
} from './amount';
import { withAttentionItem } from './pauses';
import { collectionWindow, type CollectionWindow, hasCycle } from './schedule';
import type { PendingAttempt, PendingChange, SubscriptionState } from './state';

/** The latest requested change is withdrawn; what a cycle had frozen by then remains (rule 21). */
export function withdrawChange(state: SubscriptionState): SubscriptionState {
  return { ...state, pendingChange: state.pendingChange?.earlier ?? null };
}

/** The earliest cycle that has not started, whose amount is therefore not frozen (rule 9). */
export function firstUnfrozen(state: SubscriptionState): number {
  return state.open === null ? state.cycle : state.cycle + 1;
}

/** Cycles ahead, the next one included, that a skip or a change of amount reaches. */
export const CYCLES_AHEAD = 60;

/** The last cycle that a skip or a change of amount reaches. */
export function lastReached(state: SubscriptionState): number {
  return firstUnfrozen(state) + CYCLES_AHEAD - 1;
}

/** The pending change that applies to the cycle: of several the latest requested one; null if none does. */
export function changeFor(
  { pendingChange }: Pick<SubscriptionState, 'pendingChange'>,
  cycle: number,
): PendingChange | null {
  let change = pendingChange;
  while (change !== null && change.fromCycle > cycle) change = change.earlier ?? null;
  return change;
}

/** The pending changes with the one that applies to the cycle replaced by `left`. */
function leaving(
  change: PendingChange | null,
  cycle: number,
  left: (change: PendingChange) => PendingChange | null,
): PendingChange | null {
  if (change === null) return null;
  if (change.fromCycle <= cycle) return left(change);
  const { earlier = null, ...later } = change;
  const rest = leaving(earlier, cycle, left);
  return rest === null ? later : { ...later, earlier: rest };
}

/** Whether a cycle about to be tried may collect the change, judged again at that moment (rule 21). */
export type Freezing =
  /** The first attempt waits until then. */
  { readonly kind: 'allowed'; readonly notBefore: Instant } | { readonly kind: 'drop'; readonly reason: DropReason };

/** Why a change that was accepted is not collected. */
export type DropReason = 'not_announced' | AmountRule;

export function freeze(state: SubscriptionState, window: CollectionWindow): Freezing {
  const change = changeFor(state, state.cycle);
  if (change === null) return { kind: 'allowed', notBefore: window.dueAt };
  const verdict = verdictOn(state, change.amount, state.cycle);
  if (verdict.kind === 'refused') return { kind: 'drop', reason: verdict.rule };
  return { kind: 'allowed', notBefore: verdict.notBefore ?? window.dueAt };
}

/** Whether the payer has been notified of the increase that the cycle would collect, or need not be. */
export function isAnnounced(state: SubscriptionState): boolean {
  const change = changeFor(state, state.cycle);
  if (change === null) return true;
  const { kind } = change.announcement;
  return kind === 'delivered' || kind === 'not_needed';
}

/** How far notifying the payer has come. */
export function withAnnouncement(
  state: SubscriptionState,
  announcement: PendingChange['announcement'],
): SubscriptionState {
  const { pendingChange } = state;
  return pendingChange === null ? state : { ...state, pendingChange: { ...pendingChange, announcement } };
}

export const DROPPED = 'amount_change_dropped';

/** The old amount is collected, or what a cycle before had frozen, and operators are alerted. */
export function dropChange(state: SubscriptionState): SubscriptionState {
  const pendingChange = leaving(state.pendingChange, state.cycle, ({ earlier = null }) => earlier);
  return withAttentionItem({ ...state, pendingChange }, DROPPED);
}

/**
 * What was pending past its window went through: the current amount, unless a later cycle has been authorized, and an increase
 * that counts in any case (rules 20, 21).
 */
export function afterLateAuthorized(state: SubscriptionState, attempt: PendingAttempt, at: Instant): SubscriptionState {
  const taken = isCurrentOnceAuthorized(state, attempt.cycle) ? afterAuthorized(state, attempt, at) : state;
  if (!countsOnceAuthorized(state, attempt)) return taken;
  return { ...taken, lastIncreaseAt: later(state.lastIncreaseAt, at) };
}

/** The service has authorized the cycle's amount: it is the current one, and the change has been made. */
export function afterAuthorized(
  state: SubscriptionState,
  taken: { readonly cycle: number; readonly amount: Money },
  at: Instant,
): SubscriptionState {
  const counts = isIncreaseNow(state, taken.amount);
  const left = (change: PendingChange) => (sameMoney(change.amount, taken.amount) ? null : change);
  return {
    ...state,
    current: taken.amount,
    currentOf: taken.cycle,
    lastIncreaseAt: counts ? at : state.lastIncreaseAt,
    pendingChange: leaving(state.pendingChange, taken.cycle, left),
  };
}

/** What the cycle collects, or will by the current state, before the change is judged again. */
export function amountOfCycle(state: SubscriptionState, cycle: number): Money {
  const { open } = state;
  if (open?.cycle === cycle) return open.amount;
  return changeFor(state, cycle)?.amount ?? currentAmount(state);
}

/** When the subscription ended, if a due date was waiting then and is not closed yet; null otherwise. */
export function waitedAtTheEnd(state: SubscriptionState): Instant | null {
  const end = state.cancellation?.at ?? state.endSeenAt;
  if (state.status !== 'cancelled' || end === undefined) return null;
  return untriedBefore(state, end) === null ? null : end;
}

/** The window of the first cycle that has not started, if it fell due before the instant; null otherwise. */
export function untriedBefore(state: SubscriptionState, instant: Instant): CollectionWindow | null {
  const cycle = firstUnfrozen(state);
  if (!hasCycle(state.terms, cycle)) return null;
  const window = collectionWindow(state.terms, cycle);
  return window.dueAt < instant ? window : null;
}
