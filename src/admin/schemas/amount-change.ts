import { z } from 'zod';
import { InstantOut } from './instants';
import { MoneyIn, MoneyOut } from './money';
import { Reason } from './text';

/** The body of `POST …/amount-changes`. */
export const ChangeAmountBody = z
  .strictObject({
    amount: MoneyIn,
    fromCycle: z.int().min(0).max(100_000).optional(),
    dryRun: z.boolean().default(false),
    reason: Reason.optional(),
  })
  .meta({ id: 'ChangeAmount' });

const CHANGE = {
  amount: MoneyOut,
  previousAmount: MoneyOut,
  fromCycle: z.int().min(0),
  effectiveAt: InstantOut,
  kind: z.enum(['increase', 'reduction', 'unchanged']),
  countsAsIncrease: z.boolean(),
};

export const AmountChangeOut = z
  .object({ ...CHANGE, nextIncreaseAllowedFrom: InstantOut.optional(), dryRun: z.boolean() })
  .meta({ id: 'AmountChange' });

export type AmountChangeOut = z.output<typeof AmountChangeOut>;

/** A change that was accepted and that no cycle has collected yet. */
export const PendingChangeOut = z
  .object({ ...CHANGE, payerNotice: z.enum(['not_needed', 'due', 'sending', 'delivered', 'undeliverable']) })
  .meta({ id: 'PendingAmountChange' });

export type PendingChangeOut = z.output<typeof PendingChangeOut>;
