import type { Pool } from 'pg';
import type { CaptureId, PaymentId, SubscriptionId } from '../domain/ids';
import { euros, type Money } from '../domain/money';
import { judgeRefund, type RefundableCycle } from '../domain/payment/refund-rules';
import type { CycleStatus } from '../domain/subscription/state';
import { moneyFromColumn } from './column';
import { type Db, queryOne } from './db';
import { type OrderRefundResult, placeRefund, type RefundTerms } from './refund-placing';
import { inTransaction } from './transaction';
import { findUnexplainedDebit } from './unexplained-debits';

/** A null `captureId` is the cycle's own. */
export interface NewRefund extends RefundTerms {
  readonly subscriptionId: SubscriptionId;
  readonly cycle: number;
}

/**
 * Orders a refund, or says why none may be: all of it under the subscription's lock, so that two requests at once cannot
 * both take what is left. What is ordered counts at once, whatever becomes of it, unless it fails (decisions 27).
 * @throws where the subscription is not in the ledger.
 */
export async function orderRefund(pool: Pool, order: NewRefund): Promise<OrderRefundResult> {
  const { subscriptionId, cycle } = order;
  return inTransaction(pool, async (db) => {
    const paymentId = await lockPayment(db, subscriptionId);
    return placeRefund(db, { subscriptionId, cycle, paymentId }, order, async () =>
      judgeRefund(await readCycle(db, paymentId, order), order),
    );
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

/** The cycle with its own debit, or with one that nothing of ours explains, where the order names that. */
async function readCycle(db: Db, paymentId: PaymentId | null, order: NewRefund): Promise<RefundableCycle> {
  const { subscriptionId, cycle, captureId } = order;
  const found = await queryOne<{ status: CycleStatus; capture_id: string | null; captured: number | null }>(
    db,
    `select c.status, a.capture_id, a.amount as captured
     from cycles c
     left join attempts a on (a.subscription_id, a.cycle) = (c.subscription_id, c.cycle) and a.state = 'successful'
     where c.subscription_id = $1 and c.cycle = $2`,
    [subscriptionId, cycle],
  );
  const isStrange = found !== null && captureId !== null && captureId !== found.capture_id;
  const unexplained =
    isStrange && paymentId !== null ? await findUnexplainedDebit(db, { subscriptionId, paymentId, captureId }) : null;
  const capture = unexplained ?? toCapture(found?.capture_id ?? null, found?.captured ?? null);
  return {
    cycle,
    status: unexplained === null ? (found?.status ?? null) : 'collected',
    capture,
    refunded: capture === null ? euros(0) : await refundedOf(db, subscriptionId, capture.captureId),
  };
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
