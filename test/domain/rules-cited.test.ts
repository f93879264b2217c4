import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { EventData, CitedRule } from '../../src/domain/audit/event';
import { EVENTS, type EventType, citeRule } from '../../src/domain/audit/events';
import type { ClosingReason } from '../../src/domain/subscription/step';
import type { DropReason } from '../../src/domain/subscription/pending-change';

const ALL_TYPES = Object.keys(EVENTS) as EventType[];

const rulesText = plain(readFileSync(join(__dirname, '../../docs/explain/rules.md'), 'utf8'));

/** Removes the markup of Markdown. */
function plain(text: string): string {
  return text.replace(/<a [^>]*><\/a>|[`_*]/g, '');
}

/** The text of the rule in docs/explain/rules.md, up to the next rule or heading. */
function textOf(decision: number): string {
  const found = rulesText.split(/\n(?=\d+\. |## )/).find((text) => text.startsWith(`${decision}. `));
  if (found === undefined) throw new Error(`docs/explain/rules.md has no rule ${decision}`);
  return found;
}

/** For event types whose rule depends on the data: the data of every case that the program writes. */
const DECIDING: Partial<Record<EventType, EventData[]>> = {
  'subscription.cancelled': [{ cancelledBy: 'payer' }, { cancelledBy: 'merchant' }],
  'consent.failed': [{ reason: 'timeout' }, { reason: 'declined' }],
  'request.refused': [
    'pause',
    'resume',
    'skip',
    'postpone',
    'payment_link',
    'resolve',
    'change_amount',
    'withdraw_change',
    'acknowledge',
  ].flatMap((request) => [
    { request, code: 'state_conflict' },
    { request, code: 'retry_not_allowed' },
  ]),
  'payment_link.paid': [{ isSecondDebit: false }, { isSecondDebit: true }],
  'amount_change.accepted': [
    { kind: 'reduction', countsAsIncrease: false },
    { kind: 'increase', countsAsIncrease: false },
    { kind: 'increase', countsAsIncrease: true },
    { kind: 'unchanged', countsAsIncrease: false },
  ],
  'amount_change.dropped': reasons('not_announced', 'first_payment', 'cap', 'consent_above_cap', 'six_months'),
  'amount_change.refused': [{ rule: 'first_payment' }, { rule: 'cap' }, { rule: 'six_months' }],
  'cycle.skipped': closings('paused', 'skipped_by_request', 'consent_ended', 'replaced'),
  'cycle.failed': closings(
    ...(['rejected', 'capture_failed', 'retries_used', 'no_time_left', 'out_of_time', 'paused'] as const),
    ...(['notice_undeliverable', 'consent_ended', 'window_closed'] as const),
  ),
  'attempt.sending': [{ attempt: 0 }, { attempt: 1 }],
  'payment.consent_failed': [{ reason: 'timeout' }, { reason: 'declined' }],
  'payment.authorized': [{}, { captureBy: '2027-04-05T09:00:00.000Z' }],
  'capture.requested': [{ finalCapture: false }, { finalCapture: true }],
  'capture.refused': [
    ...['plan', 'not_authorized', 'closed', 'deadline', 'exceeds_authorized', 'partial_capture', 'multiple_capture'],
    'category_cap',
  ].map((rule) => ({ rule })),
  'refund.refused': [{ rule: 'other_capture' }, { rule: 'capture_unknown' }, { rule: 'exceeds_captured' }],
  'notice.delivered': [{ type: 'payment.failed' }, { type: 'payment.increase_announced' }, { type: 'cycle.missed' }],
};

function reasons(...all: DropReason[]): EventData[] {
  return all.map((reason) => ({ reason }));
}

function closings(...all: ClosingReason[]): EventData[] {
  return all.map((reason) => ({ reason }));
}

/** True for audit entries without a rule: acts of operators, rejections by API and ledger, and entries about the audit log. */
function citesNoRule(type: string): boolean {
  return /^((key|approval|session|halt|bulk|metadata|access|audit|transactions|failing_payers|subscriptions)\.|attention\.(assigned|noted)|endpoint\.(created|changed|deleted|secret_rotated|tested))/.test(
    type,
  );
}

const CITED = ALL_TYPES.flatMap((type) =>
  (DECIDING[type] ?? [{}]).map((data): [string, CitedRule | null] => [
    `${type} ${JSON.stringify(data)}`,
    citeRule(type, data),
  ]),
);

test.each(CITED)(
  '%s rests on a rule of docs/explain/rules.md, quoted word for word if it is a rule of dueday',
  (what, rule) => {
    if (citesNoRule(what)) {
      expect(rule).toBeNull();
      return;
    }
    if (rule === null) throw new Error(`${what} cites no rule`);
    expect(rule.sentence).not.toBe('');
    expect(textOf(rule.decision)).toContain(rule.source === 'dueday' ? plain(rule.sentence) : '');
  },
);

test.each<[EventType, EventData, number]>([
  ['cycle.failed', { reason: 'no_time_left' }, 14],
  ['cycle.failed', { reason: 'retries_used' }, 15],
  ['cycle.failed', { reason: 'capture_failed' }, 11],
  ['cycle.skipped', { reason: 'replaced' }, 22],
  ['cycle.skipped', { reason: 'paused' }, 23],
  ['attempt.sending', { attempt: 0 }, 3],
  ['attempt.sending', { attempt: 3 }, 14],
  ['subscription.cancelled', { cancelledBy: 'payer' }, 7],
  ['subscription.cancelled', { cancelledBy: 'merchant' }, 24],
  ['amount_change.refused', { rule: 'first_payment' }, 9],
  ['amount_change.refused', { rule: 'six_months' }, 20],
  ['request.refused', { request: 'retry', code: 'retry_not_allowed' }, 13],
  ['request.refused', { request: 'retry', code: 'state_conflict' }, 25],
])('%s with %j is decided by rule %i', (type, data, decision) => {
  expect(citeRule(type, data)).toMatchObject({ decision });
});

test.each<[EventData, string]>([
  [{ kind: 'reduction' }, 'Amount reduction: any time'],
  [{ kind: 'increase', countsAsIncrease: false }, 'Increase after a reduction: any time'],
  [{ kind: 'increase', countsAsIncrease: true }, 'Amount increase: allowed not more than once every 6 months'],
])('an accepted change %j cites the payment service’s sentence about it', (data, beginning) => {
  const rule = citeRule('amount_change.accepted', data);
  expect(rule).toMatchObject({ decision: 19, source: 'reference' });
  expect(rule?.sentence.startsWith(beginning)).toBe(true);
});

test('an unknown event type cites no rule, even if it is the name of an inherited property', () => {
  for (const type of ['', 'cycle', 'cycle.elsewhere', 'constructor', 'toString']) expect(citeRule(type, {})).toBeNull();
});

test('citing the rule of an audit entry never throws, whatever the entry contains', () => {
  const key = fc.constantFrom('reason', 'rule', 'kind', 'attempt', 'type', 'code', 'request', 'cancelledBy');
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('constructor', '__proto__', 'paused', 'cap', 'payment.failed'),
  );
  fc.assert(
    fc.property(fc.constantFrom(...ALL_TYPES), fc.dictionary(key, value), (type, data) => {
      const rule = citeRule(type, data);
      expect(rule === null).toBe(citesNoRule(type));
    }),
  );
});
