import { dueAt, hasCycle } from './due-dates';
import type { Instant } from './instant';
import type { SubscriptionState } from './subscription';

/** The due date of the first cycle from `cycle` on that is not skipped by a person; null where none exists. */
export function dueFrom(state: SubscriptionState, cycle: number): Instant | null {
  let next = cycle;
  while (state.skips.includes(next)) next += 1;
  return hasCycle(state.terms, next) ? dueAt(state.terms, next) : null;
}
