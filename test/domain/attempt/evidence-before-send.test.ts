import type { Facts } from '../../../src/domain/attempt/attempt';
import {
  evidenceBeforeSend,
  evidenceOfCaptures,
  gapIn,
  idsOf,
  OTHER_UNKNOWN,
  sinceOf,
} from '../../../src/domain/attempt/evidence-before-send';
import type { SendState } from '../../../src/domain/send';
import { DAY } from '../../../src/domain/time';
import {
  capture,
  captured,
  debit,
  DUE,
  LEDGER,
  listing,
  NOW,
  own,
  ownRecords,
  permitting,
  refund,
  SETTLE,
  shown,
  unasked,
  UNREADABLE,
} from './facts-under-test';

/** What the service lists right before a POST, compared with the ledger. */

const CLEAR = { kind: 'clear', knownIds: [], clockLead: undefined };
const missing = (action: object) => ({ kind: 'missing', action });
const checkCaptures = missing({ kind: 'check_captures', authorizationId: null });
const failedAgain = (changes: Partial<Facts> = {}) =>
  permitting({
    list: listing(shown('aut_1', { status: 'failed' })),
    own: ownRecords(own('aut_1', { state: 'successful' })),
    ...changes,
  });

it('before a POST the list is read first, and the records of the ledger after it, so that they include what was sent meanwhile', () => {
  expect(evidenceBeforeSend(debit(), unasked())).toEqual(missing({ kind: 'check', fact: 'list' }));
  expect(evidenceBeforeSend(debit(), unasked({ list: listing() }))).toEqual(missing({ kind: 'check', fact: 'own' }));
});

it('a list that cannot be read permits no POST, and does not count as incomplete', () => {
  const list = { ...UNREADABLE, retryAfter: 7 };
  expect(evidenceBeforeSend(debit(), permitting({ list }))).toEqual({ ...list, gap: null });
});

it('an order waits while another order of the payment has an unknown outcome, because a listed record may belong to the other', () => {
  const facts = permitting({ own: { ...ownRecords(), isOtherUnknown: true }, list: listing(shown('ref_x')) });
  const blocked = { kind: 'retry_later', stop: 'blocked', why: OTHER_UNKNOWN };
  expect(evidenceBeforeSend(refund(), facts)).toMatchObject(missing(blocked));
});

it('a list without a record permits the POST', () => {
  expect(evidenceBeforeSend(debit(), permitting())).toEqual(CLEAR);
});

it('a list of known and of failed records permits the POST, which stores all their ids, and shows how the clocks differ', () => {
  const records = [shown('aut_1', { status: 'successful' }), shown('aut_2', { status: 'failed' })];
  const facts = permitting({
    list: { ...listing(...records), clockLead: 17 },
    own: ownRecords(own('aut_1', { state: 'successful', reportedRealAt: 0 })),
  });
  expect(evidenceBeforeSend(debit(), facts)).toEqual({ ...CLEAR, knownIds: ['aut_1', 'aut_2'], clockLead: 17 });
});

it('ids are listed in the order of their records', () => {
  expect(idsOf([shown('b'), shown('a')])).toEqual(['b', 'a']);
});

it('a successful debit that is listed as failed is reported before anything is sent, once (rule 37)', () => {
  const found = [{ known: expect.objectContaining({ id: 'aut_1' }), listed: shown('aut_1', { status: 'failed' }) }];
  const report = missing({ kind: 'side_effect', sideEffect: { kind: 'failed_again', found } });
  expect(evidenceBeforeSend(debit(), failedAgain())).toEqual(report);
  const done = new Set(['failed_again'] as const);
  expect(evidenceBeforeSend(debit(), failedAgain({ done }))).toEqual({ ...CLEAR, knownIds: ['aut_1'] });
});

it('an order does not report that another, successful order is listed as failed', () => {
  expect(evidenceBeforeSend(refund(), failedAgain())).toEqual({ ...CLEAR, knownIds: ['aut_1'] });
});

