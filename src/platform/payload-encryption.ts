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

/** Version of what is authenticated beside the key's id: the namespace, the workflow and the purpose. */
const VERSION = '1';

/** The field of the metadata that says what a payload was made for. */
const PURPOSE = 'bound-to';

interface EncryptionOptions {
  /** Whether a payload that is not encrypted is read: while an installation begins to encrypt. */
  readonly plainAllowed: boolean;
}

/**
 * Encrypts what Temporal stores, in AES-256-GCM. The first key encrypts; every key decrypts, so that keys can be rotated.
 * A payload names the namespace and the workflow that it belongs to, and what a {@link BoundValue} was made for, all
 * authenticated: one that was copied from another workflow is refused here, one that was made for something else by who
 * receives it ({@link forWorkers}).
 * @throws ValueError on decoding, where a payload is plain, was changed or moved, or needs a key that is not configured
 */
export function createPayloadEncryption(
  keys: readonly EncryptionKey[],
  { plainAllowed }: EncryptionOptions,
): PayloadCodec {
  const [current] = keys;
  if (current === undefined) throw new ValueError('encryption needs one key or more');
  const opened = (payload: Payload, context?: SerializationContext): Payload => {
    if (isSealed(payload)) return open(payload, keys, context);
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

function authenticated(version: string, { namespace, workflowId }: Place, purpose: string): readonly string[] {
  return [version, namespace, workflowId, purpose];
}

function isSealed(payload: Payload): boolean {
  return textIn(payload, 'encoding') === ENCODING;
}

function seal(payload: Payload, key: EncryptionKey, context?: SerializationContext): Payload {
  const place = placeOf(context);
  const { purpose, content } = withoutPurpose(payload);
  const metadata = {
    encoding: ENCODING,
    'encryption-key-id': key.id,
    'encryption-version': VERSION,
    namespace: place.namespace,
    'workflow-id': place.workflowId,
    [PURPOSE]: purpose,
  };
  const fields = Object.entries(metadata).map(([name, text]) => [name, Buffer.from(text)] as const);
  return {
    metadata: Object.fromEntries(fields),
    data: encryptBytes(
      key,
      Buffer.from(JSON.stringify(payloadToJson(content))),
      authenticated(VERSION, place, purpose),
    ),
  };
}

/** What a payload was made for; empty for what nothing receives as an argument or a result. */
function withoutPurpose(payload: Payload): { readonly purpose: string; readonly content: Payload } {
  const value = textIn(payload, 'encoding') === 'json/plain' ? defaultPayloadConverter.fromPayload(payload) : null;
  if (!isBound(value)) return { purpose: '', content: payload };
  return { purpose: value.boundTo, content: defaultPayloadConverter.toPayload(value.value) };
}

function open(payload: Payload, keys: readonly EncryptionKey[], context?: SerializationContext): Payload {
  const keyId = textIn(payload, 'encryption-key-id');
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined) throw new ValueError(`a payload is encrypted with key ${keyId}, which is not configured`);
  const place = placeIn(payload);
  const bound = authenticated(textIn(payload, 'encryption-version'), place, textIn(payload, PURPOSE));
  const bytes = decrypted(payload, key, bound);
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

/**
 * For workers. A payload that cannot be read reaches its receiver as {@link unreadable}: a fault here would fail a workflow's
 * task for as long as it is in the history, and anyone who reaches Temporal can send anything. With keys a value arrives
 * bound to what it was made for. The interceptors of workflows and activities refuse what is not for them.
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
    // As the receiver will: text that is no JSON, or an encoding that it does not know, would fault there.
    const value: unknown = defaultPayloadConverter.fromPayload(opened);
    const purpose = purposeOf(payload, context);
    return codec === undefined || purpose === null ? opened : defaultPayloadConverter.toPayload(bind(purpose, value));
  } catch (error) {
    const why = error instanceof ValueError ? error.message : 'a payload is not what its encoding says';
    return defaultPayloadConverter.toPayload(unreadable(why));
  }
}

/** Null for the details of heartbeats and failures, which are bound to nothing. */
function purposeOf(payload: Payload, context?: SerializationContext): string | null {
  if (!isSealed(payload)) return ANY_PURPOSE;
  const purpose = textIn(payload, PURPOSE);
  return purpose === '' && context?.type !== 'workflow' ? null : purpose;
}
