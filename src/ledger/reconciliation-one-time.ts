import type { CaptureId, PaymentId } from '../domain/ids';
import type { LedgerAuthorization, LedgerCapture, LedgerOneTimePayment } from '../domain/reconciliation/subscription';
import type { Db } from './db';
import type { PaymentRecord } from './payment-record';
import { getPayment } from './payments';
import { ORDERS, readLedgerRefunds, type SendRow, toSend } from './reconciliation-orders';

/**
 * A one-time payment with every capture and refund, as far as they are held against the service.
 * @throws where the payment is not in the ledger.
 */
export async function readLedgerOneTimePayment(db: Db, paymentId: PaymentId): Promise<LedgerOneTimePayment> {
  const payment = await getPayment(db, paymentId);
  if (payment === null) throw new Error(`the ledger has no payment ${paymentId}`);
  const { rows } = await db.query<CaptureRow>(ORDERS, [paymentId, 'capture']);
  const { plan, status, amount, createdAt: knownSince, consent } = payment;
  return {
    ...{ subscriptionId: null, paymentId, plan, status, amount, knownSince },
    requestedRealAt: consent.requestedRealAt,
    authorization: authorizationOf(payment),
    captures: [...bookingsOf(payment), ...rows.map(toCapture)],
    refunds: await readLedgerRefunds(db, paymentId),
  };
}

function authorizationOf(payment: PaymentRecord): LedgerAuthorization | null {
  const { authorization, captureBy, releasedAt, expiredAt, releaseOrderedAt } = payment;
  if (authorization === null) return null;
  const { authorizationId, createdAt: at } = authorization;
  const state = releasedAt !== null ? 'released' : expiredAt !== null ? 'expired' : authorization.state;
  return { authorizationId, state, at, captureBy, isBeingReleased: releaseOrderedAt !== null };
}

/** What the service has booked by itself: no order, no send. */
function bookingsOf({ captures }: PaymentRecord): LedgerCapture[] {
  return captures
    .filter(({ orderId }) => orderId === null)
    .map(({ captureId, state, amount, createdAt: at, finalCapture }) => {
      return { cycle: null, state, amount, at, knownIds: [], captureId, finalCapture };
    });
}

interface CaptureRow extends SendRow<LedgerCapture['state']> {
  service_id: string | null;
  final_capture: boolean;
}

function toCapture(row: CaptureRow): LedgerCapture {
  return { ...toSend(row), captureId: row.service_id as CaptureId | null, finalCapture: row.final_capture };
}
