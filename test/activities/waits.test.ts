import { HOUR, MINUTE, SECOND } from '../../src/domain/time';
import { describe as inWords, retryAfter } from '../../activities/stops';
import { growingWait } from '../../src/domain/attempt/waits';

/** How long an activity waits before its next check, and how the message of a stop describes an answer. */

it.each([
  [0, 500],
  [2_500, 500],
  [2_505, 501],
  [5 * MINUTE, MINUTE],
  [HOUR, MINUTE],
])('a send that is %d ms old is checked again in %d ms', (age, expected) => {
  expect(growingWait(age)).toBe(expected);
});

const failure = { retryable: false, detail: 'ANY_WORD', description: 'why not', httpStatus: 422 };

it('the message of a stop describes each result', () => {
  expect(inWords({ kind: 'accepted', value: null })).toBe('accepted');
  expect(inWords({ kind: 'rejected', failure })).toBe('refused with ANY_WORD');
  expect(inWords({ kind: 'not_sent', reason: 'no connection' })).toBe('no connection');
  expect(inWords({ kind: 'unknown', reason: 'no complete answer' })).toBe('no complete answer');
});

it('an activity waits as long as the service asks', () => {
  expect(retryAfter({ kind: 'not_sent', reason: '429', retryAfterMs: 3 * SECOND })).toBe(3 * SECOND);
  expect(retryAfter({ kind: 'not_sent', reason: 'no connection' })).toBe(0);
  expect(retryAfter({ kind: 'rejected', failure })).toBe(0);
});
