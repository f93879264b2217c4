import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter, type Payload, type SerializationContext } from '@temporalio/common';
import { createPayloadEncryption } from '../src/platform/payload-encryption';
import { encryptBytes, type EncryptionKey } from '../src/platform/secret-box';

const key = (id: string) => ({ id, key: randomBytes(32).toString('base64') });
const payload = (value: unknown) => defaultPayloadConverter.toPayload(value);
const encryption = (...keys: EncryptionKey[]) => createPayloadEncryption(keys, { plainAllowed: false });
const of = (workflowId: string, namespace = 'billing'): SerializationContext => ({
  type: 'workflow',
  namespace,
  workflowId,
});
const SUB_1 = of('subscription/sub_1');

const [older, newer] = [key('k1'), key('k2')];

it('payload encryption decrypts to the payload that was encrypted', async () => {
  const codec = encryption(newer);
  const [opened] = await codec.decode(await codec.encode([payload({ amount: 1999 })]));
  expect(defaultPayloadConverter.fromPayload(opened!)).toEqual({ amount: 1999 });
});

it('payload encryption leaves nothing readable in what Temporal stores', async () => {
  const [sealed] = await encryption(newer).encode([payload('cents 1999')]);
  expect(Buffer.from(sealed!.data!).toString('latin1')).not.toContain('1999');
  expect(textsOf(sealed!)['encryption-key-id']).toBe('k2');
});

it('payload encryption still reads what an older key wrote', async () => {
  const sealed = await encryption(older).encode([payload('then')]);
  const opened = await encryption(newer, older).decode(sealed);
  expect(opened.map((each) => defaultPayloadConverter.fromPayload(each))).toEqual(['then']);
});

it('payload encryption refuses a payload that was encrypted without authenticating its workflow and purpose', async () => {
  const { metadata, data } = payload('then');
  const encoding = Buffer.from(metadata!['encoding']!).toString('base64');
  const envelope = { metadata: { encoding }, data: Buffer.from(data!).toString('base64') };
  const sealed = {
    metadata: { encoding: Buffer.from('binary/encrypted'), 'encryption-key-id': Buffer.from(older.id) },
    data: encryptBytes(older, Buffer.from(JSON.stringify(envelope))),
  };
  await expect(encryption(older).decode([sealed], SUB_1)).rejects.toThrow('a payload was changed');
});

it('payload encryption names the key that is missing', async () => {
  const sealed = await encryption(older).encode([payload(1)]);
  await expect(encryption(newer).decode(sealed)).rejects.toThrow('key k1, which is not configured');
});

it('payload encryption writes the purpose of a bound value into the metadata, and decrypts to the value alone', async () => {
  const codec = encryption(newer);
  const [sealed] = await codec.encode([payload({ boundTo: 'argument of signal changed', value: 7 })]);
  expect(textsOf(sealed!)['bound-to']).toBe('argument of signal changed');
  expect(defaultPayloadConverter.fromPayload((await codec.decode([sealed!]))[0]!)).toBe(7);
});

it('payload encryption refuses to work without a key', () => {
  expect(() => encryption()).toThrow('at least one key');
});

const only = key('k1');

it('a payload that is not encrypted is refused, and the error names the setting that would accept it', async () => {
  await expect(encryption(only).decode([payload('plain')])).rejects.toThrow('PAYLOAD_PLAIN_ALLOWED=true');
});

it('a payload that is not encrypted is read if PAYLOAD_PLAIN_ALLOWED allows it', async () => {
  const codec = createPayloadEncryption([only], { plainAllowed: true });
  expect(await codec.decode([payload('plain')])).toEqual([payload('plain')]);
});

const codec = encryption(key('k1'));
const bound = payload({ boundTo: 'argument of workflow refund', value: 1 });
const sealedFor = async (context: SerializationContext) => (await codec.encode([bound], context))[0]!;

it('the metadata of a payload contains its namespace and workflow', async () => {
  expect(textsOf(await sealedFor(SUB_1))).toMatchObject({
    namespace: 'billing',
    'workflow-id': 'subscription/sub_1',
  });
});

it('a payload of an activity belongs to the workflow of the activity', async () => {
  const activity = {
    type: 'activity',
    namespace: 'billing',
    workflowId: 'subscription/sub_1',
    isLocal: false,
  } as const;
  expect(await codec.decode([await sealedFor(activity)], SUB_1)).toHaveLength(1);
});

it.each([
  ['another workflow', of('subscription/sub_2')],
  ['another namespace', of('subscription/sub_1', 'other')],
])('a payload is refused when it is read for %s', async (_, elsewhere) => {
  const sealed = await sealedFor(SUB_1);
  await expect(codec.decode([sealed], elsewhere)).rejects.toThrow(
    'a payload belongs to workflow subscription/sub_1 in namespace billing; expected workflow ',
  );
});

it('a payload that names no workflow is refused by a reader that expects one', async () => {
  const [sealed] = await codec.encode([payload(1)]);
  await expect(codec.decode([sealed!], SUB_1)).rejects.toThrow('expected workflow subscription/sub_1');
});

it('a process that does not know the workflow, such as the codec server, reads the payload of any', async () => {
  expect(await codec.decode([await sealedFor(SUB_1)])).toEqual([payload(1)]);
});

it.each([
  ['workflow-id', 'subscription/sub_2'],
  ['namespace', 'other'],
  ['bound-to', ''],
  ['bound-to', 'argument of signal changed'],
  ['encryption-version', ''],
  ['encryption-version', '2'],
])('a payload is refused if its metadata was changed: %s set to "%s"', async (name, text) => {
  const { metadata, data } = await sealedFor(SUB_1);
  const tampered = { metadata: { ...metadata, [name]: Buffer.from(text) }, data };
  await expect(codec.decode([tampered as Payload])).rejects.toThrow('was changed, or is encrypted with another key');
});

it.each([
  ['a bit of it', (data: Buffer) => data.map((byte, index) => (index === data.length - 1 ? byte ^ 1 : byte))],
  ['its end cut off', (data: Buffer) => data.subarray(0, 16)],
  ['all of it cut off', () => Buffer.alloc(0)],
])('a payload whose content was changed is refused: %s', async (_, change) => {
  const { metadata, data } = await sealedFor(SUB_1);
  const changed = { metadata, data: change(Buffer.from(data!)) } as Payload;
  await expect(codec.decode([changed], SUB_1)).rejects.toThrow('was changed, or is encrypted with another key');
});

function textsOf({ metadata }: Payload): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, bytes]) => [name, Buffer.from(bytes).toString()] as const),
  );
}
