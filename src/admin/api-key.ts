import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits: too many to guess, so that a plain SHA-256 is enough to keep. */
const FORM = /^dd_[A-Za-z0-9_-]{43}$/;

export function newApiKey(): string {
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

/** A stable id for the bootstrap key, in the form of a UUID; another key has another id. */
export function bootstrapKeyId(key: string): string {
  const hex = createHash('sha256').update(`bootstrap ${key}`, 'utf8').digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
