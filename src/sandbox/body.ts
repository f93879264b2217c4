import { z } from 'zod';
import { Refusal } from './refusal';

/** Money on the wire: `{"value": 1999, "currency": "EUR"}`. */
export const moneySchema = z.strictObject({ value: z.int().min(1), currency: z.literal('EUR') });

/** The payment id, in path or query parameters. */
export const paymentIdSchema = z.object({ paymentId: z.string().min(1) });

/** The parsed value. @throws Refusal that lists every invalid field */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  throw new Refusal('INVALID_REQUEST', parsed.error.issues.map(describe).join('; '));
}

function describe(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.');
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}
