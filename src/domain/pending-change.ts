import { type AmountRule, type AmountVerdict, isCountedIncrease, judgeAmount } from './amount-change';
import { collectionWindow, type CollectionWindow } from './collection-window';
import { dueAt } from './due-dates';
import type { Instant } from './instant';
import { withMatter } from './matters';
import type { Money } from './money';
import type { PendingChange, SubscriptionState } from './subscription';

/** What a change is measured against: the amount of a cycle under way, else what was collected last (decisions 21). */
export function currentAmount(state: SubscriptionState): Money {
  return state.open?.amount ?? state.pending.at(-1)?.amount ?? state.current;
}

export function verdictOn(state: SubscriptionState, amount: Money, cycle: number): AmountVerdict {
  const window = collectionWindow(state.terms, cycle);
  return judgeAmount({
    repetition: state.terms.repetition,
    consentAmount: state.terms.consentAmount,
    current: currentAmount(state),
    collectedOnce: state.collectedOnce,
    lastIncreaseAt: lastIncreaseOf(state),
    amount,
    dueAt: window.dueAt,
    sendBefore: window.collectBy - state.policy.transit,
  });
}

/** A cycle under way at a higher amount that counts is taken as the last increase, as of its due date at the earliest. */
export function lastIncreaseOf(state: SubscriptionState): Instant | null {
  const underWay = state.open ?? state.pending.at(-1);
  if (underWay === undefined || !isCountedIncrease(underWay.amount, state.current, state.terms.consentAmount)) {
    return state.lastIncreaseAt;
  }
  return dueAt(state.terms, underWay.cycle);
}

export function withdrawChange(state: SubscriptionState): SubscriptionState {
  return { ...state, pendingChange: null };
}

/** Whether a cycle about to be tried may collect the change, judged again at that moment (decisions 21). */
export type Freezing =
  /** The first attempt waits until then. */
  { readonly kind: 'allowed'; readonly notBefore: Instant } | { readonly kind: 'drop'; readonly reason: DropReason };

/** Why a change that was accepted is not collected. */
export type DropReason = 'not_announced' | AmountRule;

export function freeze(state: SubscriptionState, window: CollectionWindow): Freezing {
  const { pendingChange } = state;
  if (pendingChange === null || pendingChange.fromCycle > state.cycle) {
    return { kind: 'allowed', notBefore: window.dueAt };
  }
  const verdict = verdictOn(state, pendingChange.amount, state.cycle);
  if (verdict.kind === 'refused') return { kind: 'drop', reason: verdict.rule };
  return { kind: 'allowed', notBefore: verdict.notBefore ?? window.dueAt };
}

/** Whether the payer has been told of the increase that the cycle would collect, or need not be. */
export function isAnnounced(state: SubscriptionState): boolean {
  const { pendingChange } = state;
  if (pendingChange === null || pendingChange.fromCycle > state.cycle) return true;
  const { kind } = pendingChange.announcement;
  return kind === 'delivered' || kind === 'not_needed';
}

export function startAnnouncing(state: SubscriptionState): SubscriptionState {
  return withAnnouncement(state, { kind: 'sending' });
}

/** What came of telling the payer; nothing where the change has been taken back meanwhile. */
export function afterAnnouncing(
  state: SubscriptionState,
  change: PendingChange,
  result: PendingChange['announcement'],
): SubscriptionState {
  return isPending(state, change) ? withAnnouncement(state, result) : state;
}

/** Whether this very change still stands. */
export function isPending({ pendingChange }: SubscriptionState, change: PendingChange): boolean {
  if (pendingChange === null || pendingChange.requestedAt !== change.requestedAt) return false;
  return pendingChange.fromCycle === change.fromCycle && isSame(pendingChange, change);
}

/** How far telling the payer has come. */
export function withAnnouncement(
  state: SubscriptionState,
  announcement: PendingChange['announcement'],
): SubscriptionState {
  const { pendingChange } = state;
  return pendingChange === null ? state : { ...state, pendingChange: { ...pendingChange, announcement } };
}

export const DROPPED = 'amount_change_dropped';

/** The old amount is collected, and people are alerted. */
export function dropChange(state: SubscriptionState): SubscriptionState {
  return withMatter(withdrawChange(state), DROPPED);
}

/** The service has authorized the cycle's amount: it is the current one, and the change has been made. */
export function afterAuthorized(
  state: SubscriptionState,
  taken: { readonly cycle: number; readonly amount: Money },
  at: Instant,
): SubscriptionState {
  const { pendingChange } = state;
  const counts = isCountedIncrease(taken.amount, state.current, state.terms.consentAmount);
  const isMade = pendingChange !== null && pendingChange.fromCycle <= taken.cycle && isSame(pendingChange, taken);
  return {
    ...state,
    current: taken.amount,
    lastIncreaseAt: counts ? at : state.lastIncreaseAt,
    pendingChange: isMade ? null : pendingChange,
  };
}

function isSame(a: { readonly amount: Money }, b: { readonly amount: Money }): boolean {
  return a.amount.value === b.amount.value;
}

/** What the cycle collects, or will as things stand, before it is judged again. */
export function amountOfCycle(state: SubscriptionState, cycle: number): Money {
  const { pendingChange, open } = state;
  if (open?.cycle === cycle) return open.amount;
  return pendingChange !== null && pendingChange.fromCycle <= cycle ? pendingChange.amount : currentAmount(state);
}
