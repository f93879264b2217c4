import { z } from 'zod';
import type { CaptureRecord, RefundRecord } from '../../ledger';
import { InstantOut, leftOut, MoneyIn, MoneyOut, line, Reason } from '../http/fields';

export const CreateCapture = z
  .strictObject({
    amount: MoneyIn,
    finalCapture: z.boolean().default(false).meta({ description: 'Closes the payment and releases what is left' }),
  })
  .meta({ id: 'CreateCapture', description: 'The amount to capture.' });

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
  .meta({ id: 'Capture', description: 'The capture, and whether it has succeeded.' });

export type CreateCapture = z.output<typeof CreateCapture>;

export const CreateRefund = z
  .strictObject({ amount: MoneyIn, captureId: line(200).optional(), reason: Reason.optional() })
  .meta({ id: 'CreateRefund', description: 'The amount to refund, and of which capture.' });

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
  .meta({ id: 'Refund', description: 'The refund, and whether it has succeeded.' });

export type CreateRefund = z.output<typeof CreateRefund>;

export const CaptureParams = z.object({ orderId: line(200) });
export const RefundParams = z.object({ refundId: line(200) });

/** A word on whether an order was made: with the service's own id of it, or with none. */
const WORD = { outcome: z.enum(['successful', 'failed']), evidence: Reason };
const MADE = line(200)
  .optional()
  .meta({ description: "The service's own id of it: with `successful`, and only there" });

export const ResolveCapture = z
  .strictObject({ ...WORD, captureId: MADE })
  .superRefine(({ outcome, captureId }, context) => requireId(context, outcome, { captureId }))
  .meta({ id: 'ResolveCapture', description: 'The outcome of the capture, and the evidence for it.' });
export const ResolveRefund = z
  .strictObject({ ...WORD, serviceRefundId: MADE })
  .superRefine(({ outcome, serviceRefundId }, context) => requireId(context, outcome, { serviceRefundId }))
  .meta({ id: 'ResolveRefund', description: 'The outcome of the refund, and the evidence for it.' });

/** @param named the id, by the name of its field */
function requireId(
  context: z.RefinementCtx,
  outcome: 'successful' | 'failed',
  named: Readonly<Record<string, string | undefined>>,
): void {
  for (const [field, id] of Object.entries(named)) {
    if ((id !== undefined) === (outcome === 'successful')) continue;
    const message = id === undefined ? "expected the service's id of what was made" : 'no id where nothing was made';
    context.addIssue({ code: 'custom', path: [field], message });
  }
}

/** The reason is shown only where it failed. */
export function viewOrder<Order extends CaptureRecord | RefundRecord>(order: Order) {
  const { detail, description } = order.state === 'failed' ? order : NO_FAILURE;
  return { ...order, status: orderStatus(order), detail, description };
}

const NO_FAILURE = { detail: null, description: null };

export function orderStatus({ state }: CaptureRecord | RefundRecord): z.output<typeof OrderStatusOut> {
  return state === 'successful' || state === 'failed' ? state : 'pending';
}
