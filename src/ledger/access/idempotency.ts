import { timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';
import { inTransaction } from '../sql/database';
import { instantToColumn, jsonToColumn, type Db, readRecord } from '../sql/statements';

/** Real milliseconds for which the first response is repeated. */
export const IDEMPOTENCY_LIFE = 24 * 60 * 60 * 1000;

/** Ms after which a run that is not renewed counts as dead, by the clock of PostgreSQL. */
export const IDEMPOTENCY_LEASE = 10_000;

/** One use of an idempotency key. `runId` distinguishes it from a later one under the same key. */
export interface IdempotentRun {
  readonly apiKeyId: string;
  readonly key: string;
  /** A new UUID for each use. */
  readonly runId: string;
  /** Real time, epoch milliseconds. */
  readonly startedRealAt: number;
}

export interface IdempotentRequest extends IdempotentRun {
  /** Such as `POST /v1/subscriptions`; stored for operators. */
  readonly methodPath: string;
  /** Equal for equal requests. */
  readonly fingerprint: Buffer;
}

export interface StoredAnswer {
  readonly status: number;
  /** Anything that JSON can hold. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

export type BeginIdempotentResult =
  /** When the request was first made under this key, by a run that died or ended with an error, or by this one. */
  | { readonly kind: 'started'; readonly startedRealAt: number }
  /** The first request is still being processed. */
  | { readonly kind: 'running' }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  /** The key was first used for another request. */
  | { readonly kind: 'reused' };

/**
 * Claims the key for this request, with a lease of {@link IDEMPOTENCY_LEASE}, or returns how it was used. Keys older
 * than 24 hours count as unused.
 */
export async function beginIdempotent(pool: Pool, request: IdempotentRequest): Promise<BeginIdempotentResult> {
  return inTransaction(pool, async (db): Promise<BeginIdempotentResult> => {
    const claimed = await claim(db, request);
    if (claimed !== null) return { kind: 'started', ...claimed };
    const row = await readRecord<StoredUse>(
      db,
      'select fingerprint, status, body, headers from idempotency_keys where api_key_id = $1 and key = $2',
      [request.apiKeyId, request.key],
    );
    // Abandoned between the two statements: the next try will claim it.
    if (row === null) return { kind: 'running' };
    return judge(row, request);
  });
}

/**
 * Renews the leases of all these runs. One that has expired but was not taken over becomes valid again.
 * @returns how many of them still hold their key
 */
export async function renewIdempotent(db: Db, runs: readonly IdempotentRun[]): Promise<number> {
  const { rowCount } = await db.query(
    `update idempotency_keys k set leased_until = ${LEASED_FROM_NOW}
     from unnest($1::text[], $2::text[], $3::uuid[]) as held (api_key_id, key, run_id)
     where k.api_key_id = held.api_key_id and k.key = held.key and k.run_id = held.run_id and k.state = 'running'`,
    [runs.map((run) => run.apiKeyId), runs.map((run) => run.key), runs.map((run) => run.runId)],
  );
  return rowCount ?? 0;
}

/** Stores the first response. @returns false if another run has taken over the key */
export async function finishIdempotent(db: Db, run: IdempotentRun, answer: StoredAnswer): Promise<boolean> {
  const { rowCount } = await db.query(
    `update idempotency_keys set state = 'done', status = $4, body = $5, headers = $6, leased_until = null
     where ${STILL_OURS}`,
    [...runKey(run), answer.status, jsonToColumn(answer.body), jsonToColumn(answer.headers)],
  );
  return rowCount === 1;
}

/** Frees the key: the request was refused, and nothing of it was carried out. */
export async function abandonIdempotent(db: Db, run: IdempotentRun): Promise<void> {
  await db.query(`delete from idempotency_keys where ${STILL_OURS}`, runKey(run));
}

/**
 * Releases the key: the request ended with an error and may have been carried out. If it is repeated, it still counts as the same
 * request; another request may use the key as well.
 */
export async function releaseIdempotent(db: Db, run: IdempotentRun): Promise<void> {
  await db.query(
    `update idempotency_keys set leased_until = '-infinity', run_id = gen_random_uuid() where ${STILL_OURS}`,
    runKey(run),
  );
}

/** Removes keys whose last run started before `olderThanReal`. @returns how many */
export async function purgeIdempotent(db: Db, olderThanReal: number): Promise<number> {
  const { rowCount } = await db.query('delete from idempotency_keys where created_real_at < $1', [
    instantToColumn(olderThanReal),
  ]);
  return rowCount ?? 0;
}

/** The end of a lease that starts now, rather than with the transaction, which may have waited for a lock. */
const LEASED_FROM_NOW = `clock_timestamp() + interval '${IDEMPOTENCY_LEASE} milliseconds'`;

const STILL_OURS = `api_key_id = $1 and key = $2 and run_id = $3 and state = 'running'`;

/**
 * A run that died is taken over only by a repetition of its request; for another request, its key still counts as reused.
 * @returns null if the key was not claimed
 */
async function claim(db: Db, request: IdempotentRequest): Promise<Pick<IdempotentRun, 'startedRealAt'> | null> {
  return readRecord(
    db,
    `insert into idempotency_keys as k (
       api_key_id, key, run_id, created_real_at, first_real_at, method_path, fingerprint, leased_until
     ) values ($1, $2, $3, $4, $4, $5, $6, ${LEASED_FROM_NOW})
     on conflict (api_key_id, key) do update set
       first_real_at = case
         when k.created_real_at <= $7 or k.fingerprint <> excluded.fingerprint then excluded.first_real_at
         else k.first_real_at end,
       created_real_at = excluded.created_real_at,
       run_id = excluded.run_id, leased_until = excluded.leased_until,
       method_path = excluded.method_path, fingerprint = excluded.fingerprint,
       state = 'running', status = null, body = null, headers = null
     where k.created_real_at <= $7
        or (k.state = 'running' and k.leased_until <= clock_timestamp()
            and (k.fingerprint = excluded.fingerprint or k.leased_until = '-infinity'))
     returning first_real_at as started_real_at`,
    [
      ...runKey(request),
      instantToColumn(request.startedRealAt),
      request.methodPath,
      request.fingerprint,
      instantToColumn(request.startedRealAt - IDEMPOTENCY_LIFE),
    ],
  );
}

function judge(row: StoredUse, request: IdempotentRequest): BeginIdempotentResult {
  const same =
    row.fingerprint.length === request.fingerprint.length && timingSafeEqual(row.fingerprint, request.fingerprint);
  if (!same) return { kind: 'reused' };
  if (row.status === null) return { kind: 'running' };
  return { kind: 'answered', answer: { status: row.status, body: row.body, headers: row.headers ?? {} } };
}

function runKey(run: IdempotentRun): [string, string, string] {
  return [run.apiKeyId, run.key, run.runId];
}

interface StoredUse {
  fingerprint: Buffer;
  status: number | null;
  body: unknown;
  headers: Record<string, string> | null;
}
