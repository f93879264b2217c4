import { performance } from 'node:perf_hooks';
import { startStopwatch } from '../../activities/stopwatch';
import { checksHoldFor } from '../../src/domain/attempt/limits';
import { HandClock } from '../../src/simulation/hand-clock';
import { useWorld } from './activity-world';
import { SetClock } from './set-clock';

const holder = useWorld();

afterEach(() => jest.restoreAllMocks());

it.each([
  ['the monotonic clock if the wall clock stood still', 5_000, 0, 5_000],
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

it.each([
  ['a millisecond before the checks expire', -1, 1],
  ['when the checks expire', 0, 0],
])('the time for which checks permit a send starts before the consent is read: %s', async (_when, ms, posts) => {
  const { world } = holder;
  const subscribed = await world.due();
  const clock = new SetClock(world.clock);
  const service = world.service({
    getConsent: async (paymentId) => {
      const consent = await world.deps.service.getConsent(paymentId);
      clock.set(checksHoldFor(world.deps.settings) + ms);
      return consent;
    },
  });
  await world.driver.once(() => world.activities({ clock, service }).collectPayment(world.input(subscribed)));
  expect(world.posts(subscribed)).toBe(posts);
});
