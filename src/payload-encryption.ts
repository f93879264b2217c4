import {
  defaultPayloadConverter,
  type Payload,
  type PayloadCodec,
  type SerializationContext,
  ValueError,
} from '@temporalio/common';
import { unreadable } from './contract/arguments';
import { decryptBytes, encryptBytes, type EncryptionKey } from './secret-box';

const ENCODING = 'binary/encrypted';

/** Version of what is authenticated beside the key's id: the namespace and the workflow. */
const VERSION = '1';

interface EncryptionOptions {
  /** Whether a payload that is not encrypted is read: while an installation begins to encrypt. */
  readonly plainAllowed: boolean;
}

/**
 * Encrypts what Temporal stores, in AES-256-GCM. The first key encrypts; every key decrypts, so that keys can be rotated.
 * A payload names the namespace and the workflow that it belongs to, both authenticated: where the SDK says whose payload
 * it reads, one that was copied from elsewhere is refused.
 * @throws ValueError on decoding, where a payload is plain, was changed or moved, or needs a key that is not configured
 */
export function createPayloadEncryption(
  keys: readonly EncryptionKey[],
  { plainAllowed }: EncryptionOptions,
): PayloadCodec {
  const [current] = keys;
  if (current === undefined) throw new ValueError('encryption needs one key or more');
  const opened = (payload: Payload, context?: SerializationContext): Payload => {
    if (textIn(payload, 'encoding') === ENCODING) return open(payload, keys, context);
    if (plainAllowed) return payload;
    throw new ValueError(
      'a payload is not encrypted; PAYLOAD_PLAIN_ALLOWED=true reads what was stored before the keys',
    );
  };
  return {
    encode: async (payloads, context) => payloads.map((payload) => seal(payload, current, context)),
    decode: async (payloads, context) => payloads.map((payload) => opened(payload, context)),
  };
}

/** Whose payload it is, as its metadata names it; empty where the SDK did not say. */
interface Place {
  readonly namespace: string;
  readonly workflowId: string;
}

function placeOf(context: SerializationContext | undefined): Place {
  return { namespace: context?.namespace ?? '', workflowId: context?.workflowId ?? '' };
}

function placeIn(payload: Payload): Place {
  return { namespace: textIn(payload, 'namespace'), workflowId: textIn(payload, 'workflow-id') };
}

function boundTo(version: string, { namespace, workflowId }: Place): readonly string[] {
  return [version, namespace, workflowId];
}

function seal(payload: Payload, key: EncryptionKey, context?: SerializationContext): Payload {
  const place = placeOf(context);
  const metadata = {
    encoding: ENCODING,
    'encryption-key-id': key.id,
    'encryption-version': VERSION,
    namespace: place.namespace,
    'workflow-id': place.workflowId,
  };
  const fields = Object.entries(metadata).map(([name, text]) => [name, Buffer.from(text)] as const);
  return {
    metadata: Object.fromEntries(fields),
    data: encryptBytes(key, Buffer.from(JSON.stringify(payloadToJson(payload))), boundTo(VERSION, place)),
  };
}

function open(payload: Payload, keys: readonly EncryptionKey[], context?: SerializationContext): Payload {
  const keyId = textIn(payload, 'encryption-key-id');
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined) throw new ValueError(`a payload is encrypted with key ${keyId}, which is not configured`);
  const place = placeIn(payload);
  const bytes = decrypted(payload, key, boundTo(textIn(payload, 'encryption-version'), place));
  if (context !== undefined) requireSamePlace(place, placeOf(context));
  return payloadFromJson(JSON.parse(bytes.toString()) as PayloadJson);
}

function decrypted({ data }: Payload, key: EncryptionKey, bound: readonly string[]): Buffer {
  try {
    return decryptBytes(key, Buffer.from(data ?? []), bound);
  } catch (cause) {
    throw new ValueError('a payload was changed, or is encrypted with another key', cause);
  }
}

function requireSamePlace(is: Place, expected: Place): void {
  if (is.namespace === expected.namespace && is.workflowId === expected.workflowId) return;
  const [from, to] = [is, expected].map(
    ({ namespace, workflowId }) => `workflow ${workflowId} in namespace ${namespace}`,
  );
  throw new ValueError(`a payload belongs to ${from}; expected one of ${to}`);
}

function textIn({ metadata }: Payload, name: string): string {
  return Buffer.from(metadata?.[name] ?? []).toString();
}

/** Bytes in Base64, as in protobuf's JSON. */
export interface PayloadJson {
  readonly metadata: Readonly<Record<string, string>>;
  readonly data: string;
}

export function payloadToJson({ metadata, data }: Payload): PayloadJson {
  const fields = Object.entries(metadata ?? {}).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
  return {
    metadata: Object.fromEntries(fields) as Record<string, string>,
    data: Buffer.from(data ?? []).toString('base64'),
  };
}

export function payloadFromJson({ metadata, data }: PayloadJson): Payload {
  const fields = Object.entries(metadata).map(([name, text]) => [name, Buffer.from(text, 'base64')] as const);
  return { metadata: Object.fromEntries(fields), data: Buffer.from(data, 'base64') };
}

/** Where nothing is encrypted. */
const PLAIN: PayloadCodec = { encode: async (payloads) => payloads, decode: async (payloads) => payloads };

/**
 * For workers. What is sent to a workflow and cannot be read reaches it as {@link unreadable}: a fault here would fail its
 * task for as long as it is in the history, and people can send anything. `workflows/unreadable.ts` refuses it there. What
 * belongs to an activity is written by workers alone: that faults, and with it the task, until it can be read.
 */
export function forWorkers(codec: PayloadCodec = PLAIN): PayloadCodec {
  return {
    encode: (payloads, context) => codec.encode(payloads, context),
    decode: (payloads, context) =>
      context?.type === 'workflow'
        ? Promise.all(payloads.map((payload) => readOrMark(codec, payload, context)))
        : codec.decode(payloads, context),
  };
}

async function readOrMark(codec: PayloadCodec, payload: Payload, context: SerializationContext): Promise<Payload> {
  try {
    const [opened] = await codec.decode([payload], context);
    // As the workflow will: text that is no JSON, or an encoding that it does not know, would fault there.
    if (opened !== undefined) defaultPayloadConverter.fromPayload(opened);
    return opened ?? payload;
  } catch (error) {
    const why = error instanceof ValueError ? error.message : 'a payload is not what its encoding says';
    return defaultPayloadConverter.toPayload(unreadable(why));
  }
}
