import { z } from 'zod';
import { MAX_RETRIES } from '../../domain/subscription/retries';
import { CYCLE_STATUSES } from '../../domain/subscription/state';
import { InstantOut } from './instants';
import { MoneyOut } from './money';
import { RefundOut } from './refund';

export const AttemptOut = z
  .object({
    attempt: z.int().min(0).max(MAX_RETRIES),
    send: z.int().min(0),
    at: InstantOut,
    amount: MoneyOut,
    outcome: z.enum(['pending', 'successful', 'rejected_retryable', 'rejected', 'not_sent', 'unknown']),
    authorizationId: z.string().optional(),
    captureId: z.string().optional(),
    detail: z.string().optional(),
    description: z.string().optional(),
    payerNotifiedAt: InstantOut.optional(),
    resolvedBy: z.string().optional(),
  })
  .meta({ id: 'Attempt' });

export const CycleOut = z
  .object({
    cycle: z.int().min(0),
    dueAt: InstantOut,
    collectBy: InstantOut,
    amount: MoneyOut,
    status: z.enum(CYCLE_STATUSES),
    reason: z.string().optional(),
    collectedAt: InstantOut.optional(),
    nextAttemptAt: InstantOut.optional(),
    retriesLeft: z.int().min(0).max(MAX_RETRIES),
    retryUntil: InstantOut.optional(),
    attempts: z.array(AttemptOut),
    refunds: z.array(RefundOut),
  })
  .meta({ id: 'Cycle' });

export type AttemptOut = z.output<typeof AttemptOut>;
export type CycleOut = z.output<typeof CycleOut>;
