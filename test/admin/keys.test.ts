import Fastify from 'fastify';
import type { LightMyRequestResponse } from 'fastify';
import { authenticateCallers } from '../../src/admin/access/authentication';
import { applyChange, listEvents } from '../../src/ledger';
import type { SubscriptionId } from '../../src/domain/ids';
import { type AdminUnderTest, faultPaths, NOW, startAdmin } from './admin-under-test';
import { order } from './order';
import { createBooked, eur, pathOf } from './payment-order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const HOUR = 60 * 60_000;

let names = 0;
const make = (body: Record<string, unknown> = {}, options: object = {}) => {
  names += 1;
  return admin.call('POST', '/v1/keys', { body: { name: `key ${names}`, role: 'operator', ...body }, ...options });
};

interface Made {
  keyId: string;
  key: string;
  name: string;
}

async function createKey(body: Record<string, unknown> = {}): Promise<Made> {
  return requireMade(await make(body));
}

function requireMade(answer: LightMyRequestResponse): Made {
  if (answer.statusCode !== 201) throw new Error(answer.body);
  return answer.json();
}

const rotate = (keyId: string, body: unknown = {}, options: object = {}) =>
  admin.call('POST', `/v1/keys/${keyId}/rotate`, { body, ...options });

const opens = async (key: string, on = admin.app) =>
  (await admin.call('GET', '/v1/session', { key, on })).statusCode !== 401;

const iso = (real: number) => new Date(real).toISOString();
const auditEntriesOf = async (type: 'key.created' | 'key.rotated' | 'key.revoked') => {
  const { items } = await listEvents(admin.db, { type }, { limit: 1, cursor: null });
  return items[0]?.data;
};

test('a key shows its holder, prefix, scopes, limits and expiry, as does its audit entry', async () => {
  const [scopes, expiresAt] = [['refunds', 'reports'], iso(admin.clock.real + HOUR)];
  const limits = { refundPerDay: eur(5000), changePerCall: eur(100) };
  const { key, keyId } = await createKey({ name: 'desk', holder: 'Grace Hopper', scopes, limits, expiresAt });
  const { items } = (await admin.call('GET', '/v1/keys')).json<{ items: Made[] }>();
  expect(items.find((each) => each.keyId === keyId)).toEqual({
    ...{ keyId, name: 'desk', role: 'operator', holder: 'Grace Hopper', prefix: key.slice(0, 9) },
    ...{ scopes, limits, expiresAt, createdAt: iso(admin.clock.real) },
  });
  const { refundPerDay, changePerCall } = limits;
  const told = { keyId, name: 'desk', holder: 'Grace Hopper', scopes, refundPerDay, changePerCall, expiresAt };
  expect(await auditEntriesOf('key.created')).toEqual({
    ...told,
    role: 'operator',
    reason: null,
    address: '127.0.0.1',
  });
});

test('a key has the whole role by default', async () => {
  const { keyId } = await createKey();
  const { items } = (await admin.call('GET', '/v1/keys')).json<{ items: Made[] }>();
  const shown = items.find((each) => each.keyId === keyId);
  expect(shown).toMatchObject({ scopes: [] });
  expect(Object.keys(shown!)).not.toEqual(expect.arrayContaining(['limits']));
});

test.each([
  ['a scope that does not exist', { scopes: ['money'] }, ['scopes.0']],
  ['no scope at all', { scopes: [] }, ['scopes']],
  ['a scope twice', { scopes: ['refunds', 'refunds'] }, ['scopes']],
  ['empty limits', { limits: {} }, ['limits']],
  ['a limit of 0', { limits: { refundPerDay: { value: 0, currency: 'EUR' } } }, ['limits.refundPerDay.value']],
  ['an expiry in the past', { expiresAt: '2026-11-21T09:00:00.000Z' }, ['expiresAt']],
  ['a holder of two lines', { holder: 'Grace\nHopper' }, ['holder']],
])('a key is refused with %s', async (_what, body, paths) => {
  const answer = await make(body);
  expect([answer.statusCode, faultPaths(answer)]).toEqual([400, paths]);
});

