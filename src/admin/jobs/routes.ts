import { z } from 'zod';
import { toIso } from '../../domain/time';
import {
  type ReconciliationRun,
  isNumberCursor,
  listDifferences,
  readList,
  readReconciliation,
  stopReconciliation,
} from '../../ledger';
import type { AdminDeps, TypedApp } from '../dependencies';
import { callerOf } from '../http/authentication';
import { InstantOut, listOf, named, pageOf } from '../http/fields';
import { notFound, Problem, FAULT_ANSWERS } from '../http/problems';
import { DifferenceOut, MOST_DIFFERENCES, viewDifference, SpanOut } from '../reports/schema';

export const JobParams = z.object({ id: z.uuid('a UUID') });

export const JobResultsQuery = z.strictObject({
  limit: z.coerce.number('a whole number').int().min(1).max(MOST_DIFFERENCES).default(MOST_DIFFERENCES),
  cursor: z.string().min(1).max(512).optional(),
});

export const JOB_STATES = ['running', 'finished', 'failed', 'stopped'] as const;

export const JobOut = z
  .object({
    jobId: z.string(),
    kind: z.literal('reconciliation'),
    state: z.enum(JOB_STATES),
    done: z.int().min(0).meta({ description: 'Payments compared so far' }),
    total: z.int().min(0).nullable().meta({ description: 'Null until it is known: while the job runs' }),
    refused: z.int().min(0).meta({ description: 'Payments of which the service gave no answer that could be read' }),
    ...SpanOut,
    differences: z.int().min(0).meta({ description: 'Found so far' }),
    orderedBy: z.string().meta({ description: "An API key's name, `dueday` for the daily run, or `command line`" }),
    begunAt: InstantOut.meta({ description: 'In business time' }),
    reason: z.string().optional().meta({ description: 'Why it failed' }),
  })
  .meta({ id: 'Job' });

/** What a reconciliation has found so far. */
export const JobResultsOut = listOf(DifferenceOut).meta({ id: 'JobResults' });

export type JobOut = z.output<typeof JobOut>;

const STATES: Readonly<Record<ReconciliationRun['state'], JobOut['state']>> = {
  running: 'running',
  compared: 'finished',
  service_unavailable: 'failed',
  stopped: 'stopped',
};

/** A run of the reconciliation as a job. */
export function viewJob(run: ReconciliationRun): JobOut {
  return {
    jobId: run.runId,
    kind: 'reconciliation',
    state: STATES[run.state],
    done: run.payments,
    // Which payments are concerned is found on the way.
    total: run.state === 'compared' ? run.payments : null,
    refused: run.notCompared,
    from: toIso(run.span.from),
    to: toIso(run.span.to),
    differences: run.differences,
    orderedBy: run.actor,
    begunAt: toIso(run.begunAt),
    ...named('reason', run.reason),
  };
}

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
