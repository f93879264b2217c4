import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A key of 32 bytes, and the id by which encrypted data refers to it. */
export interface EncryptionKey {
  readonly id: string;
  /** Base64. */
  readonly key: string;
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM: iv, authentication tag, ciphertext. The key's id is authenticated too.
 * @param bound additional authenticated texts: decryption requires the same
 */
export function encryptBytes({ id, key }: EncryptionKey, bytes: Uint8Array, bound: readonly string[] = []): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, Buffer.from(key, 'base64'), iv).setAAD(authenticated(id, bound));
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]);
}

/** @throws Error if it was encrypted with another key, was bound to other texts, or was changed. */
export function decryptBytes({ id, key }: EncryptionKey, data: Buffer, bound: readonly string[] = []): Buffer {
  const [iv, tag] = [data.subarray(0, IV_BYTES), data.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
  const decipher = createDecipheriv(CIPHER, Buffer.from(key, 'base64'), iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(authenticated(id, bound)).setAuthTag(tag);
  return Buffer.concat([decipher.update(data.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}

/** The additional authenticated data; only the id, as it has always been, if nothing else is bound. */
function authenticated(id: string, bound: readonly string[]): Buffer {
  return Buffer.from(bound.length === 0 ? id : JSON.stringify([id, ...bound]));
}

/** Encrypts secrets that the ledger stores. */
export type SecretBox = ReturnType<typeof createSecretBox>;

const PLAIN = 'plain:';
const SEALED = 'sealed:';

/** The first key encrypts, every key decrypts, so that keys can be rotated. Without keys, secrets are stored in plain text. */
export function createSecretBox(keys: readonly EncryptionKey[]) {
  const [current] = keys;
  return {
    /** Whether secrets are stored encrypted. */
    encrypts: current !== undefined,
    seal: (secret: string): string =>
      current === undefined
        ? `${PLAIN}${secret}`
        : `${SEALED}${current.id}:${encryptBytes(current, Buffer.from(secret)).toString('base64')}`,
    /** @throws Error if it needs a key that is not configured. */
    open: (stored: string): string => {
      if (stored.startsWith(PLAIN)) return stored.slice(PLAIN.length);
      const [id = '', data = ''] = stored.slice(SEALED.length).split(':');
      const key = keys.find((each) => each.id === id);
      if (key === undefined) throw new Error(`a secret is encrypted with key ${id}, which SECRETS_KEYS lacks`);
      return decryptBytes(key, Buffer.from(data, 'base64')).toString();
    },
  };
}
