import { DAY, HOUR, type Instant, MINUTE } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { untriedBefore } from '../../src/domain/subscription/pending-change';
import { nextStep, planToSettle } from '../../src/domain/subscription/next-step';
import { startCancelling } from '../../src/domain/subscription/requests';
import { pause, resume } from '../../src/domain/subscription/pauses';
import type { OpenCycle, PendingAttempt, SubscriptionState } from '../../src/domain/subscription/state';
import { endConsent } from '../../src/domain/subscription/transitions';
import { close, collect, COLLECT_BY, LIMIT, told, wait, WINDOW } from './expected-steps';
import { active, FIRST, MINUTE_MARGIN, openCycle, rejectedOnce } from './subscription-under-test';

it('before the consent nothing is collected, however late it is (rule 6)', () => {
  expect(nextStep(active({}, { status: 'pending_consent' }), FIRST)).toEqual({ kind: 'await_consent' });
});

it.each([
  ['a millisecond before the due date waits for the due date', FIRST - 1, wait(FIRST, 'due')],
  ['at the due date is made', FIRST, collect(0, COLLECT_BY)],
  ['a millisecond before the window closes is made', COLLECT_BY - 1, collect(0, COLLECT_BY)],
  ['when the window closes is missed', COLLECT_BY, close('missed', 'window_closed')],
  ['long after the window has closed is missed', COLLECT_BY + 90 * DAY, close('missed', 'window_closed')],
])('the first attempt: %s', (_, now, step) => {
  expect(nextStep(active(), now)).toEqual(step);
});

it.each([
  [-1, collect(0, COLLECT_BY - MINUTE)],
  [0, close('missed', 'window_closed')],
])('a first attempt must be made a transit margin before the window closes, here %p ms from then', (offset, step) => {
  expect(nextStep(active({ policy: MINUTE_MARGIN }), COLLECT_BY - MINUTE + offset)).toEqual(step);
});

it('the plan of the first attempt has the amount, the window, the limit and the next due date', () => {
  expect(nextStep(active({ policy: MINUTE_MARGIN }), FIRST)).toEqual({
    kind: 'collect',
    plan: {
      ...WINDOW,
      cycle: 0,
      attempt: 0,
      amount: euros(1999),
      sendBefore: COLLECT_BY - MINUTE,
      nextDueAt: Date.parse('2027-02-28T10:00:00.000Z'),
      settleOnly: false,
      parked: false,
      knownUnresolved: false,
    },
  });
});

it('the first attempt of the last cycle has no next due date', () => {
  expect(nextStep(active({ terms: { endAt: FIRST + 10 * DAY } }), FIRST)).toMatchObject({
    plan: { nextDueAt: null },
  });
});

it.each([
  ['a millisecond', 1],
  ['as long as the transit margin', MINUTE],
])('the first attempt of a window of %s is never sent: the margin leaves no time', (_, length) => {
  const state = active({ policy: MINUTE_MARGIN, terms: { endAt: FIRST + length } });
  expect(nextStep(state, FIRST - 1)).toEqual(wait(FIRST, 'due'));
  expect(nextStep(state, FIRST)).toMatchObject({ kind: 'close', status: 'missed' });
});

it.each([
  [-1, wait(FIRST + HOUR, 'due')],
  [0, collect(0, COLLECT_BY)],
])('the spread delays the first attempt, here %p ms from its time', (offset, step) => {
  expect(nextStep(active({ spread: HOUR }), FIRST + HOUR + offset)).toEqual(step);
});

it('the spread takes at most half of the window', () => {
  expect(nextStep(active({ spread: 100 * HOUR }), FIRST)).toEqual(wait(FIRST + 60 * HOUR, 'due'));
});

it('the spread takes at most half of the time that the transit margin leaves, so that no short window is missed because of it', () => {
  const state = active({ spread: HOUR, policy: MINUTE_MARGIN, terms: { endAt: FIRST + 100_001 } });
  expect(nextStep(state, FIRST)).toEqual(wait(FIRST + 20_000, 'due'));
  expect(nextStep(state, FIRST + 20_000)).toEqual(collect(0, FIRST + 40_001));
});

