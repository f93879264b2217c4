import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { NewKey } from '../../ledger';

/** `dd_` and 32 random bytes in base64url. */
const FORM = /^dd_[A-Za-z0-9_-]{43}$/;

/** The number of characters shown of a key: they reveal 36 of its bits. */
const PREFIX_LENGTH = 9;

function newApiKey(): string {
  return `dd_${randomBytes(32).toString('base64url')}`;
}

/** Whether a text has the form of an API key; anything else is not looked up. */
export function isApiKeyForm(text: string): boolean {
  return FORM.test(text);
}

/** A plain SHA-256 is enough: 256 random bits cannot be guessed. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest();
}

/** Compares two keys in constant time. Their hashes are compared, so that the time does not reveal the length either. */
export function sameKey(a: string, b: string): boolean {
  return timingSafeEqual(hashApiKey(a), hashApiKey(b));
}

/** Generates a new key; the key itself is stored nowhere. */
export function newSecret(): Pick<NewKey, 'keyId' | 'hash' | 'prefix'> & { readonly key: string } {
  const key = newApiKey();
  return { key, keyId: randomUUID(), hash: hashApiKey(key), prefix: key.slice(0, PREFIX_LENGTH) };
}
