import { z } from 'zod';
import { REPETITIONS } from '../../domain/subscription/schedule';
import { STANDINGS, SUBSCRIPTION_STATUSES } from '../../domain/subscription/state';
import { PendingChangeOut } from './amount-change';
import { InstantOut } from './instants';
import { MoneyOut } from './money';

/** What the wire calls `Subscription`. Fields with a question mark in the contract are left out where they say nothing. */
export const SubscriptionOut = z
  .object({
    subscriptionId: z.string(),
    paymentId: z.string().nullable(),
    status: z.enum(SUBSCRIPTION_STATUSES),
    standing: z.enum(STANDINGS),
    repetition: z.enum(REPETITIONS),
    amount: MoneyOut,
    consentAmount: MoneyOut,
    startAt: InstantOut,
    firstPaymentAt: InstantOut,
    endAt: InstantOut.nullable(),
    nextDueAt: InstantOut.nullable(),
    cyclesCollected: z.int().min(0),
    consent: z.object({
      status: z.enum(['pending', 'successful', 'failed', 'cancelled']),
      redirectURL: z.string().optional(),
      checkedAt: InstantOut.nullable(),
    }),
    pausedUntil: InstantOut.optional(),
    cancelledBy: z.enum(['payer', 'merchant']).optional(),
    pendingAmountChange: PendingChangeOut.optional(),
    replaces: z.string().optional(),
    replacedBy: z.string().optional(),
    payer: z.object({ email: z.string().optional(), reference: z.string().optional() }),
    createdAt: InstantOut,
    workflowId: z.string(),
    warnings: z.array(z.string()).optional(),
  })
  .meta({ id: 'Subscription' });

export type SubscriptionOut = z.output<typeof SubscriptionOut>;

export const ScheduledCycleOut = z
  .object({ cycle: z.int().min(0), dueAt: InstantOut, collectBy: InstantOut, amount: MoneyOut })
  .meta({ id: 'ScheduledCycle' });

export type ScheduledCycleOut = z.output<typeof ScheduledCycleOut>;
