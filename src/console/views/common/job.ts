import { useQuery } from '@tanstack/preact-query';
import { api, ask } from '../../client';
import type { Asked } from './listing';
import type { Job } from './schemas';

/** Ms between two looks at a job that runs. */
const ASKED_EVERY = 1_000;

/** How far a job has come, asked for until it is over. */
export function useJob<Kind extends Job['kind']>(id: string, kind: Kind): Asked<Extract<Job, { kind: Kind }>> {
  return useQuery({
    queryKey: ['jobs', id, kind],
    queryFn: async ({ signal }) => {
      const job = await ask(api.GET('/v1/jobs/{id}', { params: { path: { id } }, signal }));
      if (isOf(job, kind)) return job;
      throw new Error(`Job ${id} is a ${job.kind}; expected a ${kind}.`);
    },
    refetchInterval: ({ state }) => whileRunning(state.data),
  });
}

/** How often what follows a job is asked for. */
export function whileRunning(job: Pick<Job, 'state'> | undefined): number | false {
  return job?.state === 'running' ? ASKED_EVERY : false;
}

function isOf<Kind extends Job['kind']>(job: Job, kind: Kind): job is Extract<Job, { kind: Kind }> {
  return job.kind === kind;
}
