import fc from 'fast-check';
import { euros } from '../../src/domain/money';
import {
  captureDeadline,
  isClosed,
  isSettled,
  PAYMENT_STATUSES,
  type PaymentCapture,
  type PaymentFacts,
  paymentStatus,
  remainingOf,
} from '../../src/domain/payment/payment';
import { AUTHORIZED } from './payment-under-test';

const facts = (changes: Partial<PaymentFacts> = {}): PaymentFacts => ({ ...AUTHORIZED, ...changes });

function capture(cents: number, changes: Partial<PaymentCapture> = {}): PaymentCapture {
  return { amount: euros(cents), finalCapture: false, state: 'successful', ...changes };
}

const booked = capture(10_000, { finalCapture: true });

it.each<[string, string, Partial<PaymentFacts>]>([
  ['the payer has not answered', 'pending_consent', { consent: 'pending', authorization: null }],
  ['the payer has declined', 'consent_failed', { consent: 'failed', authorization: null }],
  ['the consent was cancelled', 'consent_failed', { consent: 'cancelled', authorization: null }],
  ['the bank has not answered', 'pending_consent', { authorization: null }],
  ['the authorization is pending', 'pending_consent', { authorization: 'pending' }],
  ['the bank has refused', 'failed', { authorization: 'failed' }],
  ['nothing is captured', 'authorized', {}],
  ['a capture is pending', 'authorized', { captures: [capture(3_000, { state: 'pending' })] }],
  ['the release is ordered', 'authorized', { isBeingReleased: true }],
  ['a capture has failed', 'authorized', { captures: [capture(3_000, { state: 'failed' })] }],
  ['a part is captured', 'partly_captured', { captures: [capture(3_000)] }],
  ['a cent is left', 'partly_captured', { captures: [capture(9_999)] }],
  ['all is captured', 'captured', { captures: [capture(9_999), capture(1)] }],
  ['the final capture is made', 'captured', { captures: [capture(3_000, { finalCapture: true })] }],
  ['a part is captured and the deadline has passed', 'captured', { captures: [capture(3_000)], isExpired: true }],
  ['nothing is captured and the deadline has passed', 'expired', { isExpired: true }],
  ['the authorization is released', 'released', { isReleased: true }],
  ['the only permitted capture is made', 'captured', { multipleCapture: false, captures: [capture(3_000)] }],
  ['all is refunded', 'refunded', { captures: [booked], refunded: euros(10_000) }],
  ['all but a cent is refunded', 'captured', { captures: [booked], refunded: euros(9_999) }],
  [
    'all that was captured is refunded and more can be captured',
    'partly_captured',
    { captures: [capture(5)], refunded: euros(5) },
  ],
])('if %s, the status of a payment is %s', (_, status, changes) => {
  expect(paymentStatus(facts(changes))).toBe(status);
});

it.each<[string, string, PaymentCapture[]]>([
  ['is not booked yet', 'authorized', []],
  ['is being booked', 'authorized', [{ ...booked, state: 'pending' }]],
  ['is booked', 'captured', [booked]],
  ['could not be booked', 'failed', [{ ...booked, state: 'failed' }]],
])('the status of a Single Immediate payment that %s is %s', (_, status, captures) => {
  const flags = { partialCapture: false, multipleCapture: false };
  expect(paymentStatus(facts({ plan: 'SINGLE', ...flags, captures }))).toBe(status);
});

it('the status of a payment is settled if only refunds can follow', () => {
  expect(PAYMENT_STATUSES.filter((status) => !isSettled(status))).toEqual([
    'pending_consent',
    'authorized',
    'partly_captured',
  ]);
});

it.each<[string, number, Partial<PaymentFacts>]>([
  ['before the authorization', 0, { authorization: null }],
  ['that is authorized', 10_000, {}],
  ['with a part captured', 7_000, { captures: [capture(3_000)] }],
  ['with a second capture under way', 6_999, { captures: [capture(3_000), capture(1, { state: 'unknown' })] }],
  ['with a failed capture', 10_000, { captures: [capture(3_000, { state: 'failed' })] }],
  ['after the final capture', 0, { captures: [capture(3_000, { finalCapture: true })] }],
  ['with the final capture under way', 0, { captures: [capture(3_000, { finalCapture: true, state: 'pending' })] }],
  ['with a final capture that failed', 10_000, { captures: [capture(3_000, { finalCapture: true, state: 'failed' })] }],
  [
    'with the only permitted capture under way',
    0,
    { multipleCapture: false, captures: [capture(1, { state: 'unknown' })] },
  ],
  ['while the release is ordered', 0, { isBeingReleased: true }],
  ['after the release', 0, { isReleased: true }],
  ['after the deadline', 0, { isExpired: true, captures: [capture(3_000)] }],
  ['of Single Immediate that is not booked yet', 0, { plan: 'SINGLE' }],
  ['of Single Immediate that is being booked', 0, { plan: 'SINGLE', captures: [{ ...booked, state: 'pending' }] }],
  ['of Single Immediate that could not be booked', 0, { plan: 'SINGLE', captures: [{ ...booked, state: 'failed' }] }],
])('the remaining amount of a payment %s is %i cents', (_, cents, changes) => {
  expect(remainingOf(facts(changes))).toEqual(euros(cents));
});

it('the remaining amount of a payment is between zero and the authorized amount, and is zero once the payment is closed', () => {
  const states = fc.constantFrom('ordered', 'pending', 'unknown', 'successful', 'failed', 'not_sent' as const);
  const captures = fc.array(
    fc
      .record({ cents: fc.integer({ min: 1, max: 5_000 }), finalCapture: fc.boolean(), state: states })
      .map(({ cents, finalCapture, state }) =>
        capture(cents, { finalCapture, state: state as PaymentCapture['state'] }),
      ),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(captures, fc.boolean(), fc.boolean(), (made, partialCapture, isExpired) => {
      const found = facts({ captures: made, partialCapture, isExpired });
      const left = remainingOf(found).value;
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left).toBeLessThanOrEqual(10_000);
      if (isClosed(found)) expect(left).toBe(0);
    }),
  );
});

test('the capture deadline is createdAt plus timeToCapture in seconds', () => {
  const at = Date.parse('2027-01-31T12:00:00.123Z');
  expect(captureDeadline(at, 604_800)).toBe(Date.parse('2027-02-07T12:00:00.123Z'));
});
