import { z } from 'zod';
import type { AuthorizationId, CaptureId, PaymentId } from '../domain/ids';
import { isInstant } from '../domain/time';
import type { WireHeaders } from './http-exchange';

/** The fields that the service's records share. Strict about money, ids and states; tolerant about everything else. */

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

/** `YYYY-MM-DDThh:mm:ss.sssZ`, more or fewer digits of a second, or another offset; read as epoch milliseconds. */
export const instant = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .refine(isInstant);

/** An optional field: undefined if it is missing, null or of another type. */
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

/** A status whose result is one of these words, in upper or lower case; any other word makes the record unreadable. */
export function statusOf<const S extends string>(words: readonly S[]) {
  return z.object({
    result: z
      .string()
      .transform((word) => word.trim().toLowerCase())
      .pipe(z.enum(words)),
    reason: decoration(text),
  });
}

/** A status that this program does not know counts as pending and is kept as `unknownStatus` (rule 41). */
export function anyStatusOf<const S extends string>(words: readonly [S, ...S[]]) {
  return z
    .object({ result: z.string(), reason: decoration(text) })
    .transform(({ result, reason }): { result: S | 'pending'; reason?: string | undefined; unknownStatus?: string } => {
      const word = result.trim().toLowerCase();
      const known = words.find((each) => each === word);
      return known === undefined
        ? { result: 'pending', reason, unknownStatus: word.slice(0, 40) }
        : { result: known, reason };
    });
}

/** Whether the result is FAILED, in upper or lower case: the record has failed, unless it contradicts itself ({@link agreesWithItself}). */
export function saysFailed(result: unknown): boolean {
  return typeof result === 'string' && result.trim().toUpperCase() === 'FAILED';
}

/** A record's state, from its status and its result. */
export function stateOf<S extends string>(status: { readonly result: S }, result: unknown): S | 'failed' {
  return saysFailed(result) ? 'failed' : status.result;
}

/** False for a record that says both FAILED and successful: an operator has to find out which is true. */
export function agreesWithItself(record: {
  readonly status: { readonly result: string };
  readonly result?: unknown;
}): boolean {
  return !(saysFailed(record.result) && record.status.result === 'successful');
}

/** The texts of the service that are stored and shown: it could echo a secret in them. */
const SHOWN = new Set(['detail', 'description', 'reason']);

/**
 * The parsed JSON body, or undefined if it is not JSON: cut off, HTML, not UTF-8, or compressed although we asked for
 * none (nothing is ever decompressed, so a decompression bomb does no harm). `mask` is applied to texts that may be shown.
 */
export function parseJson(
  answer: { readonly headers: WireHeaders; readonly body: Buffer },
  mask: (text: string) => string,
): unknown {
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity' && encoding !== '') return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(answer.body);
    return JSON.parse(text, (key, value: unknown) =>
      typeof value === 'string' && SHOWN.has(key) ? mask(value) : value,
    ) as unknown;
  } catch {
    // The caller handles an unreadable body.
    return undefined;
  }
}

/**
 * Replaces each secret by `[masked]`. Secrets shorter than 8 characters are not replaced: they occur in ordinary text.
 */
export function maskSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  return secrets.reduce<string>(
    (masked, secret) => (secret === undefined || secret.length < 8 ? masked : masked.replaceAll(secret, '[masked]')),
    text,
  );
}
