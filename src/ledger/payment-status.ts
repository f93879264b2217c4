import type { PaymentId } from '../domain/ids';
import { paymentStatus } from '../domain/payment/payment';
import type { Db } from './db';
import { capturableOf } from './payment-record';
import { getPayment } from './payments';

/** Brings the status of a one-time payment up to what its records say; within the transaction that changed them. */
export async function restatePayment(db: Db, paymentId: PaymentId): Promise<void> {
  const payment = await getPayment(db, paymentId);
  if (payment === null) throw new Error(`the ledger has no payment ${paymentId}`);
  const status = paymentStatus(capturableOf(payment));
  if (status === payment.status) return;
  await db.query('update payments set status = $2 where payment_id = $1', [paymentId, status]);
}
