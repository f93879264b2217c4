import {
  postpone,
  refusePostponement,
  refuseResolve,
  refuseRetry,
  refuseRetryOfClosed,
  refuseSkip,
  retryFrom,
  skipCycle,
  startCancelling,
} from '../../src/domain/subscription/requests';
import { dueFrom } from '../../src/domain/subscription/transitions';
import { collectionWindow, dueAt } from '../../src/domain/subscription/schedule';
import { DAY, HOUR, MINUTE, toIso } from '../../src/domain/time';
import { nextStep } from '../../src/domain/subscription/next-step';
import type { OpenCycle, SubscriptionStatus } from '../../src/domain/subscription/state';
import { afterClosing, nextDueAt } from '../../src/domain/subscription/transitions';
import { active, FIRST, openCycle, rejectedOnce, rejection } from './subscription-under-test';

const LIMIT = FIRST + 72 * HOUR;
const CANCELLATION = { at: FIRST, actor: 'shop', reason: null };

it('skipping a cycle is allowed before its due date, at it and after it, as long as no attempt has started', () => {
  expect(refuseSkip(active(), 0)).toBeNull();
  expect(refuseSkip(active(), 7)).toBeNull();
});

it.each([
  ['no cycle has started', active(), 59],
  ['the third cycle is next', active({}, { cycle: 2 }), 61],
  ['the first cycle has started', active({}, { open: openCycle() }), 60],
])('a cycle may be skipped among the next 60 due dates and no later, if %s', (_, state, last) => {
  expect(refuseSkip(state, last)).toBeNull();
  expect(refuseSkip(state, last + 1)).toEqual({
    code: 'state_conflict',
    message: expect.stringContaining(`cycle ${last + 1} is too far ahead`),
  });
  expect(refuseSkip(state, last + 1)?.message).toContain(`up to cycle ${last}, due ${toIso(dueAt(state.terms, last))}`);
});

it.each([
  ['its first attempt has started', active({}, { open: openCycle() }), 0, 'the first attempt of cycle 0 has started'],
  ['the cycle waits for a retry', active({}, { open: rejectedOnce() }), 0, 'the first attempt of cycle 0 has started'],
  ['the cycle has ended', active({}, { cycle: 3 }), 2, 'cycle 2 has ended'],
  ['the cycle does not exist', active({ terms: { endAt: FIRST + HOUR } }), 1, 'cycle 1 does not exist'],
  ['the subscription is being cancelled', startCancelling(active(), CANCELLATION), 1, 'being cancelled'],
  ['the subscription has ended', active({}, { status: 'completed' }), 1, 'is completed'],
])('skipping a cycle is refused if %s', (_, state, cycle, words) => {
  expect(refuseSkip(state, cycle)).toEqual({ code: 'state_conflict', message: expect.stringContaining(words) });
});

it('skipping a cycle ends the cycle as skipped without waiting for its due date, and does not move the next due date', () => {
  const state = skipCycle(active(), 0);
  const step = nextStep(state, FIRST - HOUR);
  expect(step).toMatchObject({ kind: 'close', cycle: 0, status: 'skipped', reason: 'skipped_by_request' });
  if (step.kind !== 'close') throw new Error('expected a closing');
  const after = afterClosing(state, step);
  expect(after).toMatchObject({ cycle: 1, skips: [], standing: { pastDue: false } });
  expect(nextStep(after, FIRST - HOUR)).toMatchObject({ kind: 'wait', until: dueAt(after.terms, 1) });
});

it('skipping one or several cycles in a row removes their due dates from the coming ones', () => {
  const state = skipCycle(skipCycle(active(), 0), 1);
  expect(nextDueAt(state)).toBe(dueAt(state.terms, 2));
  expect(dueFrom(state, 1)).toBe(dueAt(state.terms, 2));
});

it('skipping the last cycle leaves no due date', () => {
  const state = skipCycle(active({ terms: { endAt: FIRST + HOUR } }), 0);
  expect(nextDueAt(state)).toBeNull();
});

