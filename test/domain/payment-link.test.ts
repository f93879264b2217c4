import type { PaymentId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { linkState, LINK_STATES, type LinkableCycle, refuseLink } from '../../src/domain/payment/link';
import { PAYMENT_STATUSES } from '../../src/domain/payment/payment';
import { CYCLE_STATUSES } from '../../src/domain/subscription/state';

const CLOSES = Date.UTC(2027, 3, 5, 9);
const AMOUNT = euros(1999);
const paymentId = 'pay-1' as PaymentId;

function refusal(changes: Partial<LinkableCycle> = {}, amount = AMOUNT, now = CLOSES): string | null {
  const failed = {
    cycle: 3,
    status: 'failed',
    amount: AMOUNT,
    collectBy: CLOSES,
    hasUnknownOutcome: false,
    link: null,
  };
  const refused = refuseLink({ ...failed, ...changes } as LinkableCycle, amount, now);
  if (refused !== null) expect(refused.code).toBe('state_conflict');
  return refused?.message ?? null;
}

test.each(CYCLE_STATUSES)(
  'a cycle that is %s can be paid by a link only if it is failed or missed (rule 15)',
  (status) => {
    const isUnpaid = status === 'failed' || status === 'missed';
    const message = `only a failed or missed cycle can be paid by a link; cycle 3 is ${status}`;
    expect(refusal({ status })).toBe(isUnpaid ? null : message);
  },
);

test('a payment link is refused until the collection window closes, to the millisecond (rule 15)', () => {
  const message = 'the collection window of cycle 3 is open until 2027-04-05T09:00:00.000Z';
  expect(refusal({}, AMOUNT, CLOSES - 1)).toBe(message);
  expect(refusal({}, AMOUNT, CLOSES)).toBeNull();
});

test('a payment link is refused while a debit of the cycle may still be found', () => {
  expect(refusal({ hasUnknownOutcome: true })).toBe('it is not known yet whether cycle 3 has been debited');
});

test.each([1998, 2000])('a payment link of %d cents is refused for a cycle of 1999 cents', (cents) => {
  expect(refusal({}, euros(cents))).toMatch(/^cycle 3 is of 19\.99 EUR, not of (19\.98|20\.00) EUR$/);
});

test('a second payment link is refused while the first is open, and always once the first is paid', () => {
  const open = 'cycle 3 has an open link, payment pay-1; another one is possible once it has ended';
  expect(refusal({ link: { state: 'open', paymentId } })).toBe(open);
  expect(refusal({ link: { state: 'open', paymentId: null } })).toBe(open.replace('payment pay-1', 'a payment'));
  expect(refusal({ link: { state: 'paid', paymentId } })).toBe('cycle 3 was paid by payment pay-1');
  expect(refusal({ link: { state: 'ended', paymentId } })).toBeNull();
});

test('a payment link ends with its payment, and stays paid if the payment is refunded', () => {
  const byState = LINK_STATES.map((state) => [state, PAYMENT_STATUSES.filter((status) => linkState(status) === state)]);
  expect(Object.fromEntries(byState)).toEqual({
    open: ['pending_consent', 'authorized', 'partly_captured'],
    paid: ['captured', 'refunded'],
    ended: ['consent_failed', 'released', 'expired', 'failed'],
  });
});
