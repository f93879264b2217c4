import { HOUR, MINUTE } from '../../src/domain/time';
import { nextStep } from '../../src/domain/subscription/next-step';
import { pause, resume } from '../../src/domain/subscription/pauses';
import { close, collect, COLLECT_BY, LIMIT, told, wait, WINDOW } from './expected-steps';
import { active, FIRST, openCycle, rejectedOnce, rejection } from './subscription-under-test';

it('a rejection that is final ends the cycle', () => {
  const state = active({}, { open: rejectedOnce(FIRST, { rejection: rejection({ retryable: false }) }) });
  expect(nextStep(state, FIRST)).toEqual(close('failed', 'rejected'));
});

it('a rejection that is retryable asks for a notice with the rejection, the planned retry and its limit', () => {
  expect(nextStep(active({}, { open: rejectedOnce() }), FIRST)).toEqual({
    kind: 'notify',
    ...WINDOW,
    rejection: rejection(),
    retryAt: FIRST + 24 * HOUR,
    retryUntil: LIMIT,
    retriesLeft: 3,
  });
});

it.each([
  ['a millisecond before its planned time waits', 24 * HOUR - 1, wait(FIRST + 24 * HOUR, 'retry')],
  ['at its planned time is made', 24 * HOUR, collect(1, LIMIT)],
  ['a millisecond before the limit L is made', 72 * HOUR - 1, collect(1, LIMIT)],
  ['at the limit L is not made, and the cycle fails', 72 * HOUR, close('failed', 'out_of_time')],
])('after a rejection with a delivered notice, the retry %s', (_, after, step) => {
  expect(nextStep(told(FIRST), FIRST + after)).toEqual(step);
});

it.each([
  ['a minute and a millisecond before L waits for its retry', 72 * HOUR - MINUTE - 1, wait(LIMIT - 1, 'retry')],
  ['a minute before L ends the cycle', 72 * HOUR - MINUTE, close('failed', 'out_of_time')],
])('a rejection with a notice delivered %s', (_, after, step) => {
  expect(nextStep(told(FIRST + after), FIRST + after)).toEqual(step);
});

it.each([
  [
    'a minute and a millisecond before L still has its notice',
    72 * HOUR - MINUTE - 1,
    { kind: 'notify', retryAt: LIMIT - 1 },
  ],
  ['a minute before L closes its cycle', 72 * HOUR - MINUTE, { kind: 'close', reason: 'out_of_time' }],
])('a rejection whose notice an outage has delayed, %s', (_, after, step) => {
  expect(nextStep(active({}, { open: rejectedOnce() }), FIRST + after)).toMatchObject(step);
});

it('a rejection whose notice cannot be delivered ends the cycle: no notice, no retry', () => {
  const notice = { kind: 'undeliverable', reason: 'no channel' } as const;
  const state = active({}, { open: rejectedOnce(FIRST, { notice }) });
  expect(nextStep(state, FIRST)).toEqual(close('failed', 'notice_undeliverable'));
});

it('a cycle whose capture has failed is closed as failed, and not authorized again', () => {
  const state = active({}, { open: openCycle({ captureFailed: true }) });
  expect(nextStep(state, FIRST)).toEqual(close('failed', 'capture_failed'));
});

it.each([
  ['a millisecond less than a minute after the notice waits', MINUTE - 1, wait(FIRST + MINUTE, 'retry')],
  ['a minute after the notice retries', MINUTE, collect(1, LIMIT)],
])("an operator's request to retry now: %s", (_, after, step) => {
  expect(nextStep(told(FIRST, { retryFrom: FIRST }), FIRST + after)).toEqual(step);
});

it("an operator's request to retry now causes no retry without a notice, and none past L", () => {
  expect(nextStep(active({}, { open: rejectedOnce(FIRST, { retryFrom: FIRST }) }), FIRST)).toMatchObject({
    kind: 'notify',
  });
  expect(nextStep(told(FIRST, { retryFrom: FIRST }), LIMIT)).toEqual(close('failed', 'out_of_time'));
});

const after = (attempt: number, offsets: number[]) =>
  told(FIRST + 50 * HOUR, {
    attempt,
    policy: { offsets, transit: 0, gap: 0 },
    rejection: rejection({ at: FIRST + 50 * HOUR }),
  });

it.each([
  ['the third of three ends the cycle', 4, [24 * HOUR, 48 * HOUR, 71 * HOUR], close('failed', 'retries_used')],
  ['the second of three waits for the third', 3, [24 * HOUR, 48 * HOUR, 71 * HOUR], wait(FIRST + 71 * HOUR, 'retry')],
  ['the only one ends the cycle', 2, [24 * HOUR], close('failed', 'retries_used')],
  ['the second ends the cycle if the third has no time left', 3, [1, 2, 72 * HOUR], close('failed', 'no_time_left')],
])('retries that are used up: a rejection of %s (rule 15)', (_, attempt, offsets, step) => {
  expect(nextStep(after(attempt, offsets), FIRST + 50 * HOUR)).toEqual(step);
});

const failedAt = COLLECT_BY - 30 * MINUTE;

it('retries do not count as exhausted if an outage or a pause has left no time for any retry after the first failure', () => {
  expect(nextStep(told(failedAt, {}, failedAt), failedAt)).toEqual(close('failed', 'out_of_time'));
});

it('retries count as exhausted if the only retry that fitted into the time left was made and refused', () => {
  const [first, second] = [COLLECT_BY - 30 * HOUR, COLLECT_BY - 6 * HOUR];
  const state = told(second, { attempt: 2, rejection: rejection({ attempt: 1, at: second }) }, first);
  expect(nextStep(state, second)).toEqual(close('failed', 'no_time_left'));
});

it('retries count as exhausted after a first failure in a window that is too short for any retry', () => {
  const state = active({ terms: { endAt: FIRST + HOUR } }, { open: rejectedOnce(FIRST) });
  expect(nextStep(state, FIRST)).toMatchObject({ kind: 'close', status: 'failed', reason: 'no_time_left' });
});

const paused = pause(told(FIRST), FIRST + HOUR, null);

it('a retry waits during a pause until its limit, at which the cycle fails', () => {
  expect(nextStep(paused, FIRST + 30 * HOUR)).toEqual(wait(LIMIT, 'paused'));
  expect(nextStep(paused, LIMIT)).toEqual(close('failed', 'paused'));
});

it('a retry stopped by a pause continues if resumed in time', () => {
  expect(nextStep(resume(paused, LIMIT - 1), LIMIT - 1)).toEqual(collect(1, LIMIT));
});

it.each([
  ['at the limit of the retry, fails because of the pause', LIMIT, 'paused'],
  ['a millisecond before the limit, fails out of time in an outage', LIMIT - 1, 'out_of_time'],
])('a cycle whose retry a pause stopped, resumed %s', (_, resumedAt, reason) => {
  expect(nextStep(resume(paused, resumedAt), LIMIT)).toEqual(close('failed', reason));
});

it('a pause does not stop the notice of a failure to the payer', () => {
  const pausedInDunning = pause(active({}, { open: rejectedOnce() }), FIRST + 1, null);
  expect(nextStep(pausedInDunning, FIRST + 2)).toMatchObject({ kind: 'notify' });
});