it('the skip of a cycle far ahead is kept while earlier cycles close', () => {
  const state = skipCycle(skipCycle(active(), 0), 4);
  const step = nextStep(state, FIRST);
  if (step.kind !== 'close') throw new Error('expected a closing');
  expect(afterClosing(state, step).skips).toEqual([4]);
});

it('a later cycle can be skipped while an earlier one is open', () => {
  expect(refuseSkip(active({}, { open: openCycle() }), 1)).toBeNull();
});

it('skipping a cycle twice has the same effect as once', () => {
  expect(skipCycle(skipCycle(active(), 4), 4).skips).toEqual([4]);
});

const limit = collectionWindow(active().terms, 0).collectBy - active().policy.transit;
const refusal = (until: number, now = FIRST - DAY, state = active()) => refusePostponement(state, 0, until, now);

it.each([
  ['to a millisecond after the due date is allowed', FIRST + 1, null],
  ['to the last millisecond in which something may be sent is allowed', limit - 1, null],
  ['to the end of that time is refused', limit, 'until'],
  ['to before the due date is refused', FIRST - 1, 'until'],
  ['back to the due date is allowed', FIRST, null],
])('a postponement %s', (_, until, path) => {
  expect(refusal(until)?.path ?? null).toBe(path);
});

it('a postponement must be to a future time, but a postponement to the due date undoes an earlier one until the first attempt', () => {
  expect(refusal(FIRST + HOUR, FIRST + HOUR)?.code).toBe('invalid_request');
  expect(refusal(FIRST + HOUR + 1, FIRST + HOUR)).toBeNull();
  expect(refusal(FIRST, FIRST + HOUR)).toBeNull();
});

it.each([
  ['after the first attempt', active({}, { open: openCycle() }), 'the first attempt of cycle 0 has started'],
  ['of a skipped cycle', skipCycle(active(), 0), 'cycle 0 is skipped'],
  ['of a cycle that has ended', active({}, { cycle: 1 }), 'cycle 0 has ended'],
])('a postponement is refused %s', (_, state, message) => {
  expect(refusal(FIRST + HOUR, FIRST, state)).toEqual({ code: 'state_conflict', message });
});

it('a postponement moves the first attempt and nothing else: due date, calendar and the time for retries remain', () => {
  const state = postpone(active({ spread: HOUR }), 0, FIRST + 48 * HOUR);
  expect(nextDueAt(state)).toBe(FIRST);
  expect(nextStep(state, FIRST)).toMatchObject({ kind: 'wait', until: FIRST + 48 * HOUR, why: 'due' });
  expect(nextStep(state, FIRST + 48 * HOUR - 1)).toMatchObject({ kind: 'wait', until: FIRST + 48 * HOUR });
  expect(nextStep(state, FIRST + 48 * HOUR)).toMatchObject({
    kind: 'collect',
    plan: { cycle: 0, attempt: 0, dueAt: FIRST, sendBefore: limit },
  });
});

it('a postponement applies to one cycle, is replaced by a later postponement, and ends with its cycle', () => {
  const twice = postpone(postpone(active(), 0, FIRST + HOUR), 0, FIRST + 2 * HOUR);
  expect(twice.postponements).toEqual([{ cycle: 0, until: FIRST + 2 * HOUR }]);
  expect(postpone(twice, 0, FIRST)).toEqual(active());
  const step = nextStep(skipCycle(twice, 0), FIRST);
  if (step.kind !== 'close') throw new Error('expected a closing');
  expect(afterClosing(skipCycle(twice, 0), step).postponements).toBeUndefined();
  const later = postpone(twice, 1, dueAt(active().terms, 1) + HOUR);
  expect(afterClosing(skipCycle(later, 0), step).postponements).toEqual([
    { cycle: 1, until: dueAt(active().terms, 1) + HOUR },
  ]);
});

const waiting = (open: Partial<OpenCycle> = {}, status: SubscriptionStatus = 'active') =>
  active({}, { status, open: rejectedOnce(FIRST, { notice: { kind: 'delivered', at: FIRST }, ...open }) });

