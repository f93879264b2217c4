import { z } from 'zod';
import { type Caller, pathOf } from './caller';
import { readList } from './list-reading';
import type { CaptureOrder, PaymentService } from './payment-service';
import type { Capture } from './records';
import * as field from './wire-fields';

const capture = z
  .object({
    paymentId: field.paymentId,
    captureId: field.captureId,
    authorizationId: field.authorizationId,
    amount: field.money,
    createdAt: field.instant,
    status: field.statusOf(['pending', 'successful', 'failed']),
    finalCapture: field.decoration(z.boolean()),
    result: z.unknown().optional(),
    detail: field.decoration(field.detail),
    description: field.decoration(field.text),
  })
  .refine(field.agreesWithItself)
  .transform(({ status, result, ...rest }): Capture => {
    return { ...rest, status: field.saysFailed(result) ? 'failed' : status.result };
  });

function readCapture(paymentId: string) {
  return (body: unknown): Capture | null => {
    const parsed = capture.safeParse(body);
    return parsed.success && parsed.data.paymentId === paymentId ? parsed.data : null;
  };
}

function readOrdered(paymentId: string, order: CaptureOrder) {
  const read = readCapture(paymentId);
  return (body: unknown): Capture | null => {
    const made = read(body);
    return made !== null && made.amount.value === order.amount.value ? made : null;
  };
}

export function createCaptures(call: Caller): Pick<PaymentService, 'capture' | 'listCaptures'> {
  return {
    capture: async (paymentId, order, options) =>
      call({
        operation: 'capture',
        method: 'POST',
        path: pathOf(['captures']),
        body: { paymentId, amount: order.amount, finalCapture: order.finalCapture },
        beforeSend: options?.beforeSend,
        read: readOrdered(paymentId, order),
      }),
    listCaptures: async (paymentId, authorizationId) =>
      call({
        operation: 'list_captures',
        method: 'GET',
        path: pathOf(['captures'], { paymentId, authorizationId }),
        read: readList(readCapture(paymentId)),
      }),
  };
}
