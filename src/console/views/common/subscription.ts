import { isTerminal } from '../../../domain/subscription/state';
import type { Subscription } from './schemas';

/** The state shown for a subscription: cancelling and needs attention first, then any status but active, then its standing. */
export function stateOf({
  status,
  standing,
  cancelling,
}: Pick<Subscription, 'status' | 'standing' | 'cancelling'>): string {
  if (cancelling !== undefined) return 'cancelling';
  if (standing === 'needs_attention') return standing;
  if (status !== 'active') return status;
  return standing === 'good' ? 'active' : standing;
}

/** The payer's name for an operator: the name, or else the reference or the e-mail address; undefined if none is known. */
export function nameOf(payer: Subscription['payer'] | undefined): string | undefined {
  return payer?.name ?? payer?.reference ?? payer?.email;
}

/** All that is known of the payer, in one line. */
export function detailsOf({ name, reference, email, language }: Subscription['payer']): string {
  return [name, reference, email, language].filter((each) => each !== undefined).join(', ');
}

/** The payer's other subscriptions. @param found by a search for `reference`, which also finds longer ones, and names */
export function othersOf(found: readonly Subscription[], id: string, reference: string): readonly Subscription[] {
  return found.filter(({ subscriptionId, payer }) => payer.reference === reference && subscriptionId !== id);
}

/** What the next cycles collect, in cents; nothing for a subscription that has ended or is paused without an end. */
export function nextCentsOf(subscriptions: readonly Subscription[]): number {
  return subscriptions
    .filter(({ status, pausedUntil }) => !isTerminal(status) && (status !== 'paused' || pausedUntil !== undefined))
    .reduce((sum, { amount }) => sum + amount.value, 0);
}
