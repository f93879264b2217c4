import type { FastifyInstance } from 'fastify';
import { insertEvent, listEvents, type Role } from '../../src/ledger';
import { type AdminUnderTest, BOOTSTRAP_KEY, eachItems, faultPaths, startAdmin } from './admin-under-test';
import { order } from './order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
  await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: 'sub_a' }) });
});
afterAll(() => admin.stop());

interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  needed: Role;
  body?: unknown;
}

const ROUTES: Route[] = [
  { method: 'GET', url: '/v1/subscriptions', needed: 'viewer' },
  { method: 'GET', url: '/v1/subscriptions/sub_a', needed: 'viewer' },
  { method: 'GET', url: '/v1/subscriptions/sub_a/cycles', needed: 'viewer' },
  { method: 'GET', url: '/v1/subscriptions/sub_a/schedule', needed: 'viewer' },
  { method: 'GET', url: '/v1/subscriptions/sub_a/events', needed: 'viewer' },
  { method: 'GET', url: '/v1/audit', needed: 'viewer' },
  { method: 'GET', url: '/v1/attention', needed: 'viewer' },
  { method: 'POST', url: '/v1/subscriptions', needed: 'operator', body: order() },
  { method: 'POST', url: '/v1/subscriptions/sub_a/pause', needed: 'operator' },
  { method: 'POST', url: '/v1/subscriptions/sub_a/resume', needed: 'operator' },
  { method: 'POST', url: '/v1/subscriptions/sub_a/consent-check', needed: 'operator' },
  { method: 'POST', url: '/v1/subscriptions/sub_a/acknowledge', needed: 'operator', body: { reason: 'seen' } },
  { method: 'POST', url: '/v1/subscriptions/sub_a/cancel', needed: 'admin' },
  { method: 'GET', url: '/v1/keys', needed: 'admin' },
  { method: 'POST', url: '/v1/keys', needed: 'admin', body: { name: 'another', role: 'viewer' } },
  { method: 'DELETE', url: '/v1/keys/00000000-0000-4000-8000-000000000000', needed: 'admin' },
];
const ROLES: Role[] = ['viewer', 'operator', 'admin'];

describe('access to routes', () => {
  beforeAll(() => (admin.workflows.onSteer = () => ({ kind: 'done' })));
  afterAll(() => (admin.workflows.onSteer = null));

  test.each(ROUTES)('$method $url is refused without a key, and for roles below $needed', async (route) => {
    const { method, url, needed, body } = route;
    const anonymous = await admin.call(method, url, { body, headers: { authorization: '' } });
    expect(anonymous.json()).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(anonymous.headers['www-authenticate']).toContain('Bearer');
    for (const role of ROLES) {
      const { statusCode } = await admin.call(method, url, { role, body });
      if (ROLES.indexOf(role) < ROLES.indexOf(needed)) expect(statusCode).toBe(403);
      else expect([200, 201, 202, 404]).toContain(statusCode);
    }
  });

  test.each(['Basic abc', 'Bearer', 'Bearer  ', 'bearer a b', `Bearer ${'x'.repeat(600)}`, 'dd_x', 'Bearer dd_ä'])(
    'the header "%s" is not a key',
    async (authorization) => {
      const answer = await admin.call('GET', '/v1/subscriptions', { headers: { authorization } });
      expect(answer.json()).toMatchObject({ status: 401, code: 'unauthenticated' });
    },
  );

  test('a call without a valid key is refused before its body is read, however large the body is', async () => {
    const answer = await admin.call('POST', '/v1/subscriptions', { key: 'dd_none', body: 'x'.repeat(2_000_000) });
    expect(answer.statusCode).toBe(401);
  });

  test('an unknown path reveals nothing about keys', async () => {
    const answer = await admin.call('GET', '/v1/nothing', { headers: { authorization: '' } });
    expect(answer.statusCode).toBe(404);
  });
});

test('the bootstrap key is an admin, and another key of its length is not', async () => {
  expect((await admin.call('GET', '/v1/keys', { key: BOOTSTRAP_KEY })).statusCode).toBe(200);
  const other = `${BOOTSTRAP_KEY.slice(0, -1)}9`;
  expect((await admin.call('GET', '/v1/keys', { key: other })).statusCode).toBe(401);
});

test('a key is shown once and works, and the list shows everything about it but the key itself', async () => {
  const made = await admin.call('POST', '/v1/keys', { body: { name: 'till', role: 'operator', reason: 'new till' } });
  expect(made.statusCode).toBe(201);
  const { key, ...record } = made.json();
  expect(key).toMatch(/^dd_[A-Za-z0-9_-]{43}$/);
  expect(record).toMatchObject({ name: 'till', role: 'operator', createdAt: '2026-11-21T09:00:00.000Z' });
  expect((await admin.call('GET', '/v1/subscriptions', { key })).statusCode).toBe(200);
  const listed = await admin.call('GET', '/v1/keys');
  expect(listed.json().items).toContainEqual({ ...record, lastUsedAt: '2026-11-21T09:00:00.000Z' });
  expect(listed.body).not.toContain(key);
});

test('the ledger contains no key in plain text', async () => {
  const { key } = (await admin.call('POST', '/v1/keys', { body: { name: 'kept', role: 'viewer' } })).json();
  const { rows } = await admin.db.query('select row_to_json(k)::text as row from api_keys k');
  expect(rows.length).toBeGreaterThan(3);
  for (const { row } of rows) expect(row).not.toContain(key);
});

