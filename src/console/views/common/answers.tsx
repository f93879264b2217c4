import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { type AnswerOf, askAgainAfter, get, type GetPath, type ParamsOf } from '../../client';
import { openDialogs } from '../../keyboard';
import { ErrorNote, Loading } from '../../parts';
import type { Job, TodayReport } from './schemas';
import { pageTimeZone } from '../../format';
import { may } from '../../session';

/** The state of a query. */
export interface QueryState<T> {
  readonly data: T | undefined;
  readonly error: unknown;
}

interface QueryOptions {
  /** Whether the previous parameters' data stays until the new data arrives. */
  readonly keepsPrevious?: boolean;
  /** Ms; false for never. */
  readonly refetchInterval?: number | false;
  readonly enabled?: boolean;
}

/**
 * The API's data, kept up to date.
 * @param of the collection and, for a single record, its id: these decide when it is fetched again
 */
export function useAnswer<Path extends GetPath>(
  of: readonly string[],
  url: Path,
  params: ParamsOf<Path>,
  { keepsPrevious = false, ...options }: QueryOptions = {},
): QueryState<AnswerOf<Path>> {
  return useQuery({
    queryKey: [...of, url, params],
    queryFn: ({ signal }) => get(url, params, signal),
    placeholderData: keepsPrevious ? keepPreviousData : undefined,
    ...options,
  });
}

/**
 * Freezes data while a dialog is open, even if it is fetched again: a row that disappears would also remove the dialog
 * opened from it, with everything typed there.
 * @param latest undefined until it is loaded
 */
export function useStill<T>(latest: T): T {
  const shown = useRef(latest);
  if (openDialogs.value === 0 || shown.current === undefined) shown.current = latest;
  return shown.current;
}

interface ShownProps<T> {
  readonly what: string;
  readonly of: QueryState<T>;
  readonly children: (data: T) => ComponentChildren;
}

/** The data or, until it arrives, that it is loading or why it failed. Earlier data stays below an error. */
export function Shown<T>({ what, of: { data, error }, children }: ShownProps<T>) {
  if (data === undefined) return error === null ? <Loading what={what} /> : <ErrorNote error={error} />;
  return (
    <>
      {error === null ? null : <ErrorNote error={error} />}
      {children(data)}
    </>
  );
}

/** Ms between two polls of a running job. */
const POLLED_EVERY = 1_000;

/** A job and its progress, polled until it ends. */
export function useJob(id: string): QueryState<Job> {
  return useQuery({
    queryKey: ['jobs', id],
    queryFn: ({ signal }) => get('/v1/jobs/{id}', { path: { id } }, signal),
    refetchInterval: ({ state: { data, error } }) => askAgainAfter(error) || whileRunning(data),
  });
}

/** Polling interval of data that depends on a job. */
export function whileRunning(job: Pick<Job, 'state'> | undefined): number | false {
  return job?.state === 'running' ? POLLED_EVERY : false;
}

/** Today's figures in the page's time zone, and whether sending is halted; no data if the key may not read reports. */
export function useToday(): QueryState<TodayReport> {
  const query = { timeZone: pageTimeZone() };
  return useAnswer(['reports'], '/v1/reports/today', { query }, { enabled: may('reportToday') });
}
