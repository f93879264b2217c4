import type { Pool } from 'pg';
import type { PaymentId } from '../../domain/ids';
import type { Instant } from '../../domain/time';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, type Readable, readRecord, readValues } from '../sql/statements';
import { deletePayers } from './subscription';

/** Tables that hold drafts before the service has answered `POST /payments`, each draft with its own payer, and their keys. */
export const DRAFT_KEYS = { subscriptions: 'subscription_id', payments: 'request_id' } as const;

export type DraftTable = keyof typeof DRAFT_KEYS;

/** Removes the draft with this key if it has failed, or was drafted before an instant of real time: its process is gone. */
export async function removeStaleDraft(db: Db, table: DraftTable, key: string, staleBeforeReal: number): Promise<void> {
  await removeDrafts(db, table, `${DRAFT_KEYS[table]} = $1 and (draft_answer is not null or drafted_real_at < $2)`, [
    key,
    instantToColumn(staleBeforeReal),
  ]);
}

/**
 * Removes drafts with their payers: those drafted before `olderThanReal`, except those that another transaction has locked.
 * @returns how many were removed, at most `limit`.
 */
export async function purgeDrafts(
  pool: Pool,
  table: DraftTable,
  olderThanReal: number,
  limit: number,
): Promise<number> {
  const key = DRAFT_KEYS[table];
  // As an array it is evaluated once; as a set PostgreSQL may evaluate it again for each row, and remove more than the limit.
  const stale = `${key} = any (array(
    select ${key} from ${table} where status = 'draft' and drafted_real_at < $1 limit $2 for update skip locked
  ))`;
  return inTransaction(pool, (db) => removeDrafts(db, table, stale, [instantToColumn(olderThanReal), limit]));
}

/**
 * Removes drafts with their payers.
 * @param which a fixed condition, never text from a caller; its parameters are `values`
 * @returns how many were removed
 */
export async function removeDrafts(db: Db, table: DraftTable, which: string, values: unknown[]): Promise<number> {
  const payerIds = await readValues<string>(
    db,
    `delete from ${table} where status = 'draft' and ${which} returning payer_id`,
    values,
  );
  await deletePayers(db, payerIds);
  return payerIds.length;
}

/** The consent session that the service has opened for the payer. */
export interface OpenedSession {
  readonly paymentId: PaymentId;
  readonly redirectURL: string;
  /** Real time: the 10 minutes of the session start here. */
  readonly requestedRealAt: number;
  readonly at: Instant;
}

export interface OpenedDraft extends OpenedSession {
  /** Identifies the draft that was sent to the service: another one that has replaced it is not opened. */
  readonly draftedRealAt: number;
}

/**
 * The service has opened the consent session: the draft continues as `pending_consent`.
 * @param returning fixed columns, never text from a caller
 * @returns null if this draft no longer exists or will not be opened, as it has an answer; nothing was written then.
 */
export async function openDraft<R extends Readable<R>>(
  db: Db,
  table: DraftTable,
  key: string,
  { draftedRealAt, paymentId, redirectURL, requestedRealAt }: OpenedDraft,
  returning: string,
): Promise<R | null> {
  return readRecord<R>(
    db,
    `update ${table}
     set status = 'pending_consent', payment_id = $2, consent_status = 'pending', consent_redirect_url = $3,
         consent_requested_real_at = $4 ${table === 'subscriptions' ? ', next_due_at = first_payment_at' : ''}
     where ${DRAFT_KEYS[table]} = $1 and status = 'draft' and drafted_real_at = $5 and draft_answer is null
     returning ${returning}`,
    [key, paymentId, redirectURL, instantToColumn(requestedRealAt), instantToColumn(draftedRealAt)],
  );
}