test('a revoked key grants no access, and remains in the list', async () => {
  const { key, keyId } = (await admin.call('POST', '/v1/keys', { body: { name: 'gone', role: 'viewer' } })).json();
  const revoked = await admin.call('DELETE', `/v1/keys/${keyId}?reason=left`);
  expect(revoked.json()).toMatchObject({ keyId, revokedAt: '2026-11-21T09:00:00.000Z' });
  expect((await admin.call('GET', '/v1/subscriptions', { key })).statusCode).toBe(401);
  admin.clock.real += 1000;
  const again = await admin.call('DELETE', `/v1/keys/${keyId}`);
  expect(again.json().revokedAt).toBe('2026-11-21T09:00:00.000Z');
  const { items } = await listEvents(admin.db, { type: 'key.revoked' }, { limit: 10, cursor: null });
  expect(items).toMatchObject([{ actor: 'admin of the shop', data: { keyId, name: 'gone', reason: 'left' } }]);
});

test.each(['admin of the shop', 'bootstrap', 'dueday'])('the name %s is not available to a key', async (name) => {
  const answer = await admin.call('POST', '/v1/keys', { body: { name, role: 'viewer' } });
  expect(answer.json()).toMatchObject({ status: 409, code: 'state_conflict' });
});

test.each([
  ['no name', { role: 'viewer' }, ['name']],
  ['a name too long', { name: 'n'.repeat(101), role: 'viewer' }, ['name']],
  ['a role that does not exist', { name: 'x', role: 'root' }, ['role']],
  ['an unknown field', { name: 'x', role: 'viewer', keyId: '1' }, ['keyId']],
  ['an empty body', {}, ['name', 'role']],
])('the creation of a key with %s is refused, naming the fields', async (_what, body, paths) => {
  const answer = await admin.call('POST', '/v1/keys', { body });
  expect(answer.statusCode).toBe(400);
  expect(faultPaths(answer)).toEqual(paths);
});

test('keys are listed in pages, each once', async () => {
  const seen: unknown[] = [];
  let cursor: string | null = null;
  do {
    const page = await admin.call('GET', `/v1/keys?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
    expect(eachItems(page, 'keyId').length).toBeLessThanOrEqual(2);
    seen.push(...eachItems(page, 'keyId'));
    cursor = page.json().nextCursor;
  } while (cursor !== null);
  const whole = await admin.call('GET', '/v1/keys');
  expect(seen).toEqual(eachItems(whole, 'keyId'));
});

const from = (app: FastifyInstance, remoteAddress: string, key: string, forwarded?: string) =>
  app.inject({
    method: 'GET',
    url: '/v1/subscriptions',
    remoteAddress,
    headers: {
      authorization: `Bearer ${key}`,
      ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
    },
  });

test('unknown keys are limited per address; a valid key from the same address never is', async () => {
  const app = await admin.another({ limits: { failedKeysPerMinute: 1 } });
  expect((await from(app, '10.0.0.1', 'dd_no')).statusCode).toBe(401);
  const limited = await from(app, '10.0.0.1', 'dd_no');
  expect(limited.json()).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  expect((await from(app, '10.0.0.1', admin.keys.viewer)).statusCode).toBe(200);
  expect((await from(app, '10.0.0.2', 'dd_no')).statusCode).toBe(401);
  await app.close();
});

test('behind a trusted proxy the caller has the address that the proxy reports', async () => {
  const app = await admin.another({ limits: { failedKeysPerMinute: 1 }, trustedProxies: ['10.0.0.0/8'] });
  expect((await from(app, '10.0.0.1', 'dd_no', '192.0.2.1')).statusCode).toBe(401);
  expect((await from(app, '10.0.0.1', 'dd_no', '192.0.2.1')).statusCode).toBe(429);
  expect((await from(app, '10.0.0.1', 'dd_no', '192.0.2.2')).statusCode).toBe(401);
  await app.close();
});

test('an address reported by an untrusted caller is ignored', async () => {
  const app = await admin.another({ limits: { failedKeysPerMinute: 1 }, trustedProxies: ['10.0.0.0/8'] });
  expect((await from(app, '172.16.0.1', 'dd_no', '192.0.2.1')).statusCode).toBe(401);
  expect((await from(app, '172.16.0.1', 'dd_no', '192.0.2.2')).statusCode).toBe(429);
  await app.close();
});

test('the rate limit of one key does not affect another', async () => {
  const app = await admin.another({ limits: { requestsPerMinute: 3 } });
  const ask = (role: Role) => admin.call('GET', '/v1/attention', { role, on: app });
  for (let n = 0; n < 3; n += 1) expect((await ask('viewer')).statusCode).toBe(200);
  const limited = await ask('viewer');
  expect(limited.json()).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask('operator')).statusCode).toBe(200);
  await app.close();
});

test('the audit log can be filtered by actor, type, subscription and time', async () => {
  const at = Date.UTC(2030, 0, 1);
  const base = { subscriptionId: null, actor: 'robot', data: {} };
  await insertEvent(admin.db, { ...base, at, type: 'key.created' });
  await insertEvent(admin.db, { ...base, at: at + 1, type: 'key.revoked' });
  const types = async (query: string) => eachItems(await admin.call('GET', `/v1/audit?${query}`), 'type');
  expect(await types('actor=robot')).toEqual(['key.revoked', 'key.created']);
  expect(await types('actor=robot&type=key.created')).toEqual(['key.created']);
  expect(await types('from=2030-01-01T00:00:00.001Z')).toEqual(['key.revoked']);
  expect(await types('from=2030-01-01T00:00:00Z&to=2030-01-01T00:00:00.001Z')).toEqual(['key.created']);
  expect(await types('subscriptionId=sub_a')).toContain('consent.requested');
  expect(await types('subscriptionId=sub_a')).not.toContain('key.created');
});
