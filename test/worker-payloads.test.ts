import { randomBytes } from 'node:crypto';
import {
  defaultPayloadConverter,
  type Payload,
  type PayloadCodec,
  type SerializationContext,
} from '@temporalio/common';
import { argumentOf, bind } from '../src/contract/bound-values';
import { createPayloadEncryption, forWorkers } from '../src/platform/payload-encryption';

/** Nothing that an outsider can send makes the decoding of a task fail, and each value arrives with its purpose. */

const WORKFLOW: SerializationContext = { type: 'workflow', namespace: 'billing', workflowId: 'subscription/sub_1' };
const ELSEWHERE: SerializationContext = { ...WORKFLOW, workflowId: 'subscription/sub_2' };
const ACTIVITY: SerializationContext = { ...WORKFLOW, type: 'activity', isLocal: false };

const sealing = (id: string) =>
  createPayloadEncryption([{ id, key: randomBytes(32).toString('base64') }], { plainAllowed: false });
const [own, foreign] = [sealing('k1'), sealing('k9')];
const plain = defaultPayloadConverter.toPayload({ cycle: 3 });
const encoded = (encoding: string, text: string): Payload => ({
  metadata: { encoding: Buffer.from(encoding) },
  data: Buffer.from(text),
});

async function readBy(codec: PayloadCodec, payload: Payload, context = WORKFLOW): Promise<unknown> {
  const [read] = await codec.decode([payload], context);
  return defaultPayloadConverter.fromPayload(read!);
}

it.each([
  ['a workflow', WORKFLOW],
  ['an activity', ACTIVITY],
])(
  'a worker hands %s the value that was sealed for it, with the purpose to which the value is bound',
  async (_, context) => {
    const bound = bind(argumentOf('activity', 'decide'), { cycle: 3 });
    const [sealed] = await own.encode([defaultPayloadConverter.toPayload(bound)], context);
    expect(await readBy(forWorkers(own), sealed!, context)).toEqual(bound);
  },
);

it('a worker decrypts a sealed undefined to undefined', async () => {
  const bound = bind('anything', undefined);
  const [sealed] = await own.encode([defaultPayloadConverter.toPayload(bound)], WORKFLOW);
  expect(await readBy(forWorkers(own), sealed!)).toEqual({ boundTo: 'anything' });
});

it("a worker marks a workflow's payload without a purpose as bound to nothing, and leaves an activity's unbound", async () => {
  const [sealed] = await own.encode([plain], WORKFLOW);
  expect(await readBy(forWorkers(own), sealed!)).toEqual({ boundTo: '', value: { cycle: 3 } });
  expect(await readBy(forWorkers(own), sealed!, ACTIVITY)).toEqual({ cycle: 3 });
});

it('a worker accepts a plain payload for any purpose while PAYLOAD_PLAIN_ALLOWED is on', async () => {
  const beginning = createPayloadEncryption([{ id: 'k1', key: randomBytes(32).toString('base64') }], {
    plainAllowed: true,
  });
  expect(await readBy(forWorkers(beginning), plain)).toEqual({ boundTo: 'anything', value: { cycle: 3 } });
});

it.each([
  ['is not encrypted', () => plain, 'a payload is not encrypted'],
  ['has an unknown encoding', () => encoded('binary/strange', 'x'), 'a payload is not encrypted'],
  ['needs a key that is missing', async () => (await foreign.encode([plain], WORKFLOW))[0]!, 'encrypted with key k9'],
  ['was sealed for another workflow', async () => (await own.encode([plain], ELSEWHERE))[0]!, 'belongs to workflow'],
  [
    'claims to be encrypted, but names no key',
    () => encoded('binary/encrypted', 'x'),
    'a payload is encrypted with key , which is not configured',
  ],
])('a worker marks a payload as unreadable if it %s', async (_, made, why) => {
  expect(await readBy(forWorkers(own), await made())).toEqual({ unreadable: expect.stringContaining(why) });
});

it.each([
  ['with invalid JSON', encoded('json/plain', '{'), 'a payload does not match its encoding'],
  ['with an unknown encoding', encoded('binary/strange', 'x'), 'Unknown encoding: binary/strange'],
  ['without metadata and data', {}, 'Missing payload metadata'],
])('a worker without keys also marks a payload %s as unreadable', async (_, sent, why) => {
  expect(await readBy(forWorkers(), sent)).toEqual({ unreadable: why });
});

it('a worker reads plain payloads without keys', async () => {
  expect(await readBy(forWorkers(), plain)).toEqual({ cycle: 3 });
});

it('a worker also marks an unreadable input of an activity as unreadable', async () => {
  const [sealed] = await foreign.encode([plain], ACTIVITY);
  const marked = { unreadable: expect.stringContaining('encrypted with key k9') };
  expect(await readBy(forWorkers(own), sealed!, ACTIVITY)).toEqual(marked);
});
