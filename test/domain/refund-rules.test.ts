import type { CaptureId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { type Listed, matchSent, recordsNotOurs } from '../../src/domain/send';
import {
  adviceOn,
  judgePaymentRefund,
  judgeRefund,
  mayBeOf,
  type RefundableCycle,
} from '../../src/domain/payment/refund-rules';
import { CYCLE_STATUSES } from '../../src/domain/subscription/state';
import { FIRST } from './subscription-under-test';

const OURS = 'cap_ours' as CaptureId;
const OTHER = 'cap_other' as CaptureId;

function cycle(changes: Partial<RefundableCycle> = {}): RefundableCycle {
  const capture = { captureId: OURS, amount: euros(1999) };
  return { cycle: 3, status: 'collected', capture, refunded: euros(0), ...changes };
}

const want = (cents: number, captureId: string | null = null) => ({ amount: euros(cents), captureId });

test.each([
  [euros(1999), 'charged_back', 'Do not refund: the payment service reports the debit as charged_back.'],
  [euros(500), null, 'Do not refund 5.00 EUR again: the payment service has a refund that was not ordered here.'],
])('the advice about a debit of which %j was reversed elsewhere as %s: %s', (reversedAmount, reversedAs, advice) => {
  expect(adviceOn({ reversedAmount, reversedAs })).toBe(advice);
});

it.each([
  ['all that was captured', 0, 1999],
  ['one cent', 0, 1],
  ['all that is left', 1500, 499],
  ['the last cent', 1998, 1],
])('the sum of refunds may be %s (rule 27)', (_, refunded, cents) => {
  expect(judgeRefund(cycle({ refunded: euros(refunded) }), want(cents))).toEqual({
    kind: 'allowed',
    captureId: OURS,
  });
});

it.each([
  ['one cent more than was captured', 0, 2000, 1999],
  ['one cent more than is left', 1500, 500, 499],
  ['one cent if nothing is left', 1999, 1, 0],
])('the sum of refunds may not be %s', (_, refunded, cents, left) => {
  expect(judgeRefund(cycle({ refunded: euros(refunded) }), want(cents))).toMatchObject({
    kind: 'refused',
    rule: 'exceeds_captured',
    highestAllowed: euros(left),
  });
});

it('the refusal of a refund says in words what amount is left, and why', () => {
  expect(judgeRefund(cycle({ refunded: euros(1500) }), want(500))).toMatchObject({
    message: 'At most 4.99 EUR may be refunded: 19.99 EUR captured, 15.00 EUR refunded or being refunded.',
  });
});

it.each(CYCLE_STATUSES.filter((status) => status !== 'collected'))('a cycle that is %s is not refunded', (status) => {
  expect(judgeRefund(cycle({ status, capture: null }), want(1))).toMatchObject({
    kind: 'refused',
    rule: 'not_collected',
    highestAllowed: euros(0),
    message: expect.stringContaining(status),
  });
});

it('a cycle that the ledger does not have yet is not refunded', () => {
  expect(judgeRefund(cycle({ status: null, capture: null }), want(1))).toMatchObject({ rule: 'not_collected' });
});

it('a cycle whose capture is not known is not refunded, because the refund could not be assigned to the capture', () => {
  for (const captureId of [null, OTHER]) {
    expect(judgeRefund(cycle({ capture: null }), want(1, captureId))).toEqual({
      kind: 'refused',
      rule: 'capture_unknown',
      highestAllowed: euros(0),
      message:
        'Cycle 3 was resolved as collected without its captureId, which a refund needs: it can only be refunded at the service, under its captureId there.',
    });
  }
});

it('a refund may name its capture if that is the capture of the cycle', () => {
  expect(judgeRefund(cycle(), want(1, OURS))).toEqual({ kind: 'allowed', captureId: OURS });
});

it('a refund that names the capture of another cycle is refused', () => {
  expect(judgeRefund(cycle(), want(1, OTHER))).toMatchObject({ rule: 'other_capture' });
});

interface Given extends Listed {
  readonly captureId: CaptureId | undefined;
}

/** A refund as the service lists it. It is marked as other if it cannot be a refund of our capture. */
function listed(id: string, changes: Partial<Given> = {}): Listed {
  const record = { id, amount: euros(500), createdAt: FIRST, status: 'pending', captureId: OURS, ...changes };
  return { ...record, isOther: !mayBeOf(OURS, record) };
}

const found = (refund: Listed, ledgerIds: string[] = []) =>
  recordsNotOurs([refund], ledgerIds, FIRST).map(({ id }) => id);

it.each([
  ['a minute before the order, within the skew, stops the POST', FIRST - 60_000, ['r']],
  ['a millisecond earlier does not stop the POST', FIRST - 60_001, []],
  ['after the order stops the POST', FIRST + 1, ['r']],
])('the pre-send check of a refund: a refund that the ledger lacks, made %s', (_, createdAt, expected) => {
  expect(found(listed('r', { createdAt }))).toEqual(expected);
});

it('the pre-send check of a refund ignores refunds that the ledger has, that failed, or that are of another capture', () => {
  expect(found(listed('r'), ['r'])).toEqual([]);
  expect(found(listed('r', { status: 'failed' }))).toEqual([]);
  expect(found(listed('r', { captureId: OTHER }))).toEqual([]);
});

it('the pre-send check of a refund stops at a listed refund that names no capture', () => {
  expect(found(listed('r', { captureId: undefined }))).toEqual(['r']);
});

const sent = { amount: euros(500), at: FIRST, takenIds: ['known', 'other'] };
const match = (...refunds: Listed[]) => matchSent(refunds, sent);

it('a refund that was sent is recognised if it is the only new refund and has our amount', () => {
  const ours = listed('new');
  expect(match(listed('known'), listed('other'), ours)).toEqual({ kind: 'found', record: ours });
});

it.each([
  ['within the skew is found', FIRST - 60_000, 'found'],
  ['a millisecond before the skew is unclear', FIRST - 60_001, 'unclear'],
])('a refund that was sent is recognised by its time: a listed refund created %s', (_, createdAt, kind) => {
  expect(match(listed('new', { createdAt })).kind).toBe(kind);
});

it('a refund that was sent is absent if all listed refunds were known before, or are of other captures', () => {
  expect(match(listed('known'), listed('other'), listed('far', { captureId: OTHER })).kind).toBe('absent');
});

it.each([
  ['two that fit', [listed('a'), listed('b')]],
  ['one that fits and one of another amount', [listed('a'), listed('b', { amount: euros(501) })]],
  ['one of another amount', [listed('b', { amount: euros(499) })]],
])('a refund that was sent is unclear if the list has %s', (_, refunds) => {
  expect(match(...refunds)).toEqual({ kind: 'unclear', records: refunds });
});

const capture = (captureId: CaptureId, cents: number, refunded = 0) => {
  return { captureId, amount: euros(cents), refunded: euros(refunded) };
};
const single = { plan: 'SINGLE', captures: [capture(OURS, 10_000, 4_000)] } as const;
const several = { plan: 'EVENT_DEPENDENT', captures: [capture(OURS, 3_000), capture(OTHER, 2_000)] } as const;

it.each([
  [6_000, 'allowed'],
  [6_001, 'exceeds_captured'],
])('a refund of a one-time payment of 100.00 captured and 40.00 refunded: %i cents are %s', (cents, expected) => {
  const verdict = judgePaymentRefund(single, want(cents), false);
  expect(verdict.kind === 'allowed' ? 'allowed' : verdict.rule).toBe(expected);
});

it('a refund of a one-time payment needs no captureId if there is only one capture', () => {
  expect(judgePaymentRefund(single, want(1), false)).toEqual({ kind: 'allowed', captureId: OURS });
});

it('a refund of a one-time payment must name its capture if there are several, and returns at most the amount of that capture', () => {
  expect(judgePaymentRefund(several, want(1), true)).toMatchObject({ rule: 'capture_required' });
  expect(judgePaymentRefund(several, want(2_000, OTHER), true)).toEqual({ kind: 'allowed', captureId: OTHER });
  expect(judgePaymentRefund(several, want(2_001, OTHER), true)).toMatchObject({
    rule: 'exceeds_captured',
    highestAllowed: euros(2_000),
  });
  expect(judgePaymentRefund(several, want(1, 'cap_none'), true)).toMatchObject({ rule: 'unknown_capture' });
});

it('a refund of an Event Dependent payment is refused unless it is switched on', () => {
  expect(judgePaymentRefund(several, want(1, OURS), false)).toMatchObject({ rule: 'event_dependent' });
});

it('a refund of a one-time payment that debited nothing is refused', () => {
  expect(judgePaymentRefund({ plan: 'SINGLE', captures: [] }, want(1), false)).toMatchObject({
    rule: 'not_captured',
    highestAllowed: euros(0),
  });
});
