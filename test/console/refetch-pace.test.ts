import { QueryClient } from '@tanstack/preact-query';
import { RefetchPace } from '../../src/console/refetch-pace';

const KEY = ['reports', 'today'];

/** A query that takes this long, by a clock that only the query and `waitMs` move. */
function slowQuery(tookMs: number) {
  const queries = new QueryClient();
  let now = 0;
  const pace = new RefetchPace(queries.getQueryCache(), () => now);
  const fetch = () => queries.query({ queryKey: KEY, queryFn: () => Promise.resolve((now += tookMs)) });
  const isDue = () => pace.isDue(queries.getQueryCache().find({ queryKey: KEY })!);
  const waitMs = (ms: number) => (now += ms);
  return { queries, pace, fetch, isDue, waitMs };
}

test('a query that took 600 ms may be refetched 6 s after it was started, and not a millisecond earlier', async () => {
  const { fetch, isDue, waitMs } = slowQuery(600);
  await fetch();
  expect(isDue()).toBe(false);
  waitMs(5_399);
  expect(isDue()).toBe(false);
  waitMs(1);
  expect(isDue()).toBe(true);
});

test('a query that takes no time may be refetched at once', async () => {
  const { fetch, isDue } = slowQuery(0);
  await fetch();
  expect(isDue()).toBe(true);
});

test('data that was set without a fetch leaves a query due', async () => {
  const { queries, fetch, isDue, waitMs } = slowQuery(600);
  await fetch();
  waitMs(60_000);
  queries.setQueryData(KEY, 0);
  expect(isDue()).toBe(true);
});

test('a query that was removed from the cache is measured again', async () => {
  const { queries, pace, fetch, isDue } = slowQuery(600);
  await fetch();
  queries.clear();
  await queries.query({ queryKey: KEY, queryFn: () => Promise.resolve(null) });
  expect(isDue()).toBe(true);
  pace.stop();
});
