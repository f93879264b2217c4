import { z } from 'zod';
import { InstantOut } from './instants';
import { listOf } from './listing';
import { DifferenceOut, MOST_DIFFERENCES } from './reconciliation';
import { SpanOut } from './reports';

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
