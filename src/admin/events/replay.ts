import { z } from 'zod';
import type { ReplayRecord } from '../../ledger';
import { InstantOut, named } from '../http/fields';

/** A replay as a job. */
export const ReplayJobOut = z
  .object({
    jobId: z.string(),
    kind: z.literal('replay'),
    state: z.enum(['running', 'finished', 'stopped']),
    done: z.int().min(0).meta({ description: 'Events delivered or given up so far' }),
    total: z.int().min(0),
    refused: z.int().min(0).meta({ description: 'Events given up: dead letters' }),
    endpointId: z.string(),
    since: InstantOut,
    until: InstantOut.optional(),
    orderedBy: z.string().meta({ description: "An API key's name" }),
    begunAt: InstantOut.meta({ description: 'In business time' }),
  })
  .meta({ id: 'ReplayJob' });

export function viewReplayJob(replay: ReplayRecord): z.output<typeof ReplayJobOut> {
  const { jobId, state, done, total, dead, endpointId, since, until, actor, begunAt } = replay;
  return {
    jobId,
    kind: 'replay',
    state,
    done,
    total,
    refused: dead,
    endpointId,
    since,
    ...named('until', until),
    orderedBy: actor,
    begunAt,
  };
}
