import type { Pool } from 'pg';
import type { SubscriptionId } from '../../domain/ids';
import type { Instant } from '../../domain/time';
import { type Page, type PageOf, numberCursor, toPage } from '../sql/cursor';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, jsonToColumn, readRecord, readRecords } from '../sql/statements';
import { insertEvent, type TimedAct } from '../audit/entries';
import type { BulkWork } from './proposals';

/** A bulk job: one call for each of many subscriptions, with its progress. */
export interface BulkJob {
  readonly jobId: string;
  readonly state: 'running' | 'finished' | 'stopped';
  readonly work: BulkWork;
  /** The name of the API key that started it. */
  readonly actor: string;
  /** Business time. */
  readonly startedAt: Instant;
  /** Number of subscriptions; how many were processed; and how many of those were refused. */
  readonly total: number;
  readonly done: number;
  readonly refused: number;
}

/** Null if there is none with this id, or it was purged; a dry run is not a job. */
export function readBulkJob(db: Db, jobId: string): Promise<BulkJob | null> {
  return readRecord<BulkJob>(
    db,
    `select j.job_id, j.state, j.work, j.actor, j.started_at, i.total, i.done, i.refused
     from jobs j, lateral (
       select count(*) as total, count(*) filter (where state <> 'waiting') as done,
         count(*) filter (where state = 'refused') as refused
       from job_items where job_id = j.job_id
     ) i
     where j.job_id = $1 and j.kind = 'bulk' and j.state <> 'proposed'`,
    [jobId],
  );
}

/**
 * Stops a job: no further call is started, and calls under way are finished. A job that has ended remains unchanged.
 * @returns the job after this call; null if there is none with this id
 */
export async function stopBulkJob(pool: Pool, jobId: string, act: TimedAct): Promise<BulkJob | null> {
  return inTransaction(pool, (db) => stopWithin(db, jobId, act));
}

async function stopWithin(db: Db, jobId: string, { realAt, ...act }: TimedAct): Promise<BulkJob | null> {
  const { rowCount } = await db.query(
    `update jobs set state = 'stopped', ended_real_at = $2 where job_id = $1 and state = 'running'`,
    [jobId, instantToColumn(realAt)],
  );
  const job = await readBulkJob(db, jobId);
  if (rowCount === 1 && job !== null) {
    const data = { jobId, action: job.work.action, done: job.done, total: job.total };
    await insertEvent(db, { ...act, subscriptionId: null, type: 'bulk.stopped', data });
  }
  return job;
}

/** Stops the jobs of a key that is no longer valid, identified by the first key of its line. */
export async function stopJobsOfKey(db: Db, firstKeyId: string, act: TimedAct): Promise<void> {
  const jobs = await readRecords<Pick<BulkJob, 'jobId'>>(
    db,
    `select job_id from jobs where key_id = $1 and kind = 'bulk' and state = 'running' order by job_id`,
    [firstKeyId],
  );
  for (const { jobId } of jobs) await stopWithin(db, jobId, act);
}

/** The result for one subscription. */
export interface BulkResult {
  readonly number: number;
  readonly subscriptionId: SubscriptionId;
  readonly state: 'waiting' | 'done' | 'refused';
  /** Problem details; null unless it was refused. */
  readonly problem: Readonly<Record<string, unknown>> | null;
  /** Business time; null while it waits. */
  readonly doneAt: Instant | null;
}

/** The results of a job, in the order in which its calls are started. @param only the state to list; null lists all */
export async function listBulkResults(
  db: Db,
  jobId: string,
  only: 'done' | 'refused' | null,
  page: Page,
): Promise<PageOf<BulkResult>> {
  const results = await readRecords<BulkResult>(
    db,
    `select number, subscription_id, state, problem, done_at from job_items
     where job_id = $1 and number > $2 and ($3::text is null or state = $3) order by number limit $4`,
    [jobId, numberCursor.read(page.cursor) ?? 0, only, page.limit + 1],
  );
  return toPage(results, page.limit, ({ number }) => [number]);
}

/** A call that a process has claimed. */
export interface ClaimedCall {
  readonly jobId: string;
  readonly number: number;
  readonly subscriptionId: SubscriptionId;
  readonly work: BulkWork;
  readonly actor: string;
  /** The key that started the job, and the first key of its line of replacements. */
  readonly keyId: string;
  readonly firstKeyId: string;
  /** Including this one. */
  readonly tries: number;
}

/**
 * Claims calls that no process holds, those of the oldest job first. A process holds a call for the duration of the lease;
 * after that another may claim it, so that a call whose process has died is made again.
 */
export function claimCalls(db: Db, limit: number, leaseMs: number): Promise<readonly ClaimedCall[]> {
  return readRecords<ClaimedCall>(
    db,
    `update job_items i
     set tries = i.tries + 1, leased_until = clock_timestamp() + $2 * interval '1 millisecond'
     from (
       select w.job_id, w.number, j.work, j.actor, coalesce(j.acting_key_id, j.key_id) as key_id, j.key_id as first_key_id
       from jobs j join job_items w using (job_id)
       where j.state = 'running' and w.state = 'waiting'
         and (w.leased_until is null or w.leased_until < clock_timestamp())
       order by j.created_real_at, w.job_id, w.number
       limit $1 for update of w skip locked
     ) as taken
     where (i.job_id, i.number) = (taken.job_id, taken.number)
     returning i.job_id, i.number, i.subscription_id, taken.work, taken.actor, taken.key_id, taken.first_key_id,
       i.tries`,
    [limit, leaseMs],
  );
}

type CallRef = Pick<ClaimedCall, 'jobId' | 'number'>;

/** Records the result of a call; the first recorded result remains. @param problem why it was refused; null if it is done */
export async function recordCall(
  db: Db,
  { jobId, number }: CallRef,
  problem: Readonly<Record<string, unknown>> | null,
  at: Instant,
): Promise<void> {
  await db.query(
    `update job_items set state = $3, problem = $4, done_at = $5
     where (job_id, number) = ($1, $2) and state = 'waiting'`,
    [jobId, number, problem === null ? 'done' : 'refused', jsonToColumn(problem), instantToColumn(at)],
  );
}

/** The call could not be made now: it may be claimed again after `ms` of real time. */
export async function postponeCall(db: Db, { jobId, number }: CallRef, ms: number): Promise<void> {
  await db.query(
    `update job_items set leased_until = clock_timestamp() + $3 * interval '1 millisecond'
     where (job_id, number) = ($1, $2) and state = 'waiting'`,
    [jobId, number, ms],
  );
}

/** Finishes jobs without waiting calls. */
export async function finishJobs(db: Db, realAt: number): Promise<void> {
  await db.query(
    `update jobs j set state = 'finished', ended_real_at = $1
     where state = 'running' and not exists (select from job_items i where i.job_id = j.job_id and i.state = 'waiting')`,
    [instantToColumn(realAt)],
  );
}

export interface OldJobs {
  /** Real time: a dry run that was not started is removed if it was created, and its token has expired, before this. */
  readonly proposedBeforeReal: number;
  /** Ended jobs created before this real time are removed. */
  readonly createdBeforeReal: number;
}

/** Removes at most `limit` jobs with their results. @returns how many */
export async function purgeJobs(db: Db, old: OldJobs, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from jobs where job_id in (
       select job_id from jobs
       where (state = 'proposed' and greatest(created_real_at, token_until_real) < $1)
         or (state in ('finished', 'stopped') and created_real_at < $2)
       limit $3
     )`,
    [instantToColumn(old.proposedBeforeReal), instantToColumn(old.createdBeforeReal), limit],
  );
  return rowCount ?? 0;
}
