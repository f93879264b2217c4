import { useQuery } from '@tanstack/preact-query';
import { get } from '../../client';
import type { Asked } from './answers';
import type { Job } from './schemas';

/** Ms between two looks at a job that runs. */
const ASKED_EVERY = 1_000;

/** How far a job has come, asked for until it is over. */
export function useJob<Kind extends Job['kind']>(id: string, kind: Kind): Asked<Extract<Job, { kind: Kind }>> {
  return useQuery({
    queryKey: ['jobs', id, kind],
    queryFn: async ({ signal }) => {
      const job = await get('/v1/jobs/{id}', { path: { id } }, signal);
      if (job.kind !== kind) throw new Error(`Job ${id} is a ${job.kind}; expected a ${kind}.`);
      return job as Extract<Job, { kind: Kind }>;
    },
    refetchInterval: ({ state }) => whileRunning(state.data),
  });
}

/** How often what follows a job is asked for. */
export function whileRunning(job: Pick<Job, 'state'> | undefined): number | false {
  return job?.state === 'running' ? ASKED_EVERY : false;
}
