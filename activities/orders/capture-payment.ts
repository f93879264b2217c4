import type { CaptureInput, CaptureResult } from '../../src/contract/payments';
import type { ServiceRecord } from '../../src/domain/attempt/attempt';
import { type CaptureRecord, getPayment, type PaymentRecord, readPaymentRevision } from '../../src/ledger';
import { type Capture, mapAnswer } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import { executeOrder, notOrdered, type Order } from './order';

/** Executes one capture, see {@link executeOrder}. While another order blocks the payment, it waits at growing intervals. */
export async function capturePayment(deps: Dependencies, { orderId, paymentId }: CaptureInput): Promise<CaptureResult> {
  const payment = await getPayment(deps.ledger, paymentId);
  const capture = payment?.captures.find((each) => each.orderId === orderId);
  if (payment === null || capture === undefined) throw notOrdered('capture', orderId);
  const { state } = await executeOrder(deps, captureOrder(deps, payment, capture));
  const changed = await readPaymentRevision(deps.ledger, paymentId);
  return { kind: state === 'successful' ? 'successful' : 'failed', changed };
}

/**
 * The order as stored in the ledger, regardless of the workflow's input. Sent strictly before the deadline, less the transit
 * margin, or never (rule 26).
 */
function captureOrder(
  { service }: Dependencies,
  { paymentId, captureBy, transit }: PaymentRecord,
  { orderId, amount, finalCapture, createdAt: orderedAt }: CaptureRecord,
): Order {
  if (orderId === null) throw new Error(`payment ${paymentId} has a capture without an order`);
  if (captureBy === null) throw new Error(`payment ${paymentId} has a capture order and no capture deadline`);
  return {
    subject: { kind: 'capture', orderId, paymentId, subscriptionId: null, cycle: null },
    amount,
    orderedAt,
    deadline: { at: captureBy, sendBefore: captureBy - transit },
    list: async () => mapAnswer(await service.listCaptures(paymentId), (all) => all.map(listed)),
    post: async (options) => mapAnswer(await service.capture(paymentId, { amount, finalCapture }, options), listed),
  };
}

function listed(capture: Capture): ServiceRecord {
  return { ...capture, id: capture.captureId };
}
