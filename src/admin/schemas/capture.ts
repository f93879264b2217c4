import { z } from 'zod';
import { InstantOut } from './instants';
import { MoneyIn, MoneyOut } from './money';

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
