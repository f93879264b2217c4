import { HALTED } from '../../../src/domain/attempt/action';
import type { Attempt, ConsentFacts, Facts, LedgerFacts } from '../../../src/domain/attempt/attempt';
import { beforeSend, maySendAt, typeOf } from '../../../src/domain/attempt/before-send';
import { nextAction } from '../../../src/domain/attempt/next-action';
import { euros } from '../../../src/domain/money';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/domain/time';
import {
  capture,
  captured,
  debit,
  DUE,
  END,
  kindOf,
  LEDGER,
  listing,
  NOW,
  own,
  ownRecords,
  permitting,
  refund,
  SETTLE,
  shown,
  TRANSIT,
  UNREADABLE,
} from './facts-under-test';

/** What must hold before a POST, in the order of the checks, and what follows if it does not hold. */

const withLedger = (changes: Partial<LedgerFacts>, more: Partial<Facts> = {}) =>
  permitting({ ledger: { ...LEDGER, ...changes }, ...more });

it.each([
  ['no POST a millisecond before the due date', DUE, END, DUE - 1, false],
  ['a POST at the due date', DUE, END, DUE, true],
  ['a POST a millisecond before the limit', DUE, END, END - 1, true],
  ['no POST at the limit', DUE, END, END, false],
  ['a POST at any time after the order if there is no limit', DUE, null, END + 1000 * DAY, true],
  ['no POST before the order if there is no limit', DUE, null, DUE - 1, false],
])('a window permits %s (rule 3)', (_what, notBefore, sendBefore, now, expected) => {
  expect(maySendAt({ notBefore, sendBefore }, now)).toBe(expected);
});

it.each([
  ['a fifth of the time that it has waited', 10 * SECOND, 10 * SECOND, 2 * SECOND],
  ['no longer than until the due date', 300, 10 * SECOND, 300],
])(
  'before its due date an attempt makes no call and waits %s, because the clock may be corrected',
  (_how, early, age, wait) => {
    const now = DUE - early;
    expect(beforeSend(debit(), permitting({ now, age }))).toMatchObject({
      ...{ kind: 'retry_later', stop: 'not_sent', wait, sideEffects: [] },
      why: expect.stringContaining('the due date'),
    });
  },
);

it('a debit whose window is shorter than the transit time is over at its due date', () => {
  expect(kindOf(debit({ sendBefore: DUE }), permitting({ now: DUE - 1 }))).toBe('retry_later not_sent');
  expect(kindOf(debit({ sendBefore: DUE }), permitting({ now: DUE }))).toBe('answer window_closed');
});

it('a debit that a pause or a cancellation stops is not sent', () => {
  const stopped = { kind: 'answer', result: { kind: 'stopped' }, sideEffects: [] };
  expect(beforeSend(debit(), withLedger({ isStopped: true, isHalted: true }))).toEqual(stopped);
});

it.each([
  ['debit', debit(), 'attempt.halted'],
  ['capture', capture(), 'capture.halted'],
  ['refund', refund(), 'refund.halted'],
])('a halt makes a %s wait with an audit entry, and neither consent nor list is read', (_which, attempt, type) => {
  const facts = withLedger({ isHalted: true }, { consent: null, list: null });
  const stop = { kind: 'retry_later', stop: 'halted', why: HALTED };
  expect(beforeSend(attempt, facts)).toMatchObject({ ...stop, sideEffects: [{ kind: 'entry', type }] });
});

it.each([
  ['a debit waits at most a minute', debit(), DAY, MINUTE],
  [
    'a debit waits a fifth of the time left, so that it is sent in time when the halt is lifted',
    debit(),
    10_000,
    2_000,
  ],
  ['a capture waits as usual, but not past its deadline', capture(), 10_000, 10_000],
  ['a refund, which has no limit, waits as usual', refund(), 10_000, MINUTE],
])('during a halt of a day, %s', (_how, attempt, left, wait) => {
  const now = END - TRANSIT - left;
  expect(beforeSend(attempt, withLedger({ isHalted: true }, { now, age: DAY }))).toHaveProperty('wait', wait);
});

it.each([
  ['waits until the service answers any POST', debit(), NOW, 'retry_later not_sent'],
  ['waits while its outcome could still be settled', debit(), END - TRANSIT - SETTLE - 1, 'retry_later not_sent'],
  ['is sent when its outcome can just still be settled', debit(), END - TRANSIT - SETTLE, 'send'],
  ['waits without a limit if it is a refund', refund(), END - TRANSIT - SETTLE, 'retry_later not_sent'],
])('an attempt of which two sends were never made %s (rule 39)', (_how, attempt, now, expected) => {
  expect(kindOf(attempt, withLedger({ sends: 2, lastUnknownReal: now - HOUR }, { now }))).toBe(expected);
});

