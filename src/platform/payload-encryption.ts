import {
  defaultPayloadConverter,
  type Payload,
  type PayloadCodec,
  type SerializationContext,
  ValueError,
} from '@temporalio/common';
import { ANY_PURPOSE, bind, isBound, unreadable } from '../contract/bound-values';
import { decryptBytes, encryptBytes, type EncryptionKey } from './secret-box';

const ENCODING = 'binary/encrypted';

/** The version of the authenticated data: the key's id, this version, the namespace, the workflow and the purpose. */
const VERSION = '1';

/** The metadata field with the purpose of a payload. */
const PURPOSE = 'bound-to';

interface EncryptionOptions {
  /** Whether unencrypted payloads are accepted, for the transition to encryption. */
  readonly plainAllowed: boolean;
}

/**
 * Encrypts what Temporal stores, with AES-256-GCM. The first key encrypts; every key decrypts, so that keys can be rotated.
 * A payload names its namespace, its workflow and the purpose of a {@link BoundValue}, all authenticated: a copy from another
 * workflow is refused here, a payload for another purpose by its receiver ({@link forWorkers}).
 * @throws ValueError on decoding, if a payload is plain, was changed or moved, or needs a key that is not configured
 */
export function createPayloadEncryption(
  keys: readonly EncryptionKey[],
  { plainAllowed }: EncryptionOptions,
): PayloadCodec {
  const [current] = keys;
  if (current === undefined) throw new ValueError('encryption needs at least one key');
  const opened = (payload: Payload, context?: SerializationContext): Payload => {
    if (isSealed(payload)) return open(payload, keys, context);
    if (plainAllowed) return payload;
    throw new ValueError(
      'a payload is not encrypted; PAYLOAD_PLAIN_ALLOWED=true accepts payloads from before encryption',
    );
  };
  return {
    encode: async (payloads, context) => payloads.map((payload) => seal(payload, current, context)),
    decode: async (payloads, context) => payloads.map((payload) => opened(payload, context)),
  };
}

/**
 * The owner of a payload, from the SDK's context or the payload's metadata; the texts are empty if the SDK did not
 * provide it.
 */
interface Owner {
  readonly namespace: string;
  readonly workflowId: string;
}

function ownerOf(context: SerializationContext | undefined): Owner {
  return { namespace: context?.namespace ?? '', workflowId: context?.workflowId ?? '' };
}

function ownerIn(payload: Payload): Owner {
  return { namespace: textIn(payload, 'namespace'), workflowId: textIn(payload, 'workflow-id') };
}

function authenticated(version: string, { namespace, workflowId }: Owner, purpose: string): readonly string[] {
  return [version, namespace, workflowId, purpose];
}

function isSealed(payload: Payload): boolean {
  return textIn(payload, 'encoding') === ENCODING;
}

function seal(payload: Payload, key: EncryptionKey, context?: SerializationContext): Payload {
  const owner = ownerOf(context);
  const { purpose, content } = withoutPurpose(payload);
  const metadata = {
    encoding: ENCODING,
    'encryption-key-id': key.id,
    'encryption-version': VERSION,
    namespace: owner.namespace,
    'workflow-id': owner.workflowId,
    [PURPOSE]: purpose,
  };
  const fields = Object.entries(metadata).map(([name, text]) => [name, Buffer.from(text)] as const);
  return {
    metadata: Object.fromEntries(fields),
    data: encryptBytes(
      key,
      Buffer.from(JSON.stringify(payloadToJson(content))),
      authenticated(VERSION, owner, purpose),
    ),
  };
}

/** Separates a payload's purpose; empty if it is neither an argument nor a result. */
function withoutPurpose(payload: Payload): { readonly purpose: string; readonly content: Payload } {
  const value = textIn(payload, 'encoding') === 'json/plain' ? defaultPayloadConverter.fromPayload(payload) : null;
  if (!isBound(value)) return { purpose: '', content: payload };
  return { purpose: value.boundTo, content: defaultPayloadConverter.toPayload(value.value) };
}

function open(payload: Payload, keys: readonly EncryptionKey[], context?: SerializationContext): Payload {
  const keyId = textIn(payload, 'encryption-key-id');
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined) throw new ValueError(`a payload is encrypted with key ${keyId}, which is not configured`);
  const owner = ownerIn(payload);
  const bound = authenticated(textIn(payload, 'encryption-version'), owner, textIn(payload, PURPOSE));
  const bytes = decrypted(payload, key, bound);
  if (context !== undefined) requireSameOwner(owner, ownerOf(context));
  return payloadFromJson(JSON.parse(bytes.toString()) as PayloadJson);
}

function decrypted({ data }: Payload, key: EncryptionKey, bound: readonly string[]): Buffer {
  try {
    return decryptBytes(key, Buffer.from(data ?? []), bound);
  } catch (cause) {
    throw new ValueError('a payload was changed, or is encrypted with another key', cause);
  }
}

function requireSameOwner(is: Owner, expected: Owner): void {
  if (is.namespace === expected.namespace && is.workflowId === expected.workflowId) return;
  const [from, to] = [is, expected].map(
    ({ namespace, workflowId }) => `workflow ${workflowId} in namespace ${namespace}`,
  );
  throw new ValueError(`a payload belongs to ${from}; expected ${to}`);
}

function textIn({ metadata }: Payload, name: string): string {
  return Buffer.from(metadata?.[name] ?? []).toString();
}

/** A payload with its bytes in Base64, as in protobuf's JSON. */
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

/**
 * The codec of a worker. An unreadable payload reaches its receiver as {@link unreadable}: an error here would fail the workflow's
 * tasks for as long as the payload is in its history, and anyone with access to Temporal can send anything. With keys, values arrive
 * bound to their purpose. The interceptors of workflows and activities refuse values with another purpose.
 * @param codec left out if nothing is encrypted
 */
export function forWorkers(codec?: PayloadCodec): PayloadCodec {
  return {
    encode: async (payloads, context) => codec?.encode(payloads, context) ?? payloads,
    decode: (payloads, context) => Promise.all(payloads.map((payload) => readOrMark(codec, payload, context))),
  };
}

async function readOrMark(
  codec: PayloadCodec | undefined,
  payload: Payload,
  context?: SerializationContext,
): Promise<Payload> {
  try {
    const [opened = payload] = (await codec?.decode([payload], context)) ?? [];
    // Decode as the receiver will: invalid JSON, or an unknown encoding, would fail there.
    const value: unknown = defaultPayloadConverter.fromPayload(opened);
    const purpose = purposeOf(payload, context);
    return codec === undefined || purpose === null ? opened : defaultPayloadConverter.toPayload(bind(purpose, value));
  } catch (error) {
    const why = error instanceof ValueError ? error.message : 'a payload does not match its encoding';
    return defaultPayloadConverter.toPayload(unreadable(why));
  }
}

/** The purpose of a payload; null for details of heartbeats and failures, which have none. */
function purposeOf(payload: Payload, context?: SerializationContext): string | null {
  if (!isSealed(payload)) return ANY_PURPOSE;
  const purpose = textIn(payload, PURPOSE);
  return purpose === '' && context?.type !== 'workflow' ? null : purpose;
}
