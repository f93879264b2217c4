import type { DiscardResult } from '../contract/activities';
import type { PaymentId } from '../domain/ids';

/** How far the request of a consent has come, of a subscription or a one-time payment alike. */
export interface RequestedRow {
  status: string;
  payment_id: string | null;
  /** Null for a consent that was granted elsewhere. */
  consent_requested_real_at: number | null;
}

/** The service's answer to `POST /payments` as the ledger has it; null where the row is a draft, which has none. */
export function answerOnRecord(row: RequestedRow): Extract<DiscardResult, { kind: 'on_record' }> | null {
  const { status, payment_id: paymentId, consent_requested_real_at: requestedRealAt } = row;
  if (status === 'draft' || paymentId === null || requestedRealAt === null) return null;
  return { kind: 'on_record', paymentId: paymentId as PaymentId, requestedRealAt };
}
