import { judgeChange } from '../../src/domain/subscription/amount-request';
import { euros } from '../../src/domain/money';
import { refuseEndedCycle, refuseSkip } from '../../src/domain/subscription/requests';
import { pause } from '../../src/domain/subscription/pauses';
import { collectionWindow, hasCycle } from '../../src/domain/subscription/schedule';
import { DAY, isInstant, LAST_INSTANT } from '../../src/domain/time';
import { instant } from '../../src/payment-service/wire';
import { active, at, termsOf } from './subscription-under-test';

/** The last due date whose window of 120 hours ends no later than the last representable instant. */
const LAST_DUE = LAST_INSTANT - 5 * DAY;

it.each([
  ['ends at the last instant exists', 0, true],
  ['would end a millisecond after the last instant does not exist', 1, false],
])('a cycle whose window %s (rule 3)', (_, offset, exists) => {
  const terms = termsOf({ firstPaymentAt: LAST_DUE + offset, repetition: 'YEARLY' });
  expect(hasCycle(terms, 0)).toBe(exists);
  expect(isInstant(collectionWindow(terms, 0).collectBy)).toBe(exists);
});

it.each([8_000, 100_000, 1e15])('a request that names cycle %p of a yearly subscription is refused', (cycle) => {
  const state = active({ terms: { repetition: 'YEARLY' } }, { collectedOnce: true });
  expect(refuseEndedCycle(state, cycle)?.code).toBe('state_conflict');
  expect(refuseSkip(state, cycle)?.code).toBe('state_conflict');
  const request = { amount: euros(1500), fromCycle: cycle, announceAhead: DAY };
  expect(judgeChange(state, request)).toMatchObject({ kind: 'refused', refusal: { code: 'state_conflict' } });
});

it('a change of amount from cycle 100000 of a monthly subscription is refused', () => {
  const request = { amount: euros(1500), fromCycle: 100_000, announceAhead: DAY };
  expect(judgeChange(active({}, { collectedOnce: true }), request).kind).toBe('refused');
});

it.each([
  ['the last instant has no end', LAST_INSTANT, null],
  ['a millisecond before the last instant ends at that time', LAST_INSTANT - 1, LAST_INSTANT - 1],
])('a pause until %s', (_, until, ends) => {
  const since = at('2027-02-01');
  expect(pause(active(), since, until).pauses).toEqual([{ since, until: ends }]);
});

it.each([
  ['9999-12-31T23:59:59.999Z', true],
  ['9999-12-31T23:59:59.999-00:01', false],
  ['0001-01-01T00:00:00.000Z', true],
  ['0001-01-01T00:00:00.000+00:01', false],
  ['0000-12-31T00:00:00.000Z', false],
  ['+275760-09-13T00:00:00.000Z', false],
  ['10000-01-01T00:00:00.000Z', false],
])('whether the instant %s in an answer of the service is accepted: %p', (text, isRead) => {
  expect(instant.safeParse(text).success).toBe(isRead);
});
