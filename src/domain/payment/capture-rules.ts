import { euros, formatMoney, type Money } from '../money';
import { type Instant, toIso } from '../time';
import { isClosed, liveCaptures, mayBeSeveral, type OrderRefusal, type PaymentFacts, refused, sumOf } from './payment';

/** The default of timeToCapture, and its maximum without the permission for a longer one. Seconds. */
export const DEFAULT_TIME_TO_CAPTURE = 604_800;
/** The maximum for merchants with that permission. Seconds. */
export const MAX_TIME_TO_CAPTURE = 864_000;

/** "Merchants in these categories also have a maximum capture amount of 50 EUR" (reference, Limits; rule 26). */
const CAPPED_CATEGORIES: ReadonlySet<string> = new Set(['4111', '4112', '4789', '7523', '4131']);
const CATEGORY_CAP: Money = euros(5000);

/** The maximum amount of one capture, in every plan; null if unlimited. */
export function categoryCap(category: string | undefined): Money | null {
  return category !== undefined && CAPPED_CATEGORIES.has(category) ? CATEGORY_CAP : null;
}

/** The maximum of timeToCapture for this merchant, in seconds. */
export function longestTimeToCapture(category: string | undefined, longCapturePermitted: boolean): number {
  const capped = categoryCap(category) !== null;
  return longCapturePermitted && !capped ? MAX_TIME_TO_CAPTURE : DEFAULT_TIME_TO_CAPTURE;
}

/** The fields of a payment that decide about captures. */
export interface CapturablePayment extends PaymentFacts {
  /** The capture deadline: captures are accepted strictly before it. Null before the authorization. */
  readonly captureBy: Instant | null;
}

export interface WantedCapture {
  readonly amount: Money;
  readonly finalCapture: boolean;
  readonly at: Instant;
  /** In the last `transit` ms before the deadline nothing is sent, as the service judges a request on arrival. */
  readonly transit: number;
  /** The merchant's category code. */
  readonly category: string | undefined;
}

export type CaptureRule =
  | 'plan'
  | 'not_authorized'
  | 'closed'
  | 'deadline'
  | 'exceeds_authorized'
  | 'partial_capture'
  | 'multiple_capture'
  | 'category_cap';

export type CaptureVerdict = { readonly kind: 'allowed' } | OrderRefusal<CaptureRule>;

/** Judges a capture by the flags, the total, the deadline and the category, before the service is called (rule 26). */
export function judgeCapture(payment: CapturablePayment, wanted: WantedCapture): CaptureVerdict {
  const closed = whyClosed(payment, wanted);
  if (closed !== null) return closed;
  const live = liveCaptures(payment);
  const left = euros(Math.max(0, payment.amount.value - sumOf(live)));
  if (live.length > 0 && !mayBeSeveral(payment)) {
    const message =
      'This payment allows one capture only and already has one: several need both flags, partialCapture and multipleCapture.';
    return refused('multiple_capture', euros(0), message);
  }
  const cap = categoryCap(wanted.category);
  const highest = cap === null || left.value < cap.value ? left : cap;
  if (wanted.amount.value > left.value) {
    const all = `${formatMoney(payment.amount)} authorized, ${formatMoney(euros(sumOf(live)))} captured or being captured`;
    return refused('exceeds_authorized', highest, `At most ${formatMoney(left)} may be captured: ${all}.`);
  }
  if (!payment.partialCapture && wanted.amount.value < payment.amount.value) {
    const message = `Without partialCapture the capture must be the full ${formatMoney(payment.amount)}.`;
    return refused('partial_capture', highest, message);
  }
  if (cap !== null && wanted.amount.value > cap.value) {
    const message = `A merchant of category ${wanted.category} may capture at most ${formatMoney(cap)}.`;
    return refused('category_cap', highest, message);
  }
  return { kind: 'allowed' };
}

/** Why nothing can be captured at all; null if something can. */
function whyClosed(payment: CapturablePayment, { at, transit }: WantedCapture): OrderRefusal<CaptureRule> | null {
  const closed = (rule: CaptureRule, message: string) => refused(rule, euros(0), message);
  if (payment.plan === 'SINGLE') return closed('plan', 'A Single Immediate payment is captured by the service itself.');
  const { captureBy } = payment;
  if (payment.authorization !== 'successful' || captureBy === null) {
    return closed('not_authorized', 'The payment is not authorized.');
  }
  if (payment.isReleased || payment.isBeingReleased) {
    return closed('closed', 'The authorization has been released, or is being released.');
  }
  if (liveCaptures(payment).some(({ finalCapture }) => finalCapture)) {
    return closed('closed', 'A final capture has closed the payment, or is about to.');
  }
  if (payment.isExpired || !isInTime(at, captureBy, transit)) {
    return closed('deadline', `The deadline for captures was ${toIso(captureBy)}.`);
  }
  return isClosed(payment) ? closed('closed', 'All that may be captured has been captured.') : null;
}

/** Whether a capture sent at this time reaches the service strictly before the deadline (rule 26). */
export function isInTime(at: Instant, captureBy: Instant, transit: number): boolean {
  return at < captureBy - transit;
}

/** Why the authorization cannot be released, for example because of a capture, made or in progress (rule 26); null if it can. */
export function whyNotReleasable(payment: CapturablePayment): string | null {
  if (payment.plan === 'SINGLE') return 'Only an Event Dependent authorization can be released.';
  if (liveCaptures(payment).length > 0) {
    return 'The payment has a capture: a capture is reversed only by a refund, and the rest is released by a final capture.';
  }
  if (payment.isExpired) return 'The authorization has expired: the money has already been released to the payer.';
  if (payment.authorization !== 'successful') return 'The payment is not authorized.';
  return null;
}
