import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The answer that shows a new API key is kept for repeated requests, but no key is ever stored readable: it is sealed
 * with the caller's own key, of which only a hash is kept. The caller who repeats the request can open it; the ledger cannot.
 */
export function sealAnswer(apiKey: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, secretOf(apiKey, nonce), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** @throws Error where the answer was sealed with another key, or was changed. */
export function openAnswer(apiKey: string, kept: string): string {
  const bytes = Buffer.from(kept, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, secretOf(apiKey, nonce), nonce);
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

function secretOf(apiKey: string, nonce: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', apiKey, nonce, 'dueday idempotent answer', 32));
}
