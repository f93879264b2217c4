import type { Pool } from 'pg';
import type { Language } from '../../contract/notices';
import type { SubscriptionId } from '../../domain/ids';
import { actorOf } from '../../domain/audit/event';
import { inTransaction } from '../sql/database';
import { type Db, readRecord, textToColumn, updateColumns } from '../sql/statements';
import { reopenUndelivered } from '../notices/steering';
import { type Act, insertEvent } from '../audit/entries';

/** What of a payer is to be otherwise; null takes it away, and what is left out stays. */
export interface PayerPatch {
  readonly email?: string | null | undefined;
  readonly reference?: string | null | undefined;
  readonly language?: Language | null | undefined;
}

export interface PayerChange extends Act {
  readonly subscriptionId: SubscriptionId;
  readonly patch: PayerPatch;
}

export type ChangePayerResult =
  | { readonly kind: 'changed' }
  /** The payer's data was erased: nothing new is written in its place. */
  | { readonly kind: 'erased' };

/**
 * Changes what is known of a subscription's payer; notices that did not reach the old address go to the new one at once. The
 * trail names the fields, never what they hold (rule 29).
 * @throws where the ledger has no such subscription.
 */
export async function changePayer(pool: Pool, change: PayerChange): Promise<ChangePayerResult> {
  const { subscriptionId, patch, at } = change;
  return inTransaction(pool, async (db): Promise<ChangePayerResult> => {
    const { payerId, isErased } = await lockPayerOf(db, subscriptionId);
    if (isErased) return { kind: 'erased' };
    await writePatch(db, payerId, patch);
    const fields = Object.entries(patch).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    await insertEvent(db, { ...actorOf(change), subscriptionId, at, type: 'payer.changed', data: { fields } });
    const isNewAddress = patch.email !== undefined;
    if (isNewAddress) await reopenUndelivered(db, subscriptionId, at);
    return { kind: 'changed' };
  });
}

/** The subscription first, as everywhere. */
async function lockPayerOf(db: Db, subscriptionId: SubscriptionId) {
  const row = await readRecord<{ readonly payerId: string; readonly isErased: boolean }>(
    db,
    `select p.payer_id, p.erased_at is not null as is_erased
     from subscriptions s join payers p using (payer_id) where s.subscription_id = $1 for update`,
    [subscriptionId],
  );
  if (row === null) throw new Error(`the ledger has no subscription ${subscriptionId}`);
  return row;
}

async function writePatch(db: Db, payerId: string, { email, reference, language }: PayerPatch): Promise<void> {
  const text = (value: string | null | undefined) => (value === undefined ? value : textToColumn(value));
  const columns = { email: text(email), reference: text(reference), language };
  await updateColumns(db, { table: 'payers', id: 'payer_id' }, payerId, columns);
}
