import type { Pool } from 'pg';
import type { Language } from '../../contract/notices';
import type { SubscriptionId } from '../../domain/ids';
import { actorOf } from '../../domain/audit/event';
import { inTransaction } from '../sql/database';
import { type Db, readRecord, textToColumn, updateColumns } from '../sql/statements';
import { reopenUndelivered } from '../notices/steering';
import { type Act, insertEvent } from '../audit/entries';

/** The changes to a payer; null removes a value, and omitted ones are left unchanged. */
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
  /** The data of the payer was erased: nothing new is written in its place. */
  | { readonly kind: 'erased' };

/**
 * Changes the data of the payer of a subscription; notices that did not reach the old address go to the new one at once. The
 * audit log names the fields, never their values (rule 29).
 * @throws if the ledger has no such subscription.
 */
export async function changePayer(pool: Pool, change: PayerChange): Promise<ChangePayerResult> {
  const { subscriptionId, patch, at } = change;
  return inTransaction(pool, async (db): Promise<ChangePayerResult> => {
    const { payerId, isErased } = await lockPayerOf(db, subscriptionId);
    if (isErased) return { kind: 'erased' };
    await writePatch(db, payerId, patch);
    if (patch.reference !== undefined) await changeReferenceOfLinks(db, subscriptionId, patch.reference);
    const fields = Object.entries(patch).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    await insertEvent(db, { ...actorOf(change), subscriptionId, at, type: 'payer.changed', data: { fields } });
    const isNewAddress = patch.email !== undefined;
    if (isNewAddress) await reopenUndelivered(db, subscriptionId, at);
    return { kind: 'changed' };
  });
}

/** Locks the subscription first, as everywhere. */
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

/** A payment link has a copy of the payer, which an erasure finds by the reference. */
async function changeReferenceOfLinks(db: Db, subscriptionId: SubscriptionId, reference: string | null): Promise<void> {
  await db.query(
    `update payers set reference = $2 where erased_at is null and payer_id in (
       select p.payer_id from payment_links l join payments p using (request_id) where l.subscription_id = $1
     )`,
    [subscriptionId, textToColumn(reference)],
  );
}

async function writePatch(db: Db, payerId: string, { email, reference, language }: PayerPatch): Promise<void> {
  const text = (value: string | null | undefined) => (value === undefined ? value : textToColumn(value));
  const columns = { email: text(email), reference: text(reference), language };
  await updateColumns(db, { table: 'payers', id: 'payer_id' }, payerId, columns);
}