test('the name of a key is trimmed', async () => {
  expect((await createKey({ name: '  front desk ' })).name).toBe('front desk');
});

test.each(['tїll', 'till\u200b', 'till\tone', '', '   ', 'ключ'])(
  'the name %j of a key is refused: it is not plain ASCII',
  async (name) => {
    expect(faultPaths(await make({ name }))).toEqual(['name']);
  },
);

const admins = ['ADMIN of the shop', 'admin  of the shop'];
test.each(['Bootstrap', 'DUEDAY', 'Unknown', 'command line', 'Command  Line', ...admins])(
  'the name %j of a key counts as taken, because readers would confuse it with an existing one',
  async (name) => {
    expect((await make({ name })).json()).toMatchObject({ status: 409, code: 'state_conflict' });
  },
);

test('the name of a key remains taken once its key is revoked', async () => {
  const { keyId, name } = await createKey();
  await admin.call('DELETE', `/v1/keys/${keyId}`);
  expect((await make({ name })).statusCode).toBe(409);
});

test('of concurrent requests for keys with the same name only one succeeds', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => make({ name: n % 2 === 0 ? 'Race' : 'race' })));
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, ...Array<number>(7).fill(409)]);
});

test('a key that expires grants no access from that instant on, and its session ends with it', async () => {
  const { key } = await createKey({ expiresAt: iso(admin.clock.real + HOUR) });
  const session = await admin.call('POST', '/v1/session', { key });
  expect(session.json()).toMatchObject({ endsAt: iso(admin.clock.real + HOUR) });
  const cookie = String(session.headers['set-cookie']).split(';', 1)[0]!;
  const inSession = async () =>
    (await admin.app.inject({ method: 'GET', url: '/v1/session', headers: { cookie } })).statusCode;
  // The session is used so often that its idle time would not end before the expiry of the key.
  for (let used = 0; used < 2; used += 1) {
    admin.clock.real += HOUR / 3;
    expect(await inSession()).toBe(200);
  }
  admin.clock.real += HOUR / 3 - 1;
  expect([await opens(key), await inSession()]).toEqual([true, 200]);
  admin.clock.real += 1;
  expect(await inSession()).toBe(401);
  const answer = await admin.call('GET', '/v1/subscriptions', { key });
  expect(answer.json()).toMatchObject({ status: 401, code: 'unauthenticated' });
});

test('revoking a key takes effect with the next request, in every process', async () => {
  const other = await admin.another();
  const { key, keyId } = await createKey();
  expect([await opens(key), await opens(key, other)]).toEqual([true, true]);
  await admin.call('DELETE', `/v1/keys/${keyId}`);
  expect([await opens(key), await opens(key, other)]).toEqual([false, false]);
  await other.close();
});

test('revoking a key stores the reason from the query or the body', async () => {
  for (const [query, body] of [['?reason=left%20us'], ['', { reason: 'left us' }]] as const) {
    const { keyId } = await createKey();
    expect((await admin.call('DELETE', `/v1/keys/${keyId}${query}`, { body })).statusCode).toBe(200);
    expect(await auditEntriesOf('key.revoked')).toMatchObject({ keyId, reason: 'left us' });
  }
});

test('revoking a key is rejected if query and body have different reasons', async () => {
  const { key, keyId } = await createKey();
  const answer = await admin.call('DELETE', `/v1/keys/${keyId}?reason=one`, { body: { reason: 'another' } });
  expect([answer.statusCode, faultPaths(answer)]).toEqual([400, ['reason']]);
  expect(await opens(key)).toBe(true);
});

