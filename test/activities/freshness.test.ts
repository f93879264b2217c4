import { performance } from 'node:perf_hooks';
import { startStopwatch } from '../../activities/stopwatch';
import { HandClock } from '../../src/simulation/hand-clock';

afterEach(() => jest.restoreAllMocks());

it.each([
  ['the monotonic clock if the wall clock stood still or was set back', 5_000, 0, 5_000],
  ['the wall clock if the whole machine was suspended', 7, 3_600_000, 3_600_000],
])('a stopwatch follows %s', (_which, monotonic, wall, shown) => {
  const clock = new HandClock();
  const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
  const since = startStopwatch(clock);
  expect(since()).toBe(0);
  now.mockReturnValue(1_000 + monotonic);
  clock.pass(wall);
  expect(since()).toBe(shown);
});
