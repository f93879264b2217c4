import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type Payload, type PayloadCodec, ValueError } from '@temporalio/common';

/** 32 bytes, and the name by which payloads say which key they need. */
export interface EncryptionKey {
  readonly id: string;
  /** Base64. */
  readonly key: string;
}

const ENCODING = 'binary/encrypted';
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts what Temporal stores, in AES-256-GCM. The first key encrypts; every key decrypts, so that keys can be
 * rotated. A payload written before there were keys is read as it is.
 */
export function createPayloadEncryption(keys: readonly EncryptionKey[]): PayloadCodec {
  const [current] = keys;
  if (current === undefined) throw new ValueError('encryption needs one key or more');
  const secrets = new Map(keys.map(({ id, key }) => [id, Buffer.from(key, 'base64')]));
  return {
    encode: async (payloads) => payloads.map((payload) => seal(payload, current.id, secretOf(secrets, current.id))),
    decode: async (payloads) => payloads.map((payload) => open(payload, secrets)),
  };
}

function secretOf(secrets: ReadonlyMap<string, Buffer>, id: string): Buffer {
  const secret = secrets.get(id);
  if (secret === undefined) throw new ValueError(`a payload is encrypted with key ${id}, which is not configured`);
  return secret;
}

/** iv, authentication tag, ciphertext; the key's id is authenticated too. */
function seal(payload: Payload, keyId: string, secret: Buffer): Payload {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, secret, iv).setAAD(Buffer.from(keyId));
  const ciphertext = Buffer.concat([cipher.update(toBytes(payload)), cipher.final()]);
  return {
    metadata: { encoding: Buffer.from(ENCODING), 'encryption-key-id': Buffer.from(keyId) },
    data: Buffer.concat([iv, cipher.getAuthTag(), ciphertext]),
  };
}

function open(payload: Payload, secrets: ReadonlyMap<string, Buffer>): Payload {
  if (textOf(payload.metadata?.['encoding']) !== ENCODING) return payload;
  const keyId = textOf(payload.metadata?.['encryption-key-id']);
  const data = Buffer.from(payload.data ?? []);
  const [iv, tag] = [data.subarray(0, IV_BYTES), data.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
  const decipher = createDecipheriv(CIPHER, secretOf(secrets, keyId), iv).setAAD(Buffer.from(keyId)).setAuthTag(tag);
  return fromBytes(Buffer.concat([decipher.update(data.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]));
}

function textOf(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString();
}

interface Envelope {
  readonly metadata: Readonly<Record<string, string>>;
  readonly data: string;
}

function toBytes({ metadata, data }: Payload): Buffer {
  const fields = Object.entries(metadata ?? {}).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
  const envelope: Envelope = {
    metadata: Object.fromEntries(fields) as Record<string, string>,
    data: Buffer.from(data ?? []).toString('base64'),
  };
  return Buffer.from(JSON.stringify(envelope));
}

function fromBytes(bytes: Buffer): Payload {
  const { metadata, data } = JSON.parse(bytes.toString()) as Envelope;
  const fields = Object.entries(metadata).map(([name, text]) => [name, Buffer.from(text, 'base64')] as const);
  return { metadata: Object.fromEntries(fields), data: Buffer.from(data, 'base64') };
}
