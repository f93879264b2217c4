import type { Send } from '../../../src/domain/attempt/attempt';
import { nextAction } from '../../../src/domain/attempt/next-action';
import { HOUR } from '../../../src/domain/time';
import {
  debit,
  END,
  kindOf,
  LEDGER,
  listing,
  NOW,
  ownRecords,
  permitting,
  refund,
  sent,
  shown,
  unasked,
  UNREADABLE,
} from './facts-under-test';

const STORED = { kind: 'answer', result: { kind: 'stored' }, sideEffects: [] };

it.each([
  ['successful', 'successful'],
  ['refused with a retryable detail', 'rejected_retryable'],
  ['authorized with a failed capture', 'capture_failed'],
  ['failed', 'failed'],
] as const)(
  'an attempt that is recorded as %s returns the stored result without a call to the service',
  (_what, state) => {
    expect(nextAction(debit(), unasked({ send: sent({ state, id: 'aut_1' }) }))).toEqual(STORED);
  },
);

it.each([
  ['an attempt without a send', null],
  ['an attempt whose send never arrived', sent({ state: 'not_sent' })],
  ['an attempt that was refused', sent({ state: 'rejected', detail: 'ACCOUNT_CLOSED' })],
  ['an attempt that was refused with a retryable detail', sent({ state: 'rejected_retryable' })],
])('%s waits for an earlier refused attempt of the cycle that the service lists again (rule 36)', (_which, send) => {
  for (const reopened of ['pending', 'decided'] as const) {
    expect(nextAction(debit(), permitting({ send, reopened }))).toEqual({ kind: 'follow_reopened' });
  }
});

it('once per pass, a successful attempt polls an earlier refused one that is listed again, without waiting for it (rule 36)', () => {
  const facts = unasked({ send: sent({ state: 'successful', id: 'aut_1' }), reopened: 'pending' });
  expect(nextAction(debit(), facts)).toEqual({ kind: 'poll_reopened' });
  expect(nextAction(debit(), { ...facts, done: new Set(['reopened']) })).toEqual(STORED);
  expect(nextAction(debit(), { ...facts, reopened: 'decided' })).toEqual(STORED);
});

it('the answer to a POST is recorded before an earlier attempt that is listed again is followed', () => {
  const made = shown('aut_1');
  const facts = permitting({ send: sent({ state: 'sending' }), sent: { kind: 'accepted', made }, reopened: 'pending' });
  expect(nextAction(debit(), facts)).toEqual({ kind: 'settle', outcome: { state: 'accepted', made } });
});

it('an unsent attempt of a stopped subscription returns stopped, but in settle-only mode it reads its row again and returns absent', () => {
  const facts = permitting({ ledger: { ...LEDGER, isStopped: true } });
  expect(kindOf(debit(), facts)).toBe('answer stopped');
  expect(kindOf(debit({ settleOnly: true }), facts)).toBe('check row');
  expect(kindOf(debit({ settleOnly: true }), { ...facts, done: new Set(['reread']) })).toBe('answer absent');
});

it.each([
  ['a debit checks its captures', debit(), 'check_captures'],
  ['an order is polled again later', refund(), 'retry_later pending'],
])('if the list lacks a pending attempt, %s', (_which, attempt, expected) => {
  const send = sent({ state: 'pending', id: 'rec_1' });
  expect(kindOf(attempt, unasked({ send, list: listing(), own: ownRecords() }))).toBe(expected);
});

const refusal = (send: Partial<Send>, changes: object = {}) =>
  unasked({ send: sent({ state: 'rejected', id: 'aut_1', detail: 'ACCOUNT_CLOSED', ...send }), ...changes });
const ALERTED = { done: new Set(['alert']) };

it.each([
  ['with its detail', 'ACCOUNT_CLOSED', 'ACCOUNT_CLOSED'],
  ['with the detail UNKNOWN if it has none', null, 'UNKNOWN'],
])('a final refusal raises an alert %s, and then returns the stored result', (_how, detail, shownDetail) => {
  expect(nextAction(debit(), refusal({ detail }))).toEqual({
    kind: 'side_effect',
    sideEffect: { kind: 'alert', type: 'attempt.rejected_finally', data: { detail: shownDetail } },
  });
  expect(nextAction(debit(), refusal({ detail }, ALERTED))).toEqual(STORED);
});

it.each([
  ['that an operator has recorded', { isResolved: true }],
  ['that was followed again and refused again (rule 36)', { wasRefused: true }],
])('a final refusal %s raises no alert', (_which, send) => {
  expect(nextAction(debit(), refusal({ ...send, detail: 'CONSENT_NOT_VALID' }))).toEqual(STORED);
});

describe('nextAction', () => {
  const invalid = (changes: object = {}) => refusal({ detail: 'CONSENT_NOT_VALID' }, { ...ALERTED, ...changes });

  it('a refusal with CONSENT_NOT_VALID raises an alert, and then reads the consent (rule 12)', () => {
    expect(kindOf(debit(), refusal({ detail: 'CONSENT_NOT_VALID' }))).toBe('side_effect');
    expect(nextAction(debit(), invalid())).toEqual({ kind: 'check', fact: 'consent' });
  });

  it('a refusal with CONSENT_NOT_VALID ends the subscription if the consent has ended (rule 7)', () => {
    const consent = { kind: 'consent_ended', by: 'payer', reason: 'PAYER_CANCELLED' };
    expect(nextAction(debit(), invalid({ consent }))).toEqual({ kind: 'answer', result: consent, sideEffects: [] });
  });

  it.each(['granted', 'pending'])(
    'a refusal with CONSENT_NOT_VALID returns the stored result if the consent is %s',
    (kind) => {
      expect(nextAction(debit(), invalid({ consent: { kind } }))).toEqual(STORED);
    },
  );

  it('after a refusal with CONSENT_NOT_VALID, an unreadable consent is read again until the window ends', () => {
    const unreadable = (now: number, retryAfter = 0) =>
      invalid({ now, realNow: now, age: HOUR, consent: { ...UNREADABLE, retryAfter } });
    expect(nextAction(debit(), unreadable(NOW, 2 * HOUR))).toMatchObject({
      ...{ kind: 'retry_later', stop: 'service_unreadable', wait: 2 * HOUR },
      why: expect.stringContaining(UNREADABLE.why),
    });
    expect(nextAction(debit(), unreadable(END - 1))).toMatchObject({ stop: 'service_unreadable', wait: 1 });
    expect(nextAction(debit(), unreadable(END))).toEqual(STORED);
  });
});

it('an adopted authorization that was refused does not prevent a send (rule 40)', () => {
  const send = sent({ state: 'rejected', adopted: true, id: 'aut_x' });
  expect(kindOf(debit(), permitting({ send }))).toBe('send');
});