it.each([
  ['paused a millisecond before the due date is skipped', FIRST - 1, close('skipped', 'paused')],
  ['paused at the due date is skipped', FIRST, close('skipped', 'paused')],
  ['paused a millisecond after the due date waits until its window ends', FIRST + 1, wait(COLLECT_BY, 'paused')],
])('the first attempt of a subscription %s', (_, since, step) => {
  expect(nextStep(pause(active(), since, null), FIRST + 1)).toEqual(step);
});

it('a paused subscription waits for the due date or the end of the pause, whichever is first', () => {
  expect(nextStep(pause(active(), FIRST - DAY, null), FIRST - HOUR)).toEqual(wait(FIRST, 'paused'));
  expect(nextStep(pause(active(), FIRST - DAY, FIRST - 1), FIRST - HOUR)).toEqual(wait(FIRST - 1, 'paused'));
});

it('a paused subscription resumes by itself as of the end of the pause, even if that is noticed late', () => {
  const paused = pause(active(), FIRST - DAY, FIRST - 1);
  expect(nextStep(paused, FIRST - 2)).toEqual(wait(FIRST - 1, 'paused'));
  expect(nextStep(paused, FIRST - 1)).toEqual({ kind: 'resume', at: FIRST - 1 });
  expect(nextStep(paused, FIRST + DAY)).toEqual({ kind: 'resume', at: FIRST - 1 });
});

it('a due date equal to the end of a pause is collected', () => {
  const paused = pause(active(), FIRST - DAY, FIRST);
  expect(nextStep(paused, FIRST)).toEqual({ kind: 'resume', at: FIRST });
  expect(nextStep(resume(paused, FIRST), FIRST)).toEqual(collect(0, COLLECT_BY));
});

it('after an outage the due dates inside a pause are skipped before the pause ends', () => {
  expect(nextStep(pause(active(), FIRST - DAY, FIRST + 1), FIRST + DAY)).toEqual(close('skipped', 'paused'));
});

it('a first attempt that was due before a pause continues if resumed in time', () => {
  const resumed = resume(pause(active(), FIRST + 1, null), COLLECT_BY - 1);
  expect(nextStep(resumed, COLLECT_BY - 1)).toEqual(collect(0, COLLECT_BY));
});

it.each([
  ['stopped until its window closes: skipped', COLLECT_BY, close('skipped', 'paused')],
  [
    'resumed a millisecond before the window closed, in an outage: missed',
    COLLECT_BY - 1,
    close('missed', 'window_closed'),
  ],
])('a first attempt due before a pause and %s', (_, resumedAt, step) => {
  expect(nextStep(resume(pause(active(), FIRST + 1, null), resumedAt), COLLECT_BY)).toEqual(step);
});

it.each([
  ['in the last millisecond of the window: skipped', COLLECT_BY - 1, close('skipped', 'paused')],
  ['when the window has closed: missed', COLLECT_BY, close('missed', 'window_closed')],
])('a cycle whose window passes in an outage, paused %s', (_, since, step) => {
  expect(nextStep(pause(active(), since, null), COLLECT_BY)).toEqual(step);
});

it('a cycle whose attempt started at the instant of a pause and whose capture failed is failed, not skipped', () => {
  const state = pause(active({}, { open: openCycle({ captureFailed: true }) }), FIRST, null);
  expect(nextStep(state, FIRST + 1)).toEqual(close('failed', 'capture_failed'));
});

const states: [string, Partial<SubscriptionState>, boolean][] = [
  ['active', {}, false],
  ['paused', { status: 'paused', pauses: [{ since: FIRST, until: null }] }, false],
  ['being cancelled', { cancellation: { at: FIRST, actor: 'merchant', reason: null } }, true],
  ['cancelled', { status: 'cancelled' }, true],
];

