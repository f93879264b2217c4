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
