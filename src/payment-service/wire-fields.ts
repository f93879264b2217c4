import { z } from 'zod';
import type { AuthorizationId, CaptureId, PaymentId } from '../domain/ids';

/** The fields that the service's records share. Strict about money, ids and states; tolerant about decoration. */

/** Visible ASCII, so that an id survives a path, a query, a log line and a header; never a dot segment. */
const ID = /^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/;

export const id = z.string().regex(ID);
export const paymentId = id.transform((text) => text as PaymentId);
export const authorizationId = id.transform((text) => text as AuthorizationId);
export const captureId = id.transform((text) => text as CaptureId);

export function isId(text: string): boolean {
  return ID.test(text);
}

export const money = z.object({ value: z.int().min(1), currency: z.literal('EUR') });

/** `YYYY-MM-DDThh:mm:ss.sssZ`, more or fewer digits of a second, or another offset; epoch milliseconds. */
export const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** A field that only decorates the record: missing, null or of another type, it is left out. */
export function decoration<T extends z.ZodType>(schema: T): z.ZodCatch<z.ZodOptional<T>> {
  return schema.optional().catch(undefined);
}

export const text = z.string().transform((value) => value.slice(0, 1000));

/** A reason code, compared in upper case. */
export const detail = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .transform((value) => value.toUpperCase());

/** status.result in upper or lower case; any word but these makes the record unreadable. */
export function statusOf<const S extends string>(words: readonly S[]) {
  return z.object({
    result: z
      .string()
      .transform((word) => word.trim().toLowerCase())
      .pipe(z.enum(words)),
    reason: decoration(text),
  });
}

/** The result FAILED, in any case, that marks a failure whatever stands beside it. */
export function saysFailed(result: unknown): boolean {
  return typeof result === 'string' && result.trim().toUpperCase() === 'FAILED';
}

/** Any record but one that says FAILED and successful in one breath: which of the two holds is for people to find out. */
export function agreesWithItself(record: {
  readonly status: { readonly result: string };
  readonly result?: unknown;
}): boolean {
  return !(saysFailed(record.result) && record.status.result === 'successful');
}
