import type { FollowedPayment } from '../src/contract/payments';
import type { NoticeId, PaymentId } from '../src/domain/ids';
import { getPayment, type PaymentRecord } from '../src/ledger';
import type { Dependencies } from './dependencies';

/** @throws where the ledger has no such payment. */
export async function paymentOnRecord({ ledger }: Dependencies, paymentId: PaymentId): Promise<PaymentRecord> {
  const payment = await getPayment(ledger, paymentId);
  if (payment === null) throw new Error(`the ledger has no payment ${paymentId}`);
  return payment;
}

/** How far it has come, for its workflow. */
export function followed({ status, captureBy }: PaymentRecord, noticeId: NoticeId | null = null): FollowedPayment {
  return { status, captureBy, noticeId };
}
