import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { type AnswerOf, get, type GetPath, type ParamsOf } from '../../client';
import { openDialogs } from '../../keyboard';
import { ErrorNote, Loading } from '../../parts';
import type { Job } from './schemas';

/** How a query stands, as far as it is shown. */
export interface Asked<T> {
  readonly data: T | undefined;
  readonly error: unknown;
}

interface Asking {
  /** Whether what was answered to other parameters stays until these are answered. */
  readonly keepsPrevious?: boolean;
  /** Ms; false for not by itself. */
  readonly refetchInterval?: number | false;
  readonly enabled?: boolean;
}

/**
 * What the API answers, kept up to date.
 * @param of the collection and, of one thing, its id: these decide when it is asked for again
 */
export function useAnswer<Path extends GetPath>(
  of: readonly string[],
  url: Path,
  params: ParamsOf<Path>,
  { keepsPrevious = false, ...asking }: Asking = {},
): Asked<AnswerOf<Path>> {
  return useQuery({
    queryKey: [...of, url, params],
    queryFn: ({ signal }) => get(url, params, signal),
    placeholderData: keepsPrevious ? keepPreviousData : undefined,
    ...asking,
  });
}

/**
 * What was read stays as it is while a dialog is open, however often it is read anew: what leaves would take the dialog along
 * that was opened from it, with all that is typed there.
 * @param latest undefined until it is read
 */
export function useStill<T>(latest: T): T {
  const shown = useRef(latest);
  if (openDialogs.value === 0 || shown.current === undefined) shown.current = latest;
  return shown.current;
}

interface ShownProps<T> {
  readonly what: string;
  readonly of: Asked<T>;
  readonly children: (data: T) => ComponentChildren;
}

/** What was answered; until then that it is asked for, or why it cannot be had. What was had before stays below a fault. */
export function Shown<T>({ what, of: { data, error }, children }: ShownProps<T>) {
  if (data === undefined) return error === null ? <Loading what={what} /> : <ErrorNote error={error} />;
  return (
    <>
      {error === null ? null : <ErrorNote error={error} />}
      {children(data)}
    </>
  );
}

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
