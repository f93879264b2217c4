import type { CaptureId } from '../ids';
import { euros, formatMoney, type Money } from '../money';
import type { CycleStatus } from '../subscription/state';
import { DAY, type Instant } from '../time';
import { type OrderRefusal, type PaymentPlan, refused } from './payment';

/** The fields of a cycle that decide about refunds. */
export interface RefundableCycle {
  readonly cycle: number;
  /** Null if the ledger does not have the cycle yet. */
  readonly status: CycleStatus | null;
  /** The debit that collected it; null if there is none, or if an operator resolved it without naming the debit. */
  readonly capture: { readonly captureId: CaptureId; readonly amount: Money } | null;
  /** The sum of all refunds ordered so far that have not failed: pending, unknown and successful ones all count. */
  readonly refunded: Money;
}

export interface WantedRefund {
  readonly amount: Money;
  /** Null: the only capture of the cycle or the one-time payment. */
  readonly captureId: string | null;
}

export type RefundRule =
  | 'not_collected'
  | 'capture_unknown'
  | 'other_capture'
  | 'exceeds_captured'
  | 'not_captured'
  | 'event_dependent'
  | 'capture_required'
  | 'unknown_capture';

export type RefundVerdict = { readonly kind: 'allowed'; readonly captureId: CaptureId } | OrderRefusal<RefundRule>;

/**
 * Judges a refund: the total is at most what was captured, each refund belongs to its capture, and nothing is refunded if
 * nothing was collected (rule 27).
 */
export function judgeRefund(cycle: RefundableCycle, wanted: WantedRefund): RefundVerdict {
  const { capture, status } = cycle;
  if (status !== 'collected') {
    const standing = status ?? 'not due yet';
    return refused('not_collected', euros(0), `Cycle ${cycle.cycle} is ${standing}: there is nothing to refund.`);
  }
  if (capture === null) {
    const message = `Cycle ${cycle.cycle} was resolved as collected without its captureId, which a refund needs: it can only be refunded at the service, under its captureId there.`;
    return refused('capture_unknown', euros(0), message);
  }
  const given = { ...capture, refunded: cycle.refunded };
  if (wanted.captureId !== null && wanted.captureId !== capture.captureId) {
    const message = `Cycle ${cycle.cycle} was collected by a different capture.`;
    return refused('other_capture', leftOf(given), message);
  }
  return judgeAmount(given, wanted.amount);
}

/** Judges the amount of a refund: at most what is left of the capture. */
function judgeAmount(capture: RefundableCapture, amount: Money): RefundVerdict {
  const left = leftOf(capture);
  if (amount.value <= left.value) return { kind: 'allowed', captureId: capture.captureId };
  const all = `${formatMoney(capture.amount)} captured, ${formatMoney(capture.refunded)} refunded or being refunded`;
  return refused('exceeds_captured', left, `At most ${formatMoney(left)} may be refunded: ${all}.`);
}

function leftOf({ amount, refunded }: RefundableCapture): Money {
  return euros(Math.max(0, amount.value - refunded.value));
}

/** The fields of a one-time payment that decide about refunds. */
export interface RefundablePayment {
  readonly plan: PaymentPlan;
  /** Only successful captures, and a debit that matches nothing in the ledger if the refund names it. */
  readonly captures: readonly RefundableCapture[];
}

export interface RefundableCapture {
  readonly captureId: CaptureId;
  readonly amount: Money;
  /** The sum of its refunds ordered so far that have not failed. */
  readonly refunded: Money;
}

/**
 * Refuses a refund of a failed or expired payment, one above the captured amount, and one that does not name its capture if
 * there are several (reference, Errors). Event Dependent payments can be refunded only with `EVENT_DEPENDENT_REFUNDS` (rule 27).
 */
export function judgePaymentRefund(
  { plan, captures }: RefundablePayment,
  wanted: WantedRefund,
  eventDependentRefunds: boolean,
): RefundVerdict {
  const leftOfAll = euros(captures.reduce((sum, each) => sum + leftOf(each).value, 0));
  if (plan === 'EVENT_DEPENDENT' && !eventDependentRefunds) {
    const message =
      'The reference lists no refunds for Event Dependent payments; EVENT_DEPENDENT_REFUNDS switches them on.';
    return refused('event_dependent', euros(0), message);
  }
  const [first, ...others] = captures;
  if (first === undefined)
    return refused('not_captured', euros(0), 'Nothing was captured: there is nothing to refund.');
  if (wanted.captureId === null && others.length > 0) {
    const message = `The payment has ${captures.length} captures: the refund must name a captureId.`;
    return refused('capture_required', leftOfAll, message);
  }
  const capture = wanted.captureId === null ? first : captures.find((each) => each.captureId === wanted.captureId);
  if (capture === undefined) {
    return refused('unknown_capture', leftOfAll, 'The payment has no successful capture with this captureId.');
  }
  return judgeAmount(capture, wanted.amount);
}

/**
 * Business time after which a requested refund is overdue. The reference states no time, but a credit transfer arrives
 * on the next banking day, and at most four days without banking come before that day.
 */
export const MAX_REFUND_DURATION = 5 * DAY;

/** A debit that the service has given back without an order of ours, as found by a comparison. */
export interface Reversal {
  /** When a comparison first found the reversal; business time. */
  readonly reversedAt: Instant;
  readonly reversedAmount: Money;
  /** The state in which the service reports the debit; null if it only has a refund that was not ordered here. */
  readonly reversedAs: string | null;
}

/** Advice for an operator, who could otherwise give the money back twice. */
export function adviceOn({ reversedAmount, reversedAs }: Omit<Reversal, 'reversedAt'>): string {
  return reversedAs === null
    ? `Do not refund ${formatMoney(reversedAmount)} again: the payment service has a refund that was not ordered here.`
    : `Do not refund: the payment service reports the debit as ${reversedAs}.`;
}

/** Whether a record may be our refund of this capture: not if it names another capture. The service may omit the field. */
export function mayBeOf(captureId: CaptureId, record: { readonly captureId?: string | undefined }): boolean {
  return record.captureId === undefined || record.captureId === captureId;
}
