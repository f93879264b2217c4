import { DAY } from '../../domain/time';
import { jobCursor, type Page, type PageOf, toPage } from '../sql/cursor';
import { type Db, instantToColumn, readRecords } from '../sql/statements';

export const JOB_KINDS = ['reconciliation', 'bulk', 'replay'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export const JOB_STATES = ['running', 'finished', 'failed', 'stopped'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** A job and its kind, which decides where it is stored. */
export interface JobRef {
  readonly jobId: string;
  readonly kind: JobKind;
}

export interface JobFilter {
  readonly kinds: readonly JobKind[];
  /** All if omitted. */
  readonly state?: JobState | undefined;
}

/** How long jobs are listed, in real time. */
const LISTED_FOR = 90 * DAY;

/** Newest first, by when they were requested. A dry run is not a job. */
export async function listJobs(db: Db, filter: JobFilter, realNow: number, page: Page): Promise<PageOf<JobRef>> {
  const after = jobCursor.read(page.cursor);
  const jobs = await readRecords<JobRef & { readonly createdRealAt: number }>(
    db,
    `select job_id, kind, created_real_at from (${JOBS}) as jobs
     where kind = any ($1) and ($2::text is null or state = $2) and created_real_at >= $3
       and ($4::timestamptz is null or (created_real_at, job_id) < ($4, $5))
     order by created_real_at desc, job_id desc limit $6`,
    [
      filter.kinds,
      filter.state ?? null,
      instantToColumn(realNow - LISTED_FOR),
      instantToColumn(after?.createdAt ?? null),
      after?.id ?? null,
      page.limit + 1,
    ],
  );
  return toPage(jobs, page.limit, ({ createdRealAt, jobId }) => ['job', createdRealAt, jobId]);
}

const JOBS = `
  select run_id as job_id, 'reconciliation' as kind, started_real_at as created_real_at,
    case state when 'compared' then 'finished' when 'service_unavailable' then 'failed' else state end as state
  from reconciliation_runs
  union all
  select job_id::text collate "C", 'bulk', created_real_at, state from jobs where kind = 'bulk' and state <> 'proposed'
  union all
  select job_id::text collate "C", 'replay', created_real_at,
    case
      when state <> 'queued' then state
      when exists (select from webhook_deliveries d where d.job_id = r.job_id and d.state = 'pending') then 'running'
      else 'finished'
    end
  from event_replays r`;
