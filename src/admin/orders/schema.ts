import { z } from 'zod';
import type { CaptureRecord, RefundRecord } from '../../ledger';
import { InstantOut, leftOut, MoneyIn, MoneyOut, line, Reason } from '../http/fields';

export const CreateCapture = z
  .strictObject({
    amount: MoneyIn,
    finalCapture: z.boolean().default(false).meta({ description: 'Closes the payment and releases what is left' }),
  })
  .meta({ id: 'CreateCapture' });

/** Fewer than the ledger's states: every one that is not final is `pending` here. */
const OrderStatusOut = z.enum(['pending', 'successful', 'failed']);

/** `captureId` is the service's own: null until it has named it. `orderId` is ours, of captures that were ordered here. */
export const CaptureOut = z
  .object({
    captureId: z.string().nullable(),
    orderId: leftOut(z.string()),
    amount: MoneyOut,
    status: OrderStatusOut,
    finalCapture: z.boolean(),
    createdAt: InstantOut,
    detail: leftOut(z.string()),
    description: leftOut(z.string()),
  })
  .meta({ id: 'Capture' });

export type CreateCapture = z.output<typeof CreateCapture>;

export const CreateRefund = z
  .strictObject({ amount: MoneyIn, captureId: line(200).optional(), reason: Reason.optional() })
  .meta({ id: 'CreateRefund' });

export const RefundOut = z
  .object({
    refundId: z.string(),
    cycle: leftOut(z.int().min(0)),
    amount: MoneyOut,
    status: OrderStatusOut,
    reason: leftOut(z.string()),
    createdAt: InstantOut,
    captureId: z.string(),
    detail: leftOut(z.string()),
    description: leftOut(z.string()),
  })
  .meta({ id: 'Refund' });

export type CreateRefund = z.output<typeof CreateRefund>;

export const CaptureParams = z.object({ orderId: line(200) });
export const RefundParams = z.object({ refundId: line(200) });

/** A word on whether an order was made: with the service's own record of it, or with none. */
export const ResolveOrder = z
  .strictObject({
    outcome: z.enum(['successful', 'failed']),
    evidence: Reason,
    serviceId: line(200)
      .optional()
      .meta({ description: "The service's own id of the capture or the refund: with `successful`, and only there" }),
  })
  .superRefine(({ outcome, serviceId }, context) => {
    if ((serviceId !== undefined) === (outcome === 'successful')) return;
    const message =
      serviceId === undefined ? "expected the service's id of what was made" : 'no id where nothing was made';
    context.addIssue({ code: 'custom', path: ['serviceId'], message });
  })
  .meta({ id: 'ResolveOrder' });

export type ResolveOrder = z.output<typeof ResolveOrder>;

/** The reason is shown only where it failed. */
export function viewOrder<Order extends CaptureRecord | RefundRecord>(order: Order) {
  const { detail, description } = order.state === 'failed' ? order : NO_FAILURE;
  return { ...order, status: orderStatus(order), detail, description };
}

const NO_FAILURE = { detail: null, description: null };

export function orderStatus({ state }: CaptureRecord | RefundRecord): z.output<typeof OrderStatusOut> {
  return state === 'successful' || state === 'failed' ? state : 'pending';
}
