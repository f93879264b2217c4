import type { WireHeaders } from './http-exchange';

/** Texts that people read; the only ones the service could echo a secret in that we keep. */
const SHOWN = new Set(['detail', 'description', 'reason']);

/**
 * The parsed JSON body, or undefined where it is none: cut off, HTML, not UTF-8, or compressed although we asked for
 * none (nothing is ever decompressed, so no bomb goes off). `mask` is applied to texts that may be shown.
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
    // Unreadable is an answer of its own kind, which the caller names.
    return undefined;
  }
}

/** Replaces each secret by `[masked]`. Secrets of under 8 characters are left: they occur in honest text. */
export function maskSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  return secrets.reduce<string>(
    (masked, secret) => (secret === undefined || secret.length < 8 ? masked : masked.replaceAll(secret, '[masked]')),
    text,
  );
}
