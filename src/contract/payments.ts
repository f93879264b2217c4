import type { OrderId, PaymentId, SubscriptionId } from '../domain/ids';
import type { Instant } from '../domain/time';
import type { PaymentStepInput, Step } from './steps';

/** The types of the workflows of one-time payments and of the orders of any payment. */
export const PAYMENT_WORKFLOW = 'payment';
export const CAPTURE_WORKFLOW = 'capture';
export const REFUND_WORKFLOW = 'refund';

/** @param requestId our own id, because the service's is not known yet */
export function paymentWorkflowId(requestId: string): string {
  return `payment/${requestId}`;
}

export interface PaymentReference {
  readonly paymentId: PaymentId;
}

/** A one-time payment whose row has changed: its workflow has to be notified. */
export interface ChangedPayment {
  readonly requestId: string;
  readonly revision: number;
}

/** The result of one check of a payment. */
export interface PaymentChecked {
  /** Null if nothing changed. */
  readonly changed: ChangedPayment | null;
  /** Why the service gave no usable answer; absent if it did. */
  readonly unavailable?: string;
}

/** Identifies an order for a capture; everything else is in the ledger. */
export interface CaptureInput extends PaymentReference {
  readonly orderId: OrderId;
}

export interface CaptureResult {
  readonly kind: 'successful' | 'failed';
  readonly changed: ChangedPayment;
}

/** Identifies an order for a refund, and its target; everything else is in the ledger. */
export interface RefundInput extends PaymentReference {
  readonly refundId: OrderId;
  /** Null for a refund of a one-time payment. */
  readonly subscriptionId: SubscriptionId | null;
}

export type RefundResult =
  | { readonly kind: 'successful'; readonly serviceRefundId: string; readonly at: Instant }
  | { readonly kind: 'failed'; readonly detail: string; readonly description: string };

/**
 * The activities that the worker provides to the workflows `payment` and `paymentCheck`. Each activity that is a step
 * of `payment` returns the next step.
 */
export interface PaymentActivities {
  /** Takes the steps that need only the ledger, and returns the next step. */
  decidePayment(input: PaymentStepInput): Promise<Step>;
  /** `POST /payments` for a draft. Sent once, never repeated (rule 18). */
  requestPayment(input: PaymentStepInput): Promise<Step>;
  /** Polls the consent, then the authorization, then, for Single Immediate, the booking, until each is final. */
  followPayment(input: PaymentStepInput): Promise<Step>;
  /** Releases the authorization, and polls until the service confirms it. */
  releasePayment(input: PaymentStepInput): Promise<Step>;
  /** Checks the consent, the authorization and the booking once, and stores the answers. */
  checkPayment(input: PaymentReference): Promise<PaymentChecked>;
}

/** The activities that the worker provides to the workflows of orders. */
export interface OrderActivities {
  /** One complete capture: pre-send check, "sending" row, POST, polling, outcome (rules 16 to 18). */
  capturePayment(input: CaptureInput): Promise<CaptureResult>;
  /** One complete refund, with the same steps. */
  refundPayment(input: RefundInput): Promise<RefundResult>;
}
