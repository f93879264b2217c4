import type { Pool } from 'pg';
import { inTransaction } from '../sql/database';
import { type DraftTable, DRAFT_KEYS, removeDrafts } from './any-draft';
import { type Db, instantToColumn, jsonToColumn, readRecord } from '../sql/statements';

/** The service could not be asked, or gave no usable answer. */
export interface Unavailable {
  readonly kind: 'unavailable';
  readonly reason: string;
}

/** Why a draft did not become a subscription or payment: the service refused it, or gave no usable answer. */
export type DraftAnswer =
  | { readonly kind: 'refused'; readonly detail: string; readonly description: string }
  | Unavailable;

/** The progress of a draft. */
export interface DraftProgress {
  /** Whether a request for the consent session was or is being sent to the service. */
  readonly isSent: boolean;
  readonly answer: DraftAnswer | null;
  /** Real time. */
  readonly draftedRealAt: number;
}

/** Identifies one draft; another one with the same key may replace it. */
export interface DraftRef {
  readonly table: DraftTable;
  readonly key: string;
  /** Real time. */
  readonly draftedRealAt: number;
}

/** Null if there is no draft with this key, or no longer. */
export function readDraftProgress(db: Db, table: DraftTable, key: string): Promise<DraftProgress | null> {
  return readRecord(
    db,
    `select draft_sent_real_at is not null as is_sent, draft_answer as answer, drafted_real_at
     from ${table} where ${DRAFT_KEYS[table]} = $1 and status = 'draft'`,
    [key],
  );
}

/**
 * Records that the request for the draft's session is about to be sent. `POST /payments` is sent only once per draft: if its answer
 * is lost, so is the redirectURL, and the payer cannot approve that payment (rule 18).
 * @returns false if the request was sent before, the draft has an answer, or it is gone
 */
export async function markDraftSent(db: Db, { table, key, draftedRealAt }: DraftRef, realAt: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update ${table} set draft_sent_real_at = $3
     where ${DRAFT_KEYS[table]} = $1 and status = 'draft' and drafted_real_at = $2
       and draft_sent_real_at is null and draft_answer is null`,
    [key, instantToColumn(draftedRealAt), instantToColumn(realAt)],
  );
  return rowCount === 1;
}

/** Stores why the draft will not be opened. The first answer counts; another draft with the same key is left unchanged. */
export async function answerDraft(db: Db, { table, key, draftedRealAt }: DraftRef, answer: DraftAnswer): Promise<void> {
  await db.query(
    `update ${table} set draft_answer = $3
     where ${DRAFT_KEYS[table]} = $1 and drafted_real_at = $2 and status = 'draft' and draft_answer is null`,
    [key, instantToColumn(draftedRealAt), jsonToColumn(answer)],
  );
}

/** The outcome of a draft, for the caller who created it. */
export type DraftOutcome = 'unanswered' | 'opened' | 'gone' | DraftAnswer;

/** Reads the outcome of a draft. If it is an answer, the draft and its payer are removed, so an answer is returned only once. */
export async function takeDraftOutcome(pool: Pool, { table, key, draftedRealAt }: DraftRef): Promise<DraftOutcome> {
  const thisDraft = `${DRAFT_KEYS[table]} = $1 and drafted_real_at = $2`;
  const values = [key, instantToColumn(draftedRealAt)];
  const row = await readRecord<{ readonly status: string; readonly answer: DraftAnswer | null }>(
    pool,
    `select status, draft_answer as answer from ${table} where ${thisDraft}`,
    values,
  );
  if (row === null) return 'gone';
  if (row.status !== 'draft') return 'opened';
  if (row.answer === null) return 'unanswered';
  await inTransaction(pool, (db) => removeDrafts(db, table, thisDraft, values));
  return row.answer;
}
