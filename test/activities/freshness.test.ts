import { performance } from 'node:perf_hooks';
import { checksHoldFor, sendDeadline, longestOnWire, startStopwatch } from '../../activities/send-limits';
import { HandClock } from '../../src/simulation/hand-clock';

const SETTINGS = {
  settle: 900_000,
  requestTimeout: 30_000,
  noticeBackoff: [],
  reconcileEveryDays: 7,
  owner: 'worker-1',
};

it.each([
  ['ten seconds after its row, where the settle time is long', 900_000, 10_000],
  ['ten seconds, where that is just within it', 12_500, 10_000],
  ['four fifths of a shorter settle time', 12_495, 9_996],
  ['four fifths of a second', 1_000, 800],
  ['what a connection takes, where the settle time is no longer than that', 312, 250],
  ['what a connection takes, where there is no settle time', 0, 250],
])('a POST leaves at the latest %s', (_when, settle, ms) => {
  expect(sendDeadline({ ...SETTINGS, settle })).toBe(ms);
});

it('a POST is on the wire until it has left and was answered or given up', () => {
  expect(longestOnWire(SETTINGS)).toBe(10_000 + 30_000);
});

it('consent and list, asked one after the other, permit it for as long as both calls and the send deadline may take', () => {
  expect(checksHoldFor(SETTINGS)).toBe(10_000 + 30_000 + 30_000);
});

describe('a stopwatch', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['the monotonic clock, where the wall clock stood still or was set back', 5_000, 0, 5_000],
    ['the wall clock, where the whole machine slept', 7, 3_600_000, 3_600_000],
  ])('goes by %s', (_which, monotonic, wall, shown) => {
    const clock = new HandClock();
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const since = startStopwatch(clock);
    expect(since()).toBe(0);
    now.mockReturnValue(1_000 + monotonic);
    clock.pass(wall);
    expect(since()).toBe(shown);
  });
});
