import type { CaptureInput, CaptureResult } from '../../src/contract/payments';
import { isInTime } from '../../src/domain/payment/capture-rules';
import { toIso } from '../../src/domain/time';
import { type CaptureRecord, getPayment, type PaymentRecord, readPaymentRevision, readTransit } from '../../src/ledger';
import { type Capture, mapAnswer } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import { executeOrder } from './execute';
import { type ListedOrder, notOrdered, type Order } from './order';

/** One capture whole, see {@link executeOrder}. While another order holds the payment it waits, with growing pauses. */
export async function capturePayment(deps: Dependencies, { orderId, paymentId }: CaptureInput): Promise<CaptureResult> {
  const payment = await getPayment(deps.ledger, paymentId);
  const capture = payment?.captures.find((each) => each.orderId === orderId);
  if (payment === null || capture === undefined) throw notOrdered('capture', orderId);
  const transit = await readTransit(deps.ledger, paymentId);
  const { state } = await executeOrder(deps, captureOrder(deps, payment, capture, transit));
  const changed = await readPaymentRevision(deps.ledger, paymentId);
  return { kind: state === 'successful' ? 'successful' : 'failed', changed };
}

/**
 * As the ledger has it ordered, regardless of any message. Sent strictly before the deadline, less the transit margin, or
 * never (rule 26).
 * @param transit ms
 */
function captureOrder(
  { service, clock }: Dependencies,
  { paymentId, captureBy }: PaymentRecord,
  { orderId, amount, finalCapture, createdAt: orderedAt }: CaptureRecord,
  transit: number,
): Order {
  if (orderId === null || captureBy === null) throw new Error(`payment ${paymentId} has a capture without an order`);
  return {
    subject: { kind: 'capture', orderId, paymentId, subscriptionId: null, cycle: null },
    orderedAt,
    deadline: captureBy,
    list: async () => mapAnswer(await service.listCaptures(paymentId), (all) => all.map(listed)),
    post: async (options) => mapAnswer(await service.capture(paymentId, { amount, finalCapture }, options), listed),
    whyOver: () =>
      isInTime(clock.now(), captureBy, transit)
        ? null
        : { detail: 'CAPTURE_PERIOD_ENDED', description: `it was to arrive before ${toIso(captureBy)}` },
  };
}

function listed(capture: Capture): ListedOrder {
  return { ...capture, id: capture.captureId };
}
