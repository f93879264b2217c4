import type { Attempt, SendResult } from '../../../src/domain/attempt/attempt';
import { nextAction } from '../../../src/domain/attempt/next-action';
import { MINUTE, SECOND } from '../../../src/domain/time';
import { capture, debit, NOW, refund, shown, TRANSIT, END, unasked } from './facts-under-test';

/** What follows once the transaction that writes the row "sending" has refused a send, or once the POST was answered. */

/** Real time differs from business time, so that a test can tell them apart. */
const REAL_NOW = NOW + 7;

const after = (sent: SendResult, attempt: Attempt = debit(), changes = {}) =>
  nextAction(attempt, unasked({ sent, realNow: REAL_NOW, ...changes }));

it.each<[string, SendResult, object]>([
  ['a pause or a cancellation stops the attempt', { kind: 'stopped' }, { kind: 'stopped' }],
  ['its notice was not delivered', { kind: 'no_notice' }, { kind: 'stopped', why: 'no_notice' }],
])('an attempt is answered as stopped, without a POST, if its row is refused because %s', (_why, result, expected) => {
  expect(after(result)).toEqual({ kind: 'answer', result: expected, sideEffects: [] });
});

it.each([
  ['debit', debit(), 'attempt.halted'],
  ['capture', capture(), 'capture.halted'],
  ['refund', refund(), 'refund.halted'],
])(
  'a %s whose row was refused by a halt waits for the end of the halt, and is recorded as halted',
  (_, attempt, type) => {
    expect(after({ kind: 'halted' }, attempt)).toMatchObject({
      ...{ kind: 'retry_later', stop: 'halted', wait: 500 },
      sideEffects: [{ kind: 'entry', type }],
    });
  },
);

it.each([
  ['until the next probe', 12 * SECOND, 12 * SECOND],
  ['until the next probe if that is a millisecond later than its own next try', 501, 501],
  ['until its own next try if the probe is due earlier', 499, 500],
])('while a silent service is probed, another attempt waits %s', (_howLong, untilProbe, wait) => {
  const action = after({ kind: 'probing', wait: untilProbe });
  expect(action).toMatchObject({ kind: 'retry_later', stop: 'not_sent', wait, sideEffects: [] });
  expect(action).toHaveProperty('why', expect.stringContaining('as probes'));
});

it.each<[string, SendResult, Attempt, string]>([
  ['a debit waits for the other open attempt', { kind: 'blocked' }, debit(), 'another attempt'],
  ['a capture waits for the other order under way', { kind: 'blocked' }, capture(), 'another order of this payment is'],
  ['a refund waits for the other order under way', { kind: 'blocked' }, refund(), 'another order of this payment is'],
  ['a capture waits for the outcome of another order', { kind: 'other_unknown' }, capture(), 'an unknown outcome'],
  ['a refund waits if its order is final already', { kind: 'closed', status: 'failed' }, refund(), 'as failed already'],
])('if the row "sending" is refused because of another send, %s', (_what, result, attempt, why) => {
  const action = after(result, attempt);
  expect(action).toMatchObject({ kind: 'retry_later', stop: 'blocked', wait: 500, sideEffects: [] });
  expect(action).toHaveProperty('why', expect.stringContaining(why));
});

it('a POST that the service accepted settles its row with the record that was made', () => {
  const made = shown('aut_1');
  expect(after({ kind: 'accepted', made })).toEqual({ kind: 'settle', outcome: { state: 'accepted', made } });
});

it.each([
  ['that may be retried', true, shown('aut_1', { status: 'failed' })],
  ['that is final, and names no record', false, undefined],
])('a POST that was answered with a refusal %s settles its row as refused', (_which, retryable, made) => {
  const refusal = { detail: 'NO_MONEY', description: 'Not enough money.', retryable, made };
  expect(after({ kind: 'rejected', ...refusal })).toEqual({
    kind: 'settle',
    outcome: { state: 'refused', ...refusal },
  });
});

it.each([
  ['without a readable answer', undefined],
  ['with an acceptance that cannot be stored unchanged, which is kept (rule 38)', '{"id":"aut_1"}'],
])('a POST that ended %s has an unknown outcome from the real time of its end on', (_how, accepted) => {
  const outcome = { state: 'unknown', reason: 'no complete answer', sinceReal: REAL_NOW, accepted };
  expect(after({ kind: 'unknown', reason: 'no complete answer', accepted })).toEqual({ kind: 'settle', outcome });
});

it.each([
  ['debit', debit(), 'attempt.not_sent'],
  ['capture', capture(), 'capture.cannot_be_sent'],
  ['refund', refund(), 'refund.cannot_be_sent'],
])(
  'a %s whose POST never arrived settles its row as not sent, alerts, and may be sent again (rule 17)',
  (_, of, type) => {
    expect(after({ kind: 'not_sent', reason: 'connection refused', retryAfter: 0 }, of)).toEqual({
      kind: 'settle',
      outcome: { state: 'not_sent', reason: 'connection refused' },
      // Another process may have settled the row meanwhile, but this process must wait in any case.
      evenIfNotWritten: true,
      then: {
        ...{ kind: 'retry_later', stop: 'not_sent', why: 'connection refused', wait: 500, inPlace: null },
        sideEffects: [{ kind: 'alert', type, data: { reason: 'connection refused' } }],
      },
    });
  },
);

it.each([
  ['for as long as the service asked', 2 * MINUTE, NOW, 2 * MINUTE],
  ['no longer than until nothing may be sent any more', 2 * MINUTE, END - TRANSIT - MINUTE, MINUTE],
])('a debit whose POST was not admitted waits %s before the next (rule 12)', (_howLong, retryAfter, now, wait) => {
  const action = after({ kind: 'not_sent', reason: '429', retryAfter }, debit(), { now, realNow: now });
  expect(action).toHaveProperty('then.wait', wait);
});