it('an attempt of which two sends were never made checks at growing intervals whether the service has answered a POST', () => {
  const facts = withLedger({ sends: 2, lastUnknownReal: NOW }, { age: 10 * SECOND });
  const action = beforeSend(debit(), facts);
  expect(action).toMatchObject({ wait: 2 * SECOND, sideEffects: [] });
  expect(action).toHaveProperty('why', expect.stringContaining('sent 2 times'));
});

it('a consent that has ended is passed to the workflow as it was read (rule 7)', () => {
  const consent = { kind: 'consent_ended', by: 'payer', reason: 'cancelled_by_payer' } as const;
  const action = beforeSend(debit(), permitting({ consent }));
  expect(action).toEqual({ kind: 'answer', result: consent, sideEffects: [] });
});

it.each<[string, ConsentFacts, string, string, number]>([
  ['pending', { kind: 'pending' }, 'pending again', 'the consent is pending', 500],
  ['unreadable', UNREADABLE, 'no complete answer', 'consent: no complete answer', 500],
  [
    'unreadable, with a Retry-After of an hour,',
    { ...UNREADABLE, retryAfter: HOUR },
    UNREADABLE.why,
    'consent: no complete answer',
    HOUR,
  ],
])('a consent that is %s permits no POST: the debit alerts and waits (rule 7)', (_what, consent, reason, why, wait) => {
  expect(beforeSend(debit(), permitting({ consent }))).toMatchObject({
    ...{ kind: 'retry_later', stop: 'service_unreadable', why, wait },
    sideEffects: [{ kind: 'alert', type: 'consent.unreadable', data: { reason } }],
  });
});

it('an order needs no consent, as the payer has approved its payment', () => {
  expect(kindOf(capture(), permitting({ consent: null }))).toBe('send');
});

const again = (state: 'rejected' | 'failed') => {
  return permitting({ list: listing(shown('id_1')), own: ownRecords(own('id_1', { state })) });
};

it('a debit is not sent while an earlier refused attempt is listed again: the earlier attempt is polled first (rule 36)', () => {
  expect(beforeSend(debit(), again('rejected'))).toMatchObject({
    ...{ kind: 'reopen', blocksAttempt: true },
    again: { known: { id: 'id_1' }, found: { status: 'pending' } },
  });
});

it.each<[string, Attempt, Facts, string, string]>([
  ['capture', capture(), again('failed'), 'capture.stopped', 'id_1'],
  ['refund', refund(), again('failed'), 'refund.stopped', 'id_1'],
  ['refund', refund(), permitting({ list: listing(shown('id_2')) }), 'refund.stopped', 'id_2'],
])('a %s is not sent while a listed record may be the same order', (_which, attempt, facts, type, id) => {
  const reason = expect.stringContaining(id);
  expect(beforeSend(attempt, facts)).toEqual({
    ...{ kind: 'retry_later', stop: 'outcome_unknown', why: reason, wait: 500, inPlace: null },
    sideEffects: [
      { kind: 'operator', reason },
      { kind: 'alert', type, data: { reason } },
    ],
  });
});

const stranger = shown('aut_x', { amount: euros(1500) });
const reread = new Set(['reread'] as const);

it('a debit reads its row again before it judges an authorization that the ledger lacks, because another worker may have sent it', () => {
  const facts = withLedger({ currentAmount: euros(1500) }, { list: listing(stranger) });
  expect(beforeSend(debit(), facts)).toEqual({ kind: 'check', fact: 'row' });
  expect(beforeSend(debit(), { ...facts, done: reread })).toEqual({
    ...{ kind: 'adopt', record: stranger },
    otherwise: expect.stringContaining('aut_x'),
  });
});

it.each([
  ['the amount with the pending change', 1500, euros(1999), 'adopt'],
  ['the amount without the pending change', 1999, euros(1500), 'adopt'],
  ['a cent less than both', 1999, euros(1501), 'answer unresolved'],
  ['another amount, and the amount without the change is not known', 1999, null, 'answer unresolved'],
  ['the amount, and the amount without the change is not known', 1500, null, 'adopt'],
])('whether an authorization that the ledger lacks, of %s, is adopted', (_which, cents, currentAmount, expected) => {
  const facts = withLedger({ currentAmount }, { list: listing(stranger), done: reread });
  expect(kindOf(debit({ amount: euros(cents) }), facts)).toBe(expected);
});

it('a capture whose authorization the ledger lacks names no record to adopt: the cycle is unresolved', () => {
  const captures = listing(captured({ authorizationId: 'aut_x' }));
  expect(beforeSend(debit({ isRetry: true }), permitting({ captures, done: reread }))).toEqual({
    ...{ kind: 'answer', sideEffects: [] },
    result: { kind: 'unresolved', reason: expect.stringContaining('aut_x') },
  });
});

const cut = { ...listing(), incomplete: 'more' };
const TWO_THIRDS = (SETTLE * 2) / 3;
const item = { kind: 'list', reason: 'the list is incomplete: more' };
const alertOf = (type: string, reason: unknown) => ({ kind: 'alert', type, data: { reason } });
const unreadable = (reason: string) => alertOf('authorizations.unreadable', reason);

