import fc from 'fast-check';
import {
  type CapturablePayment,
  categoryCap,
  isInTime,
  judgeCapture,
  longestTimeToCapture,
  type WantedCapture,
  whyNotReleasable,
} from '../../src/domain/payment/capture-rules';
import { MINUTE } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { PAYMENT_PLANS, type PaymentCapture, remainingOf } from '../../src/domain/payment/payment';
import { AUTHORIZED } from './payment-under-test';

const DEADLINE = Date.parse('2027-02-07T12:00:00.000Z');

const payment = (changes: Partial<CapturablePayment> = {}): CapturablePayment => ({
  ...AUTHORIZED,
  captureBy: DEADLINE,
  ...changes,
});

function want(cents: number, changes: Partial<WantedCapture> = {}): WantedCapture {
  return {
    amount: euros(cents),
    finalCapture: false,
    at: DEADLINE - 10 * MINUTE,
    transit: MINUTE,
    category: undefined,
    ...changes,
  };
}

function made(cents: number, changes: Partial<PaymentCapture> = {}): PaymentCapture {
  return { amount: euros(cents), finalCapture: false, state: 'successful', ...changes };
}

it('the remaining amount of a payment is the highest amount that a capture may have, and is zero if no capture is accepted', () => {
  const states = fc.constantFrom('ordered', 'pending', 'unknown', 'successful', 'failed', 'not_sent' as const);
  const captures = fc.array(
    fc
      .record({ cents: fc.integer({ min: 1, max: 5_000 }), finalCapture: fc.boolean(), state: states })
      .map(({ cents, ...rest }) => made(cents, rest as Partial<PaymentCapture>)),
    { maxLength: 3 },
  );
  const flags = fc.record({
    plan: fc.constantFrom(...PAYMENT_PLANS),
    captures,
    multipleCapture: fc.boolean(),
    isBeingReleased: fc.boolean(),
    isReleased: fc.boolean(),
    isExpired: fc.boolean(),
  });
  fc.assert(
    fc.property(flags, (changes) => {
      const found = payment(changes);
      const verdict = judgeCapture(found, want(1));
      const highest = verdict.kind === 'refused' ? verdict.highestAllowed : remainingOf(found);
      expect(remainingOf(found)).toEqual(highest);
      expect(remainingOf(found).value > 0).toBe(verdict.kind === 'allowed');
    }),
  );
});

it.each([
  // partialCapture, multipleCapture, cents of the first capture, then for the first and the second capture: allowed, or the rule against it
  [false, false, 10_000, 'allowed', 'closed'],
  [false, false, 9_999, 'partial_capture', null],
  [false, true, 10_000, 'allowed', 'closed'],
  [false, true, 9_999, 'partial_capture', null],
  [true, false, 3_000, 'allowed', 'closed'],
  [true, true, 3_000, 'allowed', 'allowed'],
] as const)(
  'with partialCapture %s and multipleCapture %s, a capture of %i cents is %s, and a second one of 1 cent is %s',
  (partial, multiple, cents, first, second) => {
    const flags = { partialCapture: partial, multipleCapture: multiple };
    expect(ruleOf(judgeCapture(payment(flags), want(cents)))).toBe(first);
    if (second === null) return;
    expect(ruleOf(judgeCapture(payment({ ...flags, captures: [made(cents)] }), want(1)))).toBe(second);
  },
);

it('if only one capture is permitted, a second capture is forbidden while the first is in progress', () => {
  const captures = [made(3_000, { state: 'pending' })];
  expect(judgeCapture(payment({ multipleCapture: false, captures }), want(1))).toMatchObject({
    rule: 'multiple_capture',
    highestAllowed: euros(0),
  });
});

it('if only one capture is permitted, another capture is allowed after the first has failed', () => {
  const captures = [made(3_000, { state: 'failed' })];
  expect(judgeCapture(payment({ multipleCapture: false, captures }), want(10_000)).kind).toBe('allowed');
});

function ruleOf(verdict: ReturnType<typeof judgeCapture>): string {
  return verdict.kind === 'allowed' ? 'allowed' : verdict.rule;
}

it.each([
  [7_000, 'allowed'],
  [7_001, 'exceeds_authorized'],
])('after captures of 30.00 EUR, another capture of %i cents of 100.00 EUR is %s', (cents, expected) => {
  expect(ruleOf(judgeCapture(payment({ captures: [made(3_000)] }), want(cents)))).toBe(expected);
});

