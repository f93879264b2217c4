import type { SubscriptionId } from '../domain/ids';
import { type CycleRecord, type Db, getCycle, getSubscription, type SubscriptionRecord } from '../ledger';
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

/** @throws Problem `not_found` where nothing has been said of the cycle yet. */
export async function findCycle(db: Db, id: SubscriptionId, n: number): Promise<CycleRecord> {
  const cycle = await getCycle(db, id, n);
  if (cycle === null) throw notFound(`Subscription ${id} has no cycle ${n} yet.`);
  return cycle;
}
