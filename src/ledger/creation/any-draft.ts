import type { Pool } from 'pg';
import type { DiscardResult } from '../../contract/activities';
import type { PaymentId } from '../../domain/ids';
import type { Instant } from '../../domain/time';
import { inTransaction } from '../database';
import { type Db, instantToColumn, type Readable, readRecord, readValues } from '../statements';
import { deletePayers } from '../subscriptions/record';

/** What is drafted, each with a payer of its own, before the service has answered `POST /payments`: tables and their keys. */
const KEYS = { subscriptions: 'subscription_id', payments: 'request_id' } as const;

type Drafted = keyof typeof KEYS;

/** A draft that was answered otherwise is not opened any more. */
const IS_OPEN = { subscriptions: 'and draft_answer is null', payments: '' } as const;

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
export async function discardDraft(pool: Pool, table: Drafted, key: string): Promise<DiscardResult> {
  return inTransaction(pool, async (db): Promise<DiscardResult> => {
    const row = await readRecord<Requested>(
      db,
      `select status, payment_id, consent_requested_real_at as requested_real_at
       from ${table} where ${KEYS[table]} = $1 for update`,
      [key],
    );
    if (row !== null && row.status !== 'draft' && row.paymentId !== null && row.requestedRealAt !== null) {
      return { kind: 'on_record', paymentId: row.paymentId, requestedRealAt: row.requestedRealAt };
    }
    await removeDrafts(db, table, `${KEYS[table]} = $1`, [key]);
    return { kind: 'discarded' };
  });
}

/** The draft of this key, where it was drafted before an instant of real time: its process is gone. */
export async function removeStaleDraft(db: Db, table: Drafted, key: string, staleBeforeReal: number): Promise<void> {
  await removeDrafts(db, table, `${KEYS[table]} = $1 and drafted_real_at < $2`, [
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
     where ${KEYS[table]} = $1 and status = 'draft' and drafted_real_at = $5 ${IS_OPEN[table]}
     returning ${returning}`,
    [key, paymentId, redirectURL, instantToColumn(requestedRealAt), instantToColumn(draftedRealAt)],
  );
}
