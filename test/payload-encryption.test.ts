import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import { createPayloadEncryption } from '../src/payload-encryption';

const key = (id: string) => ({ id, key: randomBytes(32).toString('base64') });
const payload = (value: unknown) => defaultPayloadConverter.toPayload(value);

describe('payload encryption', () => {
  const [older, newer] = [key('k1'), key('k2')];

  it('gives back what it was given', async () => {
    const codec = createPayloadEncryption([newer]);
    const [opened] = await codec.decode(await codec.encode([payload({ amount: 1999 })]));
    expect(defaultPayloadConverter.fromPayload(opened!)).toEqual({ amount: 1999 });
  });

  it('leaves nothing readable in what Temporal stores', async () => {
    const [sealed] = await createPayloadEncryption([newer]).encode([payload('subscription/sub_1')]);
    expect(Buffer.from(sealed!.data!).toString('latin1')).not.toContain('sub_1');
    expect(Buffer.from(sealed!.metadata!['encryption-key-id']!).toString()).toBe('k2');
  });

  it('still reads what an older key wrote, and what was written without one', async () => {
    const sealed = await createPayloadEncryption([older]).encode([payload('then')]);
    const codec = createPayloadEncryption([newer, older]);
    const opened = await codec.decode([...sealed, payload('plain')]);
    expect(opened.map((each) => defaultPayloadConverter.fromPayload(each))).toEqual(['then', 'plain']);
  });

  it('names the key that is missing', async () => {
    const sealed = await createPayloadEncryption([older]).encode([payload(1)]);
    await expect(createPayloadEncryption([newer]).decode(sealed)).rejects.toThrow('key k1, which is not configured');
  });

  it('refuses a payload that somebody has changed', async () => {
    const codec = createPayloadEncryption([newer]);
    const [sealed] = await codec.encode([payload(1)]);
    const data = Buffer.from(sealed!.data!);
    data[data.length - 1]! ^= 1;
    await expect(codec.decode([{ ...sealed!, data }])).rejects.toThrow();
  });

  it('refuses to work without a key', () => {
    expect(() => createPayloadEncryption([])).toThrow('one key or more');
  });
});
