import { cannotAsk, checkAgain, unclear } from '../../../src/domain/attempt/before-send';
import type { Attempt, Facts } from '../../../src/domain/attempt/attempt';
import { nextAction } from '../../../src/domain/attempt/next-action';
import { HOUR, MINUTE, SECOND } from '../../../src/domain/time';
import {
  capture,
  debit,
  END,
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

/** How an attempt that may not be sent any more is settled, and what it does while the service cannot be asked for its outcome. */

const settling = debit({ settleOnly: true });
const parked = debit({ settleOnly: true, knownUnresolved: true });

it('an attempt of which nothing may be sent reads the ledger and the lists, but never the consent', () => {
  const { ledger, list } = permitting();
  expect(nextAction(settling, unasked())).toEqual({ kind: 'check', fact: 'ledger' });
  expect(nextAction(settling, unasked({ ledger }))).toEqual({ kind: 'check', fact: 'list' });
  expect(nextAction(settling, unasked({ ledger, list }))).toEqual({ kind: 'check', fact: 'own' });
});

it('an attempt of which nothing may be sent is absent if nothing is listed and its row, read again, has no resolution', () => {
  expect(checkAgain(settling, permitting())).toEqual({ kind: 'check', fact: 'row' });
  const absent = { kind: 'answer', result: { kind: 'absent' }, sideEffects: [] };
  expect(checkAgain(settling, permitting({ done: new Set(['reread']) }))).toEqual(absent);
});

it('an attempt of which nothing may be sent follows an earlier attempt that was refused and is listed again (rule 36)', () => {
  const facts = permitting({ list: listing(shown('aut_1')), own: ownRecords(own('aut_1')) });
  expect(checkAgain(settling, facts)).toMatchObject({
    ...{ kind: 'reopen', blocksAttempt: true },
    again: { known: { id: 'aut_1' }, found: { status: 'pending' } },
  });
});

it.each([
  ['is reported as unresolved', settling, 'answer'],
  ['is checked again once it was reported', parked, 'retry_later'],
])(
  'an attempt of which nothing may be sent and whose payment lists a record that the ledger lacks %s',
  (_, of, kind) => {
    const action = checkAgain(of, permitting({ list: listing(shown('aut_x')) }));
    expect(action).toHaveProperty('kind', kind);
    const reason = expect.stringContaining('aut_x');
    expect(action).toMatchObject(kind === 'answer' ? { result: { kind: 'unresolved', reason } } : { why: reason });
  },
);

it('an attempt of which nothing may be sent is checked again later if its list cannot be read', () => {
  const action = checkAgain(settling, permitting({ list: UNREADABLE, age: 10 * SECOND }));
  expect(action).toMatchObject({ kind: 'retry_later', stop: 'outcome_unknown', wait: 2 * SECOND, sideEffects: [] });
});

it('an order whose outcome is unclear is checked again after its usual wait', () => {
  expect(unclear(refund(), unasked({ age: 10 * SECOND }), 'two fit')).toMatchObject({
    ...{ kind: 'retry_later', stop: 'outcome_unknown', why: 'two fit', wait: 2 * SECOND, sideEffects: [] },
  });
});

it('a debit whose outcome is unclear is reported to the workflow once', () => {
  const unresolved = { kind: 'unresolved', reason: 'two fit' };
  expect(unclear(debit(), unasked(), 'two fit')).toEqual({ kind: 'answer', result: unresolved, sideEffects: [] });
});

it.each([
  ['after an hour at most', NOW, 6 * HOUR, HOUR],
  ['sooner towards the end of the window', END - 10 * SECOND, 6 * HOUR, 2 * SECOND],
])('a debit that is known to be unresolved is checked again %s', (_how, now, age, wait) => {
  expect(unclear(parked, unasked({ now, age }), 'two fit')).toEqual({
    ...{ kind: 'retry_later', stop: 'outcome_unknown', why: 'two fit', wait, inPlace: null, sideEffects: [] },
  });
});

const asking = (attempt: Attempt, changes: Partial<Facts>, age: number, retryAfter = 0) =>
  cannotAsk(attempt, unasked(changes), { ...UNREADABLE, retryAfter }, age);
const reason = 'the service cannot be asked: no complete answer';

it.each([
  ['debit', debit(), NOW],
  ['debit past its window of which nothing may be sent', settling, END],
  ['capture past its time to capture', capture(), END],
  ['refund', refund(), END],
])('a %s is checked again later if the service cannot be asked for it', (_which, attempt, now) => {
  expect(asking(attempt, { now }, 10 * SECOND)).toEqual({
    ...{ kind: 'retry_later', stop: 'outcome_unknown', why: reason, wait: 2 * SECOND, inPlace: null, sideEffects: [] },
  });
});

it.each([
  ['capture', capture(), 'captures.unreadable'],
  ['refund', refund(), 'refunds.unreadable'],
])('a %s is reported to an operator after an outage as long as the settle time', (_which, attempt, type) => {
  const reported = [
    { kind: 'operator', reason },
    { kind: 'alert', type, data: { reason } },
  ];
  expect(asking(attempt, {}, SETTLE - 1)).toHaveProperty('sideEffects', []);
  expect(asking(attempt, {}, SETTLE)).toHaveProperty('sideEffects', reported);
});

it.each([
  ['a millisecond before the end of its window is checked again', END - 1, 'retry_later'],
  ['at the end of its window is passed to the workflow as unknown', END, 'answer'],
])('a debit that the service cannot be asked for %s (rule 18)', (_when, now, kind) => {
  const result = { kind: 'unknown' };
  expect(asking(debit(), { now }, SETTLE)).toMatchObject(kind === 'answer' ? { kind, result } : { kind });
});

it.each([
  ['is checked again while the outage is shorter than the settle time', settling, SETTLE - 1, 'retry_later'],
  ['is unresolved once the outage has lasted for the settle time', settling, SETTLE, 'answer'],
  ['is checked again if it is known to be unresolved', parked, SETTLE, 'retry_later'],
  ['is checked again while it may still be sent', debit(), SETTLE, 'retry_later'],
])('a debit that the service cannot be asked for %s, whatever the age of its send', (_how, attempt, age, kind) => {
  const result = { kind: 'unresolved', reason };
  for (const sentFor of [0, 2 * SETTLE]) {
    const action = asking(attempt, { age }, sentFor);
    expect(action).toMatchObject(kind === 'answer' ? { kind, result } : { kind, stop: 'outcome_unknown' });
  }
});

it.each([
  ['a debit waits at most a minute', debit(), NOW, 6 * HOUR, 0, MINUTE],
  ['a debit that is known to be unresolved waits at most an hour', parked, NOW, 6 * HOUR, 0, HOUR],
  ['an order waits at most a minute', refund(), NOW, 6 * HOUR, 0, MINUTE],
  ['a debit waits as long as the service asked', debit(), NOW, 0, 2 * HOUR, 2 * HOUR],
  ['an unresolved debit waits as long as the service asked', parked, NOW, 0, 2 * HOUR, 2 * HOUR],
  ['an order waits as long as the service asked, even past its limit', capture(), END - 1, 0, 2 * HOUR, 2 * HOUR],
  ['a debit waits no longer than to the end of its window', debit(), END - 300, 6 * HOUR, 0, 300],
  ['an unresolved debit waits no longer than to the end of its window', parked, END - 300, 6 * HOUR, 0, 300],
])('if the service cannot be asked for an outcome, %s', (_which, attempt, now, age, retryAfter, wait) => {
  expect(asking(attempt, { now }, age, retryAfter)).toHaveProperty('wait', wait);
});
