import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { RefusedCounts } from '../../src/admin/access/refused-access';
import { type EventRecord, listEvents } from '../../src/ledger';
import { type AdminUnderTest, type CallOptions, startAdmin } from './admin-under-test';

/** Refused access, changes of keys and exports are recorded with actor and address, in the audit log and in the log. */

let admin: AdminUnderTest;
let app: FastifyInstance;
let lines: Record<string, unknown>[];
beforeEach(async () => {
  lines = [];
  const write = (line: Buffer, _encoding: unknown, done: () => void) => {
    lines.push(JSON.parse(String(line)) as Record<string, unknown>);
    done();
  };
  admin = await startAdmin();
  const logger = pino({ level: 'info' }, new Writable({ write }));
  app = await admin.another({ logger, limits: { failedKeysPerMinute: 3, requestsPerMinute: 5 } });
});
afterEach(async () => {
  await app.close();
  await admin.stop();
});

const get = (url: string, options: CallOptions, remoteAddress = '192.0.2.7') =>
  app.inject({
    method: 'GET',
    url,
    remoteAddress,
    headers: { authorization: `Bearer ${options.key ?? admin.keys[options.role ?? 'admin']}`, ...options.headers },
  });

/** Closes the API, which then writes its counts. @returns the audit entries of this type */
async function auditEntriesOf(type: string): Promise<readonly EventRecord[]> {
  await app.close();
  return (await listEvents(admin.db, { type }, { limit: 200, cursor: null })).items;
}

const logged = (type: string) => lines.filter(({ security }) => security === type);

test('refused access of an unknown key is one entry for each address, with the number of times', async () => {
  for (let tried = 0; tried < 3; tried += 1) {
    expect((await get('/v1/keys', { key: 'dd_none' })).statusCode).toBe(401);
    admin.clock.real += 1_000;
  }
  await get('/v1/keys', { key: 'dd_none' }, '192.0.2.8');
  const entries = await auditEntriesOf('access.refused');
  const about = { code: 'unauthenticated', route: 'GET /v1/keys' };
  const times = { firstAt: '2026-11-21T09:00:00.000Z', lastAt: '2026-11-21T09:00:02.000Z' };
  expect(entries.map(({ data }) => data)).toEqual([
    {
      ...about,
      address: '192.0.2.8',
      count: 1,
      firstAt: '2026-11-21T09:00:03.000Z',
      lastAt: '2026-11-21T09:00:03.000Z',
    },
    { ...about, address: '192.0.2.7', count: 3, ...times },
  ]);
  expect(entries.map(({ actor, keyId }) => [actor, keyId])).toEqual(Array(2).fill(['unknown', null]));
});

test('refused access is in the log at once, once for each address', async () => {
  for (let tried = 0; tried < 3; tried += 1) await get('/v1/keys', { key: 'dd_none' });
  expect(logged('access.refused')).toMatchObject([{ code: 'unauthenticated', address: '192.0.2.7' }]);
});

test('refused access of a key without permission is recorded with the name of the key', async () => {
  expect((await get('/v1/keys', { role: 'viewer' })).statusCode).toBe(403);
  const [entry] = await auditEntriesOf('access.refused');
  expect(entry).toMatchObject({ actor: 'viewer of the shop', data: { code: 'forbidden', address: '192.0.2.7' } });
  expect(entry?.keyId).toMatch(/^[0-9a-f-]{36}$/);
  expect(logged('access.refused')).toMatchObject([{ actor: 'viewer of the shop', keyId: entry?.keyId }]);
});

test('refused access because of too many requests is recorded with the key, if the key is known', async () => {
  for (let tried = 0; tried < 4; tried += 1) await get('/v1/keys', { key: 'dd_none' });
  for (let tried = 0; tried < 6; tried += 1) await get('/v1/subscriptions', { role: 'viewer' });
  const limited = (await auditEntriesOf('access.refused')).filter(({ data }) => data['code'] === 'rate_limited');
  expect(limited.map(({ actor, data }) => [actor, data['count']])).toEqual([
    ['viewer of the shop', 1],
    ['unknown', 1],
  ]);
});