it('a refused authorization that is listed as pending stops the POST, and the reason names it (rule 36)', () => {
  const again = own('aut_1', { state: 'rejected' });
  expect(evidenceBeforeSend(debit(), permitting({ list: listing(shown('aut_1')), own: ownRecords(again) }))).toEqual({
    ...{ kind: 'again', reason: expect.stringContaining('aut_1') },
    again: { known: again, found: { status: 'pending' }, isCaptured: false },
  });
});

it('records that the ledger lacks stop the POST, and the reason names each of them (rule 16)', () => {
  const records = [shown('aut_1'), shown('aut_2')];
  expect(evidenceBeforeSend(debit(), permitting({ list: listing(...records) }))).toEqual({
    ...{ kind: 'stranger', records },
    reason: expect.stringContaining('aut_1, aut_2'),
  });
});

it.each([
  ['a minute before the earliest time that the ledger gives stops the POST', LEDGER.since - 60_000, 'stranger'],
  ['a millisecond earlier does not stop the POST', LEDGER.since - 60_001, 'clear'],
])('a record that the ledger lacks, created %s (rule 40)', (_when, createdAt, kind) => {
  expect(evidenceBeforeSend(debit(), permitting({ list: listing(shown('aut_1', { createdAt })) })).kind).toBe(kind);
});

it('a listed record may belong to an attempt if it was created after the due date, or after an earlier time that the ledger gives', () => {
  expect(sinceOf(debit(), unasked())).toBe(DUE);
  expect(sinceOf(debit(), unasked({ ledger: LEDGER }))).toBe(DUE - 5 * DAY);
});

it.each([
  ['a list that says so itself', { ...listing(), incomplete: 'more' }, 0, 'more', false],
  ['a list that lacks what was reported a settle time ago', listing(), NOW - SETTLE, 'aut_1', false],
  ['a list that lacks what was reported less than a settle time ago, and may lag', listing(), NOW, 'aut_1', true],
])('an incomplete list permits no POST: %s (rule 39)', (_which, list, reportedRealAt, part, isLagging) => {
  const reason = expect.stringContaining(part);
  const unreadable = { kind: 'unreadable', why: reason, retryAfter: 0, gap: { reason, isLagging } };
  const known = [own('aut_1', { state: 'successful', reportedRealAt })];
  expect(gapIn(list, known, permitting())).toEqual(unreadable);
  expect(evidenceBeforeSend(debit(), permitting({ list, own: ownRecords(...known) }))).toEqual(unreadable);
});

it('a list may lack a record whose outcome an operator has recorded instead of the service (rule 39)', () => {
  const successful = { state: 'successful', reportedRealAt: null, createdAt: null } as const;
  const gap = (isFoundByOperator: boolean) =>
    gapIn(listing(), [own('by-statement', { ...successful, isFoundByOperator })], permitting());
  expect([gap(true), gap(false)]).toMatchObject([null, { gap: { isLagging: false } }]);
});

it('a list may lack a record that is older than the days that the service lists', () => {
  const known = [own('aut_1', { state: 'successful', reportedRealAt: 0, createdAt: NOW - 30 * DAY - 1 })];
  expect(gapIn(listing(), known, permitting({ listDays: 30 }))).toBeNull();
  expect(gapIn(listing(), known, permitting({ listDays: 31 }))).not.toBeNull();
});

it('an incomplete list that shows a record which the ledger lacks stops the POST because of that record', () => {
  const list = { ...listing(shown('aut_1')), incomplete: 'more' };
  expect(evidenceBeforeSend(debit(), permitting({ list })).kind).toBe('stranger');
});

