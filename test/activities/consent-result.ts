import type { SubscriptionId } from '../../src/domain/ids';
import type { ConsentResult } from '../../src/domain/subscription/state';
import { getSubscription } from '../../src/ledger';
import type { World } from './activity-world';

/** How a consent was answered, or has ended, as the ledger has it; null while the payer has not answered. */
export async function consentResult(
  world: World,
  { subscriptionId }: { readonly subscriptionId: SubscriptionId },
): Promise<ConsentResult | null> {
  const subscription = await getSubscription(world.deps.ledger, subscriptionId);
  switch (subscription?.status) {
    case 'active':
    case 'paused':
      return { kind: 'granted' };
    case 'consent_failed':
      return { kind: 'failed', reason: String(await reasonOf(world, subscriptionId, 'consent.failed')) };
    case 'cancelled': {
      const reason = (await reasonOf(world, subscriptionId, 'subscription.cancelled')) as string | null;
      return { kind: 'cancelled', by: subscription.cancelledBy ?? 'payer', reason };
    }
    case 'pending_consent':
    case 'completed':
    case undefined:
      return null;
  }
}

async function reasonOf(world: World, subscriptionId: SubscriptionId, type: string): Promise<unknown> {
  return (await world.events({ subscriptionId }, type)).at(-1)?.data['reason'];
}
