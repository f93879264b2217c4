import { HOUR, MINUTE, SECOND } from '../../src/domain/time';
import { untilFreshSend } from '../../activities/send-limits';
import { describe as inWords, growingPause, retryAfter } from '../../activities/stops';

/** How long nothing is asked or sent, and what an answer is called, without any of the parts that need to run. */

const NOW = 1_000 * HOUR;
const settle = 2 * MINUTE;

function until(sends: number, lastInDoubtReal: number | null, speed: number | null = null): number {
  const clock = { realNow: () => NOW, setting: speed === null ? null : { speed, business: 0, real: 0 } };
  return untilFreshSend({ sends, lastInDoubtReal }, clock as Parameters<typeof untilFreshSend>[1], { settle });
}

describe('until something is sent afresh', () => {
  it.each([
    [0, 0],
    [1, 0],
    [2, 4 * MINUTE],
    [3, 8 * MINUTE],
    [7, 128 * MINUTE],
    [8, 4 * HOUR],
    [50, 4 * HOUR],
  ])('after %d in vain, the last one this moment: %d ms', (sends, expected) => {
    expect(until(sends, NOW)).toBe(expected);
  });

  it('counts from when the last one came to be in doubt', () => {
    expect(until(2, NOW - 4 * MINUTE + 1)).toBe(1);
    expect(until(2, NOW - 4 * MINUTE)).toBe(0);
    expect(until(2, NOW - 5 * MINUTE)).toBe(0);
  });

  it('never waits for what was in doubt never, or on a clock that was set back', () => {
    expect(until(3, null)).toBe(0);
    expect(until(3, NOW + 1)).toBe(0);
  });

  it('is at most four hours of a fast test clock, and never less than the settle time', () => {
    expect(until(50, NOW, 60)).toBe(4 * MINUTE);
    expect(until(50, NOW, 3600)).toBe(settle);
  });
});

it.each([
  [0, 500],
  [2_500, 500],
  [2_505, 501],
  [5 * MINUTE, MINUTE],
  [HOUR, MINUTE],
])('a matter of %d ms is looked at again in %d ms', (age, expected) => {
  expect(growingPause(age)).toBe(expected);
});

const failure = { retryable: false, detail: 'ANY_WORD', description: 'why not', httpStatus: 422 };

it('puts each result into words', () => {
  expect(inWords({ kind: 'accepted', value: null })).toBe('accepted');
  expect(inWords({ kind: 'rejected', failure })).toBe('refused with ANY_WORD');
  expect(inWords({ kind: 'not_sent', reason: 'no connection' })).toBe('no connection');
  expect(inWords({ kind: 'unknown', reason: 'no whole answer' })).toBe('no whole answer');
});

it('leaves the service alone for as long as it asked', () => {
  expect(retryAfter({ kind: 'not_sent', reason: '429', retryAfterMs: 3 * SECOND })).toBe(3 * SECOND);
  expect(retryAfter({ kind: 'not_sent', reason: 'no connection' })).toBe(0);
  expect(retryAfter({ kind: 'rejected', failure })).toBe(0);
});
