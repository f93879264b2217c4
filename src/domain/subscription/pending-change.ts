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
import { withAttentionItem } from './attention-items';
import { collectionWindow, type CollectionWindow, hasCycle } from './schedule';
import type { PendingAttempt, PendingChange, SubscriptionState } from './state';

/** Withdraws the latest requested change; an earlier change that a cycle has frozen remains (rule 21). */
export function withdrawChange(state: SubscriptionState): SubscriptionState {
  return { ...state, pendingChange: state.pendingChange?.earlier ?? null };
}

/** The earliest cycle that has not started, and whose amount is therefore not frozen (rule 9). */
export function firstUnfrozen(state: SubscriptionState): number {
  return state.open === null ? state.cycle : state.cycle + 1;
}

/** How many cycles ahead, from the next one on, can be skipped, postponed or given another amount. */
export const CYCLES_AHEAD = 60;

/** The last cycle that can be skipped, postponed or given another amount. */
export function lastReached(state: SubscriptionState): number {
  return firstUnfrozen(state) + CYCLES_AHEAD - 1;
}

/** The pending change that applies to the cycle: the latest requested one if there are several; null if there is none. */
export function changeFor(
  { pendingChange }: Pick<SubscriptionState, 'pendingChange'>,
  cycle: number,
): PendingChange | null {
  let change = pendingChange;
  while (change !== null && change.fromCycle > cycle) change = change.earlier ?? null;
  return change;
}

/** The pending changes, with the one that applies to the cycle replaced by the result of `replace`. */
function replaceFor(
  change: PendingChange | null,
  cycle: number,
  replace: (change: PendingChange) => PendingChange | null,
): PendingChange | null {
  if (change === null) return null;
  if (change.fromCycle <= cycle) return replace(change);
  const { earlier = null, ...later } = change;
  const rest = replaceFor(earlier, cycle, replace);
  return rest === null ? later : { ...later, earlier: rest };
}

/** Whether a cycle that is about to start may collect the change, judged again at that time (rule 21). */
export type Freezing =
  /** The first attempt waits until `notBefore`. */
  { readonly kind: 'allowed'; readonly notBefore: Instant } | { readonly kind: 'drop'; readonly reason: DropReason };

/** Why an accepted change is not collected. */
export type DropReason = 'not_announced' | AmountRule;

/** Judges whether the next cycle may collect its pending change. */
export function judgeFreeze(state: SubscriptionState, window: CollectionWindow): Freezing {
  const change = changeFor(state, state.cycle);
  if (change === null) return { kind: 'allowed', notBefore: window.dueAt };
  const verdict = verdictOn(state, change.amount, state.cycle);
  if (verdict.kind === 'refused') return { kind: 'drop', reason: verdict.rule };
  return { kind: 'allowed', notBefore: verdict.notBefore ?? window.dueAt };
}

/** Whether the payer was notified of the increase that the cycle would collect, or need not be notified. */
export function isAnnounced(state: SubscriptionState): boolean {
  const change = changeFor(state, state.cycle);
  if (change === null) return true;
  const { kind } = change.announcement;
  return kind === 'delivered' || kind === 'not_needed';
}

/** Sets the progress of notifying the payer of the pending change. */
export function withAnnouncement(
  state: SubscriptionState,
  announcement: PendingChange['announcement'],
): SubscriptionState {
  const { pendingChange } = state;
  return pendingChange === null ? state : { ...state, pendingChange: { ...pendingChange, announcement } };
}

export const DROPPED = 'amount_change_dropped';

/** Drops the change: the old amount, or one that an earlier cycle has frozen, is collected, and an attention item opens. */
export function dropChange(state: SubscriptionState): SubscriptionState {
  const pendingChange = replaceFor(state.pendingChange, state.cycle, ({ earlier = null }) => earlier);
  return withAttentionItem({ ...state, pendingChange }, DROPPED);
}

/**
 * The state after the success of an authorization that was followed in parallel to later cycles. Its amount becomes the
 * current one unless a later cycle has been authorized; an increase counts in any case (rules 20, 21).
 */
export function afterLateAuthorized(state: SubscriptionState, attempt: PendingAttempt, at: Instant): SubscriptionState {
  const taken = isCurrentOnceAuthorized(state, attempt.cycle) ? afterAuthorized(state, attempt, at) : state;
  if (!countsOnceAuthorized(state, attempt)) return taken;
  return { ...taken, lastIncreaseAt: later(state.lastIncreaseAt, at) };
}

/** The state after the service has authorized the cycle: its amount becomes the current one, and a change to this amount is complete. */
export function afterAuthorized(
  state: SubscriptionState,
  taken: { readonly cycle: number; readonly amount: Money },
  at: Instant,
): SubscriptionState {
  const counts = isIncreaseNow(state, taken.amount);
  const unlessCollected = (change: PendingChange) => (sameMoney(change.amount, taken.amount) ? null : change);
  return {
    ...state,
    current: taken.amount,
    currentOf: taken.cycle,
    lastIncreaseAt: counts ? at : state.lastIncreaseAt,
    pendingChange: replaceFor(state.pendingChange, taken.cycle, unlessCollected),
  };
}

/** The amount that the cycle collects by the current state, before a pending change is judged again. */
export function amountOfCycle(state: SubscriptionState, cycle: number): Money {
  const { open } = state;
  if (open?.cycle === cycle) return open.amount;
  return changeFor(state, cycle)?.amount ?? currentAmount(state);
}

/** When the subscription ended, if a due date was waiting at that time and is not closed yet; otherwise null. */
export function waitedAtTheEnd(state: SubscriptionState): Instant | null {
  const end = state.cancellation?.at ?? state.endSeenAt;
  if (state.status !== 'cancelled' || end === undefined) return null;
  return untriedBefore(state, end) === null ? null : end;
}

/** The window of the first cycle that has not started, if it fell due before the instant; otherwise null. */
export function untriedBefore(state: SubscriptionState, instant: Instant): CollectionWindow | null {
  const cycle = firstUnfrozen(state);
  if (!hasCycle(state.terms, cycle)) return null;
  const window = collectionWindow(state.terms, cycle);
  return window.dueAt < instant ? window : null;
}
