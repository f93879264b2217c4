import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter, type Payload, type SerializationContext } from '@temporalio/common';
import { unreadable, whyUnreadable } from '../src/contract/arguments';
import { createPayloadEncryption, forWorkers } from '../src/payload-encryption';

/** What a person can send never fails the decoding of a workflow's task. */

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

async function readBy(codec: ReturnType<typeof forWorkers>, payload: Payload): Promise<unknown> {
  const [read] = await codec.decode([payload], WORKFLOW);
  return defaultPayloadConverter.fromPayload(read!);
}

it('reads what was sealed for the workflow', async () => {
  const [sealed] = await own.encode([plain], WORKFLOW);
  expect(await readBy(forWorkers(own), sealed!)).toEqual({ cycle: 3 });
});

it.each([
  ['is not encrypted', () => plain, 'a payload is not encrypted'],
  ['has an encoding that nothing knows', () => encoded('binary/strange', 'x'), 'a payload is not encrypted'],
  ['needs a key that is missing', async () => (await foreign.encode([plain], WORKFLOW))[0]!, 'encrypted with key k9'],
  ['was sealed for another', async () => (await own.encode([plain], ELSEWHERE))[0]!, 'belongs to workflow'],
  [
    'says that it is encrypted',
    () => encoded('binary/encrypted', 'x'),
    'a payload is encrypted with key , which is not configured',
  ],
])('marks what %s', async (_, made, why) => {
  expect(await readBy(forWorkers(own), await made())).toEqual({ unreadable: expect.stringContaining(why) });
});

it.each([
  ['no JSON', encoded('json/plain', '{'), 'a payload is not what its encoding says'],
  ['an encoding that nothing knows', encoded('binary/strange', 'x'), 'Unknown encoding: binary/strange'],
  ['nothing at all', {}, 'Missing payload metadata'],
])('marks it without keys, too: %s', async (_, sent, why) => {
  expect(await readBy(forWorkers(), sent)).toEqual({ unreadable: why });
});

it('reads plain payloads without keys', async () => {
  expect(await readBy(forWorkers(), plain)).toEqual({ cycle: 3 });
});

it('faults on what belongs to an activity: workers alone write it, and a missing key must not decide anything', async () => {
  const sealed = await foreign.encode([plain], ACTIVITY);
  await expect(forWorkers(own).decode(sealed, ACTIVITY)).rejects.toThrow('encrypted with key k9');
  await expect(forWorkers(own).decode(sealed)).rejects.toThrow('encrypted with key k9');
});

it('is told apart from every argument that is not marked', () => {
  expect(whyUnreadable([{ cycle: 3 }, unreadable('why')])).toBe('why');
  expect(whyUnreadable([null, 'x', 3, {}, { unreadable: 3 }, { unreadable: 'x', cycle: 3 }])).toBeNull();
});
