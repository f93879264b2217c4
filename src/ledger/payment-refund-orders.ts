import type { Pool } from 'pg';
import type { OrderId, PaymentId } from '../domain/ids';
import type { Instant } from '../domain/instant';
import { euros, type Money, sameMoney } from '../domain/money';
import { judgePaymentRefund, type RefundableCapture, type RefundVerdict } from '../domain/refund-rules';
import { instantToColumn, textToColumn } from './column';
import type { Db } from './db';
import { insertEvent } from './events';
import { lockPayment } from './payment-changes';
import type { PaymentRecord } from './payment-record';
import { getPayment } from './payments';
import type { OrderRefundResult } from './refund-orders';
import { getRefund, type RefundRecord } from './refunds';
import { inTransaction } from './transaction';

export interface NewPaymentRefund {
  /** Follows from the request, so that the same one again meets what it made. */
  readonly refundId: OrderId;
  readonly paymentId: PaymentId;
  readonly amount: Money;
  /** Null: the payment's only one. */
  readonly captureId: string | null;
  readonly reason: string | null;
  /** The name of the API key that asks. */
  readonly actor: string;
  readonly at: Instant;
  /** Real time. */
  readonly realAt: number;
  /** Whether Event Dependent payments may be refunded (decisions 27). */
  readonly eventDependentRefunds: boolean;
}

/**
 * Orders a refund of a one-time payment, or says why none may be, under the payment's lock (decisions 27).
 * @throws where the payment is not in the ledger.
 */
export async function orderPaymentRefund(pool: Pool, order: NewPaymentRefund): Promise<OrderRefundResult> {
  return inTransaction(pool, async (db): Promise<OrderRefundResult> => {
    await lockPayment(db, order.paymentId);
    const before = await getRefund(db, order.refundId);
    if (before !== null) return isSameOrder(before, order) ? { kind: 'exists', refund: before } : { kind: 'reused' };
    const payment = await getPayment(db, order.paymentId);
    if (payment === null) throw new Error(`the ledger has no payment ${order.paymentId}`);
    const refundable = { plan: payment.plan, captures: refundableCaptures(payment) };
    const verdict = judgePaymentRefund(refundable, order, order.eventDependentRefunds);
    if (verdict.kind === 'refused') {
      await recordRefusal(db, order, verdict);
      return verdict;
    }
    return { kind: 'ordered', refund: await insertRefund(db, order, verdict.captureId) };
  });
}

/** Successful captures, with what of them is given back or being given back. */
function refundableCaptures({ captures, refunds }: PaymentRecord): RefundableCapture[] {
  return captures.flatMap(({ captureId, amount, state }) => {
    if (state !== 'successful' || captureId === null) return [];
    const given = refunds.filter((each) => each.captureId === captureId && each.state !== 'failed');
    return [{ captureId, amount, refunded: euros(given.reduce((sum, each) => sum + each.amount.value, 0)) }];
  });
}

function isSameOrder(before: RefundRecord, order: NewPaymentRefund): boolean {
  return (
    before.paymentId === order.paymentId &&
    before.subscriptionId === null &&
    sameMoney(before.amount, order.amount) &&
    (order.captureId === null || before.captureId === order.captureId) &&
    before.reason === textToColumn(order.reason)
  );
}

async function insertRefund(db: Db, order: NewPaymentRefund, captureId: string): Promise<RefundRecord> {
  const { refundId, paymentId, amount, actor, at, reason } = order;
  await db.query(
    `insert into orders (kind, order_id, payment_id, capture_id, amount, reason, actor, created_at, created_real_at)
     values ('refund', $1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...[refundId, paymentId, captureId, amount.value, textToColumn(reason), actor],
      ...[instantToColumn(at), instantToColumn(order.realAt)],
    ],
  );
  const about = { subscriptionId: null, paymentId, at, actor };
  await insertEvent(db, { ...about, type: 'refund.requested', data: { refundId, captureId, amount, reason } });
  const refund = await getRefund(db, refundId);
  if (refund === null) throw new Error(`the refund ${refundId} was inserted and is gone`);
  return refund;
}

async function recordRefusal(
  db: Db,
  { paymentId, captureId, amount, reason, at, actor }: NewPaymentRefund,
  { rule, message, highestAllowed }: Extract<RefundVerdict, { kind: 'refused' }>,
): Promise<void> {
  await insertEvent(db, {
    ...{ subscriptionId: null, paymentId, at, actor, type: 'refund.refused' },
    data: { captureId, amount, reason, rule, highestAllowed, message },
  });
}