test('revoking a key stops the jobs that were started with the key, unless another key has replaced it', async () => {
  const insertJob = async ({ keyId, name }: Made) => {
    // Immediately after the start, because the next poll finishes a job without waiting calls.
    const { rows } = await admin.db.query<{ job_id: string }>(
      `with job as (
           insert into jobs (job_id, kind, state, work, actor, key_id, started_at, created_real_at)
           values (gen_random_uuid(), 'bulk', 'running', '{"action": "pause"}', $1, $2, now(), now())
           returning job_id
         )
         insert into job_items (job_id, number, subscription_id, seen, leased_until)
         select job_id, 1, 's', '{}', now() + interval '1 hour' from job returning job_id`,
      [name, keyId],
    );
    return rows[0]!.job_id;
  };
  const stateOf = async (jobId: string) =>
    (await admin.call('GET', `/v1/jobs/${jobId}`)).json<{ state: string }>().state;
  const [one, other] = [await createKey(), await createKey()];
  const [job, kept] = [await insertJob(one), await insertJob(other)];
  await rotate(other.keyId);
  for (const { keyId } of [one, other]) await admin.call('DELETE', `/v1/keys/${keyId}`);
  expect([await stateOf(job), await stateOf(kept)]).toEqual(['stopped', 'running']);
  await admin.call('DELETE', `/v1/jobs/${kept}`);
});

test('rotating a key creates a new key with the same name and powers; the old one ends after the overlap', async () => {
  const limits = { refundPerDay: eur(5000) };
  const old = await createKey({ holder: 'Grace', scopes: ['refunds'], limits });
  const { key, keyId, ...answer } = requireMade(await rotate(old.keyId, { overlapHours: 2, reason: 'each half year' }));
  expect(answer).toMatchObject({ name: old.name, holder: 'Grace', scopes: ['refunds'], limits, replaces: old.keyId });
  expect([await opens(old.key), await opens(key)]).toEqual([true, true]);
  expect(await auditEntriesOf('key.rotated')).toMatchObject({
    ...{ keyId: old.keyId, newKeyId: keyId, until: iso(admin.clock.real + 2 * HOUR), reason: 'each half year' },
  });
  admin.clock.real += 2 * HOUR;
  expect([await opens(old.key), await opens(key)]).toEqual([false, true]);
});

test('rotating a key has a day of overlap by default, and none on request', async () => {
  const [one, bare, other] = [await createKey(), await createKey(), await createKey()];
  await rotate(one.keyId);
  requireMade(await admin.call('POST', `/v1/keys/${bare.keyId}/rotate`));
  await admin.call('POST', `/v1/keys/${other.keyId}/rotate`, { body: { overlapHours: 0 } });
  const good = async () => [await opens(one.key), await opens(bare.key), await opens(other.key)];
  expect(await good()).toEqual([true, true, false]);
  admin.clock.real += 24 * HOUR - 1;
  expect(await good()).toEqual([true, true, false]);
  admin.clock.real += 1;
  expect(await good()).toEqual([false, false, false]);
});

test('rotating a key does not extend its expiry', async () => {
  const old = await createKey({ expiresAt: iso(admin.clock.real + HOUR) });
  const { key } = requireMade(await rotate(old.keyId));
  admin.clock.real += HOUR;
  expect([await opens(old.key), await opens(key)]).toEqual([false, false]);
  expect((await rotate(old.keyId)).statusCode).toBe(409);
});

test('rotating a key is refused if the key has ended or was replaced, unless its replacement was revoked', async () => {
  const [gone, old] = [await createKey(), await createKey()];
  await admin.call('DELETE', `/v1/keys/${gone.keyId}`);
  expect((await rotate(gone.keyId)).json()).toMatchObject({ status: 409, code: 'state_conflict' });
  expect((await rotate('00000000-0000-4000-8000-000000000000')).statusCode).toBe(404);
  const lost = requireMade(await rotate(old.keyId));
  expect((await rotate(old.keyId)).json()).toMatchObject({
    status: 409,
    detail: expect.stringContaining(lost.keyId),
  });
  await admin.call('DELETE', `/v1/keys/${lost.keyId}`);
  expect((await rotate(old.keyId)).statusCode).toBe(201);
});

