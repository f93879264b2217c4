import { type Payload, type PayloadCodec, ValueError } from '@temporalio/common';
import { decryptBytes, encryptBytes, type EncryptionKey } from './secret-box';

const ENCODING = 'binary/encrypted';

/**
 * Encrypts what Temporal stores, in AES-256-GCM. The first key encrypts; every key decrypts, so that keys can be
 * rotated. A payload written before there were keys is read as it is.
 */
export function createPayloadEncryption(keys: readonly EncryptionKey[]): PayloadCodec {
  const [current] = keys;
  if (current === undefined) throw new ValueError('encryption needs one key or more');
  return {
    encode: async (payloads) => payloads.map((payload) => seal(payload, current)),
    decode: async (payloads) => payloads.map((payload) => open(payload, keys)),
  };
}

function seal(payload: Payload, key: EncryptionKey): Payload {
  return {
    metadata: { encoding: Buffer.from(ENCODING), 'encryption-key-id': Buffer.from(key.id) },
    data: encryptBytes(key, toBytes(payload)),
  };
}

function open(payload: Payload, keys: readonly EncryptionKey[]): Payload {
  if (textOf(payload.metadata?.['encoding']) !== ENCODING) return payload;
  const keyId = textOf(payload.metadata?.['encryption-key-id']);
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined) throw new ValueError(`a payload is encrypted with key ${keyId}, which is not configured`);
  return fromBytes(decryptBytes(key, Buffer.from(payload.data ?? [])));
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
