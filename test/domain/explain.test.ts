import fc from 'fast-check';
import type { EventData } from '../../src/domain/audit/event';
import { EVENTS, type EventType, explain } from '../../src/domain/audit/events';
import { AUDIT_SAMPLES } from './audit-samples';

const ALL_TYPES = Object.keys(EVENTS) as EventType[];

const told = (type: string, data: EventData) => explain({ type, actor: 'till', data });

test.each(Object.entries(AUDIT_SAMPLES))('%s is explained in plain words', (type, [data, text]) => {
  expect(told(type, data)).toBe(text);
});

const DUE = '2027-03-31T09:00:00.000Z';
const MONEY = { value: 5, currency: 'EUR' };

test.each<[EventType, EventData, string]>([
  ['subscription.paused', { until: null, reason: null }, 'till paused the subscription until it is resumed.'],
  [
    'attempt.sending',
    { cycle: 0, attempt: 0, amount: MONEY },
    'The first attempt of cycle 0 is sent now, for 0.05 EUR.',
  ],
  ['attempt.sending', { cycle: 0, attempt: 0, amount: MONEY, send: 1 }, 'An earlier request never reached the bank.'],
  [
    'cycle.skipped',
    { cycle: 3, dueAt: DUE, reason: 'skipped_by_request' },
    'was skipped for good, as an operator requested.',
  ],
  ['cycle.skipped', { cycle: 3, dueAt: DUE, reason: 'consent_ended' }, 'the consent ended before anything was sent.'],
  [
    'cycle.skipped',
    { cycle: 3, reason: 'replaced' },
    'Cycle 3 was skipped: it is left to the subscription that replaces',
  ],
  [
    'cycle.skipped',
    { cycle: 3, dueAt: DUE, reason: 'paused', pause: { since: DUE } },
    'Cycle 3 was due on 31 March 2027 at 09:00 UTC, during a pause. It was skipped for good.',
  ],
  ['cycle.skipped', { cycle: 3, dueAt: DUE, reason: 'paused' }, '09:00 UTC and was stopped by a pause.'],
  ['cycle.failed', { cycle: 3, reason: 'capture_failed' }, 'authorized, but the debit failed'],
  [
    'cycle.failed',
    { cycle: 3, reason: 'capture_failed', attempt: 1, detail: 'BANK_SAYS_NO' },
    'it is not authorized again automatically. The debit of retry 1 of cycle 3 was answered BANK_SAYS_NO.',
  ],
  ['cycle.failed', { cycle: 3, reason: 'of_another_release' }, 'Cycle 3 has failed: of another release.'],
  ['attention.changed', { was: [], is: ['capture_failed:3'] }, 'Needs attention now: capture failed (cycle 3).'],
  ['amount_change.accepted', { amount: MONEY, previousAmount: MONEY }, 'from 0.05 EUR to 0.05 EUR.'],
  [
    'session.ended',
    { session: '0a1b2c3d4e5f', name: 'shop', reason: 'idle', endedAt: DUE },
    'Session 0a1b2c3d4e5f of shop ended on 31 March 2027 at 09:00 UTC (real time): it was idle for too long.',
  ],
  ['key.created', { name: 'shop', role: 'viewer', reason: 'Why not?' }, 'Reason: Why not?'],
  ['payer.erased', { retentionDays: 400 }, 'Everything had ended 400 days before. Records of money are kept.'],
  [
    'access.refused',
    { code: 'unauthenticated', address: null, count: 1 },
    'From more addresses than are recorded separately.',
  ],
  ['transactions.exported', { to: DUE }, 'till exported the transactions as CSV until 31 March 2027 at 09:00 UTC.'],
])('the text about %s contains what the data %j say', (type, data, part) => {
  expect(told(type, data)).toContain(part);
});

test.each([
  ['192.0.2.7', 'A caller without a valid key was refused 3 times'],
  [null, 'Other callers were refused 3 times'],
])('refused access of an unknown caller from %s is explained as "%s"', (address, sentence) => {
  const data = { code: 'forbidden', address, count: 3 };
  expect(explain({ type: 'access.refused', actor: 'unknown', data })).toContain(sentence);
});

test('an instant in an audit text is shown to the minute, and to the second if it has seconds', () => {
  const at = (dueAt: string) => told('cycle.skip_requested', { cycle: 1, dueAt });
  expect(at('2028-02-29T00:00:00.000Z')).toContain('29 February 2028 at 00:00 UTC');
  expect(at('2027-12-31T23:59:59.999Z')).toContain('31 December 2027 at 23:59:59 UTC');
});

test('an audit entry of an unknown type is shown with the words of its type', () => {
  expect(told('cycle.moved_elsewhere', {})).toBe('Cycle: moved elsewhere.');
  expect(told('constructor', {})).toBe('Constructor.');
});

test('an audit entry without data is explained by its type', () => {
  expect(told('refund.successful', {})).toBe('Refund: successful.');
  expect(told('refund.successful', { cycle: '3', amount: 19.99 })).toBe('Refund: successful.');
});

const FIELDS = [...new Set(Object.values(AUDIT_SAMPLES).flatMap(([data]) => Object.keys(data)))];

test('every audit entry gets a text that is not empty and shows no undefined, NaN, object or function', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.integer({ min: -2, max: 5 }),
    fc.constant(MONEY),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.constantFrom('constructor', '__proto__', 'paused', '2027-13-41T29:00:00.000Z', '+099999-01-01T00:00:00.000Z'),
  );
  fc.assert(
    fc.property(fc.constantFrom(...ALL_TYPES), fc.dictionary(fc.constantFrom(...FIELDS), value), (type, data) => {
      const text = told(type, data);
      expect(text).not.toBe('');
      expect(text).not.toMatch(/undefined|\bNaN\b|\[object|function/);
    }),
    { numRuns: 2000 },
  );
});
