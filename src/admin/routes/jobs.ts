import {
  isNumberCursor,
  listDifferences,
  readList,
  readReconciliation,
  type ReconciliationRun,
  stopReconciliation,
} from '../../ledger';
import type { AdminDeps } from '../admin-deps';
import { callerOf } from '../caller';
import { pageOf } from '../page';
import { notFound, Problem } from '../problems';
import { JobOut, JobParams, JobResultsOut, JobResultsQuery } from '../schemas/job';
import { FAULT_ANSWERS } from '../schemas/problem';
import { viewJob } from '../views/job-view';
import { viewDifference } from '../views/reconciliation-view';
import type { TypedApp } from './typed-app';

const tags = ['jobs'];

/** `GET` and `DELETE /jobs/{id}`, and `GET …/results`. */
export function jobRoutes(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/jobs/:id',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        operationId: 'getJob',
        summary: 'How far a job has come',
        params: JobParams,
        response: { 200: JobOut, ...FAULT_ANSWERS },
      },
    },
    async ({ params }) =>
      viewJob(foundJob(await readList(deps.reading, (db) => readReconciliation(db, params.id)), params)),
  );
  stopRoute(app, deps);
  resultsRoute(app, deps);
}

function stopRoute(app: TypedApp, { db, clock }: AdminDeps): void {
  app.delete(
    '/jobs/:id',
    {
      config: { role: 'operator' },
      schema: {
        tags,
        operationId: 'stopJob',
        summary: 'Stops a job between two payments; what it has found stays',
        params: JobParams,
        response: { 200: JobOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const act = { actor: callerOf(request).name, at: clock.now(), realAt: clock.realNow() };
      const job = viewJob(foundJob(await stopReconciliation(db, request.params.id, act), request.params));
      if (job.state === 'stopped') return job;
      throw new Problem('state_conflict', `The job is ${job.state}: there is nothing to stop.`, { jobId: job.jobId });
    },
  );
}

function resultsRoute(app: TypedApp, { reading }: AdminDeps): void {
  app.get(
    '/jobs/:id/results',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        operationId: 'listJobResults',
        summary: 'Every difference that a reconciliation has found so far',
        params: JobParams,
        querystring: JobResultsQuery,
        response: { 200: JobResultsOut, ...FAULT_ANSWERS },
      },
    },
    async ({ params, query }) => {
      const page = pageOf(query, isNumberCursor);
      const { items, nextCursor } = await readList(reading, async (db) => {
        foundJob(await readReconciliation(db, params.id), params);
        return listDifferences(db, params.id, page);
      });
      return { items: items.map(viewDifference), nextCursor };
    },
  );
}

/** @throws Problem where there is none of this id, or none any more. */
function foundJob(run: ReconciliationRun | null, { id }: { readonly id: string }): ReconciliationRun {
  if (run === null) throw notFound(`There is no job ${id}, or none any more.`);
  return run;
}
