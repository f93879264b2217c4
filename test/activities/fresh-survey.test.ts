import { FreshSurvey } from '../../activities/collect/fresh-survey';
import type { Listed } from '../../src/domain/send';
import { euros } from '../../src/domain/money';
import type { KnownAuthorization, Survey } from '../../src/ledger';
import { HandClock } from '../../src/simulation/hand-clock';

/** A survey is what an attempt reads from the ledger before its first pass: how long it is used, and for what. */

const AMOUNT = euros(1999);
const KNOWN = { id: 'auth-1', state: 'successful', cycle: 0, attempt: 0, createdAt: 0 } as KnownAuthorization;
const LISTED = { id: 'auth-1', status: 'successful', amount: AMOUNT, createdAt: 0 } as Listed;

function surveyOf(known: KnownAuthorization) {
  const clock = new HandClock();
  const survey = {
    knownAuthorizations: [known],
    precheck: { sends: 2 },
    context: { stoppedBy: null, revision: 3, heldUntil: null },
    current: { state: { terms: { firstPaymentAt: 1 }, current: AMOUNT } },
  } as unknown as Survey;
  return { clock, survey, fresh: new FreshSurvey(survey, clock) };
}

it('a survey can be taken only once', () => {
  const { survey, fresh } = surveyOf(KNOWN);
  expect(fresh.take()).toBe(survey);
  expect(fresh.take()).toBeUndefined();
});

it.each([
  [999, true],
  [1_000, false],
])('a survey that is %d ms old is used: %p', (age, isUsed) => {
  const { clock, fresh } = surveyOf(KNOWN);
  clock.pass(age);
  expect(fresh.precheck({ revision: 3 }) !== null).toBe(isUsed);
  expect(fresh.take() !== undefined).toBe(isUsed);
});

it('the check before a send uses the terms, the current amount, and whether a newer revision stops the attempt', () => {
  const { fresh } = surveyOf(KNOWN);
  const terms = { sends: 2, calendar: { firstPaymentAt: 1 }, currentAmount: AMOUNT };
  expect(fresh.precheck({ revision: 3 })).toEqual({ ...terms, isStopped: false });
  expect(fresh.precheck({ revision: 2 })).toEqual({ ...terms, isStopped: true });
});

const refused: KnownAuthorization = { ...KNOWN, state: 'rejected' };

it.each([
  ['the list is the same', KNOWN, [LISTED], true],
  ['the list is empty', KNOWN, [], true],
  ['the list could not be read', KNOWN, null, false],
  [
    'the list shows an authorization that the ledger does not have',
    KNOWN,
    [LISTED, { ...LISTED, id: 'auth-2' }],
    false,
  ],
  ['the list shows a refused authorization as successful', refused, [LISTED], false],
  ['the list shows a successful authorization as failed', KNOWN, [{ ...LISTED, status: 'failed' }], false],
] as const)('whether the known authorizations of a survey are used if %s', (_how, known, listed, isUsed) => {
  const { fresh } = surveyOf(known);
  expect(fresh.knownAuthorizations(listed as readonly Listed[] | null)).toEqual(isUsed ? [known] : null);
});

it('known authorizations that were read again are compared with those of the survey', () => {
  const { fresh } = surveyOf(KNOWN);
  expect(fresh.differsFrom([{ ...KNOWN }])).toBe(false);
  expect(fresh.differsFrom([{ ...KNOWN, state: 'pending' }])).toBe(true);
});
