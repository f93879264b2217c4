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

describe('the status of a payment', () => {
  it.each<[string, Partial<PaymentFacts>, string]>([
    ['nobody has answered', { consent: 'pending', authorization: null }, 'pending_consent'],
    ['the payer has declined', { consent: 'failed', authorization: null }, 'consent_failed'],
    ['the consent was cancelled', { consent: 'cancelled', authorization: null }, 'consent_failed'],
    ['the bank has not answered', { authorization: null }, 'pending_consent'],
    ['the authorization is pending', { authorization: 'pending' }, 'pending_consent'],
    ['the bank has refused', { authorization: 'failed' }, 'failed'],
    ['nothing is captured', {}, 'authorized'],
    ['a capture is pending', { captures: [capture(3_000, { state: 'pending' })] }, 'authorized'],
    ['the release is ordered', { isBeingReleased: true }, 'authorized'],
    ['a capture has failed', { captures: [capture(3_000, { state: 'failed' })] }, 'authorized'],
    ['a part is captured', { captures: [capture(3_000)] }, 'partly_captured'],
    ['a cent is left', { captures: [capture(9_999)] }, 'partly_captured'],
    ['all is captured', { captures: [capture(9_999), capture(1)] }, 'captured'],
    ['the final capture is made', { captures: [capture(3_000, { finalCapture: true })] }, 'captured'],
    ['a part is captured and the deadline over', { captures: [capture(3_000)], isExpired: true }, 'captured'],
    ['nothing is captured and the deadline over', { isExpired: true }, 'expired'],
    ['it is released', { isReleased: true }, 'released'],
    ['the one capture allowed is made', { multipleCapture: false, captures: [capture(3_000)] }, 'captured'],
    ['all is refunded', { captures: [booked], refunded: euros(10_000) }, 'refunded'],
    ['all but a cent is refunded', { captures: [booked], refunded: euros(9_999) }, 'captured'],
    [
      'what was captured is refunded and more may be',
      { captures: [capture(5)], refunded: euros(5) },
      'partly_captured',
    ],
  ])('the status of a payment where %s', (_, changes, status) => {
    expect(paymentStatus(facts(changes))).toBe(status);
  });

  it.each<[string, PaymentCapture[], string]>([
    ['is not booked yet', [], 'authorized'],
    ['is being booked', [{ ...booked, state: 'pending' }], 'authorized'],
    ['is booked', [booked], 'captured'],
    ['could not be booked', [{ ...booked, state: 'failed' }], 'failed'],
  ])('the status of a Single Immediate payment that %s', (_, captures, status) => {
    const flags = { partialCapture: false, multipleCapture: false };
    expect(paymentStatus(facts({ plan: 'SINGLE', ...flags, captures }))).toBe(status);
  });

  it('the status of a payment is settled where nothing but refunds can follow', () => {
    expect(PAYMENT_STATUSES.filter((status) => !isSettled(status))).toEqual([
      'pending_consent',
      'authorized',
      'partly_captured',
    ]);
  });
});

describe('what remains', () => {
  it.each<[string, Partial<PaymentFacts>, number]>([
    ['before the authorization', { authorization: null }, 0],
    ['of an authorization', {}, 10_000],
    ['with a part captured', { captures: [capture(3_000)] }, 7_000],
    ['with one under way', { captures: [capture(3_000), capture(1, { state: 'unknown' })] }, 6_999],
    ['with one that failed', { captures: [capture(3_000, { state: 'failed' })] }, 10_000],
    ['after the final capture', { captures: [capture(3_000, { finalCapture: true })] }, 0],
    ['with the final capture under way', { captures: [capture(3_000, { finalCapture: true, state: 'pending' })] }, 0],
    ['with a final one that failed', { captures: [capture(3_000, { finalCapture: true, state: 'failed' })] }, 10_000],
    [
      'with the only one allowed under way',
      { multipleCapture: false, captures: [capture(1, { state: 'unknown' })] },
      0,
    ],
    ['while the release is ordered', { isBeingReleased: true }, 0],
    ['after the release', { isReleased: true }, 0],
    ['after the deadline', { isExpired: true, captures: [capture(3_000)] }, 0],
    ['of Single Immediate that is not booked yet', { plan: 'SINGLE' }, 0],
    ['of Single Immediate that is being booked', { plan: 'SINGLE', captures: [{ ...booked, state: 'pending' }] }, 0],
    ['of Single Immediate that could not be booked', { plan: 'SINGLE', captures: [{ ...booked, state: 'failed' }] }, 0],
  ])('what remains of a payment: %s', (_, changes, cents) => {
    expect(remainingOf(facts(changes))).toEqual(euros(cents));
  });

  it('what remains of a payment and what is captured never exceed what is authorized, and nothing remains of what is closed', () => {
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
});

test('the deadline is createdAt and the seconds of timeToCapture', () => {
  const at = Date.parse('2027-01-31T12:00:00.123Z');
  expect(captureDeadline(at, 604_800)).toBe(Date.parse('2027-02-07T12:00:00.123Z'));
});
