import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { NoticeId, OrderId, PaymentId, CaptureId, SubscriptionId } from '../domain/ids';
import type { Money } from '../domain/money';
import type { PaymentPlan, PaymentStatus } from '../domain/payment/payment';
import type { Instant } from '../domain/time';
import type { ConsentRequestResult, DiscardResult, Surroundings, Unavailable } from './activities';
import { DURATION, FLAG, INSTANT, MONEY, TEXT, updateShape } from './arguments';

/** The type of the workflow of one Single Immediate or Event Dependent payment. */
export const PAYMENT_WORKFLOW = 'payment';

/** @param requestId ours, from before the service names the payment */
export function paymentWorkflowId(requestId: string): string {
  return `payment/${requestId}`;
}

/** What was agreed. No personal data. */
export interface PaymentTerms {
  readonly requestId: string;
  readonly plan: PaymentPlan;
  readonly amount: Money;
  /** Ms before the capture deadline from which on no capture is sent any more. */
  readonly transit: number;
}

/** How far the payment has come, as its workflow holds it; about money the ledger knows. */
export interface PaymentState {
  readonly terms: PaymentTerms;
  readonly paymentId: PaymentId | null;
  /** Real time; null before the service has opened the session. */
  readonly requestedRealAt: number | null;
  readonly status: PaymentStatus;
  /** Null before the authorization, and for Single Immediate. */
  readonly captureBy: Instant | null;
  /** Whether the merchant has been notified of the deadline, or no notice is needed. */
  readonly deadlineTold: boolean;
  /** Ordered, and not final: followed beside whatever else is ordered. A run that began before had none. */
  readonly openCaptures?: readonly CaptureInput[];
}

export interface PaymentInput extends Surroundings {
  readonly state: PaymentState;
}

export interface PaymentReference {
  readonly paymentId: PaymentId;
}

/** A capture as the ledger has it ordered. */
export interface CaptureInput extends PaymentReference {
  readonly orderId: OrderId;
  readonly amount: Money;
  readonly finalCapture: boolean;
  /** Business time of the order. */
  readonly orderedAt: Instant;
  readonly captureBy: Instant;
  readonly transit: number;
}

/** How far an order for a capture has come; the status is the payment's after it. */
export interface CaptureProgress {
  /** `pending` only of one that stands back; of a final one also while another that was sent before it is. */
  readonly kind: 'successful' | 'failed' | 'pending';
  readonly status: PaymentStatus;
}

/** A capture that is to let the next one go first where its booking takes long. */
export interface CaptureTurn extends CaptureInput {
  /** Comes back once it has been pending for a while: it holds no other order (rule 18). */
  readonly standsBack?: boolean;
}

/** How far a payment has come. */
export interface FollowedPayment {
  readonly status: PaymentStatus;
  readonly captureBy: Instant | null;
  /** The notice to the merchant; null where there is none. */
  readonly noticeId: NoticeId | null;
}

/** What one look at a payment came to. An older worker answers nothing: undefined. */
export type PaymentLook = { readonly kind: 'looked' } | Unavailable | undefined;

/** To the merchant, once a payment. */
export interface PaymentNotice {
  readonly type: 'capture.deadline_near' | 'consent.failed';
  readonly data: Readonly<Record<string, unknown>>;
}

/** What the worker does for the workflow `payment`. */
export interface PaymentActivities {
  /** Asks for the consent of the draft. Not repeated: an answer lost before it is on record is `unavailable` (rule 18). */
  requestPayment(input: { readonly requestId: string }): Promise<ConsentRequestResult>;
  /** Removes what a refused request leaves in the ledger; what is on record stays, and is answered. */
  discardPayment(input: { readonly requestId: string }): Promise<DiscardResult>;
  /** Asks for the consent, then the authorization, then, of Single Immediate, the booking, until each is final. */
  followPayment(input: PaymentReference): Promise<FollowedPayment>;
  /** One look at the consent and what follows from it, kept in the ledger. */
  lookAtPayment(input: PaymentReference): Promise<PaymentLook>;
  /** One capture whole: pre-send check, "sending" row, POST, polling, outcome (rule 16 to 18). */
  capturePayment(input: CaptureTurn): Promise<CaptureProgress>;
  /** Releases what was authorized, and asks until the service says so. */
  releasePayment(input: PaymentReference): Promise<FollowedPayment>;
  /**
   * Notifies the merchant of the deadline where money is left. @returns the notice to deliver; null where nothing is
   * left.
   */
  announceDeadline(input: PaymentReference): Promise<NoticeId | null>;
  /** The deadline has passed: settles what is under way, and expires the rest. */
  expirePayment(input: PaymentReference): Promise<FollowedPayment>;
}

/** Sent together with the start: answers once the service has opened the consent session, or has not. */
export const requestPaymentUpdate = defineUpdate<ConsentRequestResult>('requestPayment');
export const checkPaymentUpdate = defineUpdate<void>('checkPayment');
/** The capture stands in the ledger as ordered; completes once it is final, or has been pending for a while. */
export const captureUpdate = defineUpdate<CaptureProgress, [CaptureInput]>('capture');
export const CAPTURE = updateShape<CaptureInput>('capture', {
  orderId: TEXT,
  paymentId: TEXT,
  amount: MONEY,
  finalCapture: FLAG,
  orderedAt: INSTANT,
  captureBy: INSTANT,
  transit: DURATION,
});
/** The release stands in the ledger as ordered; completes once the service has confirmed it. */
export const releaseUpdate = defineUpdate<void>('release');

export const paymentStateQuery = defineQuery<PaymentState>('state');

/** The type of the workflow that makes one refund. */
export const REFUND_WORKFLOW = 'refund';

export function refundWorkflowId(refundId: OrderId): string {
  return `refund/${refundId}`;
}

/** One refund as the ledger has it ordered. No personal data, and not the reason, which is a person's words. */
export interface RefundInput {
  readonly refundId: OrderId;
  /** With `cycle` null for a refund of a one-time payment. */
  readonly subscriptionId: SubscriptionId | null;
  readonly paymentId: PaymentId;
  readonly cycle: number | null;
  readonly captureId: CaptureId;
  readonly amount: Money;
  /** Business time of the order. */
  readonly orderedAt: Instant;
}

export type RefundResult =
  | { readonly kind: 'successful'; readonly serviceRefundId: string; readonly at: Instant }
  | { readonly kind: 'failed'; readonly detail: string; readonly description: string };

/** What the worker does for the workflow `refund`. */
export interface RefundActivities {
  /** One refund whole: pre-send check, "sending" row, POST, polling, outcome (rule 16 to 18). */
  refundPayment(input: RefundInput): Promise<RefundResult>;
}
