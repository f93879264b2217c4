import type { OrderId, PaymentId, SubscriptionId } from '../../domain/ids';

/** What may be ordered of an authorized payment. */
export type OrderKind = 'capture' | 'refund';

/** Whose order it is. */
export interface OrderSubject {
  readonly kind: OrderKind;
  readonly orderId: OrderId;
  readonly paymentId: PaymentId;
  /** With `cycle` null for an order of a one-time payment. */
  readonly subscriptionId: SubscriptionId | null;
  readonly cycle: number | null;
}