it.each<[string, boolean, SendState | null, object]>([
  ['a first attempt asks for no captures', false, null, CLEAR],
  ['a first attempt asks for no captures after a successful cycle', false, 'successful', CLEAR],
  ['a first attempt asks for the captures after a refusal', false, 'rejected', checkCaptures],
  [
    'a first attempt asks for the captures after a refusal that may be retried',
    false,
    'rejected_retryable',
    checkCaptures,
  ],
  ['a retry asks for the captures', true, null, checkCaptures],
])('a debit may appear only as a capture, so before a POST %s (rule 39)', (_which, isRetry, state, expected) => {
  const known = state === null ? [] : [own('aut_1', { state })];
  // No list needs to show the known record, because it is older than the days that the lists cover.
  const facts = permitting({ own: ownRecords(...known), captures: null, listDays: 0 });
  expect(evidenceBeforeSend(debit({ isRetry }), facts)).toEqual(expected);
});

it('one refusal among the known records is enough to ask for the captures', () => {
  const records = ownRecords(own('aut_1', { state: 'successful' }), own('aut_2'));
  const facts = permitting({ own: records, list: listing(shown('aut_1', { status: 'successful' })), captures: null });
  expect(evidenceBeforeSend(debit(), facts)).toEqual(checkCaptures);
});

it.each([
  ['capture', capture()],
  ['refund', refund()],
])('the captures are not checked before the POST of a %s', (_which, attempt) => {
  const captures = listing(captured({ authorizationId: 'aut_x' }));
  expect(evidenceOfCaptures(attempt, permitting({ captures }), [])).toBeNull();
  const facts = permitting({ captures, own: ownRecords(own('id_1', { state: 'failed' })) });
  expect(evidenceBeforeSend(attempt, facts)).toEqual(CLEAR);
});

const incomplete = { reason: expect.stringContaining('more'), isLagging: false };
const refusedOne = own('aut_1', { state: 'rejected' });

it.each<[string, Facts['captures'], object | null]>([
  ['an empty list permits the POST', listing(), null],
  ['a failed capture permits the POST', listing(captured({ authorizationId: 'aut_x', status: 'failed' })), null],
  [
    'a list that cannot be read permits no POST',
    { ...UNREADABLE, retryAfter: 7 },
    { ...UNREADABLE, retryAfter: 7, gap: null },
  ],
  [
    'an incomplete list permits no POST',
    { ...listing(), incomplete: 'more' },
    { kind: 'unreadable', why: incomplete.reason, retryAfter: 0, gap: incomplete },
  ],
  [
    'a capture of a refused authorization reopens the authorization',
    listing(captured()),
    {
      ...{ kind: 'again', reason: expect.stringContaining('aut_1') },
      again: { known: refusedOne, found: { captureId: 'cap_1', status: 'successful' }, isCaptured: true },
    },
  ],
  [
    'a capture of an authorization that the ledger lacks stops the POST, and names no record to adopt',
    { ...listing(captured({ authorizationId: 'aut_x', status: 'pending' })), incomplete: 'more' },
    { kind: 'stranger', reason: expect.stringMatching(/pending.*cap_1.*aut_x/), records: [] },
  ],
])('when the captures are listed before a POST, %s (rule 39)', (_which, captures, expected) => {
  expect(evidenceOfCaptures(debit(), permitting({ captures }), [refusedOne])).toEqual(expected);
  const facts = permitting({ captures, own: ownRecords(refusedOne) });
  expect(evidenceBeforeSend(debit(), facts)).toEqual(expected ?? CLEAR);
});

it.each([
  ['a minute before the earliest time that the ledger gives stops the POST', LEDGER.since - 60_000, 'stranger'],
  ['a millisecond earlier does not stop the POST', LEDGER.since - 60_001, undefined],
])('a capture that matches no attempt, created %s', (_when, createdAt, kind) => {
  const captures = listing(captured({ authorizationId: 'aut_x', createdAt }));
  expect(evidenceOfCaptures(debit(), permitting({ captures }), [])?.kind).toBe(kind);
});
