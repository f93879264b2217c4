import type { SubscriptionId } from '../ids';
import type { Instant } from '../time';
import { isTerminal, type Replacement, type SubscriptionState } from './state';

/** The payer is asked for a new consent: this subscription collects nothing due at or after the first payment of the new one (rule 22). */
export function startReplacement(state: SubscriptionState, replacement: Replacement): SubscriptionState {
  if (isTerminal(state.status)) return state;
  return { ...state, replacements: [...without(state, replacement.by), replacement] };
}

/** The new consent was not granted: this subscription continues. */
export function endReplacement(state: SubscriptionState, by: SubscriptionId): SubscriptionState {
  return { ...state, replacements: without(state, by) };
}

/** The replacement is active: this subscription ends permanently. */
export function replacedBy(state: SubscriptionState, replacement: Replacement): SubscriptionState {
  return { ...startReplacement(state, replacement), replacedBy: replacement.by };
}

/** Why a replacement is cancelled if its consent was granted after that of another replacement (rule 22). */
export const REPLACED_BY_ANOTHER = 'replaced_by_another';

/** Whether this new subscription replaces the old one: its consent was granted, and it is not being cancelled (rule 22). */
export function takesOver({ status, cancellation }: SubscriptionState): boolean {
  return status !== 'pending_consent' && !isTerminal(status) && cancellation === null;
}

/** Whether a cycle due at `dueAt` is left to a subscription that is replacing this one. */
export function isLeftToReplacement(state: SubscriptionState, dueAt: Instant): boolean {
  return state.replacements.some(({ from }) => from <= dueAt);
}

function without(state: SubscriptionState, by: SubscriptionId): readonly Replacement[] {
  return state.replacements.filter((each) => each.by !== by);
}
