import { euros } from '../../src/domain/money';
import { nextStep, planToSettle } from '../../src/domain/subscription/next-step';
import { startReplacement } from '../../src/domain/subscription/replacements';
import { pause } from '../../src/domain/subscription/pauses';
import { dueAt } from '../../src/domain/subscription/schedule';
import type { PendingAttempt, PendingChange } from '../../src/domain/subscription/state';
import type { SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR, type Instant } from '../../src/domain/time';
import { close, collect, COLLECT_BY, LIMIT, wait } from './expected-steps';
import { active, FIRST, openCycle, rejectedOnce } from './subscription-under-test';

/** What the next step of a subscription waits for, and until when. */

/** An increase from the second cycle on, of which the payer has to be notified at `announceAt`. */
const increase = (announceAt: Instant): PendingChange => ({
  amount: euros(2500),
  previousAmount: euros(1999),
  fromCycle: 1,
  effectiveAt: FIRST + 28 * DAY,
  requestedAt: FIRST - DAY,
  kind: 'increase',
  countsAsIncrease: true,
  announceAt,
  announcement: { kind: 'due' },
});

it.each([
  ['before the due date', FIRST - 1, FIRST - 1],
  ['at the due date', FIRST, FIRST],
  ['after the due date', FIRST + 1, FIRST],
])(
  'a wait for the due date ends earlier for the notice of an increase if that is due first: a notice %s',
  (_, announceAt, until) => {
    const state = active({}, { pendingChange: increase(announceAt) });
    expect(nextStep(state, FIRST - DAY)).toEqual(wait(until, 'due'));
  },
);

it('the wait in a pause without an end ends when the payer has to be notified of an increase', () => {
  const paused = pause(active(), FIRST - 2 * DAY, null);
  const collected = { ...paused, cycle: 1, pendingChange: increase(FIRST + DAY) };
  expect(nextStep(collected, FIRST)).toEqual(wait(FIRST + DAY, 'paused'));
});

it('an attempt that can be made now does not wait for the notice of an increase', () => {
  const state = active({}, { pendingChange: increase(FIRST + DAY) });
  expect(nextStep(state, FIRST)).toEqual(collect(0, COLLECT_BY));
});

it.each([
  ['a millisecond before the limit waits for the limit', LIMIT - 1, wait(LIMIT, 'notice')],
  ['at the limit ends the cycle', LIMIT, close('failed', 'notice_undeliverable')],
])('a cycle whose notice of a failure is still being sent, %s', (_, now, step) => {
  const state = active({}, { open: rejectedOnce(FIRST, { notice: { kind: 'sending' } }) });
  expect(nextStep(state, now)).toEqual(step);
});

it('a failed capture ends the cycle, even after a refusal that could be retried', () => {
  const state = active({}, { open: rejectedOnce(FIRST, { captureFailed: true }) });
  expect(nextStep(state, FIRST + HOUR)).toEqual(close('failed', 'capture_failed'));
});

it.each([
  ['a millisecond before the due date waits for the due date', FIRST - 1, null, wait(FIRST, 'paused')],
  ['from the due date on waits for the end of the pause', FIRST + 1, FIRST + DAY, wait(FIRST + DAY, 'paused')],
  ['from the due date on waits for the end of the window', FIRST + 1, null, wait(COLLECT_BY, 'paused')],
])('a first attempt during a pause that does not cover its due date: %s', (_, now, until, step) => {
  const since = now < FIRST ? now : FIRST + 1;
  expect(nextStep(pause(active(), since, until), now)).toEqual(step);
});

it.each([
  ['sooner than the limit', FIRST + 30 * HOUR, FIRST + 30 * HOUR],
  ['later than the limit', LIMIT + HOUR, LIMIT],
])('a retry during a pause waits for the end of the pause or its own limit: an end %s', (_, until, waited) => {
  const state = active({}, { open: rejectedOnce(FIRST, { notice: { kind: 'delivered', at: FIRST } }) });
  expect(nextStep(pause(state, FIRST + HOUR, until), FIRST + 2 * HOUR)).toEqual(wait(waited, 'paused'));
});

it('a cycle that is left to a replacement waits for the end of its window, with the reason replaced', () => {
  const state = startReplacement(active(), { by: 'sub_2' as SubscriptionId, from: FIRST });
  expect(nextStep(state, FIRST)).toEqual(wait(COLLECT_BY, 'replacement'));
});

it('a postponement of one cycle does not change other cycles', () => {
  const state = active({}, { cycle: 1, postponements: [{ cycle: 0, until: FIRST + HOUR }] });
  const due = dueAt(state.terms, 1);
  expect(nextStep(state, due)).toMatchObject({ kind: 'collect', plan: { cycle: 1, dueAt: due } });
  expect(nextStep({ ...state, cycle: 0 }, FIRST)).toEqual(wait(FIRST + HOUR, 'due'));
});

const parked = (cycle: number): PendingAttempt => ({
  cycle,
  attempt: 0,
  amount: euros(1999),
  dueAt: FIRST,
  collectBy: COLLECT_BY,
  sendBefore: FIRST,
  nextDueAt: null,
  settleOnly: true,
  parked: true,
  knownUnresolved: false,
});

it('settling an attempt concerns only the cycle that is asked about', () => {
  const state = active({}, { cycle: 3, open: openCycle({ cycle: 3 }), pending: [parked(0), parked(2)] });
  expect(planToSettle(state, 2, FIRST)).toEqual(parked(2));
  expect(planToSettle(state, 1, FIRST)).toBeNull();
  // No outcome of the open cycle is unsettled.
  expect(planToSettle(state, 3, FIRST)).toBeNull();
});