test('rotating a key again after its replacement was revoked creates a key that does not end with the overlap', async () => {
  const expiresAt = iso(admin.clock.real + 72 * HOUR);
  for (const end of [undefined, expiresAt]) {
    const { keyId } = await createKey({ expiresAt: end });
    const lost = requireMade(await rotate(keyId));
    await admin.call('DELETE', `/v1/keys/${lost.keyId}`);
    const again = await rotate(keyId);
    const { key } = requireMade(again);
    expect(again.json<{ expiresAt?: string }>().expiresAt).toBe(end);
    admin.clock.real += 25 * HOUR;
    expect(await opens(key)).toBe(true);
  }
});

test('rotating a key is refused if the calling key expires earlier than the new key would', async () => {
  const { key, keyId } = await createKey({ role: 'admin' });
  const lost = requireMade(await rotate(keyId));
  await admin.call('DELETE', `/v1/keys/${lost.keyId}`);
  expect((await rotate(keyId, {}, { key })).json()).toMatchObject({
    ...{ status: 403, code: 'forbidden', detail: expect.stringContaining('expiresAt') },
  });
  expect((await rotate(keyId)).statusCode).toBe(201);
});

test('rotating a key succeeds only once: of two concurrent requests one is refused', async () => {
  const { keyId } = await createKey();
  const answers = await Promise.all([rotate(keyId), rotate(keyId)]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409]);
});

test('rotating a key returns the same response to a repeated request, and the ledger cannot read it', async () => {
  const { keyId } = await createKey();
  const [one, again] = [
    await rotate(keyId, {}, { idempotencyKey: 'rotate-1' }),
    await rotate(keyId, {}, { idempotencyKey: 'rotate-1' }),
  ];
  expect(again.json()).toEqual(one.json());
  const { rows } = await admin.db.query<{ row: string }>('select row_to_json(k)::text as row from idempotency_keys k');
  for (const { row } of rows) expect(row).not.toContain(one.json<Made>().key);
});

test('rotating a key shares the Idempotency-Keys of the replaced key', async () => {
  const old = await createKey();
  const body = order();
  const first = await admin.call('POST', '/v1/subscriptions', { key: old.key, body, idempotencyKey: 'create-1' });
  const { key, keyId } = requireMade(await rotate(old.keyId));
  const again = await admin.call('POST', '/v1/subscriptions', { key, body, idempotencyKey: 'create-1' });
  expect(again.headers['idempotent-replay']).toBe('true');
  expect(again.json()).toEqual(first.json());
  const third = requireMade(await rotate(keyId));
  // A day later no response is stored, but the subscription id still follows from the first key of the chain.
  await admin.db.query('delete from idempotency_keys');
  const made_ = await admin.call('POST', '/v1/subscriptions', { key: third.key, body, idempotencyKey: 'create-1' });
  expect(made_.json()).toMatchObject({ subscriptionId: first.json<{ subscriptionId: string }>().subscriptionId });
});

test('rotating a key does not repeat a refund that is sent again with the new key', async () => {
  const paymentId = await createBooked(admin, 10_000);
  const old = await createKey();
  const refund = (key: string) =>
    admin.call('POST', `${pathOf(paymentId)}/refunds`, {
      key,
      body: { amount: eur(100) },
      idempotencyKey: 'refund-1',
    });
  const first = await refund(old.key);
  const { key } = requireMade(await rotate(old.keyId));
  await admin.db.query('delete from idempotency_keys');
  const again = await refund(key);
  expect([first.statusCode, again.statusCode]).toEqual([201, 201]);
  expect(again.json<{ refundId: string }>().refundId).toBe(first.json<{ refundId: string }>().refundId);
});

test('rotating a key does not let the new key open an encrypted response of the old one', async () => {
  const old = await createKey({ role: 'admin' });
  const body = { name: 'sealed', role: 'viewer' };
  await admin.call('POST', '/v1/keys', { key: old.key, body, idempotencyKey: 'sealed-1' });
  const { key } = requireMade(await rotate(old.keyId));
  const again = await admin.call('POST', '/v1/keys', { key, body, idempotencyKey: 'sealed-1' });
  expect(again.json()).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
});

