import { z } from 'zod';
import type { CaptureRecord, RefundRecord } from '../../ledger';
import { InstantOut, leftOut, MoneyIn, MoneyOut, line, Reason } from '../http/fields';

export const CreateCapture = z
  .strictObject({
    amount: MoneyIn,
    finalCapture: z.boolean().default(false).meta({ description: 'Closes the payment and releases what is left' }),
  })
  .meta({ id: 'CreateCapture' });

/** `captureId` is the service's own: null until it has named it. `orderId` is ours, of captures that were ordered here. */
export const CaptureOut = z
  .object({
    captureId: z.string().nullable(),
    orderId: leftOut(z.string()),
    amount: MoneyOut,
    status: z.enum(['pending', 'successful', 'failed']),
    finalCapture: z.boolean(),
    createdAt: InstantOut,
    detail: leftOut(z.string()),
    description: leftOut(z.string()),
  })
  .meta({ id: 'Capture' });

export type CreateCapture = z.output<typeof CreateCapture>;
export type CaptureOut = z.output<typeof CaptureOut>;

export const CreateRefund = z
  .strictObject({ amount: MoneyIn, captureId: line(200).optional(), reason: Reason.optional() })
  .meta({ id: 'CreateRefund' });

export const RefundOut = z
  .object({
    refundId: z.string(),
    cycle: leftOut(z.int().min(0)),
    amount: MoneyOut,
    status: z.enum(['pending', 'successful', 'failed']),
    reason: leftOut(z.string()),
    createdAt: InstantOut,
    captureId: z.string(),
    detail: leftOut(z.string()),
    description: leftOut(z.string()),
  })
  .meta({ id: 'Refund' });

export type CreateRefund = z.output<typeof CreateRefund>;
export type RefundOut = z.output<typeof RefundOut>;

export function viewCapture(record: CaptureRecord): CaptureOut {
  return { ...record, ...howItStands(record) };
}

export function viewRefund(record: RefundRecord): RefundOut {
  return { ...record, ...howItStands(record) };
}

/** The reason is shown only where it failed. */
function howItStands(order: Pick<CaptureRecord | RefundRecord, 'state' | 'detail' | 'description'>) {
  const { detail, description } = order.state === 'failed' ? order : NO_FAILURE;
  return { status: orderStatus(order), detail, description };
}

const NO_FAILURE = { detail: null, description: null };

/** The API has fewer states than the ledger: every state that is not final is `pending` here. */
export function orderStatus({ state }: Pick<CaptureRecord | RefundRecord, 'state'>): CaptureOut['status'] {
  return state === 'successful' || state === 'failed' ? state : 'pending';
}
