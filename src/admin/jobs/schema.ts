import { z } from 'zod';
import {
  type BulkJob,
  type BulkResult,
  JOB_KINDS,
  JOB_STATES,
  type ReconciliationRun,
  type ReplayRecord,
} from '../../ledger';
import { InstantOut, omitNull, listOf, PAGE_FIELDS } from '../http/fields';
import { ProblemOut } from '../http/problems';
import { DifferenceOut, PeriodOut } from '../reports/schema';

export const JobParams = z.object({ id: z.uuid('a UUID') });

export const JobResultsQuery = z.strictObject({
  ...PAGE_FIELDS,
  state: z.enum(['done', 'refused']).optional().meta({ description: 'Filters the results of a bulk job' }),
});

export const JobsQuery = z.strictObject({
  ...PAGE_FIELDS,
  kind: z.enum(JOB_KINDS).optional(),
  state: z.enum(JOB_STATES).optional(),
});

const ReconciliationJobOut = z
  .object({
    jobId: z.string(),
    kind: z.literal('reconciliation'),
    state: z.enum(JOB_STATES),
    done: z.int().min(0).meta({ description: 'Payments compared so far' }),
    total: z.int().min(0).nullable().meta({ description: 'Null unless the job has finished: only then is it known' }),
    refused: z.int().min(0).meta({ description: 'Payments for which the payment service gave no readable answer' }),
    ...PeriodOut,
    differences: z.int().min(0).meta({ description: 'Differences found so far' }),
    orderedBy: z.string().meta({
      description: 'Who started the job: the name of an API key, `dueday` for the daily run, or `command line`',
    }),
    startedAt: InstantOut.meta({ description: 'In business time' }),
    reason: omitNull(z.string()).meta({ description: 'Why the job failed' }),
  })
  .meta({ id: 'ReconciliationJob', description: 'A comparison of the ledger with the payment service.' });

const BulkJobOut = z
  .object({
    jobId: z.string(),
    kind: z.literal('bulk'),
    state: z.enum(JOB_STATES),
    done: z.int().min(0).meta({ description: 'Subscriptions processed so far, including refused ones' }),
    total: z.int().min(0),
    refused: z.int().min(0).meta({ description: 'Subscriptions for which the call was refused' }),
    action: z.string(),
    orderedBy: z.string().meta({ description: 'The name of the API key that started the job' }),
    startedAt: InstantOut.meta({ description: 'In business time' }),
  })
  .meta({ id: 'BulkJob', description: 'A job that makes the same call for each of many subscriptions.' });

/** The API view of a replay job. */
export const ReplayJobOut = z
  .object({
    jobId: z.string(),
    kind: z.literal('replay'),
    state: z.enum(['running', 'finished', 'stopped']),
    done: z.int().min(0).meta({ description: 'Events delivered or abandoned so far' }),
    total: z.int().min(0),
    newDone: z
      .int()
      .min(0)
      .meta({ description: 'The part of `done` that had not been delivered before; these events are sent first' }),
    newTotal: z.int().min(0).meta({ description: 'The part of `total` that had not been delivered before' }),
    refused: z.int().min(0).meta({ description: 'Events abandoned as dead letters' }),
    endpointId: z.string(),
    since: InstantOut,
    until: omitNull(InstantOut),
    orderedBy: z.string().meta({ description: 'The name of the API key that started the job' }),
    startedAt: InstantOut.meta({ description: 'In business time' }),
  })
  .meta({ id: 'ReplayJob', description: 'A job that resends the events of a period.' });

export const JobOut = z
  .discriminatedUnion('kind', [ReconciliationJobOut, BulkJobOut, ReplayJobOut])
  .meta({ id: 'Job', description: 'A job and its progress.' });

export type JobOut = z.output<typeof JobOut>;

export const BulkResultOut = z
  .object({
    subscriptionId: z.string(),
    state: z
      .enum(['waiting', 'done', 'refused', 'not_done'])
      .meta({ description: '`not_done`: the job was stopped before this subscription' }),
    at: InstantOut.nullable().meta({ description: 'In business time; null until processed' }),
    problem: omitNull(ProblemOut).meta({ description: 'The problem details returned by the call' }),
  })
  .meta({ id: 'BulkResult', description: 'The outcome of the job for one subscription.' });

/** What a reconciliation has found so far, or the outcome of a bulk job for each subscription. */
export const JobResultsOut = listOf(z.union([DifferenceOut, BulkResultOut])).meta({
  id: 'JobResults',
  description: 'A page of the results of the job so far.',
});

const STATES: Readonly<Record<ReconciliationRun['state'], JobOut['state']>> = {
  running: 'running',
  compared: 'finished',
  service_unavailable: 'failed',
  stopped: 'stopped',
};

/** A run of the reconciliation as a job. */
export function viewReconciliationJob(run: ReconciliationRun): JobOut {
  return {
    ...run,
    ...run.period,
    jobId: run.runId,
    kind: 'reconciliation',
    state: STATES[run.state],
    done: run.payments,
    // Which payments are to be compared is known only when all have been compared.
    total: run.state === 'compared' ? run.payments : null,
    refused: run.notCompared,
    orderedBy: run.actor,
  };
}

export function viewBulkJob(job: BulkJob): JobOut {
  return { ...job, kind: 'bulk', action: job.work.action, orderedBy: job.actor };
}

export function viewReplayJob(replay: ReplayRecord): z.output<typeof ReplayJobOut> {
  return { ...replay, kind: 'replay', refused: replay.dead, orderedBy: replay.actor };
}

export function viewBulkResult({ subscriptionId, state, doneAt, problem }: BulkResult, job: BulkJob) {
  const isLeft = state === 'waiting' && job.state === 'stopped';
  return {
    subscriptionId,
    state: isLeft ? ('not_done' as const) : state,
    at: doneAt,
    problem: problem as z.output<typeof ProblemOut> | null,
  };
}
