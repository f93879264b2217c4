import { type BrokenRules, NONE_BROKEN } from '../faults/broken-rules';
import type { AuthorizationResult, Capture, Refund } from '../payments/records';
import { inEuros, refused, type Verdict } from './verdict';

/** An Event Dependent authorization and what was captured of it. Cents, and epoch milliseconds of business time. */
export interface Reservation {
  readonly result: AuthorizationResult;
  readonly amount: number;
  /** `createdAt + timeToCapture`: captures must arrive before it. */
  readonly deadline: number;
  readonly partialCapture: boolean;
  readonly multipleCapture: boolean;
  readonly captures: readonly PastCapture[];
}

export type PastCapture = Pick<Capture, 'amount' | 'finalCapture' | 'result'>;

/** Whether `amount` may be captured at `now`. `maximum`: this merchant's limit per capture, or null. */
export function judgeCapture(
  reservation: Reservation,
  amount: number,
  now: number,
  maximum: number | null,
  broken: BrokenRules = NONE_BROKEN,
): Verdict {
  const made = reservation.captures.filter((capture) => capture.result !== 'failed');
  if (hasEnded(reservation, now) && !broken.has('capture-period')) {
    return refused(
      'CAPTURE_PERIOD_ENDED',
      `the capture period ended at ${new Date(reservation.deadline).toISOString()}`,
    );
  }
  const state = judgeState(reservation, made, broken);
  if (state.kind === 'refused') return state;
  const left = reservation.amount - made.reduce((sum, capture) => sum + capture.amount, 0);
  // Two rules of the reference: "amount exceeds the authorized amount", "capture total must not exceed".
  const rule = made.length === 0 ? 'capture-amount' : 'capture-total';
  if (amount > left && !broken.has(rule)) {
    return refused('CAPTURE_EXCEEDS_AUTHORIZATION', `${inEuros(left)} of the authorized amount is left`);
  }
  if (!reservation.partialCapture && !allowsSeveral(reservation, broken) && amount < reservation.amount) {
    return refused(
      'AMOUNT_NOT_ALLOWED',
      `without partialCapture the capture is the full ${inEuros(reservation.amount)}`,
    );
  }
  if (maximum !== null && amount > maximum && !broken.has('category-maximum')) {
    return refused('AMOUNT_NOT_ALLOWED', `a merchant of this category captures ${inEuros(maximum)} at most`);
  }
  return { kind: 'allowed' };
}

function hasEnded({ result, deadline }: Reservation, now: number): boolean {
  return result === 'expired' || (result === 'successful' && now >= deadline);
}

function judgeState(reservation: Reservation, made: readonly PastCapture[], broken: BrokenRules): Verdict {
  const stillCaptures = reservation.result === 'expired' && broken.has('capture-period');
  if (reservation.result !== 'successful' && !stillCaptures) {
    return refused('STATE_CONFLICT', `the authorization is ${reservation.result}`);
  }
  if (made.some((capture) => capture.finalCapture === true) && !broken.has('final-capture')) {
    return refused('STATE_CONFLICT', 'a final capture has closed the payment');
  }
  // "One capture only; partialCapture must also be true for multiple captures."
  if (made.length > 0 && !allowsSeveral(reservation, broken)) {
    return refused('STATE_CONFLICT', 'the payment allows one capture only');
  }
  return { kind: 'allowed' };
}

/** "Capture flag combinations": several captures need both flags. */
function allowsSeveral({ partialCapture, multipleCapture }: Reservation, broken: BrokenRules): boolean {
  return multipleCapture && (partialCapture || broken.has('multiple-needs-partial'));
}

export type CapturedMoney = Pick<Capture, 'captureId' | 'amount' | 'result'>;
export type PastRefund = Pick<Refund, 'captureId' | 'amount' | 'result'>;

/** Whether `amount` cents may be refunded, and of which capture (reference, Errors: refunds). */
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
