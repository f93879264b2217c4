import type { Subscription } from './schemas';

/** The one state that is shown of a subscription: what needs attention, then how it ended or is held, then its standing. */
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
