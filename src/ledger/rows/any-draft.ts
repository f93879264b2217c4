import type { Pool } from 'pg';
import type { PaymentId } from '../../domain/ids';
import type { Instant } from '../../domain/time';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, type Readable, readRecord, readValues } from '../sql/statements';
import { deletePayers } from './subscription';

/** What is drafted, each with a payer of its own, before the service has answered `POST /payments`: tables and their keys. */
export const KEYS = { subscriptions: 'subscription_id', payments: 'request_id' } as const;

export type Drafted = keyof typeof KEYS;

/** The draft of this key, if it was answered, or was drafted before an instant of real time: its process is gone. */
export async function removeStaleDraft(db: Db, table: Drafted, key: string, staleBeforeReal: number): Promise<void> {
  await removeDrafts(db, table, `${KEYS[table]} = $1 and (draft_answer is not null or drafted_real_at < $2)`, [
    key,
    instantToColumn(staleBeforeReal),
  ]);
}

/**
 * Removes drafts with their payers: those drafted before `olderThanReal`, but not one that another transaction has
 * locked.
 * @returns how many were removed, `limit` at most.
 */
export async function purgeDrafts(pool: Pool, table: Drafted, olderThanReal: number, limit: number): Promise<number> {
  const key = KEYS[table];
  // As an array it is looked for once; as a set PostgreSQL may look anew for each row, and take more than the limit.
  const stale = `${key} = any (array(
    select ${key} from ${table} where status = 'draft' and drafted_real_at < $1 limit $2 for update skip locked
  ))`;
  return inTransaction(pool, (db) => removeDrafts(db, table, stale, [instantToColumn(olderThanReal), limit]));
}

/**
 * Removes drafts with their payers.
 * @param which a condition of ours, never a caller's text; its parameters are `values`
 * @returns how many were removed
 */
export async function removeDrafts(db: Db, table: Drafted, which: string, values: unknown[]): Promise<number> {
  const payerIds = await readValues<string>(
    db,
    `delete from ${table} where status = 'draft' and ${which} returning payer_id`,
    values,
  );
  await deletePayers(db, payerIds);
  return payerIds.length;
}

/** What the service has opened for the payer. */
export interface OpenedSession {
  readonly paymentId: PaymentId;
  readonly redirectURL: string;
  /** Real time: the session's 10 minutes run from here. */
  readonly requestedRealAt: number;
  readonly at: Instant;
}

export interface OpenedDraft extends OpenedSession {
  /** Of the draft that the service was asked with: another one that has taken its place is not opened. */
  readonly draftedRealAt: number;
}

/**
 * The service has opened the consent session: the draft goes on as `pending_consent`.
 * @param returning columns of ours, never a caller's text
 * @returns null where that draft is not there (any more); nothing was written then.
 */
export async function openDraft<R extends Readable<R>>(
  db: Db,
  table: Drafted,
  key: string,
  { draftedRealAt, paymentId, redirectURL, requestedRealAt }: OpenedDraft,
  returning: string,
): Promise<R | null> {
  return readRecord<R>(
    db,
    `update ${table}
     set status = 'pending_consent', payment_id = $2, consent_status = 'pending', consent_redirect_url = $3,
         consent_requested_real_at = $4 ${table === 'subscriptions' ? ', next_due_at = first_payment_at' : ''}
     where ${KEYS[table]} = $1 and status = 'draft' and drafted_real_at = $5 and draft_answer is null
     returning ${returning}`,
    [key, paymentId, redirectURL, instantToColumn(requestedRealAt), instantToColumn(draftedRealAt)],
  );
}
