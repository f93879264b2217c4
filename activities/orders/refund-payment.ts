import type { RefundInput, RefundResult } from '../../src/contract/payments';
import { mayBeOf } from '../../src/domain/payment/refund-rules';
import { getRefund, type RefundRecord } from '../../src/ledger';
import { mapAnswer, type Refund } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import { executeOrder, notOrdered, type Order } from './order';

/** Executes one refund, see {@link executeOrder}. */
export async function refundPayment(deps: Dependencies, input: RefundInput): Promise<RefundResult> {
  const refund = await getRefund(deps.ledger, input.refundId);
  if (refund === null) throw notOrdered('refund', input.refundId);
  const row = await executeOrder(deps, refundOrder(deps, refund));
  if (row.state === 'successful' && row.serviceId !== null) {
    const at = row.serviceCreatedAt ?? row.outcomeAt ?? row.at;
    return { kind: 'successful', serviceRefundId: row.serviceId, at };
  }
  return { kind: 'failed', detail: row.detail ?? 'UNKNOWN', description: row.description ?? '' };
}

/**
 * The order as stored in the ledger, regardless of the workflow's input. A refund has no window: it is retried until the
 * service has accepted or refused it.
 */
function refundOrder({ service }: Dependencies, refund: RefundRecord): Order {
  const { refundId: orderId, subscriptionId, cycle, paymentId, captureId, amount, createdAt: orderedAt } = refund;
  const listed = (made: Refund) => ({ ...made, id: made.refundId, isOther: !mayBeOf(captureId, made) });
  return {
    subject: { kind: 'refund', orderId, paymentId, subscriptionId, cycle },
    amount,
    orderedAt,
    deadline: null,
    list: async () => mapAnswer(await service.listRefunds(paymentId), (all) => all.map(listed)),
    post: async (options) => mapAnswer(await service.refund(paymentId, { amount, captureId }, options), listed),
  };
}
