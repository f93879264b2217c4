import { z } from 'zod';
import { type Caller, pathOf } from './caller';
import { readList } from './list-reading';
import type { PaymentService, RefundOrder } from './payment-service';
import type { Refund } from './records';
import * as field from './wire-fields';

const refund = z
  .object({
    paymentId: field.paymentId,
    refundId: field.id,
    amount: field.money,
    createdAt: field.instant,
    status: field.statusOf(['pending', 'successful', 'failed']),
    captureId: field.decoration(field.captureId),
    result: z.unknown().optional(),
    detail: field.decoration(field.detail),
    description: field.decoration(field.text),
  })
  .refine(field.agreesWithItself)
  .transform(({ status, result, ...rest }): Refund => {
    return { ...rest, status: field.saysFailed(result) ? 'failed' : status.result };
  });

function readRefund(paymentId: string) {
  return (body: unknown): Refund | null => {
    const parsed = refund.safeParse(body);
    return parsed.success && parsed.data.paymentId === paymentId ? parsed.data : null;
  };
}

/** The answer must name the amount that was ordered; a record that names no capture may still be of this order. */
function readOrdered(paymentId: string, order: RefundOrder) {
  const read = readRefund(paymentId);
  return (body: unknown): Refund | null => {
    const made = read(body);
    if (made === null || made.amount.value !== order.amount.value) return null;
    const named = order.captureId !== undefined && made.captureId !== undefined;
    return named && made.captureId !== order.captureId ? null : made;
  };
}

export function createRefunds(call: Caller): Pick<PaymentService, 'refund' | 'listRefunds'> {
  return {
    refund: async (paymentId, order, options) =>
      call({
        operation: 'refund',
        method: 'POST',
        path: pathOf([paymentId, 'refunds']),
        body: { amount: order.amount, captureId: order.captureId },
        beforeSend: options?.beforeSend,
        read: readOrdered(paymentId, order),
      }),
    listRefunds: async (paymentId) =>
      call({
        operation: 'list_refunds',
        method: 'GET',
        path: pathOf([paymentId, 'refunds']),
        read: readList(readRefund(paymentId)),
      }),
  };
}
