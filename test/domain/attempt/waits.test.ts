import type { RetryReason } from '../../../src/domain/attempt/action';
import {
  endingBy,
  growingWait,
  later,
  growingWaitUntil,
  slowWait,
  slowWaitUntil,
} from '../../../src/domain/attempt/waits';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/domain/time';
import { capture, debit, END, NOW, refund, TRANSIT, unasked } from './facts-under-test';

/** How long an attempt waits before it is tried again. */

/** The real clock, and a test clock at `speed`, both at NOW. */
const REAL = { realNow: NOW, clock: null };
const fast = (speed: number) => ({ realNow: NOW, clock: { virtualStart: NOW, realStart: NOW, speed } });

it.each([
  ['half a second at first', 0, 500],
  ['half a second up to an age of two and a half seconds', 2_500, 500],
  ['a fifth of the age from then on', 2_505, 501],
  ['a fifth of the age up to a minute', 299_995, 59_999],
  ['a minute from an age of five minutes on', 5 * MINUTE, MINUTE],
  ['a minute and no more after that', 5 * MINUTE + 5, MINUTE],
])('the wait before the next try is %s', (_howLong, age, wait) => {
  expect(growingWait(age)).toBe(wait);
});

it.each([
  ['a fifth of the age beyond a minute', null, 5 * MINUTE + 5, MINUTE + 1],
  ['an hour from an age of five hours on', null, 5 * HOUR, HOUR],
  ['an hour and no more after that', null, 5 * HOUR + 5, HOUR],
  ['three seconds and no more at four hours a second', fast(14_400).clock, 5 * HOUR, 3 * SECOND],
])('the wait before the next try of an order without a deadline is %s', (_howLong, clock, age, wait) => {
  expect(slowWait(age, clock)).toBe(wait);
});

it.each([
  ['uncut if it ends a millisecond before the limit', NOW + 501, 500],
  ['uncut if it ends at the limit', NOW + 500, 500],
  ['cut if it would end a millisecond after the limit', NOW + 499, 499],
  ['cut to a millisecond if the limit is a millisecond away', NOW + 1, 1],
  ['uncut once the limit has been reached', NOW, 500],
  ['uncut once the limit has passed', NOW - 1, 500],
  ['uncut if there is no limit', null, 500],
])('the wait before the next try is %s', (_how, limit, wait) => {
  expect(endingBy(REAL, limit, 500)).toBe(wait);
});

it('the wait before the next try is cut to the real time until a limit in business time', () => {
  expect(endingBy(fast(10), NOW + 4_990, 500)).toBe(499);
});

it.each([
  ['a fifth of the age without a request of the service', 10 * SECOND, undefined, 2_000],
  ['a fifth of the age if the service asked for a millisecond less', 10 * SECOND, 1_999, 2_000],
  ['what the service asked for if that is a millisecond more', 10 * SECOND, 2_001, 2_001],
  ['a minute however old the attempt is', 10 * HOUR, undefined, MINUTE],
])('the wait before the next try, if its limit is far away, is %s', (_howLong, age, atLeast, wait) => {
  expect(growingWaitUntil(REAL, END, age, atLeast)).toBe(wait);
});

it('the wait before the next try ends at its limit even if the service asked for longer', () => {
  expect(growingWaitUntil(REAL, NOW + 400, 0, HOUR)).toBe(400);
});

it.each([
  ['a fifth of the age, up to an hour', NOW + DAY, 2 * HOUR, undefined, 24 * MINUTE],
  ['an hour at most', NOW + DAY, 6 * HOUR, undefined, HOUR],
  ['a fifth of the time left if that is less than the age', NOW + 2 * HOUR - 5, 6 * HOUR, undefined, 24 * MINUTE - 1],
  ['a fifth of the age if that is less than the time left', NOW + 2 * HOUR + 5, 2 * HOUR, undefined, 24 * MINUTE],
  ['a fifth of the age once the window has ended', NOW, 2 * HOUR, undefined, 24 * MINUTE],
  ['a fifth of the age if there is no window', null, 2 * HOUR, undefined, 24 * MINUTE],
  ['what the service asked for if that is longer', NOW + DAY, 0, 2 * HOUR, 2 * HOUR],
  ['cut at the end of the window whatever the service asked for', NOW + MINUTE, 0, HOUR, MINUTE],
])(
  'once an operator has been notified, the wait before the next try is %s (rule 41)',
  (_howLong, limit, age, atLeast, wait) => {
    expect(slowWaitUntil(REAL, limit, age, atLeast)).toBe(wait);
  },
);

