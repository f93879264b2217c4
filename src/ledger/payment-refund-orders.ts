import type { Pool } from 'pg';
import type { PaymentId } from '../domain/ids';
import { euros } from '../domain/money';
import { judgePaymentRefund, type RefundableCapture } from '../domain/payment/refund-rules';
import type { Db } from './db';
import { lockPayment } from './payment-changes';
import type { PaymentRecord } from './payment-record';
import { getPayment } from './payments';
import { type OrderRefundResult, placeRefund, type RefundTerms } from './refund-placing';
import { inTransaction } from './transaction';
import { findUnexplainedDebit, type UnexplainedDebit } from './unexplained-debits';

export interface NewPaymentRefund extends RefundTerms {
  readonly paymentId: PaymentId;
  /** Whether Event Dependent payments may be refunded (decisions 27). */
  readonly eventDependentRefunds: boolean;
}

/**
 * Orders a refund of a one-time payment, or says why none may be, under the payment's lock (decisions 27).
 * @throws where the payment is not in the ledger.
 */
export async function orderPaymentRefund(pool: Pool, order: NewPaymentRefund): Promise<OrderRefundResult> {
  const { paymentId } = order;
  return inTransaction(pool, async (db) => {
    await lockPayment(db, paymentId);
    return placeRefund(db, { subscriptionId: null, cycle: null, paymentId }, order, async () => {
      const payment = await getPayment(db, paymentId);
      if (payment === null) throw new Error(`the ledger has no payment ${paymentId}`);
      const captures = refundableOf(payment, await debitsOf(db, payment, order));
      return judgePaymentRefund({ plan: payment.plan, captures }, order, order.eventDependentRefunds);
    });
  });
}

/** Successful captures, and a debit that nothing of ours explains, where the order names that. */
async function debitsOf(
  db: Db,
  { paymentId, captures }: PaymentRecord,
  { captureId }: NewPaymentRefund,
): Promise<readonly UnexplainedDebit[]> {
  const own = captures.flatMap((each) =>
    each.state === 'successful' && each.captureId !== null ? [{ captureId: each.captureId, amount: each.amount }] : [],
  );
  if (captureId === null || captures.some((each) => each.captureId === captureId)) return own;
  const strange = await findUnexplainedDebit(db, { subscriptionId: null, paymentId, captureId });
  return strange === null ? own : [...own, strange];
}

/** With what of them is given back or being given back. */
function refundableOf({ refunds }: PaymentRecord, debits: readonly UnexplainedDebit[]): RefundableCapture[] {
  return debits.map(({ captureId, amount }) => {
    const given = refunds.filter((each) => each.captureId === captureId && each.state !== 'failed');
    return { captureId, amount, refunded: euros(given.reduce((sum, each) => sum + each.amount.value, 0)) };
  });
}
