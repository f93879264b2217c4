import type { Pool } from 'pg';
import type { DiscardResult } from '../contract/activities';
import type { PaymentId } from '../domain/ids';
import { type Db, inTransaction, instantToColumn, readRecord, readRecords } from './database';
import { deletePayers, type PayerRecord } from './subscriptions/record';

/** What is drafted, each with a payer of its own, before the service has answered `POST /payments`. */
export type Drafted =
  | { readonly table: 'subscriptions'; readonly id: 'subscription_id' }
  | { readonly table: 'payments'; readonly id: 'request_id' };

/** How far the request of a consent has come. */
interface Requested {
  readonly status: string;
  readonly paymentId: PaymentId | null;
  /** Null for a consent that was granted elsewhere. */
  readonly requestedRealAt: number | null;
}

/**
 * Removes the draft, unless the service's answer is on record: that is answered instead, and never deleted (rule 18).
 * The row is locked first, so that of a worker who is writing the answer at this moment the end is known.
 */
export async function discardDraft(pool: Pool, drafted: Drafted, key: string): Promise<DiscardResult> {
  return inTransaction(pool, async (db): Promise<DiscardResult> => {
    const row = await readRecord<Requested>(
      db,
      `select status, payment_id, consent_requested_real_at as requested_real_at
       from ${drafted.table} where ${drafted.id} = $1 for update`,
      [key],
    );
    if (row !== null && row.status !== 'draft' && row.paymentId !== null && row.requestedRealAt !== null) {
      return { kind: 'on_record', paymentId: row.paymentId, requestedRealAt: row.requestedRealAt };
    }
    await removeDraft(db, drafted, key, null);
    return { kind: 'discarded' };
  });
}

/** The draft of this key and its payer, where it was drafted before an instant of real time; null: whenever it was. */
export async function removeDraft(
  db: Db,
  { table, id }: Drafted,
  key: string,
  draftedBeforeReal: number | null,
): Promise<void> {
  const payers = await readRecords<Pick<PayerRecord, 'payerId'>>(
    db,
    `delete from ${table}
     where ${id} = $1 and status = 'draft' and ($2::timestamptz is null or drafted_real_at < $2)
     returning payer_id`,
    [key, instantToColumn(draftedBeforeReal)],
  );
  await deletePayers(db, payers);
}

/**
 * Removes drafts with their payers: those drafted before `olderThanReal`, but not one that another transaction has
 * locked.
 * @returns how many were removed, `limit` at most.
 */
export async function purgeDrafted(
  pool: Pool,
  { table, id }: Drafted,
  olderThanReal: number,
  limit: number,
): Promise<number> {
  return inTransaction(pool, async (db) => {
    const payers = await readRecords<Pick<PayerRecord, 'payerId'>>(
      db,
      `delete from ${table} where ${id} in (
         select ${id} from ${table} where status = 'draft' and drafted_real_at < $1
         limit $2 for update skip locked
       ) returning payer_id`,
      [instantToColumn(olderThanReal), limit],
    );
    await deletePayers(db, payers);
    return payers.length;
  });
}
