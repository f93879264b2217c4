import type { Pool } from 'pg';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import { type Metadata, replaceMetadata } from '../../domain/metadata';
import type { Instant } from '../../domain/time';
import type { Actor } from '../../domain/audit/event';
import { inTransaction } from '../sql/database';
import { jsonToColumn, readValue, updateColumns } from '../sql/statements';
import { insertEvent } from '../audit/entries';

/** The subscription or one-time payment whose metadata changes; the other id is null. */
export type MetadataOf =
  | { readonly subscriptionId: SubscriptionId; readonly paymentId: null }
  | { readonly subscriptionId: null; readonly paymentId: PaymentId };

export interface MetadataAct extends Actor {
  /** Business time. */
  readonly at: Instant;
}

/** Replaces all metadata with the given pairs, with an entry in the audit log, unless nothing differs. */
export async function changeMetadata(
  pool: Pool,
  subject: MetadataOf,
  metadata: Metadata,
  act: MetadataAct,
): Promise<void> {
  const { subscriptionId, paymentId } = subject;
  const row =
    subscriptionId === null
      ? ({ table: 'payments', id: 'payment_id', key: paymentId, about: { subscriptionId, paymentId } } as const)
      : ({ table: 'subscriptions', id: 'subscription_id', key: subscriptionId, about: { subscriptionId } } as const);
  await inTransaction(pool, async (db) => {
    const before = await readValue<Metadata>(db, `select metadata from ${row.table} where ${row.id} = $1 for update`, [
      row.key,
    ]);
    const change = before === null ? null : replaceMetadata(before, metadata);
    if (change === null) return;
    await updateColumns(db, row, row.key, { metadata: jsonToColumn(metadata) });
    await insertEvent(db, { ...row.about, ...act, type: 'metadata.changed', data: { ...change } });
  });
}
