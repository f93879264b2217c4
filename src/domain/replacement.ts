import type { SubscriptionId } from './ids';
import type { Instant } from './instant';
import { isTerminal, type Replacement, type SubscriptionState } from './subscription';

/** The payer of a new consent is being asked: from its first payment on, this one collects nothing (decisions 22). */
export function startReplacement(state: SubscriptionState, replacement: Replacement): SubscriptionState {
  if (isTerminal(state.status)) return state;
  return { ...state, replacements: [...without(state, replacement.by), replacement] };
}

/** The new consent was not given: all goes on as before. */
export function endReplacement(state: SubscriptionState, by: SubscriptionId): SubscriptionState {
  return { ...state, replacements: without(state, by) };
}

/** The new one is active: this one is over for good. */
export function replacedBy(state: SubscriptionState, replacement: Replacement): SubscriptionState {
  return { ...startReplacement(state, replacement), replacedBy: replacement.by };
}

/** Whether a new one takes its place: its consent is given, and nobody has cancelled it (rule 22). */
export function takesOver({ status, cancellation }: SubscriptionState): boolean {
  return status !== 'pending_consent' && !isTerminal(status) && cancellation === null;
}

/** Whether a cycle due then is left to a subscription that is to take this one's place. */
export function isLeftToReplacement(state: SubscriptionState, dueAt: Instant): boolean {
  return state.replacements.some(({ from }) => from <= dueAt);
}

function without(state: SubscriptionState, by: SubscriptionId): readonly Replacement[] {
  return state.replacements.filter((each) => each.by !== by);
}