it('a retry at a requested time is made a minute after the notice instead of at its planned time', () => {
  const state = retryFrom(waiting(), FIRST);
  expect(nextStep(state, FIRST + MINUTE - 1)).toMatchObject({ kind: 'wait', until: FIRST + MINUTE });
  expect(nextStep(state, FIRST + MINUTE)).toMatchObject({ kind: 'collect', plan: { attempt: 1 } });
});

it('a retry at a requested time still waits for the notice of the failure to be delivered', () => {
  expect(nextStep(retryFrom(waiting({ notice: { kind: 'due' } }), FIRST), FIRST + HOUR)).toMatchObject({
    kind: 'notify',
  });
});

it.each([
  ['is allowed a millisecond before a notice would leave no time', LIMIT - MINUTE - 1, null],
  [
    'is refused as soon as a notice would leave no time',
    LIMIT - MINUTE,
    'there is no time left for a notice and a retry',
  ],
  ['is refused a millisecond before the limit', LIMIT - 1, 'there is no time left for a notice and a retry'],
  ['is refused at the limit', LIMIT, 'the time for retries has passed'],
])('a retry at a requested time that still needs its notice %s', (_, now, message) => {
  const refusal = message === null ? null : { code: 'retry_not_allowed', message };
  expect(refuseRetry(waiting({ notice: { kind: 'due' } }), 0, now, now)).toEqual(refusal);
});

it.each([
  ['is allowed in the last millisecond before the limit', LIMIT - 1, null],
  ['is over at the limit', LIMIT, 'the time for retries has passed'],
])('a retry at a requested time after a delivered notice %s', (_, now, message) => {
  expect(refuseRetry(waiting(), 0, now, now)?.message ?? null).toBe(message);
});

it('a retry at a requested time does not need the gap between attempts, or a planned time that is still ahead', () => {
  const sentAt = FIRST + 71 * HOUR;
  const last = rejection({ attempt: 1, at: sentAt, sentAt });
  const state = waiting({ attempt: 2, rejection: last, notice: { kind: 'delivered', at: sentAt } });
  expect(nextStep(state, sentAt)).toMatchObject({ kind: 'close', reason: 'no_time_left' });
  expect(refuseRetry(state, 0, sentAt, sentAt)).toBeNull();
  expect(nextStep(retryFrom(state, FIRST), sentAt)).toMatchObject({ kind: 'wait', until: sentAt + MINUTE });
});

it('the limit of a retry at a requested time is counted from the first failure, however many failures followed', () => {
  const later = waiting({ attempt: 2, rejection: rejection({ attempt: 1, at: FIRST + 48 * HOUR }) });
  expect(refuseRetry(later, 0, LIMIT - MINUTE - 1, LIMIT - MINUTE - 1)).toBeNull();
  expect(refuseRetry(later, 0, LIMIT, LIMIT)?.message).toBe('the time for retries has passed');
});

it.each([
  ['a time later than planned is allowed', FIRST + 30 * HOUR, null],
  ['the moment of the request is allowed', FIRST + HOUR, null],
  ['the last millisecond before the limit is allowed', LIMIT - 1, null],
  ['the limit itself is refused', LIMIT, 'at'],
  ['a time before the request is refused', FIRST + HOUR - 1, 'at'],
])('a retry that is requested for %s', (_, from, path) => {
  expect(refuseRetry(waiting(), 0, from, FIRST + HOUR)?.path ?? null).toBe(path);
});

it('a retry that is requested for a later time than planned is made at the requested time', () => {
  const state = retryFrom(waiting(), FIRST + 30 * HOUR);
  expect(nextStep(state, FIRST + 24 * HOUR)).toMatchObject({ kind: 'wait', until: FIRST + 30 * HOUR, why: 'retry' });
  expect(nextStep(state, FIRST + 30 * HOUR)).toMatchObject({ kind: 'collect', plan: { attempt: 1 } });
});

it('a request for a retry changes nothing if no cycle is open', () => {
  expect(retryFrom(active(), FIRST)).toEqual(active());
});

