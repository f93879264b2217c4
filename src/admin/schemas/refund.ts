import { z } from 'zod';
import { InstantOut } from './instants';
import { MoneyIn, MoneyOut } from './money';
import { line, Reason } from './text';

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
