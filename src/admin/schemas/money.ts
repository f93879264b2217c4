import { z } from 'zod';

/** 1,000,000.00 EUR: far above any subscription, far below what the ledger's integers hold. */
export const MAX_AMOUNT = 100_000_000;

const Cents = z.int().min(1).max(MAX_AMOUNT);

/** Money as callers send it: whole cents, at least one. */
export const MoneyIn = z
  .strictObject({ value: Cents, currency: z.literal('EUR') })
  .meta({ id: 'Money', description: 'Minor units: 1999 is 19.99 EUR' });

/** Money as it leaves; 0 may be told. */
export const MoneyOut = z
  .object({ value: z.int().min(0), currency: z.literal('EUR') })
  .meta({ id: 'MoneyOut', description: 'Minor units: 1999 is 19.99 EUR' });
