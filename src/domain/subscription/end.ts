import type { Instant } from '../time';
import { firstUnfrozen } from './pending-change';
import { collectionWindow, type CollectionWindow, hasCycle } from './schedule';
import type { SubscriptionState } from './state';

/** When the subscription ended, where a due date waited then and is not closed yet; null otherwise. */
export function waitedAtTheEnd(state: SubscriptionState): Instant | null {
  const end = state.cancellation?.at ?? state.endHeardAt;
  if (state.status !== 'cancelled' || end === undefined) return null;
  return untriedBefore(state, end) === null ? null : end;
}

/** The window of the first cycle that has not begun, where it has fallen due before the instant; null where none has. */
export function untriedBefore(state: SubscriptionState, instant: Instant): CollectionWindow | null {
  const cycle = firstUnfrozen(state);
  if (!hasCycle(state.terms, cycle)) return null;
  const window = collectionWindow(state.terms, cycle);
  return window.dueAt < instant ? window : null;
}
