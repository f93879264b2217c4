import type { Pool } from 'pg';
import type { ConsentRefusal } from '../../contract/activities';
import { inTransaction } from '../sql/database';
import { type Drafted, KEYS, removeDrafts } from './any-draft';
import { type Db, instantToColumn, jsonToColumn, readRecord } from '../sql/statements';

/** Why a draft did not become a subscription: the service's answer, or that there was none. */
export type DraftAnswer = ConsentRefusal;

/** How far a draft has come. */
export interface DraftProgress {
  /** The service has been asked for the consent session, or is being asked. */
  readonly isSent: boolean;
  readonly answer: DraftAnswer | null;
  /** Real time. */
  readonly draftedRealAt: number;
}

/** Names one draft; another one of the same key may take its place. */
export interface DraftRef {
  readonly table: Drafted;
  readonly key: string;
  /** Real time. */
  readonly draftedRealAt: number;
}

/** Null if there is no draft of this key (any more). */
export function readDraftProgress(db: Db, table: Drafted, key: string): Promise<DraftProgress | null> {
  return readRecord(
    db,
    `select draft_sent_real_at is not null as is_sent, draft_answer as answer, drafted_real_at
     from ${table} where ${KEYS[table]} = $1 and status = 'draft'`,
    [key],
  );
}

/**
 * Before `POST /payments` is sent, which is sent once: without its redirectURL the payer cannot approve it (rule 18).
 * @returns false if it was sent before, or the draft is gone
 */
export async function markDraftSent(db: Db, { table, key, draftedRealAt }: DraftRef, realAt: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update ${table} set draft_sent_real_at = $3
     where ${KEYS[table]} = $1 and status = 'draft' and drafted_real_at = $2
       and draft_sent_real_at is null and draft_answer is null`,
    [key, instantToColumn(draftedRealAt), instantToColumn(realAt)],
  );
  return rowCount === 1;
}

/** The draft will not be opened. The first answer counts; another draft of the same key is left as it is. */
export async function answerDraft(db: Db, { table, key, draftedRealAt }: DraftRef, answer: DraftAnswer): Promise<void> {
  await db.query(
    `update ${table} set draft_answer = $3
     where ${KEYS[table]} = $1 and drafted_real_at = $2 and status = 'draft' and draft_answer is null`,
    [key, instantToColumn(draftedRealAt), jsonToColumn(answer)],
  );
}

/** What became of a draft, for the caller who drafted it. */
export type DraftOutcome = 'open' | 'opened' | 'gone' | DraftAnswer;

/** An answer is given once: the draft is removed with it, its payer too. */
export async function takeDraftOutcome(pool: Pool, { table, key, draftedRealAt }: DraftRef): Promise<DraftOutcome> {
  const row = await readRecord<{ readonly status: string; readonly answer: DraftAnswer | null }>(
    pool,
    `select status, draft_answer as answer from ${table} where ${KEYS[table]} = $1 and drafted_real_at = $2`,
    [key, instantToColumn(draftedRealAt)],
  );
  if (row === null) return 'gone';
  if (row.status !== 'draft') return 'opened';
  if (row.answer === null) return 'open';
  await inTransaction(pool, (db) => removeDrafts(db, table, `${KEYS[table]} = $1 and draft_answer is not null`, [key]));
  return row.answer;
}
