import type { CaptureId, OrderId, PaymentId, SubscriptionId } from '../domain/ids';
import type { Instant } from '../domain/time';
import type { Money } from '../domain/money';

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
  /** One refund whole: look before the leap, "sending" row, POST, polling, outcome (decisions 16 to 18). */
  refundPayment(input: RefundInput): Promise<RefundResult>;
}
