import type { CaptureInput, CaptureResult } from '../../src/contract/payments';
import { isInTime } from '../../src/domain/payment/capture-rules';
import { toIso } from '../../src/domain/time';
import { type Capture, mapAnswer } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import { paymentOnRecord } from '../payment/follow';
import { executeOrder } from './execute';
import type { ListedOrder, Order } from './order';

/**
 * One capture whole, see {@link executeOrder}.
 * @param scheduledAt real time at which the workflow asked for it, epoch ms
 */
export async function capturePayment(
  deps: Dependencies,
  input: CaptureInput,
  scheduledAt: number,
): Promise<CaptureResult> {
  const row = await executeOrder(deps, captureOrder(deps, input), scheduledAt);
  const { status } = await paymentOnRecord(deps, input.paymentId);
  return { kind: row.state === 'successful' ? 'successful' : 'failed', status };
}

/** Sent strictly before the deadline, less the transit margin, or never (rule 26). */
export function captureOrder({ service, clock }: Dependencies, input: CaptureInput): Order {
  const { orderId, paymentId, amount, finalCapture, orderedAt, captureBy, transit } = input;
  return {
    subject: { kind: 'capture', orderId, paymentId, subscriptionId: null, cycle: null },
    orderedAt,
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
