import type { Pool } from 'pg';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import { type Metadata, replaceMetadata } from '../../domain/metadata';
import type { Instant } from '../../domain/time';
import type { Actor } from '../../domain/trail/event';
import { type Db, inTransaction, jsonToColumn, readRecord } from '../database';
import { insertEvent } from '../trail';

/** Of which subscription or one-time payment; the other is null. */
export type MetadataOf =
  | { readonly subscriptionId: SubscriptionId; readonly paymentId: null }
  | { readonly subscriptionId: null; readonly paymentId: PaymentId };

export interface MetadataAct extends Actor {
  /** Business time. */
  readonly at: Instant;
}

/** What is given takes the place of all that was there. A change is in the trail, unless it is the same again. */
export async function changeMetadata(
  pool: Pool,
  subject: MetadataOf,
  metadata: Metadata,
  act: MetadataAct,
): Promise<void> {
  await inTransaction(pool, async (db) => {
    const before = await lockMetadata(db, subject);
    if (before === null) return;
    const change = replaceMetadata(before.metadata, metadata);
    if (change === null) return;
    await writeMetadata(db, subject, metadata);
    const { subscriptionId, paymentId } = subject;
    const about = subscriptionId === null ? { subscriptionId, paymentId } : { subscriptionId };
    await insertEvent(db, { ...about, ...act, type: 'metadata.changed', data: { ...change } });
  });
}

function lockMetadata(db: Db, { subscriptionId, paymentId }: MetadataOf): Promise<{ metadata: Metadata } | null> {
  return subscriptionId === null
    ? readRecord(db, 'select metadata from payments where payment_id = $1 for update', [paymentId])
    : readRecord(db, 'select metadata from subscriptions where subscription_id = $1 for update', [subscriptionId]);
}

async function writeMetadata(db: Db, { subscriptionId, paymentId }: MetadataOf, metadata: Metadata): Promise<void> {
  const text =
    subscriptionId === null
      ? 'update payments set metadata = $2 where payment_id = $1'
      : 'update subscriptions set metadata = $2 where subscription_id = $1';
  await db.query(text, [subscriptionId ?? paymentId, jsonToColumn(metadata)]);
}
