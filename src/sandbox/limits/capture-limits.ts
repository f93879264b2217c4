import type { AuthorizationResult, BookedResult } from '../records';
import { inEuros, refused, type Verdict } from './verdict';

/** An Event Dependent authorization and what was captured of it. Cents, and epoch milliseconds of business time. */
export interface Reservation {
  readonly result: AuthorizationResult;
  readonly amount: number;
  /** `createdAt + timeToCapture`: captures arrive before it. */
  readonly deadline: number;
  readonly partialCapture: boolean;
  readonly multipleCapture: boolean;
  readonly captures: readonly PastCapture[];
}

export interface PastCapture {
  readonly amount: number;
  readonly finalCapture: boolean;
  readonly result: BookedResult;
}

/** Whether `amount` may be captured at `now`. `maximum`: the most that this merchant may capture at once, or null. */
export function judgeCapture(reservation: Reservation, amount: number, now: number, maximum: number | null): Verdict {
  const made = reservation.captures.filter((capture) => capture.result !== 'failed');
  if (reservation.result === 'expired' || (reservation.result === 'successful' && now >= reservation.deadline)) {
    return refused(
      'CAPTURE_PERIOD_ENDED',
      `the capture period ended at ${new Date(reservation.deadline).toISOString()}`,
    );
  }
  const state = judgeState(reservation, made);
  if (state.kind === 'refused') return state;
  const left = reservation.amount - made.reduce((sum, capture) => sum + capture.amount, 0);
  if (amount > left)
    return refused('CAPTURE_EXCEEDS_AUTHORIZATION', `${inEuros(left)} of the authorized amount is left`);
  if (!reservation.partialCapture && amount < reservation.amount) {
    return refused(
      'AMOUNT_NOT_ALLOWED',
      `without partialCapture the capture is the full ${inEuros(reservation.amount)}`,
    );
  }
  if (maximum !== null && amount > maximum) {
    return refused('AMOUNT_NOT_ALLOWED', `a merchant of this category captures ${inEuros(maximum)} at most`);
  }
  return { kind: 'allowed' };
}

function judgeState(reservation: Reservation, made: readonly PastCapture[]): Verdict {
  if (reservation.result !== 'successful') {
    return refused('STATE_CONFLICT', `the authorization is ${reservation.result}`);
  }
  if (made.some((capture) => capture.finalCapture)) {
    return refused('STATE_CONFLICT', 'a final capture has closed the payment');
  }
  // "One capture only; partialCapture must also be true for multiple captures."
  if (made.length > 0 && !(reservation.partialCapture && reservation.multipleCapture)) {
    return refused('STATE_CONFLICT', 'the payment allows one capture only');
  }
  return { kind: 'allowed' };
}