it.each([
  ['alerts at once if the list cannot be read', UNREADABLE, 0, false, [unreadable('no complete answer')]],
  ['stays silent a millisecond before two thirds of the settle time', cut, TWO_THIRDS - 1, false, []],
  ['opens an item and alerts after that', cut, TWO_THIRDS, false, [item, unreadable(item.reason)]],
  ['only alerts while the item is open', cut, TWO_THIRDS, true, [unreadable(item.reason)]],
  ['opens no item if the list cannot be read', UNREADABLE, DAY, false, [unreadable('no complete answer')]],
])('a debit that waits for a complete list %s (rule 39)', (_how, list, age, hasIncompleteListItem, sideEffects) => {
  const action = beforeSend(debit(), withLedger({ hasIncompleteListItem }, { list, age }));
  expect(action).toMatchObject({ kind: 'retry_later', stop: 'service_unreadable' });
  expect(action).toHaveProperty('sideEffects', sideEffects);
  expect(action).toHaveProperty('why', expect.stringMatching(/^authorizations: /));
});

it('a debit does not alert while the list may only lag behind what the service reported less than the settle time ago', () => {
  const lacking = (reportedRealAt: number) =>
    permitting({ age: DAY, own: ownRecords(own('aut_1', { state: 'successful', reportedRealAt })) });
  expect(beforeSend(debit(), lacking(NOW - SETTLE + 1))).toHaveProperty('sideEffects', []);
  expect(beforeSend(debit(), lacking(NOW - SETTLE))).toHaveProperty('sideEffects.length', 2);
});

it('a refund whose list cannot be read keeps what the service asked for, and alerts about refunds', () => {
  const action = beforeSend(refund(), permitting({ list: { ...UNREADABLE, retryAfter: 2 * MINUTE } }));
  expect(action).toMatchObject({ wait: 2 * MINUTE, why: 'refunds: no complete answer' });
  expect(action).toHaveProperty('sideEffects', [alertOf('refunds.unreadable', 'no complete answer')]);
});

it('the row of a send stores all ids that were listed right before the POST', () => {
  const list = listing(shown('aut_1', { status: 'failed' }), shown('aut_2', { status: 'failed' }));
  expect(beforeSend(debit(), permitting({ list }))).toEqual({ kind: 'send', knownIds: ['aut_1', 'aut_2'] });
});

it('a complete list closes its item once, and then the attempt is sent', () => {
  const facts = withLedger({ hasIncompleteListItem: true });
  const closing = { kind: 'side_effect', sideEffect: { kind: 'list', reason: null } };
  expect(beforeSend(debit(), facts)).toEqual(closing);
  expect(beforeSend(debit(), { ...facts, done: new Set(['list']) })).toEqual({ kind: 'send', knownIds: [] });
});

it.each([
  ['debit', debit(), false, 'attempt.clocks_differ', []],
  ['debit with an open item about its list', debit(), true, 'attempt.clocks_differ', [{ kind: 'list', reason: null }]],
  ['refund', refund(), false, 'refund.clocks_differ', []],
])(
  'a %s is not sent while the clocks differ: it alerts (rule 16)',
  (_which, attempt, hasIncompleteListItem, type, closed) => {
    const reason = expect.stringContaining('61 s or more ahead of ours');
    const list = { ...listing(), clockLead: 61_000 };
    expect(beforeSend(attempt, withLedger({ hasIncompleteListItem }, { list }))).toEqual({
      ...{ kind: 'retry_later', stop: 'clocks_differ', why: reason, wait: 500, inPlace: null },
      sideEffects: [...closed, alertOf(type, reason)],
    });
  },
);

it.each([
  ['authorization', 'unreadable', 'authorizations.unreadable'],
  ['refund', 'unreadable', 'refunds.unreadable'],
  ['authorization', 'not_sent', 'attempt.not_sent'],
  ['capture', 'not_sent', 'capture.cannot_be_sent'],
  ['authorization', 'clocks_differ', 'attempt.clocks_differ'],
  ['capture', 'overdue', 'capture.overdue'],
] as const)('the audit log names what stops the send of a record of kind %s, %s: %s', (recordKind, name, type) => {
  expect(typeOf({ ...debit(), recordKind }, name)).toBe(type);
});

it('an attempt reads the consent only after the ledger has permitted the POST, and the list only after the consent has', () => {
  const stopped = withLedger({ isStopped: true }, { consent: { kind: 'pending' }, list: UNREADABLE });
  expect(nextAction(debit(), stopped)).toMatchObject({ kind: 'answer', result: { kind: 'stopped' } });
  expect(kindOf(debit(), permitting({ consent: { kind: 'pending' }, list: null }))).toBe(
    'retry_later service_unreadable',
  );
});