test('a write that another web page sent is recorded as refused access', async () => {
  const opened = await app.inject({
    ...{ method: 'POST', url: '/v1/session', remoteAddress: '::ffff:192.0.2.9' },
    headers: { authorization: `Bearer ${admin.keys.operator}` },
  });
  const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? '';
  const refused = await app.inject({ method: 'DELETE', url: '/v1/session', headers: { cookie } });
  expect(refused.json()).toMatchObject({ code: 'csrf_failed' });
  const [signedIn] = await auditEntriesOf('session.opened');
  expect(signedIn?.data).toMatchObject({ address: '192.0.2.9' });
  const [entry] = (await listEvents(admin.db, { type: 'access.refused' }, { limit: 9, cursor: null })).items;
  expect(entry?.data).toMatchObject({ code: 'csrf_failed', address: '127.0.0.1' });
});

test('requests that are not found or invalid are not recorded as refused access', async () => {
  expect((await get('/v1/subscriptions/none', { role: 'viewer' })).statusCode).toBe(404);
  expect((await get('/v1/subscriptions?limit=0', { role: 'viewer' })).statusCode).toBe(400);
  await get('/v1/keys', { role: 'viewer' });
  expect((await auditEntriesOf('access.refused')).map(({ data }) => data['code'])).toEqual(['forbidden']);
});

test('refused access is counted for a hundred addresses separately, and for all others together', () => {
  const counts = new RefusedCounts();
  const from = (address: string) =>
    counts.add({ actor: 'till', keyId: 'key-1', code: 'forbidden', address, route: 'GET /v1/keys' }, 5);
  const firsts = Array.from({ length: 10_000 }, (_, at) => from(`2001:db8::${at.toString(16)}`));
  expect(firsts.filter((each) => each)).toHaveLength(101);
  expect(from('2001:db8::0')).toBe(false);
  const taken = counts.take();
  expect(taken).toHaveLength(101);
  expect(taken[0]).toMatchObject({ actor: 'till', keyId: 'key-1', address: '2001:db8::0', count: 2 });
  expect(taken.at(-1)).toMatchObject({ actor: 'unknown', keyId: null, address: null, count: 9_900 });
  expect(counts.take()).toEqual([]);
});

test('a change of keys is in the audit log and the log, with its actor and address', async () => {
  const post = (url: string, payload: object) =>
    app.inject({
      ...{ method: 'POST', url, payload, remoteAddress: '192.0.2.7' },
      headers: { authorization: `Bearer ${admin.keys.admin}` },
    });
  const { keyId } = (await post('/v1/keys', { name: 'till', role: 'viewer' })).json<{ keyId: string }>();
  await post(`/v1/keys/${keyId}/rotate`, {});
  await app.inject({
    ...{ method: 'DELETE', url: `/v1/keys/${keyId}`, remoteAddress: '192.0.2.8' },
    headers: { authorization: `Bearer ${admin.keys.admin}` },
  });
  const seen = [];
  for (const type of ['key.created', 'key.rotated', 'key.revoked']) {
    const [entry] = (await listEvents(admin.db, { type }, { limit: 1, cursor: null })).items;
    seen.push(entry?.data['address']);
    expect(logged(type)).toMatchObject([{ address: entry?.data['address'], actor: 'admin of the shop' }]);
  }
  expect(seen).toEqual(['192.0.2.7', '192.0.2.7', '192.0.2.8']);
  expect(JSON.stringify(lines)).not.toMatch(/dd_[A-Za-z0-9]/);
});

test('an export is in the audit log and the log before its first row, without the payer’s reference', async () => {
  const answer = await get('/v1/transactions?type=refund&reference=customer-7&from=2027-01-01T00:00:00Z', {
    role: 'viewer',
    headers: { accept: 'text/csv' },
  });
  expect(answer.statusCode).toBe(200);
  const [entry] = await auditEntriesOf('transactions.exported');
  expect(entry).toMatchObject({ actor: 'viewer of the shop', subscriptionId: null });
  const period = { from: '2027-01-01T00:00:00.000Z', to: null };
  expect(entry?.data).toEqual({ type: 'refund', ...period, byReference: true, address: '192.0.2.7' });
  expect(logged('transactions.exported')).toMatchObject([{ actor: 'viewer of the shop', address: '192.0.2.7' }]);
});

test('a page of transactions is not recorded as an export, but the CSV file is', async () => {
  await get('/v1/transactions', { role: 'viewer' });
  await get('/v1/transactions', { role: 'viewer', headers: { accept: 'text/csv' } });
  expect(await auditEntriesOf('transactions.exported')).toHaveLength(1);
});
