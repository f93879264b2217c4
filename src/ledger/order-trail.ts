import type { EventData, EventType } from '../domain/trail/event';
import type { OrderId, PaymentId, SubscriptionId } from '../domain/ids';
import type { Instant } from '../domain/time';
import { DUEDAY, type NewEvent } from './events';

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

/** What of the trail's types is about an order, without its kind; both kinds have the same. */
type OrderWord<T extends EventType = EventType> = T extends `${OrderKind}.${infer Word}` ? Word : never;

/** An entry of the trail of the subscription, or of the one-time payment, that the order belongs to. */
export function entryOfOrder(subject: OrderSubject, word: OrderWord, at: Instant, data: EventData): NewEvent {
  const { kind, subscriptionId, paymentId } = subject;
  return {
    ...(subscriptionId === null ? { subscriptionId, paymentId } : { subscriptionId }),
    ...{ at, actor: DUEDAY, type: `${kind}.${word}` },
    data: { ...namesOfOrder(subject), ...data },
  };
}

/** How the trail names an order: a refund by its own id and its cycle, a capture by the id of its order. */
export function namesOfOrder({ kind, orderId, cycle }: OrderSubject): EventData {
  if (kind === 'capture') return { orderId };
  return cycle === null ? { refundId: orderId } : { refundId: orderId, cycle };
}

/** How the trail names what the service has made of an order. */
export function nameAtService(kind: OrderKind, serviceId: string | null | undefined): EventData {
  if (serviceId == null) return {};
  return kind === 'capture' ? { captureId: serviceId } : { serviceRefundId: serviceId };
}
