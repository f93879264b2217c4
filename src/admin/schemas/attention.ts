import { z } from 'zod';
import { SUBSCRIPTION_STATUSES } from '../../domain/subscription';

/** A subscription that waits for a person, and the matters for which it does. */
export const AttentionOut = z
  .object({
    subscriptionId: z.string(),
    paymentId: z.string().nullable(),
    status: z.enum(SUBSCRIPTION_STATUSES),
    matters: z.array(z.object({ kind: z.string(), cycle: z.int().min(0).optional() })),
  })
  .meta({ id: 'Attention' });

export type AttentionOut = z.output<typeof AttentionOut>;