test('a key that is limited cannot create or rotate keys that may do more than itself', async () => {
  const expiresAt = iso(admin.clock.real + HOUR);
  const limits = { changePerCall: eur(100) };
  const scopes = ['keys', 'subscriptions:steer'];
  const { key, keyId } = await createKey({ role: 'admin', scopes, limits, expiresAt });
  const beyond = async (body: Record<string, unknown>) => {
    const answer = await make({ scopes: ['subscriptions:steer'], limits, expiresAt, ...body }, { key });
    return answer.statusCode === 403 ? answer.json<{ detail: string }>().detail.split(': ')[1] : answer.statusCode;
  };
  expect(await beyond({})).toBe(201);
  expect(await beyond({ scopes: undefined })).toBe('scopes.');
  expect(await beyond({ scopes: ['subscriptions:steer', 'audit'] })).toBe('scopes.');
  expect(await beyond({ limits: undefined })).toBe('limits.changePerCall.');
  expect(await beyond({ limits: { changePerCall: eur(101) } })).toBe('limits.changePerCall.');
  expect(await beyond({ expiresAt: undefined })).toBe('expiresAt.');
  expect(await beyond({ expiresAt: iso(admin.clock.real + HOUR + 1) })).toBe('expiresAt.');
  const whole = await createKey({ role: 'admin' });
  expect((await rotate(whole.keyId, {}, { key })).json()).toMatchObject({ status: 403, code: 'forbidden' });
  expect(await opens(whole.key)).toBe(true);
  expect((await rotate(keyId, {}, { key })).statusCode).toBe(201);
});

test('a key with a daily refund limit can neither create nor rotate other keys that may refund', async () => {
  const limits = { refundPerDay: eur(100) };
  const { key, keyId } = await createKey({ role: 'admin', limits });
  const [refunding, other] = [await createKey({ limits }), await createKey({ limits, scopes: ['reports'] })];
  for (const body of [{ limits }, { limits, scopes: ['refunds'] }])
    expect((await make(body, { key })).json()).toMatchObject({ status: 403, code: 'forbidden' });
  expect((await make({ limits, scopes: ['reports', 'keys'] }, { key })).statusCode).toBe(201);
  expect((await rotate(refunding.keyId, {}, { key })).json()).toMatchObject({ status: 403, code: 'forbidden' });
  expect(await opens(refunding.key)).toBe(true);
  expect((await rotate(other.keyId, {}, { key })).statusCode).toBe(201);
  expect((await rotate(keyId, {}, { key })).statusCode).toBe(201);
});

test('a key that is limited has a session with the same limits', async () => {
  const { key } = await createKey({ scopes: ['reports'] });
  const session = await admin.call('POST', '/v1/session', { key });
  expect(session.json()).toMatchObject({ role: 'operator', scopes: ['reports'] });
  const cookie = String(session.headers['set-cookie']).split(';', 1)[0]!;
  const get = (url: string) => admin.app.inject({ method: 'GET', url, headers: { cookie } });
  const period = 'from=2027-01-01T00:00:00Z&to=2027-02-01T00:00:00Z';
  expect((await get(`/v1/reports/collections?${period}`)).statusCode).toBe(200);
  expect((await get('/v1/audit')).json()).toMatchObject({ status: 403, code: 'forbidden' });
});

test('a key that is limited can neither see nor stop jobs of another scope', async () => {
  const { key } = await createKey({ scopes: ['bulk'] });
  const run = await admin.call('POST', '/v1/reports/reconciliation', {
    body: { from: '2027-01-01T00:00:00Z', to: '2027-01-02T00:00:00Z' },
  });
  const location = String(run.headers['location']);
  for (const [method, url] of [
    ['GET', location],
    ['GET', `${location}/results`],
    ['DELETE', location],
  ] as const)
    expect((await admin.call(method, url, { key })).json()).toMatchObject({ status: 403, code: 'forbidden' });
});