it.each([
  ['the rejection is final', waiting({ rejection: rejection({ retryable: false, detail: 'NO' }) }), 'NO is final'],
  ['three retries are used up', waiting({ attempt: 4 }), 'no retry is left'],
  ['four retries are used up', waiting({ attempt: 5 }), 'no retry is left'],
])('a retry at a requested time is forbidden by the limits if %s', (_, state, words) => {
  const refusal = refuseRetry(state, 0, FIRST + HOUR, FIRST + HOUR);
  expect(refusal).toEqual({ code: 'retry_not_allowed', message: expect.stringContaining(words) });
});

it('a retry at a requested time may be the third retry of its cycle', () => {
  expect(refuseRetry(waiting({ attempt: 3 }), 0, FIRST + HOUR, FIRST + HOUR)).toBeNull();
});

it.each([
  ['nothing was rejected', active(), 0, 'cycle 0 is not waiting for a retry'],
  ['another cycle waits', waiting(), 1, 'cycle 1 is not waiting for a retry'],
  ['its outcome is unknown', waiting({ unsettled: 'unknown' }), 0, 'cycle 0 is not waiting for a retry'],
  ['the subscription is paused', waiting({}, 'paused'), 0, 'the subscription is paused'],
  ['the subscription has ended', waiting({}, 'cancelled'), 0, 'the subscription is cancelled'],
  ['it is being cancelled', startCancelling(waiting(), CANCELLATION), 0, 'the subscription is being cancelled'],
])('a retry at a requested time is a conflict if %s', (_, state, cycle, message) => {
  expect(refuseRetry(state, cycle, FIRST + HOUR, FIRST + HOUR)).toEqual({ code: 'state_conflict', message });
});

type Closed = Parameters<typeof refuseRetryOfClosed>[0];
const retried = { state: 'rejected_retryable', detail: 'AUTHORIZATION_REJECTION_RETRYABLE' } as const;
const failed = (last: Closed['attempts'][number], reason = 'rejected'): Closed => {
  return { status: 'failed', reason, attempts: [retried, last] };
};

it.each<[string, Closed, string]>([
  ['the last rejection is final', failed({ state: 'rejected', detail: 'NO' }), 'the rejection NO is final'],
  ['the last rejection has no detail', failed({ state: 'rejected', detail: null }), 'the rejection is final'],
  ['no retry is left', failed(retried, 'retries_used'), 'no retry is left: at most 3 after a failed authorization'],
  ['the time for retries has passed', failed(retried, 'out_of_time'), 'the time for retries has passed'],
])('a retry of an ended cycle is forbidden by the limits if %s', (_, closed, message) => {
  expect(refuseRetryOfClosed(closed)).toEqual({ code: 'retry_not_allowed', message });
});

it.each<[string, Closed]>([
  ['was collected', { ...failed({ state: 'successful', detail: null }), status: 'collected' }],
  ['waits for its retry', { ...failed(retried), status: 'dunning' }],
  ['was missed', { status: 'missed', reason: 'window_closed', attempts: [] }],
  ['failed after its authorization', failed({ state: 'capture_failed', detail: 'NO' }, 'capture_failed')],
  ['failed as its retry never arrived', failed({ state: 'not_sent', detail: null }, 'out_of_time')],
])('a retry of an ended cycle is not checked against the limits if it %s', (_, closed) => {
  expect(refuseRetryOfClosed(closed)).toBeNull();
});

const withUnsettled = (unsettled: OpenCycle['unsettled']) => active({}, { open: openCycle({ unsettled }) });

it('resolving a cycle is allowed if its outcome is unresolved', () => {
  expect(refuseResolve(withUnsettled('unresolved'), 0)).toBeNull();
});

it.each([
  ['another cycle', withUnsettled('unresolved'), 1],
  ['an unknown outcome that is still polled', withUnsettled('unknown'), 0],
  ['an outcome that is known', withUnsettled('none'), 0],
  ['a cycle that is not open', active(), 0],
])('resolving a cycle is a conflict for %s', (_, state, cycle) => {
  const message = `nothing of cycle ${cycle} is unresolved`;
  expect(refuseResolve(state, cycle)).toEqual({ code: 'state_conflict', message });
});
