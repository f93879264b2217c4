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

const ONE_SUCCESSFUL = [capture('a', 1999, 'failed'), capture('b', 1999)];

function judge(captures: CapturedMoney[], refunds: PastRefund[], amount: number, captureId?: string): string {
  const verdict = judgeRefund(captures, refunds, amount, captureId);
  return verdict.kind === 'allowed' ? verdict.captureId : verdict.detail;
}

it('the simulator refuses a refund above the capture by a cent', () => {
  expect([1999, 2000].map((amount) => judge([capture('a', 1999)], [], amount))).toEqual([
    'a',
    'REFUND_EXCEEDS_CAPTURE',
  ]);
});

it('the simulator counts successful and pending refunds of a capture against its limit, but not failed ones', () => {
  const refunds = [refund('a', 500), refund('a', 400, 'pending'), refund('a', 1000, 'failed')];
  expect([1099, 1100].map((amount) => judge([capture('a', 1999)], refunds, amount))).toEqual([
    'a',
    'REFUND_EXCEEDS_CAPTURE',
  ]);
});

it('the simulator requires the id of the capture if a payment has several', () => {
  const two = [capture('a', 1999), capture('b', 1999)];
  expect(judge(two, [], 100)).toBe('CAPTURE_ID_REQUIRED');
  expect(judge(two, [], 100, 'b')).toBe('b');
});

it('the simulator limits the refunds of each capture separately', () => {
  const two = [capture('a', 1000), capture('b', 1000)];
  expect(judge(two, [refund('a', 1000)], 1, 'a')).toBe('REFUND_EXCEEDS_CAPTURE');
  expect(judge(two, [refund('a', 1000)], 1000, 'b')).toBe('b');
});

it('the simulator refuses a refund if nothing was captured', () => {
  expect(judge([], [], 1)).toBe('STATE_CONFLICT');
  expect(judge([capture('a', 1999, 'failed'), capture('b', 1999, 'pending')], [], 1)).toBe('STATE_CONFLICT');
});

it('the simulator refuses the refund of a failed and of an unknown capture', () => {
  expect(judge(ONE_SUCCESSFUL, [], 1, 'a')).toBe('STATE_CONFLICT');
  expect(judge(ONE_SUCCESSFUL, [], 1, 'c')).toBe('NOT_FOUND');
});

it('the simulator refunds the one successful capture if no capture is named', () => {
  expect(judge(ONE_SUCCESSFUL, [], 1)).toBe('b');
});
