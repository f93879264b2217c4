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
  ['refused for now', 'rejected_retryable'],
  ['failed at its capture', 'capture_failed'],
  ['failed', 'failed'],
] as const)('an attempt that is %s has its result in the ledger: nothing is asked', (_what, state) => {
  expect(nextAction(debit(), unasked({ send: sent({ state, id: 'aut_1' }) }))).toEqual(STORED);
});

it.each([
  ['an attempt without a send', null],
  ['a send that never arrived', sent({ state: 'not_sent' })],
  ['a refusal', sent({ state: 'rejected', detail: 'ACCOUNT_CLOSED' })],
  ['a refusal for now', sent({ state: 'rejected_retryable' })],
])('%s waits for an earlier attempt of the cycle that the service lists again (rule 36)', (_which, send) => {
  for (const reopened of ['pending', 'decided'] as const) {
    expect(nextAction(debit(), permitting({ send, reopened }))).toEqual({ kind: 'follow_reopened' });
  }
});

it('a collected cycle polls an earlier attempt that is listed again once a pass, and does not wait for it (rule 36)', () => {
  const facts = unasked({ send: sent({ state: 'successful', id: 'aut_1' }), reopened: 'pending' });
  expect(nextAction(debit(), facts)).toEqual({ kind: 'poll_reopened' });
  expect(nextAction(debit(), { ...facts, done: new Set(['reopened']) })).toEqual(STORED);
  expect(nextAction(debit(), { ...facts, reopened: 'decided' })).toEqual(STORED);
});

it('the answer to a POST is handled before anything that the ledger had', () => {
  const made = shown('aut_1');
  const facts = permitting({ send: sent({ state: 'sending' }), sent: { kind: 'accepted', made }, reopened: 'pending' });
  expect(nextAction(debit(), facts)).toEqual({ kind: 'settle', outcome: { state: 'accepted', made } });
});

it('an attempt that may no longer be sent asks whether the service still lists what had stopped it', () => {
  const facts = permitting({ ledger: { ...LEDGER, isHeld: true } });
  expect(kindOf(debit(), facts)).toBe('answer held');
  expect(kindOf(debit({ settleOnly: true }), facts)).toBe('check row');
  expect(kindOf(debit({ settleOnly: true }), { ...facts, done: new Set(['reread']) })).toBe('answer absent');
});

it.each([
  ['a debit by its captures, too', debit(), 'check_captures'],
  ['an order by its own list', refund(), 'retry_later pending'],
])('a pending attempt that lists lack is judged: %s', (_which, attempt, expected) => {
  const send = sent({ state: 'pending', id: 'rec_1' });
  expect(kindOf(attempt, unasked({ send, list: listing(), own: ownRecords() }))).toBe(expected);
});

const refusal = (send: Partial<Send>, changes: object = {}) =>
  unasked({ send: sent({ state: 'rejected', id: 'aut_1', detail: 'ACCOUNT_CLOSED', ...send }), ...changes });
const ALERTED = { done: new Set(['alert']) };

it.each([
  ['with its code', 'ACCOUNT_CLOSED', 'ACCOUNT_CLOSED'],
  ['as unknown if it has no code', null, 'UNKNOWN'],
])('a final refusal alerts %s, and then its result is in the ledger', (_how, detail, shownDetail) => {
  expect(nextAction(debit(), refusal({ detail }))).toEqual({
    kind: 'side_effect',
    sideEffect: { kind: 'alert', type: 'attempt.rejected_finally', data: { detail: shownDetail } },
  });
  expect(nextAction(debit(), refusal({ detail }, ALERTED))).toEqual(STORED);
});

it.each([
  ['that an operator has entered', { isResolved: true }],
  ['that is in force again (rule 36)', { wasRefused: true }],
])('a final refusal %s alerts no more', (_which, send) => {
  expect(nextAction(debit(), refusal({ ...send, detail: 'CONSENT_NOT_VALID' }))).toEqual(STORED);
});

describe('nextAction', () => {
  const invalid = (changes: object = {}) => refusal({ detail: 'CONSENT_NOT_VALID' }, { ...ALERTED, ...changes });

  it('a refusal because of the consent reads the consent (rule 12)', () => {
    expect(kindOf(debit(), refusal({ detail: 'CONSENT_NOT_VALID' }))).toBe('side_effect');
    expect(nextAction(debit(), invalid())).toEqual({ kind: 'check', fact: 'consent' });
  });

  it('a refusal because of the consent ends the subscription if the consent has ended (rule 7)', () => {
    const consent = { kind: 'consent_ended', by: 'payer', reason: 'PAYER_CANCELLED' };
    expect(nextAction(debit(), invalid({ consent }))).toEqual({ kind: 'answer', result: consent, sideEffects: [] });
  });

  it.each(['granted', 'pending'])(
    'a refusal because of the consent is a plain refusal if the consent is %s',
    (kind) => {
      expect(nextAction(debit(), invalid({ consent: { kind } }))).toEqual(STORED);
    },
  );

  it('a refusal because of the consent reads the consent again while it cannot be read, until the window ends', () => {
    const unreadable = (now: number, retryAfter = 0) =>
      invalid({ now, realNow: now, age: HOUR, consent: { ...UNREADABLE, retryAfter } });
    expect(nextAction(debit(), unreadable(NOW, 2 * HOUR))).toMatchObject({
      ...{ kind: 'retry_later', stop: 'service_unreadable', pause: 2 * HOUR },
      why: expect.stringContaining(UNREADABLE.why),
    });
    expect(nextAction(debit(), unreadable(END - 1))).toMatchObject({ stop: 'service_unreadable', pause: 1 });
    expect(nextAction(debit(), unreadable(END))).toEqual(STORED);
  });
});

it('an adopted record that was refused does not keep the cycle from being collected (rule 40)', () => {
  const send = sent({ state: 'rejected', adopted: true, id: 'aut_x' });
  expect(kindOf(debit(), permitting({ send }))).toBe('send');
});
