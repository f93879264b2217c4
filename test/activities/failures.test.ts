import { isStop, tryAgain } from '../../activities/stops';
import { isServiceFault } from '../../src/domain/attempt/action';
import { growingWait, slowWait } from '../../src/domain/attempt/waits';

it.each([
  ['half a second at least', 0, 500],
  ['half a second up to an age of 2.5 s', 2_500, 500],
  ['a fifth of the age from then on', 2_505, 501],
  ['a fifth of the age just before the longest', 299_995, 59_999],
  ['a minute at an age of five minutes', 300_000, 60_000],
  ['a minute at most', 86_400_000, 60_000],
  ['half a second if the clock has been set back since', -5_000, 500],
])('the wait before the next try is %s', (_what, age, wait) => {
  expect(growingWait(age)).toBe(wait);
});

const fast = { virtualStart: 0, realStart: 0, speed: 14_400 };

it.each([
  ['half a second at least', 0, null, 500],
  ['a fifth of the age just before the longest', 17_999_995, null, 3_599_999],
  ['an hour at an age of five hours', 18_000_000, null, 3_600_000],
  ['an hour at most', 86_400_000, null, 3_600_000],
  ['less on a fast test clock', 86_400_000, fast, 3_000],
])('the wait before the next try of a refund, which has no deadline, is %s', (_what, age, setting, wait) => {
  expect(slowWait(age, setting)).toBe(wait);
});

it.each([
  ['not_sent', true],
  ['service_unreadable', true],
  ['clocks_differ', true],
  ['blocked', false],
  ['halted', false],
  ['outcome_unknown', false],
  [undefined, false],
])('a stop of type %s is a fault of the service: %s', (type, expected) => {
  expect(isServiceFault(type)).toBe(expected);
});

it('a stop of an activity is retried after its own wait in whole milliseconds, with type and message', () => {
  const stop = tryAgain('pending', 'the service says pending', 500.4);
  expect(stop).toMatchObject({ type: 'pending', message: 'the service says pending', nonRetryable: false });
  expect(stop.nextRetryDelay).toBe(500);
});

it('a stop of an activity waits for at least a millisecond', () => {
  expect(tryAgain('blocked', '', 0.2).nextRetryDelay).toBe(1);
  expect(tryAgain('blocked', '', 1.6).nextRetryDelay).toBe(2);
});

it.each([...['pending', 'outcome_unknown', 'not_sent', 'service_unreadable', 'clocks_differ', 'blocked', 'halted']])(
  'a stop of an activity is known by its type: %s',
  (type) => expect(isStop(type)).toBe(true),
);

it.each([undefined, null, '', 'fault', 'Pending'])('no other type is recognised as a stop: %j', (type) => {
  expect(isStop(type)).toBe(false);
});
