import { type BrokenRules, NONE_BROKEN } from '../faults/broken-rules';
import type { BookedResult } from '../payments/records';
import { inEuros, refused, type Verdict } from './verdict';

export interface CapturedMoney {
  readonly captureId: string;
  readonly amount: number;
  readonly result: BookedResult;
}

export interface PastRefund {
  readonly captureId: string | null;
  readonly amount: number;
  readonly result: BookedResult;
}

/** Whether `amount` cents may be given back, and of which capture (reference, Errors: refunds). */
export function judgeRefund(
  captures: readonly CapturedMoney[],
  refunds: readonly PastRefund[],
  amount: number,
  captureId: string | undefined,
  broken: BrokenRules = NONE_BROKEN,
): Verdict<{ readonly captureId: string }> {
  const captured = captures.filter((capture) => capture.result === 'successful');
  if (captured.length === 0) return refused('STATE_CONFLICT', 'nothing of this payment has been captured');
  if (captureId === undefined && captured.length > 1 && !broken.has('refund-names-capture')) {
    return refused('CAPTURE_ID_REQUIRED', `the payment has ${captured.length} captures; name the one to refund`);
  }
  const capture = captureId === undefined ? captured[0] : captures.find((one) => one.captureId === captureId);
  if (capture === undefined) return refused('NOT_FOUND', 'the payment has no such capture');
  if (capture.result !== 'successful') return refused('STATE_CONFLICT', `the capture is ${capture.result}`);
  const refunded = refunds
    .filter((refund) => refund.result !== 'failed' && refund.captureId === capture.captureId)
    .reduce((sum, refund) => sum + refund.amount, 0);
  const left = capture.amount - refunded;
  if (amount > left && !broken.has('refund-total')) {
    return refused('REFUND_EXCEEDS_CAPTURE', `${inEuros(left)} of the capture is left to refund`);
  }
  return { kind: 'allowed', captureId: capture.captureId };
}
