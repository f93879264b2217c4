import { type Cap, hoursAllowed, hoursToCollect, type Load, type Waiting } from '../../src/domain/hours-to-collect';
import { DAY, HOUR } from '../../src/domain/time';

const NONE: Waiting = { firstAttempts: 0, retries: 0, pending: 0 };
/** 3,600 calls an hour: 720 first attempts of five calls, or 600 retries of six. */
const CAP: Cap = { callsPerSecond: 1, speed: 1 };
const day = (firstAttempts: number, retries = 0): Load => ({ firstAttempts, retries });

test.each<[string, Load, Waiting, number]>([
  ['nothing', day(0), NONE, 0],
  ['first attempts of five calls each', day(720), NONE, 1],
  ['retries of six calls each', day(0, 600), NONE, 1],
  ['first attempts and retries', day(720, 600), NONE, 2],
  ['first attempts that wait', day(720), { ...NONE, firstAttempts: 720 }, 2],
  ['retries that wait', day(720), { ...NONE, retries: 600 }, 2],
  ['an authorization that is polled once a minute', day(0), { ...NONE, pending: 5 }, 2],
  ['a single first attempt, rounded up', day(1), NONE, 0.01],
])('a day takes as long as the cap needs for %s', (_what, load, waiting, hours) => {
  expect(hoursToCollect([load], waiting, 0, CAP)).toEqual([hours]);
});

test('a day starts with the calls that the previous day has left over', () => {
  const most = 720 * 24;
  expect(hoursToCollect([day(most), day(720)], NONE, 0, CAP)).toEqual([24, 1]);
  expect(hoursToCollect([day(most + 720), day(720), day(0)], NONE, 0, CAP)).toEqual([25, 2, 0]);
  expect(hoursToCollect([day(most * 2 + 720), day(0), day(0), day(0)], NONE, 0, CAP)).toEqual([49, 25, 1, 0]);
});

test('attempts that wait now are sent before the first day begins', () => {
  const waiting = { ...NONE, firstAttempts: 720 * 3 };
  expect(hoursToCollect([day(0)], waiting, HOUR, CAP)).toEqual([2]);
  expect(hoursToCollect([day(0)], waiting, 3 * HOUR, CAP)).toEqual([0]);
  expect(hoursToCollect([day(720)], waiting, DAY, CAP)).toEqual([1]);
});

test('with twice the cap collecting takes half the time, and on a clock twice as fast it takes twice the business time', () => {
  expect(hoursToCollect([day(720)], NONE, 0, { callsPerSecond: 2, speed: 1 })).toEqual([0.5]);
  expect(hoursToCollect([day(720)], NONE, 0, { callsPerSecond: 1, speed: 2 })).toEqual([2]);
  expect(hoursToCollect([day(720 * 13), day(0)], NONE, 0, { callsPerSecond: 1, speed: 2 })).toEqual([26, 2]);
});

test.each([
  ['there is no spread and no end', 24, 0, null],
  ['the spread is shorter than a day', 24, 6 * HOUR, null],
  ['the spread is longer than a day', 36, 36 * HOUR, null],
  ['a subscription ends after the window', 24, 0, 6 * DAY],
  ['a subscription ends within the window', 5, 36 * HOUR, 10 * HOUR],
])('if %s, collecting a day may take %i hours', (_what, hours, spread, window) => {
  expect(hoursAllowed(spread, window)).toBe(hours);
});