it('once an operator has been notified, the wait before the next try is shorter on a fast test clock', () => {
  expect(slowWaitUntil(fast(14_400), null, 6 * HOUR)).toBe(3 * SECOND);
});

const waitOf = (attempt: Parameters<typeof later>[0], stop: RetryReason, changes = {}, atLeast?: number) =>
  later(attempt, unasked(changes), stop, 'why', { atLeast }).wait;

it.each([
  ['grows to a minute', {}, undefined, MINUTE],
  ['is as long as the service asked for', {}, HOUR, HOUR],
  ['ends when nothing may be sent any more', { now: END - TRANSIT - 400 }, HOUR, 400],
])('the wait before the next try of a debit that cannot be sent %s', (_how, changes, atLeast, wait) => {
  expect(waitOf(debit(), 'not_sent', { age: 6 * HOUR, ...changes }, atLeast)).toBe(wait);
});

it.each([
  ['of a refund grows to an hour if the service prevents its POST, as it has no deadline', refund(), 'not_sent', HOUR],
  ['of a refund grows to an hour if the list cannot be read', refund(), 'service_unreadable', HOUR],
  ['of a refund grows to an hour if the clocks differ', refund(), 'clocks_differ', HOUR],
  ['of a refund grows to a minute if a halt prevents its POST', refund(), 'halted', MINUTE],
  ['of a refund grows to a minute if another order prevents its POST', refund(), 'blocked', MINUTE],
  ['of a capture grows to a minute, as it has a deadline', capture(), 'not_sent', MINUTE],
] as const)('the wait before the next try %s', (_how, attempt, stop, wait) => {
  expect(waitOf(attempt, stop, { age: 6 * HOUR })).toBe(wait);
});

it.each([
  ['as long as the service asked, if that is longer than half a second', 501, 501],
  ['half a second at first, if the service asked for less', 499, 500],
])('an order that cannot be sent waits %s', (_what, atLeast, wait) => {
  expect(waitOf(capture(), 'not_sent', {}, atLeast)).toBe(wait);
});

it('the wait of a capture that cannot be sent ends at its deadline even if the service asked for longer', () => {
  expect(waitOf(capture(), 'not_sent', { now: END - TRANSIT - 400 }, HOUR)).toBe(400);
});

const alert = { kind: 'alert', type: 'refund.cannot_be_sent', data: {} } as const;
const operator = { kind: 'operator', reason: 'why' } as const;

it.each([
  [
    'a refund is reported after an hour in which the service prevented its POST',
    refund(),
    'not_sent',
    HOUR,
    [operator],
  ],
  [
    'a capture is reported after an hour in which the service prevented its POST',
    capture(),
    'not_sent',
    HOUR,
    [operator],
  ],
  ['a refund is not reported a millisecond before the hour', refund(), 'not_sent', HOUR - 1, []],
  ['a refund is not reported if another order prevents its POST', refund(), 'blocked', HOUR, []],
  ['a debit is not reported, as its window decides', debit(), 'not_sent', HOUR, []],
] as const)('the report to an operator: %s', (_what, attempt, stop, age, reported) => {
  const stopped = { kind: 'retry_later', stop, why: 'why', inPlace: null };
  expect(later(attempt, unasked({ age }), stop, 'why', { sideEffects: [alert] })).toMatchObject({
    ...stopped,
    sideEffects: [alert, ...reported],
  });
  expect(later(attempt, unasked({ age }), stop, 'why')).toMatchObject({ ...stopped, sideEffects: reported });
});