test('a key that is limited refunds at most its limit in 24 hours, together with the keys that it replaced', async () => {
  const paymentId = await createBooked(admin, 10_000);
  const first = await createKey({ limits: { refundPerDay: eur(1000) } });
  const refund = (value: number, idempotencyKey: string, key = first.key) =>
    admin.call('POST', `${pathOf(paymentId)}/refunds`, { key, body: { amount: eur(value) }, idempotencyKey });
  expect((await refund(600, 'limit-1')).statusCode).toBe(201);
  const beyond = await refund(401, 'limit-2');
  expect(beyond.json()).toMatchObject({
    ...{ status: 403, code: 'limit_exceeded', limit: 'refundPerDay', allowed: eur(1000), asked: eur(1001) },
  });
  const { key } = requireMade(await rotate(first.keyId));
  expect((await refund(401, 'limit-3', key)).statusCode).toBe(403);
  expect((await refund(600, 'limit-1', key)).statusCode).toBe(201);
  expect((await refund(400, 'limit-4', key)).statusCode).toBe(201);
  expect((await refund(1, 'limit-5', key)).statusCode).toBe(403);
  admin.clock.real += 24 * HOUR;
  // The refusal was not stored: the same request is carried out once the limit permits it.
  expect((await refund(401, 'limit-2', key)).statusCode).toBe(201);
});

test('a key that is limited accepts only as many of ten concurrent refunds as its limit allows', async () => {
  const payments = await Promise.all(Array.from({ length: 10 }, () => createBooked(admin, 1000)));
  const { key } = await createKey({ limits: { refundPerDay: eur(300) } });
  const answers = await Promise.all(
    payments.map((paymentId, n) =>
      admin.call('POST', `${pathOf(paymentId)}/refunds`, {
        ...{ key, body: { amount: eur(100) }, idempotencyKey: `race-${n}` },
      }),
    ),
  );
  const taken = answers.map(({ statusCode }) => statusCode).toSorted();
  expect(taken).toEqual([...Array<number>(3).fill(201), ...Array<number>(7).fill(403)]);
});

test('a key that is limited changes amounts by at most its limit per call, up or down, singly or in bulk', async () => {
  const { key } = await createKey({ limits: { changePerCall: eur(300) } });
  const ids = ['limit_a', 'limit_b'] as SubscriptionId[];
  admin.clock.business = NOW;
  for (const subscriptionId of ids) {
    await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId, metadata: { of: 'limits' } }) });
    const change = { key: 'active', at: NOW, actor: 'dueday', events: [] };
    await applyChange(admin.db, { subscriptionId, ...change, subscription: { status: 'active' } });
  }
  const change = async (value: number) =>
    (await admin.call('POST', `/v1/subscriptions/limit_a/amount-changes`, { key, body: { amount: eur(value) } })).json<{
      code: string;
    }>().code;
  for (const value of [1999 + 301, 1999 - 301]) expect(await change(value)).toBe('limit_exceeded');
  // The limit of the key permits these changes; they are refused because the consent's amount must be collected first.
  for (const value of [1999 + 300, 1999 - 300]) expect(await change(value)).toBe('amount_change_not_allowed');
  const bulk = async (value: number) => {
    const body = {
      action: 'amount-change',
      parameters: { amount: eur(value) },
      filter: { metadata: { of: 'limits' } },
    };
    return (await admin.call('POST', '/v1/bulk', { key, body: { ...body, dryRun: true } })).statusCode;
  };
  expect([await bulk(1999 + 150), await bulk(1999 + 151)]).toEqual([200, 403]);
});

test('a route without a role or scope cannot be registered', () => {
  const app = Fastify();
  authenticateCallers(app, {} as never, 1);
  const route = (config: object) => () => app.get('/x', { config }, async () => null);
  expect(route({ role: 'viewer' })).toThrow('GET /x declares no scope');
  expect(route({ scope: 'any' })).toThrow('GET /x declares no role');
});
