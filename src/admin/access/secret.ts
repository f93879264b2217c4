import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { NewKey } from '../../ledger';

/** 256 random bits: too many to guess, so that a plain SHA-256 is enough to keep. */
const FORM = /^dd_[A-Za-z0-9_-]{43}$/;

/** Characters that are shown of a key: with 36 of its bits the others cannot be found. */
const PREFIX_LENGTH = 9;

function newApiKey(): string {
  return `dd_${randomBytes(32).toString('base64url')}`;
}

/** Whether a text could be a key of ours; anything else is not looked up. */
export function isApiKeyForm(text: string): boolean {
  return FORM.test(text);
}

export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest();
}

/** In constant time: hashes are compared, so that lengths do not matter either. */
export function sameKey(a: string, b: string): boolean {
  return timingSafeEqual(hashApiKey(a), hashApiKey(b));
}

/** Of a new key; the key itself is kept nowhere. */
export function newSecret(): Pick<NewKey, 'keyId' | 'hash' | 'prefix'> & { readonly key: string } {
  const key = newApiKey();
  return { key, keyId: randomUUID(), hash: hashApiKey(key), prefix: key.slice(0, PREFIX_LENGTH) };
}
