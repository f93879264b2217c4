import { z } from 'zod';
import type { CaptureRecord, RefundRecord } from '../../ledger';
import { InstantOut, omitNull, MoneyIn, MoneyOut, line, Reason } from '../http/fields';

export const CreateCapture = z
  .strictObject({
    amount: MoneyIn,
    finalCapture: z
      .boolean()
      .default(false)
      .meta({ description: 'Closes the payment and releases the remaining amount' }),
  })
  .meta({ id: 'CreateCapture', description: 'The amount to capture.' });

/** Fewer than the ledger's states: all states that are not final are `pending`. */
const OrderStatusOut = z.enum(['pending', 'successful', 'failed']);

/** `captureId` is the payment service's id, null until known. `orderId` is our id for captures that were ordered here. */
export const CaptureOut = z
  .object({
    captureId: z.string().nullable(),
    orderId: omitNull(z.string()),
    amount: MoneyOut,
    status: OrderStatusOut,
    finalCapture: z.boolean(),
    createdAt: InstantOut,
    detail: omitNull(z.string()),
    description: omitNull(z.string()),
  })
  .meta({ id: 'Capture', description: 'A capture and its status.' });

export type CreateCapture = z.output<typeof CreateCapture>;

export const CreateRefund = z
  .strictObject({ amount: MoneyIn, captureId: line(200).optional(), reason: Reason.optional() })
  .meta({ id: 'CreateRefund', description: 'The amount to refund, and the capture it belongs to.' });

export const RefundOut = z
  .object({
    refundId: z.string(),
    cycle: omitNull(z.int().min(0)),
    amount: MoneyOut,
    status: OrderStatusOut,
    reason: omitNull(z.string()),
    createdAt: InstantOut,
    captureId: z.string(),
    detail: omitNull(z.string()),
    description: omitNull(z.string()),
    warnings: z.array(z.string()).optional().meta({
      description:
        'Only in the response to the order: what speaks against the refund, such as a debit reversed elsewhere',
    }),
  })
  .meta({ id: 'Refund', description: 'A refund and its status.' });

export type CreateRefund = z.output<typeof CreateRefund>;

export const CaptureParams = z.object({ orderId: line(200) });
export const RefundParams = z.object({ refundId: line(200) });

/** The fields that both resolutions have besides the payment service's id. */
const RESOLUTION = { outcome: z.enum(['successful', 'failed']), evidence: Reason };
const SERVICE_ID = line(200).optional().meta({
  description:
    "The payment service's id of the capture or refund; required with the outcome `successful`, not allowed otherwise",
});

export const ResolveCapture = z
  .strictObject({ ...RESOLUTION, captureId: SERVICE_ID })
  .superRefine(({ outcome, captureId }, context) => requireId(context, outcome, { captureId }))
  .meta({ id: 'ResolveCapture', description: 'The outcome of the capture, with evidence.' });
export const ResolveRefund = z
  .strictObject({ ...RESOLUTION, serviceRefundId: SERVICE_ID })
  .superRefine(({ outcome, serviceRefundId }, context) => requireId(context, outcome, { serviceRefundId }))
  .meta({ id: 'ResolveRefund', description: 'The outcome of the refund, with evidence.' });

/** @param idField the id under its field name */
function requireId(
  context: z.RefinementCtx,
  outcome: 'successful' | 'failed',
  idField: Readonly<Record<string, string | undefined>>,
): void {
  for (const [field, id] of Object.entries(idField)) {
    if ((id !== undefined) === (outcome === 'successful')) continue;
    const message = id === undefined ? "the payment service's id" : 'no id for outcome failed';
    context.addIssue({ code: 'custom', path: [field], message });
  }
}

/** The order as the API shows it: `detail` and `description`, the reason of a failure, are shown only if the order failed. */
export function viewOrder<Order extends CaptureRecord | RefundRecord>(order: Order) {
  const { detail, description } = order.state === 'failed' ? order : NO_FAILURE;
  return { ...order, status: orderStatus(order), detail, description };
}

const NO_FAILURE = { detail: null, description: null };

export function orderStatus({ state }: CaptureRecord | RefundRecord): z.output<typeof OrderStatusOut> {
  return state === 'successful' || state === 'failed' ? state : 'pending';
}