it('an unknown outcome that is followed separately delays neither a cancellation nor the end of the subscription', () => {
  const open = openCycle({ unsettled: 'unknown' });
  const followed = [{ cycle: 0, attempt: 0 }];
  const cancellation = { at: FIRST, actor: 'merchant', reason: null };
  expect(nextStep(active({}, { open, cancellation }), FIRST, followed)).toEqual({ kind: 'cancel_consent' });
  expect(nextStep(active({}, { open, status: 'cancelled' }), FIRST, followed)).toEqual(wait(null, 'pending'));
});

it.each(states)('an unknown outcome is polled for months, and never sent again, while %s', (_, state, isEnding) => {
  for (const unsettled of ['unknown', 'unresolved'] as const) {
    const step = nextStep(active({}, { ...state, open: openCycle({ unsettled }) }), FIRST + 90 * DAY);
    const plan = {
      cycle: 0,
      settleOnly: true,
      parked: false,
      sendBefore: FIRST,
      knownUnresolved: unsettled === 'unresolved',
    };
    expect(step).toMatchObject({ kind: isEnding ? 'follow' : 'collect', plan });
  }
});

it('a cycle whose unknown outcome is settled as never made past the window is missed, or failed if the bank had refused before', () => {
  expect(nextStep(active({}, { open: openCycle() }), COLLECT_BY)).toEqual(close('missed', 'window_closed'));
  expect(nextStep(told(FIRST), COLLECT_BY)).toMatchObject({ kind: 'close', status: 'failed' });
});

it('an attempt that is settled as never made inside the window is sent again, as the same attempt', () => {
  expect(nextStep(active({}, { open: openCycle() }), COLLECT_BY - 1)).toEqual(collect(0, COLLECT_BY));
  expect(nextStep(told(FIRST), FIRST + 30 * HOUR)).toEqual(collect(1, LIMIT));
});

const ends = { terms: { endAt: FIRST + DAY } };
const pending = [{ cycle: 0 } as PendingAttempt];

it('a subscription is complete when the last cycle is final and nothing is open (rule 5)', () => {
  expect(nextStep(active(ends, { cycle: 1 }), FIRST)).toEqual({ kind: 'complete' });
  expect(nextStep(active(ends, { cycle: 1, pending }), FIRST)).toMatchObject({ kind: 'follow', plan: { cycle: 0 } });
  expect(nextStep(active(ends, { cycle: 1, pending }), FIRST, pending)).toEqual(wait(null, 'pending'));
});

it.each(['consent_failed', 'cancelled', 'completed'] as const)(
  'the workflow of a subscription that is %s waits for the end of pending debits',
  (status) => {
    expect(nextStep(active({}, { status }), FIRST + 1)).toEqual({ kind: 'finish' });
    expect(nextStep(active({}, { status, pending, cycle: 1 }), FIRST + 1, pending)).toEqual(wait(null, 'pending'));
  },
);

it.each<[string, OpenCycle, string, string]>([
  ['as skipped if nothing was refused', openCycle(), 'skipped', 'consent_ended'],
  ['as failed if the bank had refused', rejectedOnce(), 'failed', 'consent_ended'],
  ['as failed if the capture had failed', openCycle({ captureFailed: true }), 'failed', 'capture_failed'],
])('an end of the consent closes the open cycle %s', (_, open, status, reason) => {
  expect(nextStep(active({}, { status: 'cancelled', open }), FIRST)).toEqual(close(status, reason));
});

const cancelledAt = (at: Instant, state = active()): SubscriptionState => ({
  ...startCancelling(state, { at, actor: 'merchant', reason: null }),
  status: 'cancelled',
});

const endedByPayerAt = (at: Instant, state = active()): SubscriptionState => endConsent(state, 'payer', at);

