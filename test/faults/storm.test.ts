import { SECOND } from '../../src/domain/time';
import { busiestSecond, percentile } from '../storm/measure';
import { storm } from '../storm/storm';

test('fault 26: operators are answered while many subscriptions are due under a rate limit, which no second exceeds, even if a worker is killed', async () => {
  // Next to other test files a stop may take longer than the second that `npm run storm` permits when it runs alone.
  const people = { pauses: 12, cancels: 4, creations: 4, checks: 200, viewers: 0, slowestStop: 3 * SECOND };
  const checks = await storm(
    { due: 60, rate: 10, lasts: 20 * SECOND, ...people },
    new AbortController().signal,
    () => undefined,
  );
  expect(checks.length).toBeGreaterThan(10);
  expect(checks.filter(({ holds }) => !holds)).toEqual([]);
}, 240_000);

test('the highest number of calls per second counts seconds that start at any moment', () => {
  const busiest = (...instants: number[]) => busiestSecond(instants.map((at) => ({ at }))).map(({ at }) => at);
  expect(busiest()).toEqual([]);
  expect(busiest(0, 500, 999, 1_000, 1_400)).toEqual([500, 999, 1_000, 1_400]);
  expect(busiest(3_000, 0, 1_000, 2_000)).toEqual([0]);
});

test('a percentile is one of the measured values', () => {
  const hundred = Array.from({ length: 100 }, (_, n) => n + 1);
  expect([percentile(hundred, 50), percentile(hundred, 99), percentile([7], 99)]).toEqual([50, 99, 7]);
});
