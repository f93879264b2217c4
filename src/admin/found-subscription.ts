import type { SubscriptionId } from '../domain/ids';
import { type Db, getSubscription, type SubscriptionRecord } from '../ledger';
import { notFound } from './problems';

/** An id out of a checked path. */
export function subscriptionIdOf(params: { readonly id: string }): SubscriptionId {
  return params.id as SubscriptionId;
}

/** @throws Problem `not_found`. */
export async function findSubscription(db: Db, id: SubscriptionId): Promise<SubscriptionRecord> {
  const record = await getSubscription(db, id);
  if (record === null) throw notFound(`There is no subscription ${id}.`);
  return record;
}
