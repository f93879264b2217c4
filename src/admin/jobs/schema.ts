import { z } from 'zod';
import {
  type BulkJob,
  type BulkResult,
  JOB_KINDS,
  JOB_STATES,
  type ReconciliationRun,
  type ReplayRecord,
} from '../../ledger';
import { InstantOut, leftOut, listOf, PAGE_FIELDS } from '../http/fields';
import { ProblemOut } from '../http/problems';
import { DifferenceOut, SpanOut } from '../reports/schema';

export const JobParams = z.object({ id: z.uuid('a UUID') });

export const JobResultsQuery = z.strictObject({
  ...PAGE_FIELDS,
  state: z.enum(['done', 'refused']).optional().meta({ description: 'Of a bulk: these alone' }),
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
    total: z.int().min(0).nullable().meta({ description: 'Null until it is known: while the job runs' }),
    refused: z.int().min(0).meta({ description: 'Payments of which the service gave no answer that could be read' }),
    ...SpanOut,
    differences: z.int().min(0).meta({ description: 'Found so far' }),
    orderedBy: z.string().meta({ description: "An API key's name, `dueday` for the daily run, or `command line`" }),
    begunAt: InstantOut.meta({ description: 'In business time' }),
    reason: leftOut(z.string()).meta({ description: 'Why it failed' }),
  })
  .meta({ id: 'ReconciliationJob', description: 'A comparison of the ledger with the payment service.' });

const BulkJobOut = z
  .object({
    jobId: z.string(),
    kind: z.literal('bulk'),
    state: z.enum(JOB_STATES),
    done: z.int().min(0).meta({ description: 'Subscriptions that are over, refused ones too' }),
    total: z.int().min(0),
    refused: z.int().min(0).meta({ description: 'Subscriptions for which the single call was refused' }),
    action: z.string(),
    orderedBy: z.string().meta({ description: "An API key's name" }),
    begunAt: InstantOut.meta({ description: 'In business time' }),
  })
  .meta({ id: 'BulkJob', description: 'A job that makes one call for each of many subscriptions.' });

/** A replay as a job. */
export const ReplayJobOut = z
  .object({
    jobId: z.string(),
    kind: z.literal('replay'),
    state: z.enum(['running', 'finished', 'stopped']),
    done: z.int().min(0).meta({ description: 'Events delivered or given up so far' }),
    total: z.int().min(0),
    newDone: z
      .int()
      .min(0)
      .meta({ description: 'Of `done`, events that had not been delivered before: these go first' }),
    newTotal: z.int().min(0).meta({ description: 'The same of `total`' }),
    refused: z.int().min(0).meta({ description: 'Events given up: dead letters' }),
    endpointId: z.string(),
    since: InstantOut,
    until: leftOut(InstantOut),
    orderedBy: z.string().meta({ description: "An API key's name" }),
    begunAt: InstantOut.meta({ description: 'In business time' }),
  })
  .meta({ id: 'ReplayJob', description: 'A job that sends the events of a period again.' });

export const JobOut = z
  .discriminatedUnion('kind', [ReconciliationJobOut, BulkJobOut, ReplayJobOut])
  .meta({ id: 'Job', description: 'The job and its progress.' });

export type JobOut = z.output<typeof JobOut>;

export const BulkResultOut = z
  .object({
    subscriptionId: z.string(),
    state: z
      .enum(['waiting', 'done', 'refused', 'not_done'])
      .meta({ description: '`not_done`: the job was stopped before' }),
    at: InstantOut.nullable().meta({ description: 'In business time; null before it is over' }),
    problem: leftOut(ProblemOut).meta({ description: 'As the single call answers it' }),
  })
  .meta({ id: 'BulkResult', description: 'The outcome of the job for one subscription.' });

/** What a reconciliation has found so far, or what became of each subscription of a bulk. */
export const JobResultsOut = listOf(z.union([DifferenceOut, BulkResultOut])).meta({
  id: 'JobResults',
  description: 'A page of what the job has found or done so far.',
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
    ...run.span,
    jobId: run.runId,
    kind: 'reconciliation',
    state: STATES[run.state],
    done: run.payments,
    // Which payments are concerned is found on the way.
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
