import { euros, type Money } from '../domain/money';
import type { AuthorizationId, CaptureId, OrderId, PaymentId } from '../domain/ids';
import type { Instant } from '../domain/time';
import type { CapturablePayment } from '../domain/payment/capture-rules';
import type { CaptureState, PaymentPlan, PaymentStatus } from '../domain/payment/payment';
import { moneyFromColumn } from './column';
import type { RefundRecord } from './refunds';
import type { ConsentState } from './subscription-record';

/** A one-time payment as the ledger has it. */
export interface PaymentRecord {
  /** Ours, from before the service names the payment. */
  readonly requestId: string;
  readonly paymentId: PaymentId;
  readonly workflowId: string;
  readonly plan: PaymentPlan;
  readonly status: PaymentStatus;
  readonly amount: Money;
  /** Seconds; null for Single Immediate. */
  readonly timeToCapture: number | null;
  readonly partialCapture: boolean;
  readonly multipleCapture: boolean;
  readonly merchantCategoryCode: string | null;
  readonly consent: PaymentConsent;
  /** Null before the service shows one. */
  readonly authorization: PaymentAuthorization | null;
  /** Captures are taken strictly before it; null for Single Immediate, and before the authorization. */
  readonly captureBy: Instant | null;
  readonly releaseOrderedAt: Instant | null;
  readonly releasedAt: Instant | null;
  readonly expiredAt: Instant | null;
  readonly createdAt: Instant;
  /** In the order in which they were made or ordered. */
  readonly captures: readonly CaptureRecord[];
  readonly refunds: readonly RefundRecord[];
}

export interface PaymentConsent {
  readonly status: ConsentState;
  readonly reason: string | null;
  readonly redirectURL: string | null;
  readonly checkedAt: Instant | null;
  /** Real time, epoch milliseconds. */
  readonly requestedRealAt: number;
}

export interface PaymentAuthorization {
  readonly authorizationId: AuthorizationId;
  readonly state: 'pending' | 'successful' | 'failed';
  readonly createdAt: Instant;
  /** Why it failed. */
  readonly detail: string | null;
  readonly description: string | null;
}

/** A capture of a one-time payment: ordered here, or booked by the service itself. */
export interface CaptureRecord {
  /** Null where the service has booked it by itself. */
  readonly orderId: OrderId | null;
  /** Null where the service has not named it yet. */
  readonly captureId: CaptureId | null;
  readonly paymentId: PaymentId;
  readonly amount: Money;
  readonly finalCapture: boolean;
  readonly state: CaptureState;
  readonly createdAt: Instant;
  /** Real time of the order; null where there was none. */
  readonly createdRealAt: number | null;
  readonly detail: string | null;
  readonly description: string | null;
}

/** What the rules go by. */
export function capturableOf(payment: PaymentRecord): CapturablePayment {
  const isOwn = (captureId: CaptureId) => payment.captures.some((each) => each.captureId === captureId);
  const refunded = payment.refunds
    .filter(({ state, captureId }) => state === 'successful' && isOwn(captureId))
    .reduce((sum, { amount }) => sum + amount.value, 0);
  return {
    plan: payment.plan,
    amount: payment.amount,
    partialCapture: payment.partialCapture,
    multipleCapture: payment.multipleCapture,
    consent: payment.consent.status,
    authorization: payment.authorization?.state ?? null,
    captures: payment.captures,
    refunded: euros(refunded),
    isBeingReleased: payment.releaseOrderedAt !== null,
    isReleased: payment.releasedAt !== null,
    isExpired: payment.expiredAt !== null,
    captureBy: payment.captureBy,
  };
}

export interface PaymentRow {
  request_id: string;
  payment_id: string;
  workflow_id: string;
  plan: PaymentPlan;
  amount: number;
  time_to_capture: number | null;
  partial_capture: boolean;
  multiple_capture: boolean;
  merchant_category_code: string | null;
  status: PaymentStatus;
  consent_status: ConsentState;
  consent_reason: string | null;
  consent_redirect_url: string | null;
  consent_checked_at: number | null;
  consent_requested_real_at: number;
  authorization_id: string | null;
  authorization_state: PaymentAuthorization['state'] | null;
  authorization_created_at: number | null;
  authorization_detail: string | null;
  authorization_description: string | null;
  capture_by: number | null;
  release_ordered_at: number | null;
  released_at: number | null;
  expired_at: number | null;
  created_at: number;
}

export function toPayment(
  row: PaymentRow,
  captures: readonly CaptureRecord[],
  refunds: readonly RefundRecord[],
): PaymentRecord {
  return {
    requestId: row.request_id,
    paymentId: row.payment_id as PaymentId,
    workflowId: row.workflow_id,
    plan: row.plan,
    status: row.status,
    amount: moneyFromColumn(row.amount),
    timeToCapture: row.time_to_capture,
    partialCapture: row.partial_capture,
    multipleCapture: row.multiple_capture,
    merchantCategoryCode: row.merchant_category_code,
    consent: {
      status: row.consent_status,
      reason: row.consent_reason,
      redirectURL: row.consent_redirect_url,
      checkedAt: row.consent_checked_at,
      requestedRealAt: row.consent_requested_real_at,
    },
    authorization: toAuthorization(row),
    captureBy: row.capture_by,
    releaseOrderedAt: row.release_ordered_at,
    releasedAt: row.released_at,
    expiredAt: row.expired_at,
    createdAt: row.created_at,
    captures,
    refunds,
  };
}

function toAuthorization(row: PaymentRow): PaymentAuthorization | null {
  const { authorization_id: id, authorization_state: state, authorization_created_at: createdAt } = row;
  if (id === null || state === null || createdAt === null) return null;
  const { authorization_detail: detail, authorization_description: description } = row;
  return { authorizationId: id as AuthorizationId, state, createdAt, detail, description };
}
