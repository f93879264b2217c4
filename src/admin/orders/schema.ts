import { z } from 'zod';
import { toIso } from '../../domain/time';
import type { CaptureRecord, RefundRecord } from '../../ledger';
import { InstantOut, MoneyIn, MoneyOut, line, Reason, named } from '../http/fields';

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
    orderId: z.string().optional(),
    amount: MoneyOut,
    status: z.enum(['pending', 'successful', 'failed']),
    finalCapture: z.boolean(),
    createdAt: InstantOut,
    detail: z.string().optional(),
    description: z.string().optional(),
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
    cycle: z.int().min(0).optional(),
    amount: MoneyOut,
    status: z.enum(['pending', 'successful', 'failed']),
    reason: z.string().optional(),
    createdAt: InstantOut,
    captureId: z.string(),
    detail: z.string().optional(),
    description: z.string().optional(),
  })
  .meta({ id: 'Refund' });

export type CreateRefund = z.output<typeof CreateRefund>;
export type RefundOut = z.output<typeof RefundOut>;

export function viewCapture(record: CaptureRecord): CaptureOut {
  const hasFailed = record.state === 'failed';
  return {
    captureId: record.captureId,
    ...named('orderId', record.orderId),
    amount: record.amount,
    status: captureStatus(record),
    finalCapture: record.finalCapture,
    createdAt: toIso(record.createdAt),
    ...named('detail', hasFailed ? record.detail : null),
    ...named('description', hasFailed ? record.description : null),
  };
}

/** The wire knows fewer words than the ledger: whatever is not final is pending, and is seen to until it is. */
export function captureStatus({ state }: Pick<CaptureRecord, 'state'>): CaptureOut['status'] {
  return state === 'successful' || state === 'failed' ? state : 'pending';
}

export function viewRefund(record: RefundRecord): RefundOut {
  return {
    refundId: record.refundId,
    ...named('cycle', record.cycle),
    amount: record.amount,
    status: refundStatus(record),
    ...named('reason', record.reason),
    createdAt: toIso(record.createdAt),
    captureId: record.captureId,
    ...named('detail', record.state === 'failed' ? record.detail : null),
    ...named('description', record.state === 'failed' ? record.description : null),
  };
}

/** The wire knows fewer words than the ledger: whatever is not final is pending, and is seen to until it is. */
export function refundStatus({ state }: RefundRecord): RefundOut['status'] {
  return state === 'successful' || state === 'failed' ? state : 'pending';
}
