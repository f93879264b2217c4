import type { CaptureId, PaymentId, OrderId, SubscriptionId } from '../../domain/ids';
import { euros, type Money } from '../../domain/money';
import type { OrderSendState } from '../../domain/send';
import { DAY, type Instant } from '../../domain/time';
import { type Db, instantToColumn, readRecord, readRecords } from '../sql/statements';

/** The orders that have a row of their own; a release is a part of its payment. */
export type OrderKind = 'capture' | 'refund';

/** The subject of an order. */
export interface OrderSubject {
  readonly kind: OrderKind;
  readonly orderId: OrderId;
  readonly paymentId: PaymentId;
  /** Subscription and cycle are null for an order of a one-time payment. */
  readonly subscriptionId: SubscriptionId | null;
  readonly cycle: number | null;
}

/** A refund as ordered, and the state of its last send. */
export interface RefundRecord extends Pick<OrderSubject, 'paymentId' | 'subscriptionId' | 'cycle'> {
  readonly refundId: OrderId;
  readonly captureId: CaptureId;
  readonly amount: Money;
  readonly reason: string | null;
  /** The name of the API key that ordered it. */
  readonly actor: string;
  readonly createdAt: Instant;
  /** Real time. */
  readonly createdRealAt: number;
  /** State of its last send; null if none was started. */
  readonly state: OrderSendState | null;
  /** The service's id of the refund; null if it has not named one. */
  readonly serviceRefundId: string | null;
  /** Why it failed. */
  readonly detail: string | null;
  readonly description: string | null;
}

/** Null if there is no refund with this id. */
export async function getRefund(db: Db, refundId: OrderId): Promise<RefundRecord | null> {
  return readRecord(db, `${REFUNDS} where r.order_id = $1 and r.kind = 'refund'`, [refundId]);
}

/** The refunds of these cycles of a subscription, including those of payments by link, in the order in which they were ordered. */
export async function refundsOf(
  db: Db,
  subscriptionId: SubscriptionId,
  cycles: readonly number[],
): Promise<readonly RefundRecord[]> {
  return readRecords(
    db,
    `${refundsWith('coalesce(r.cycle, l.cycle)')}
     left join (payments p join payment_links l using (request_id)) on p.payment_id = r.payment_id and r.cycle is null
     where r.kind = 'refund' and (
       (r.subscription_id = $1 and r.cycle = any ($2::integer[]))
       or r.payment_id = any (array(
         select p.payment_id from payment_links l join payments p using (request_id)
         where l.subscription_id = $1 and l.cycle = any ($2::integer[])
       ))
     )
     order by r.created_real_at, r.order_id`,
    [subscriptionId, cycles],
  );
}

/** The refunds of these one-time payments, in the order in which they were ordered. */
export async function refundsOfPayments(db: Db, paymentIds: readonly PaymentId[]): Promise<readonly RefundRecord[]> {
  return readRecords(
    db,
    `${REFUNDS} where r.kind = 'refund' and r.payment_id = any ($1) order by r.created_real_at, r.order_id`,
    [paymentIds],
  );
}

/** The sum of the refunds of one capture, including those under way, without failed ones. */
export async function refundedOfCapture(db: Db, subscriptionId: SubscriptionId, captureId: CaptureId): Promise<Money> {
  return sumOfRefunds(db, 'subscription_id = $1 and capture_id = $2', [subscriptionId, captureId]);
}

/** The refund limit of a key, and the amount that it requests. */
export interface LimitedRefund {
  readonly amount: Money;
  /** The name of the requesting API key. Keys that replace one another share it. */
  readonly actor: string;
  /** What that key may refund in 24 hours of real time; no limit if null or omitted. */
  readonly perDay?: Money | null;
  /** Real time. */
  readonly realAt: number;
}

export interface ExceededLimit {
  readonly actor: string;
  readonly limit: Money;
  /** The total of 24 hours, including this refund; failed ones do not count. */
  readonly asked: Money;
}

/**
 * Null if the key may refund this amount. Requests with the same name are serialized until the transaction ends, so that two
 * concurrent ones cannot both take the remainder.
 */
export async function checkRefundLimit(
  db: Db,
  { actor, perDay = null, amount, realAt }: LimitedRefund,
): Promise<ExceededLimit | null> {
  if (perDay === null) return null;
  await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`refunds of ${actor}`]);
  const since = instantToColumn(realAt - DAY);
  const refunded = await sumOfRefunds(db, 'actor = $1 and created_real_at > $2', [actor, since]);
  const requested = euros(refunded.value + amount.value);
  return requested.value <= perDay.value ? null : { actor, limit: perDay, asked: requested };
}

/** @param which a fixed condition, never text from a caller; its parameters are `values` */
async function sumOfRefunds(db: Db, which: string, values: unknown[]): Promise<Money> {
  const row = await readRecord<{ amount: Money }>(
    db,
    `select coalesce(sum(amount), 0) as amount from orders o
     where kind = 'refund' and ${which}
       and not exists (select from order_sends s where s.order_id = o.order_id and s.state = 'failed')`,
    values,
  );
  return row?.amount ?? euros(0);
}

const refundsWith = (cycle: string) => `
  select r.order_id as refund_id, r.subscription_id, ${cycle} as cycle, r.payment_id, r.capture_id, r.amount, r.reason, r.actor,
    r.created_at, r.created_real_at, s.state, s.service_id as service_refund_id, s.detail, s.description
  from orders r
  left join lateral (
    select * from order_sends where order_id = r.order_id order by send desc limit 1
  ) s on true`;

const REFUNDS = refundsWith('r.cycle');
