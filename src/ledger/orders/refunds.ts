import type { CaptureId, PaymentId, OrderId, SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import type { Instant } from '../../domain/time';
import { moneyFromColumn, type Db, queryOne } from '../database';
import type { OrderSendState } from './sends';

/** A refund as it was ordered, and how its last send stands. */
export interface RefundRecord {
  readonly refundId: OrderId;
  /** With `cycle` null for a refund of a one-time payment. */
  readonly subscriptionId: SubscriptionId | null;
  readonly cycle: number | null;
  readonly paymentId: PaymentId;
  readonly captureId: CaptureId;
  readonly amount: Money;
  readonly reason: string | null;
  /** The name of the API key that ordered it. */
  readonly actor: string;
  readonly createdAt: Instant;
  /** Real time. */
  readonly createdRealAt: number;
  /** Of its last send; null where none was begun. */
  readonly state: OrderSendState | null;
  /** The service's own id of it; null where the service has not named one. */
  readonly serviceRefundId: string | null;
  /** Why it failed. */
  readonly detail: string | null;
  readonly description: string | null;
}

/** Null where there is none of this id. */
export async function getRefund(db: Db, refundId: OrderId): Promise<RefundRecord | null> {
  const row = await queryOne<RefundRow>(db, `${REFUNDS} where r.order_id = $1 and r.kind = 'refund'`, [refundId]);
  return row === null ? null : toRefund(row);
}

/** Of these cycles of a subscription, in the order in which they were ordered. */
export async function refundsOf(
  db: Db,
  subscriptionId: SubscriptionId,
  cycles: readonly number[],
): Promise<readonly RefundRecord[]> {
  const { rows } = await db.query<RefundRow>(
    `${REFUNDS} where r.subscription_id = $1 and r.cycle = any ($2::integer[])
     order by r.created_real_at, r.order_id`,
    [subscriptionId, cycles],
  );
  return rows.map(toRefund);
}

/** Of these one-time payments, in the order in which they were ordered. */
export async function refundsOfPayments(db: Db, paymentIds: readonly PaymentId[]): Promise<readonly RefundRecord[]> {
  const { rows } = await db.query<RefundRow>(
    `${REFUNDS} where r.kind = 'refund' and r.payment_id = any ($1) order by r.created_real_at, r.order_id`,
    [paymentIds],
  );
  return rows.map(toRefund);
}

const REFUNDS = `
  select r.*, s.state, s.service_id, s.detail, s.description
  from orders r
  left join lateral (
    select * from order_sends where order_id = r.order_id order by send desc limit 1
  ) s on true`;

interface RefundRow {
  order_id: string;
  subscription_id: string | null;
  cycle: number | null;
  payment_id: string;
  capture_id: string;
  amount: number;
  reason: string | null;
  actor: string;
  created_at: number;
  created_real_at: number;
  state: OrderSendState | null;
  service_id: string | null;
  detail: string | null;
  description: string | null;
}

function toRefund(row: RefundRow): RefundRecord {
  return {
    refundId: row.order_id as OrderId,
    subscriptionId: row.subscription_id as SubscriptionId | null,
    cycle: row.cycle,
    paymentId: row.payment_id as PaymentId,
    captureId: row.capture_id as CaptureId,
    amount: moneyFromColumn(row.amount),
    reason: row.reason,
    actor: row.actor,
    createdAt: row.created_at,
    createdRealAt: row.created_real_at,
    state: row.state,
    serviceRefundId: row.service_id,
    detail: row.detail,
    description: row.description,
  };
}