it('the sum of captures includes captures in progress, and the refusal says what is left (rule 26)', () => {
  const captures = [made(3_000), made(3_000, { state: 'unknown' }), made(1_000, { state: 'failed' })];
  expect(judgeCapture(payment({ captures }), want(4_001))).toMatchObject({
    rule: 'exceeds_authorized',
    highestAllowed: euros(4_000),
    message: 'At most 40.00 EUR may be captured: 100.00 EUR authorized, 60.00 EUR captured or being captured.',
  });
});

it.each([
  [DEADLINE - MINUTE - 1, 'allowed'],
  [DEADLINE - MINUTE, 'deadline'],
  [DEADLINE, 'deadline'],
])('with a transit margin of a minute, a capture at %i is judged as %s', (at, expected) => {
  expect(ruleOf(judgeCapture(payment(), want(1, { at })))).toBe(expected);
});

it('without a transit margin, a capture is allowed until just before the deadline', () => {
  expect(isInTime(DEADLINE - 1, DEADLINE, 0)).toBe(true);
  expect(isInTime(DEADLINE, DEADLINE, 0)).toBe(false);
});

it.each<[string, Partial<CapturablePayment>, string]>([
  ['of Single Immediate', { plan: 'SINGLE' }, 'plan'],
  ['before the authorization', { authorization: null, captureBy: null }, 'not_authorized'],
  ['while the authorization is pending', { authorization: 'pending' }, 'not_authorized'],
  ['once released', { isReleased: true }, 'closed'],
  ['while being released', { isBeingReleased: true }, 'closed'],
  ['once expired', { isExpired: true }, 'deadline'],
  ['after a final capture', { captures: [made(1, { finalCapture: true })] }, 'closed'],
  ['while a final capture is under way', { captures: [made(1, { finalCapture: true, state: 'ordered' })] }, 'closed'],
])('nothing is captured %s', (_, changes, rule) => {
  expect(judgeCapture(payment(changes), want(1))).toMatchObject({ rule, highestAllowed: euros(0) });
});

describe('merchant categories', () => {
  it.each(['4111', '4112', '4789', '7523', '4131'])('category %s captures up to 50.00 EUR, for 7 days', (category) => {
    expect(judgeCapture(payment(), want(5_000, { category })).kind).toBe('allowed');
    expect(judgeCapture(payment(), want(5_001, { category }))).toMatchObject({
      rule: 'category_cap',
      highestAllowed: euros(5_000),
    });
    expect(categoryCap(category)).toEqual(euros(5_000));
    expect(longestTimeToCapture(category, true)).toBe(604_800);
  });

  it.each([
    ['5411', true, 864_000],
    ['5411', false, 604_800],
    [undefined, true, 864_000],
  ])('another category (%s), long captures permitted %s, has %i seconds and no cap', (category, permitted, seconds) => {
    expect(longestTimeToCapture(category, permitted)).toBe(seconds);
    expect(categoryCap(category)).toBeNull();
  });

  it('the highest allowed capture is the lower of the category’s cap and the remaining amount', () => {
    const verdict = judgeCapture(payment({ captures: [made(8_000)] }), want(5_001, { category: '4111' }));
    expect(verdict).toMatchObject({ rule: 'exceeds_authorized', highestAllowed: euros(2_000) });
  });
});

it('a release is allowed for an authorization without a capture', () => {
  expect(whyNotReleasable(payment())).toBeNull();
  expect(whyNotReleasable(payment({ captures: [made(1, { state: 'failed' })] }))).toBeNull();
});

it.each<[string, Partial<CapturablePayment>, string]>([
  ['of Single Immediate', { plan: 'SINGLE' }, 'Only an Event Dependent'],
  ['after a capture', { captures: [made(1)] }, 'has a capture'],
  ['while a capture is under way', { captures: [made(1, { state: 'unknown' })] }, 'has a capture'],
  ['after the deadline', { isExpired: true }, 'has expired'],
  ['before the authorization', { authorization: null }, 'not authorized'],
])('a release %s is refused', (_, changes, words) => {
  expect(whyNotReleasable(payment(changes))).toContain(words);
});
