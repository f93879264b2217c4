import type { PaymentId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { nextPaymentStep, type PaymentState } from '../../src/domain/payment/next-step';
import type { PaymentCapture } from '../../src/domain/payment/payment';
import { DAY, type Instant } from '../../src/domain/time';
import { AUTHORIZED } from './payment-under-test';

const DEADLINE: Instant = Date.parse('2027-02-07T12:00:00.000Z');
const NOTICE = DEADLINE - DAY;

/** An authorized payment of 100.00 EUR, Event Dependent with both flags, of which nothing is captured. */
function payment(changes: Partial<PaymentState> = {}): PaymentState {
  return {
    requestId: 'pay_1',
    paymentId: 'pay_of_the_service' as PaymentId,
    ...AUTHORIZED,
    captureBy: DEADLINE,
    isDeadlineAnnounced: false,
    ...changes,
  };
}

const capture = (cents: number, state: PaymentCapture['state'], finalCapture = false): PaymentCapture => ({
  amount: euros(cents),
  state,
  finalCapture,
});

const single = { plan: 'SINGLE', captureBy: null, partialCapture: false, multipleCapture: false } as const;
const BOOKED = capture(10_000, 'successful', true);

test.each<[string, Partial<PaymentState>]>([
  ['while the payer has not answered', { consent: 'pending', authorization: null, captureBy: null }],
  ['while the bank has shown no authorization', { authorization: null, captureBy: null }],
  ['while the bank has not decided', { authorization: 'pending', captureBy: null }],
  ['until a Single Immediate payment is booked', single],
])('a payment polls the service %s', (_when, changes) => {
  expect(nextPaymentStep(payment(changes), NOTICE)).toEqual({ kind: 'follow_payment' });
});

test.each<[string, Partial<PaymentState>]>([
  ['whose payer has declined', { consent: 'failed', authorization: null }],
  ['whose consent was cancelled', { consent: 'cancelled', authorization: null }],
  ['that the bank has refused', { authorization: 'failed' }],
  ['of Single Immediate that is booked', { ...single, captures: [BOOKED] }],
  ['of Single Immediate that could not be booked', { ...single, captures: [capture(10_000, 'failed', true)] }],
  ['that is completely captured', { captures: [capture(10_000, 'successful')] }],
  ['whose final capture is made', { captures: [capture(1, 'successful', true)] }],
  ['that is captured while another capture is pending', { captures: [BOOKED, capture(1, 'pending')] }],
  ['that is released', { isBeingReleased: true, isReleased: true }],
  ['that has expired', { isExpired: true }],
])('nothing is left to do for a payment %s', (_which, changes) => {
  expect(nextPaymentStep(payment(changes), DEADLINE)).toEqual({ kind: 'finish' });
});

test.each([NOTICE - 1, NOTICE, DEADLINE])(
  'an ordered release is the next step of a payment before any other, even at %i',
  (now) => {
    expect(nextPaymentStep(payment({ isBeingReleased: true }), now)).toEqual({ kind: 'release' });
  },
);

test.each([
  ['a millisecond before', NOTICE - 1, { kind: 'wait', until: NOTICE, why: 'deadline_notice' }],
  ['at', NOTICE, { kind: 'announce_deadline', remaining: euros(7_000), captureBy: DEADLINE }],
  ['a millisecond after', NOTICE + 1, { kind: 'announce_deadline', remaining: euros(7_000), captureBy: DEADLINE }],
])('the capture deadline is announced 24 h ahead with the remaining amount: %s that instant', (_when, now, step) => {
  expect(nextPaymentStep(payment({ captures: [capture(3_000, 'successful')] }), now)).toEqual(step);
});

test('a payment waits for its capture deadline once it was announced', () => {
  const step = { kind: 'wait', until: DEADLINE, why: 'deadline' };
  expect(nextPaymentStep(payment({ isDeadlineAnnounced: true }), NOTICE)).toEqual(step);
  expect(nextPaymentStep(payment({ isDeadlineAnnounced: true }), NOTICE - 1)).toEqual(step);
});

test.each(['ordered', 'sending', 'unknown', 'unresolved', 'pending', 'not_sent'] as const)(
  'the capture deadline is not announced while captures, one of them %s, take the whole amount',
  (state) => {
    const captures = [capture(3_000, 'successful'), capture(7_000, state)];
    expect(nextPaymentStep(payment({ captures }), NOTICE)).toEqual({ kind: 'wait', until: DEADLINE, why: 'captures' });
    expect(
      nextPaymentStep(payment({ captures: [...captures.slice(0, 1), capture(6_999, state)] }), NOTICE),
    ).toMatchObject({ kind: 'announce_deadline', remaining: euros(1) });
  },
);

test('the capture deadline is announced once the capture of the whole amount has failed', () => {
  const step = nextPaymentStep(payment({ captures: [capture(10_000, 'failed')] }), DEADLINE - 1);
  expect(step).toEqual({ kind: 'announce_deadline', remaining: euros(10_000), captureBy: DEADLINE });
});

test.each([
  ['nothing captured', []],
  ['a part captured', [capture(3_000, 'successful')]],
  ['a capture that has failed', [capture(3_000, 'failed')]],
] as const)('at its deadline the payment expires with %s', (_what, captures) => {
  expect(nextPaymentStep(payment({ captures }), DEADLINE)).toEqual({ kind: 'expire', captureBy: DEADLINE });
  expect(nextPaymentStep(payment({ captures, isDeadlineAnnounced: true }), DEADLINE - 1).kind).toBe('wait');
});

test.each(['ordered', 'sending', 'unknown', 'unresolved', 'pending', 'not_sent'] as const)(
  'a payment does not expire while a capture is %s, but waits for the end of the capture',
  (state) => {
    const captures = [capture(3_000, 'successful'), capture(1_000, state)];
    expect(nextPaymentStep(payment({ captures }), DEADLINE)).toEqual({ kind: 'wait', until: null, why: 'captures' });
  },
);

test('an authorized payment without a capture deadline is an error', () => {
  expect(() => nextPaymentStep(payment({ captureBy: null }), NOTICE)).toThrow('has no capture deadline');
});
