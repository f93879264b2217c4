import type { Pool } from 'pg';
import type { CaptureId, PaymentId, OrderId, SubscriptionId } from '../domain/ids';
import type { Instant } from '../domain/instant';
import { euros, type Money, sameMoney } from '../domain/money';
import { judgeRefund, type RefundableCycle, type RefundVerdict } from '../domain/refund-rules';
import type { CycleStatus } from '../domain/subscription';
import { instantToColumn, moneyFromColumn, textToColumn } from './column';
import { type Db, queryOne } from './db';
import { insertEvent } from './events';
import { getRefund, type RefundRecord } from './refunds';
import { inTransaction } from './transaction';

export interface NewRefund {
  /** Follows from the request, so that the same one again meets what it made. */
  readonly refundId: OrderId;
  readonly subscriptionId: SubscriptionId;
  readonly cycle: number;
  readonly amount: Money;
  /** Null: the cycle's own. */
  readonly captureId: string | null;
  readonly reason: string | null;
  /** The name of the API key that asks. */
  readonly actor: string;
  readonly at: Instant;
  /** Real time. */
  readonly realAt: number;
}

export type OrderRefundResult =
  | { readonly kind: 'ordered'; readonly refund: RefundRecord }
  /** Ordered before, by the same request. */
  | { readonly kind: 'exists'; readonly refund: RefundRecord }
  /** The id stands for another refund already. */
  | { readonly kind: 'reused' }
  | Extract<RefundVerdict, { kind: 'refused' }>;

/**
 * Orders a refund, or says why none may be: all of it under the subscription's lock, so that two requests at once cannot
 * both take what is left. What is ordered counts at once, whatever becomes of it, unless it fails (decisions 27).
 * @throws where the subscription is not in the ledger.
 */
export async function orderRefund(pool: Pool, order: NewRefund): Promise<OrderRefundResult> {
  return inTransaction(pool, async (db): Promise<OrderRefundResult> => {
    const paymentId = await lockPayment(db, order.subscriptionId);
    const before = await getRefund(db, order.refundId);
    if (before !== null) return isSameOrder(before, order) ? { kind: 'exists', refund: before } : { kind: 'reused' };
    const verdict = judgeRefund(await readCycle(db, order), order);
    if (verdict.kind === 'refused') {
      await recordRefusal(db, order, verdict);
      return verdict;
    }
    const refund = await insertRefund(db, order, paymentId, verdict.captureId);
    await recordOrder(db, refund);
    return { kind: 'ordered', refund };
  });
}

/** A subscription without a payment has nothing collected. */
async function lockPayment(db: Db, subscriptionId: SubscriptionId): Promise<PaymentId | null> {
  const row = await queryOne<{ payment_id: string | null }>(
    db,
    `select payment_id from subscriptions where subscription_id = $1 and status <> 'draft' for update`,
    [subscriptionId],
  );
  if (row === null) throw new Error(`the ledger has no subscription ${subscriptionId}`);
  return row.payment_id as PaymentId | null;
}

function isSameOrder(before: RefundRecord, order: NewRefund): boolean {
  return (
    before.subscriptionId === order.subscriptionId &&
    before.cycle === order.cycle &&
    sameMoney(before.amount, order.amount) &&
    (order.captureId === null || before.captureId === order.captureId) &&
    before.reason === textToColumn(order.reason)
  );
}

/** The cycle with its own debit, or with one that nothing of ours explains, where the order names that. */
async function readCycle(db: Db, order: NewRefund): Promise<RefundableCycle> {
  const { subscriptionId, cycle } = order;
  const found = await queryOne<{ status: CycleStatus; capture_id: string | null; captured: number | null }>(
    db,
    `select c.status, a.capture_id, a.amount as captured
     from cycles c
     left join attempts a on (a.subscription_id, a.cycle) = (c.subscription_id, c.cycle) and a.state = 'successful'
     where c.subscription_id = $1 and c.cycle = $2`,
    [subscriptionId, cycle],
  );
  const unexplained = found === null ? null : await findUnexplainedDebit(db, order, found.capture_id);
  const capture = unexplained ?? toCapture(found?.capture_id ?? null, found?.captured ?? null);
  return {
    cycle,
    status: unexplained === null ? (found?.status ?? null) : 'collected',
    capture,
    refunded: capture === null ? euros(0) : await refundedOf(db, subscriptionId, capture.captureId),
  };
}

/** A debit that the last reconciliation found and nothing of ours explains, such as one that landed after it was given up. */
async function findUnexplainedDebit(
  db: Db,
  { subscriptionId, captureId }: NewRefund,
  ownCaptureId: string | null,
): Promise<RefundableCycle['capture']> {
  if (captureId === null || captureId === ownCaptureId) return null;
  const row = await queryOne<{ service_amount: number }>(
    db,
    `select service_amount from reconciliation_differences
     where kind = 'debit_unknown' and service_state = 'successful' and subscription_id = $1 and capture_id = $2
     order by number desc limit 1`,
    [subscriptionId, captureId],
  );
  return toCapture(captureId, row?.service_amount ?? null);
}

function toCapture(captureId: string | null, cents: number | null): RefundableCycle['capture'] {
  if (captureId === null || cents === null) return null;
  return { captureId: captureId as CaptureId, amount: moneyFromColumn(cents) };
}

/** Sum of the refunds of one capture, but for the failed ones. */
async function refundedOf(db: Db, subscriptionId: SubscriptionId, captureId: CaptureId): Promise<Money> {
  const row = await queryOne<{ cents: number }>(
    db,
    `select coalesce(sum(amount), 0) as cents from orders o
     where subscription_id = $1 and capture_id = $2
       and not exists (select from order_sends s where s.order_id = o.order_id and s.state = 'failed')`,
    [subscriptionId, captureId],
  );
  return euros(row?.cents ?? 0);
}

async function insertRefund(
  db: Db,
  order: NewRefund,
  paymentId: PaymentId | null,
  captureId: CaptureId,
): Promise<RefundRecord> {
  await db.query(
    `insert into orders (
       kind, order_id, subscription_id, cycle, payment_id, capture_id, amount, reason, actor, created_at, created_real_at
     ) values ('refund', $1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      order.refundId,
      order.subscriptionId,
      order.cycle,
      paymentId,
      captureId,
      order.amount.value,
      textToColumn(order.reason),
      order.actor,
      instantToColumn(order.at),
      instantToColumn(order.realAt),
    ],
  );
  const refund = await getRefund(db, order.refundId);
  if (refund === null) throw new Error(`the refund ${order.refundId} was inserted and is gone`);
  return refund;
}

async function recordOrder(db: Db, refund: RefundRecord): Promise<void> {
  const { refundId, subscriptionId, cycle, captureId, amount, reason, createdAt, actor } = refund;
  await insertEvent(db, {
    ...{ subscriptionId, at: createdAt, actor },
    type: 'refund.requested',
    data: { refundId, cycle, captureId, amount, reason },
  });
}

async function recordRefusal(
  db: Db,
  order: NewRefund,
  { rule, message, highestAllowed }: Extract<RefundVerdict, { kind: 'refused' }>,
): Promise<void> {
  const { subscriptionId, cycle, captureId, amount, reason, at, actor } = order;
  await insertEvent(db, {
    ...{ subscriptionId, at, actor },
    type: 'refund.refused',
    data: { cycle, captureId, amount, reason, rule, highestAllowed, message },
  });
}