it.each<[string, SubscriptionState]>([
  ['before the due date', active()],
  ['in dunning', told(FIRST)],
  ['paused', pause(active(), FIRST - 1, null)],
])('cancelling a subscription sends nothing while the service has not confirmed, %s (rule 24)', (_, state) => {
  const cancelling = startCancelling(state, { at: FIRST, actor: 'merchant', reason: null });
  expect(nextStep(cancelling, FIRST + 25 * HOUR)).toEqual({ kind: 'cancel_consent' });
});

it('a subscription whose consent failed has no due dates to close', () => {
  const state = { ...cancelledAt(FIRST + DAY), status: 'consent_failed' as const };
  expect(nextStep(state, FIRST + DAY)).toEqual({ kind: 'finish' });
});

describe.each([
  ['a cancellation', cancelledAt],
  ['a reported end of the consent', endedByPayerAt],
])('%s', (_, endedAt) => {
  it.each([
    ['at the due date of a cycle leaves no cycle', FIRST, { kind: 'finish' }],
    [
      'a millisecond after the due date skips the cycle, which was not tried',
      FIRST + 1,
      close('skipped', 'consent_ended'),
    ],
    ['a millisecond before the window closes skips the cycle too', COLLECT_BY - 1, close('skipped', 'consent_ended')],
    ['when the window has closed finds the cycle missed', COLLECT_BY, close('missed', 'window_closed')],
  ])('an end of the subscription %s', (__, at, step) => {
    expect(nextStep(endedAt(at), at + 90 * DAY)).toEqual(step);
  });

  it('an end of the subscription skips what a pause had skipped or stopped', () => {
    expect(nextStep(endedAt(FIRST + DAY, pause(active(), FIRST, null)), FIRST + DAY)).toEqual(
      close('skipped', 'paused'),
    );
    expect(nextStep(endedAt(COLLECT_BY, pause(active(), FIRST + 1, null)), COLLECT_BY)).toEqual(
      close('skipped', 'paused'),
    );
  });
});

it('an end of the consent that is reported after a cancellation changes nothing', () => {
  const cancelling = startCancelling(active(), { at: FIRST, actor: 'merchant', reason: null });
  expect(nextStep(endedByPayerAt(COLLECT_BY, cancelling), COLLECT_BY)).toEqual({ kind: 'finish' });
});

const SECOND = Date.parse('2027-02-28T10:00:00.000Z');

it.each<[string, SubscriptionState, Instant, Instant | undefined]>([
  ['at its instant does not wait yet', active(), FIRST, undefined],
  ['a millisecond later waits', active(), FIRST + 1, FIRST],
  ['no longer waits once it is tried', active({}, { open: openCycle() }), SECOND, undefined],
  ['waits while an earlier cycle is open', active({}, { open: openCycle() }), SECOND + 1, SECOND],
  ['after the end does not exist', active({ terms: { endAt: FIRST + DAY } }, { cycle: 1 }), SECOND + 1, undefined],
])('a due date and the wait for its first attempt: a due date %s', (_, state, instant, due) => {
  expect(untriedBefore(state, instant)?.dueAt).toBe(due);
});

it('an attempt can be settled only if its cycle is open', () => {
  expect(planToSettle(active(), 0, FIRST)).toBeNull();
});

it.each([
  ['unknown', COLLECT_BY, false],
  ['reopened', FIRST, false],
  ['unresolved', FIRST, true],
] as const)('settling an attempt that is %s sends nothing', (unsettled, now, knownUnresolved) => {
  expect(planToSettle(active({}, { open: openCycle({ unsettled }) }), 0, now)).toMatchObject({
    cycle: 0,
    attempt: 0,
    dueAt: FIRST,
    sendBefore: FIRST,
    settleOnly: true,
    knownUnresolved,
  });
});

it('settling an attempt with an unknown outcome within its window may send it again', () => {
  const plan = planToSettle(active({}, { open: openCycle({ unsettled: 'unknown' }) }), 0, COLLECT_BY - 1);
  expect(plan).toMatchObject({ settleOnly: false, attempt: 0, sendBefore: COLLECT_BY });
});
