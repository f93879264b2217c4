import { z } from 'zod';
import { PAYMENT_STATUSES } from '../../domain/payment/payment';
import { SUBSCRIPTION_STATUSES } from '../../domain/subscription/state';
import { InstantOut } from './instants';

/**
 * What waits for a person, and the matters for which it does: a subscription, a one-time payment
 * (no `subscriptionId`) or the installation (no id at all).
 */
export const AttentionOut = z
  .object({
    subscriptionId: z.string().nullable(),
    paymentId: z.string().nullable(),
    status: z.enum([...SUBSCRIPTION_STATUSES, ...PAYMENT_STATUSES]).nullable(),
    matters: z.array(
      z.object({
        kind: z.string(),
        cycle: z.int().min(0).optional(),
        since: InstantOut.optional(),
        advice: z.string().optional().describe('What a person does about it'),
      }),
    ),
  })
  .meta({ id: 'Attention' });

export type AttentionOut = z.output<typeof AttentionOut>;
