import { judgeRefund, type CapturedMoney, type PastRefund } from '../../../src/sandbox/limits/order-limits';

const capture = (captureId: string, amount: number, result: CapturedMoney['result'] = 'successful'): CapturedMoney => ({
  captureId,
  amount,
  result,
});
const refund = (captureId: string, amount: number, result: PastRefund['result'] = 'successful'): PastRefund => ({
  captureId,
  amount,
  result,
});

function judge(captures: CapturedMoney[], refunds: PastRefund[], amount: number, captureId?: string): string {
  const verdict = judgeRefund(captures, refunds, amount, captureId);
  return verdict.kind === 'allowed' ? verdict.captureId : verdict.detail;
}

it('refunds may return what was captured, to the cent', () => {
  expect([1999, 2000].map((amount) => judge([capture('a', 1999)], [], amount))).toEqual([
    'a',
    'REFUND_EXCEEDS_CAPTURE',
  ]);
});

it('the refund limit counts successful and pending refunds of the capture, and no failed ones', () => {
  const refunds = [refund('a', 500), refund('a', 400, 'pending'), refund('a', 1000, 'failed')];
  expect([1099, 1100].map((amount) => judge([capture('a', 1999)], refunds, amount))).toEqual([
    'a',
    'REFUND_EXCEEDS_CAPTURE',
  ]);
});

it('a refund must name its capture if there are several', () => {
  const two = [capture('a', 1999), capture('b', 1999)];
  expect(judge(two, [], 100)).toBe('CAPTURE_ID_REQUIRED');
  expect(judge(two, [], 100, 'b')).toBe('b');
});

it('the refund limit of each capture of a payment is separate', () => {
  const two = [capture('a', 1000), capture('b', 1000)];
  expect(judge(two, [refund('a', 1000)], 1, 'a')).toBe('REFUND_EXCEEDS_CAPTURE');
  expect(judge(two, [refund('a', 1000)], 1000, 'b')).toBe('b');
});

it('nothing can be refunded if nothing was captured', () => {
  expect(judge([], [], 1)).toBe('STATE_CONFLICT');
  expect(judge([capture('a', 1999, 'failed'), capture('b', 1999, 'pending')], [], 1)).toBe('STATE_CONFLICT');
});

it('a failed or an unknown capture cannot be refunded', () => {
  const captures = [capture('a', 1999, 'failed'), capture('b', 1999)];
  expect(judge(captures, [], 1, 'a')).toBe('STATE_CONFLICT');
  expect(judge(captures, [], 1, 'c')).toBe('NOT_FOUND');
  expect(judge(captures, [], 1)).toBe('b');
});
