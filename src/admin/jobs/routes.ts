import {
  type BulkJob,
  type Db,
  JOB_KINDS,
  jobCursor,
  type JobKind,
  type JobRef,
  listJobs,
  numberCursor,
  listBulkResults,
  listDifferences,
  readBulkJob,
  readList,
  readReconciliation,
  readReplay,
  type ReconciliationRun,
  type ReplayRecord,
  stopBulkJob,
  stopReconciliation,
  stopReplay,
} from '../../ledger';
import { type AdminDeps, call, type TypedApp } from '../dependencies';
import { actorOfCaller, type Caller, callerOf, type NeededScope } from '../http/caller';
import { listOf, pageOf } from '../http/fields';
import { invalidRequest, notFound, Problem } from '../http/problems';
import { fault } from '../http/validation';
import { mayDo, requirePowers } from '../access/powers';
import { viewDifference } from '../reports/schema';
import {
  JobOut,
  JobParams,
  JobResultsOut,
  JobResultsQuery,
  JobsQuery,
  viewBulkJob,
  viewBulkResult,
  viewReconciliationJob,
  viewReplayJob,
} from './schema';

const tags = ['jobs'];

/** The scope needed for a job, by its kind: that of the call that started it. */
const SCOPES = {
  reconciliation: 'reports',
  bulk: 'bulk',
  replay: ['events', 'endpoints'],
} as const satisfies Readonly<Record<JobKind, NeededScope>>;

const scope = Object.values(SCOPES).flat();

/** `GET /jobs`, `GET` and `DELETE /jobs/{id}`, and `GET …/results`. */
export function jobRoutes(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/jobs',
    call('viewer', scope, {
      tags,
      operationId: 'listJobs',
      summary: 'Lists the jobs of the last 90 days, newest first',
      description: 'Returns only jobs of the kinds that the scopes of the key permit. Dry runs are not jobs.',
      querystring: JobsQuery,
      response: { 200: listOf(JobOut) },
    }),
    async (request) => {
      const { kind, state } = request.query;
      const page = pageOf(request.query, jobCursor.is);
      const kinds = kindsFor(callerOf(request), kind);
      return readList(deps.reading, async (db) => {
        const { items, nextCursor } = await listJobs(db, { kinds, state }, deps.clock.realNow(), page);
        return { items: await viewJobs(db, items), nextCursor };
      });
    },
  );
  app.get(
    '/jobs/:id',
    call('viewer', scope, {
      tags,
      operationId: 'getJob',
      summary: 'Returns a job and its progress',
      params: JobParams,
      response: { 200: JobOut },
    }),
    async (request) => viewJob(await readList(deps.reading, (db) => findJob(db, request.params.id, callerOf(request)))),
  );
  app.delete(
    '/jobs/:id',
    call('operator', scope, {
      tags,
      operationId: 'stopJob',
      summary: 'Stops a job after the current payment, subscription or event; earlier results remain',
      params: JobParams,
      response: { 200: JobOut },
    }),
    async (request) => {
      const { id } = request.params;
      const caller = callerOf(request);
      const act = { ...actorOfCaller(caller), at: deps.clock.now(), realAt: deps.clock.realNow() };
      const stopped = await STOPS[(await findJob(deps.db, id, caller)).kind](deps.db, id, act);
      const job = viewJob(await findJob(deps.db, id, caller));
      if (stopped?.state === 'stopped') return job;
      throw new Problem('state_conflict', `The job is ${job.state}: there is nothing to stop.`, { jobId: id });
    },
  );
  app.get(
    '/jobs/:id/results',
    call('viewer', scope, {
      tags,
      operationId: 'listJobResults',
      summary:
        'Lists the differences that a reconciliation has found so far, or the outcome of a bulk job for each subscription',
      params: JobParams,
      querystring: JobResultsQuery,
      response: { 200: JobResultsOut },
    }),
    async (request) => {
      const { params, query } = request;
      const page = pageOf(query, numberCursor.is);
      return readList(deps.reading, async (db) => {
        const job = await findJob(db, params.id, callerOf(request));
        if (job.kind === 'bulk') {
          const { items, nextCursor } = await listBulkResults(db, params.id, query.state ?? null, page);
          return { items: items.map((each) => viewBulkResult(each, job.bulk)), nextCursor };
        }
        if (query.state !== undefined)
          throw invalidRequest([fault('state', 'no value, because the job is not a bulk job', query.state)]);
        // A replay has no results of its own: its deliveries are in the list of its endpoint.
        const { items, nextCursor } = await listDifferences(db, params.id, page);
        return { items: items.map(viewDifference), nextCursor };
      });
    },
  );
}

type Job =
  | { readonly kind: 'reconciliation'; readonly run: ReconciliationRun }
  | { readonly kind: 'bulk'; readonly bulk: BulkJob }
  | { readonly kind: 'replay'; readonly replay: ReplayRecord };

/** @throws Problem if the caller's scopes do not include the requested kind */
function kindsFor(caller: Caller, kind: JobKind | undefined): readonly JobKind[] {
  if (kind === undefined) return JOB_KINDS.filter((each) => mayDo(caller, { role: 'viewer', scope: SCOPES[each] }));
  requirePowers(caller, { role: 'viewer', scope: SCOPES[kind] }, 'A job of this kind');
  return [kind];
}

async function viewJobs(db: Db, refs: readonly JobRef[]): Promise<JobOut[]> {
  const jobs: JobOut[] = [];
  for (const { jobId, kind } of refs) {
    const job = await READS[kind](db, jobId);
    if (job !== null) jobs.push(viewJob(job));
  }
  return jobs;
}

const STOPS = { reconciliation: stopReconciliation, bulk: stopBulkJob, replay: stopReplay };

function viewJob(job: Job): JobOut {
  switch (job.kind) {
    case 'reconciliation':
      return viewReconciliationJob(job.run);
    case 'bulk':
      return viewBulkJob(job.bulk);
    case 'replay':
      return viewReplayJob(job.replay);
  }
}

/** @throws Problem if there is no job with this id (any more), or the caller's scopes do not include its kind */
async function findJob(db: Db, id: string, caller: Caller): Promise<Job> {
  const job = await readJob(db, id);
  if (job === null) throw notFound(`There is no job ${id}, or it is no longer stored.`);
  requirePowers(caller, { role: 'viewer', scope: SCOPES[job.kind] }, 'This job');
  return job;
}

async function readJob(db: Db, id: string): Promise<Job | null> {
  return (await READS.reconciliation(db, id)) ?? (await READS.bulk(db, id)) ?? READS.replay(db, id);
}

const READS: Readonly<Record<JobKind, (db: Db, id: string) => Promise<Job | null>>> = {
  reconciliation: async (db, id) => {
    const run = await readReconciliation(db, id);
    return run === null ? null : { kind: 'reconciliation', run };
  },
  bulk: async (db, id) => {
    const bulk = await readBulkJob(db, id);
    return bulk === null ? null : { kind: 'bulk', bulk };
  },
  replay: async (db, id) => {
    const replay = await readReplay(db, id);
    return replay === null ? null : { kind: 'replay', replay };
  },
};
