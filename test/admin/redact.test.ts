import { insertEvent } from '../../src/ledger';
import { type AdminUnderTest, NOW, startAdmin } from './admin-under-test';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

interface Entry {
  id: number;
  type: string;
  actor: string;
  text: string;
  data: Record<string, unknown>;
}

async function entries(): Promise<Entry[]> {
  return (await admin.call('GET', '/v1/audit?limit=5', { role: 'viewer' })).json<{ items: Entry[] }>().items;
}

async function written(): Promise<number> {
  const data = { reason: 'see account DE02 1203' };
  await insertEvent(admin.db, { subscriptionId: null, at: NOW, actor: 'till', type: 'halt.started', data });
  return (await entries())[0]!.id;
}

const redact = (id: number | string, body: unknown = { reason: 'an account number' }, idempotencyKey?: string) =>
  admin.call('POST', `/v1/audit/${id}/redact`, {
    role: 'admin',
    body,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });

test('a redaction returns the entry without its texts, which remain hidden, and records who made it and why', async () => {
  const id = await written();
  const answer = await redact(id);
  expect(answer.statusCode).toBe(200);
  const shown = { id, actor: 'till', type: 'halt.started', data: { reason: '[redacted]' } };
  expect(answer.json()).toMatchObject({ ...shown, text: expect.stringContaining('Reason: [redacted].') });
  const [trace, entry] = await entries();
  expect(entry).toMatchObject(shown);
  expect(trace).toMatchObject({
    actor: 'admin of the shop',
    type: 'audit.redacted',
    text: `admin of the shop removed text from entry ${id} of the audit log: reason. Reason: an account number.`,
    data: { entry: id, fields: ['reason'], reason: 'an account number' },
  });
});

test('a redaction repeated with its Idempotency-Key gets the first response; repeated without the key it is a conflict', async () => {
  const id = await written();
  const first = await redact(id, undefined, 'redact-once');
  const again = await redact(id, undefined, 'redact-once');
  expect([again.statusCode, again.json()]).toEqual([200, first.json()]);
  const later = await redact(id);
  expect([later.statusCode, later.json<{ code: string }>().code]).toEqual([409, 'state_conflict']);
});

test('a redaction needs an existing entry and a reason', async () => {
  const id = await written();
  expect((await redact(id + 1_000)).statusCode).toBe(404);
  expect((await redact('none')).statusCode).toBe(404);
  expect((await redact(id, {})).json()).toMatchObject({ status: 400, errors: [{ path: 'reason' }] });
  expect((await entries())[0]).toMatchObject({ id, data: { reason: 'see account DE02 1203' } });
});
