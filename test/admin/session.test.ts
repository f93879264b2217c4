import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { type AdminUnderTest, BOOTSTRAP_KEY, startAdmin } from './admin-under-test';
import { order } from './order';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const HOST = 'billing.internal';
const ORIGIN = 'https://billing.internal';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
  await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: 'sub_a' }) });
});
afterAll(() => admin.stop());

interface Signed {
  cookie: string;
  csrfToken: string;
}

async function signIn(key: string, on?: FastifyInstance): Promise<Signed> {
  const answer = await admin.call('POST', '/v1/session', { key, ...(on && { on }) });
  expect(answer.statusCode).toBe(201);
  const cookie = String(answer.headers['set-cookie']).split(';', 1)[0]!;
  return { cookie, csrfToken: answer.json().csrfToken };
}

type Method = 'GET' | 'POST' | 'DELETE';

function callAs({ cookie }: Signed, method: Method, url: string, headers: Record<string, string> = {}) {
  return admin.app.inject({ method, url, headers: { cookie, host: HOST, ...headers } });
}

function writeAs(signed: Signed, url: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
  return callAs(signed, 'POST', url, { origin: ORIGIN, 'x-csrf-token': signed.csrfToken, ...headers });
}

test('signing in exchanges a key for a session, whose token only the cookie holds', async () => {
  const answer = await admin.call('POST', '/v1/session', { role: 'operator' });
  expect(answer.statusCode).toBe(201);
  expect(answer.json()).toEqual({
    name: 'operator of the shop',
    role: 'operator',
    scopes: [],
    csrfToken: expect.stringMatching(/^[\w-]{43}$/),
    idleEndsAt: new Date(admin.clock.real + 30 * MINUTE).toISOString(),
    endsAt: new Date(admin.clock.real + 12 * HOUR).toISOString(),
    clock: { now: '2027-01-31T12:00:00.000Z', speed: 1, isTest: false },
    eventDependentRefunds: false,
  });
  const cookie = String(answer.headers['set-cookie']);
  expect(cookie).toMatch(/^__Host-dueday=ds_[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=43200$/);
  expect(answer.body).not.toContain(/ds_[\w-]{43}/.exec(cookie)![0]);
});

test('the ledger stores only a hash of the session token', async () => {
  const { cookie } = await signIn(admin.keys.viewer);
  const { rows } = await admin.db.query('select row_to_json(s)::text as row from sessions s');
  expect(rows.length).toBeGreaterThan(0);
  for (const { row } of rows) expect(row).not.toContain(cookie.split('=')[1]);
});

test('an unknown key opens no session', async () => {
  const answer = await admin.call('POST', '/v1/session', { key: 'dd_none' });
  expect(answer.json()).toMatchObject({ status: 401, code: 'unauthenticated' });
  expect(answer.headers['set-cookie']).toBeUndefined();
});

test('signing in again with the same Idempotency-Key opens another session, because the response is not stored', async () => {
  const [one, other] = [
    await admin.call('POST', '/v1/session', { idempotencyKey: 'again' }),
    await admin.call('POST', '/v1/session', { idempotencyKey: 'again' }),
  ];
  expect(other.json().csrfToken).not.toBe(one.json().csrfToken);
  expect(other.headers['idempotent-replay']).toBeUndefined();
});

test('a session cannot open another session, which would outlive the absolute end of the first', async () => {
  const answer = await writeAs(await signIn(admin.keys.viewer), '/v1/session');
  expect(answer.json()).toMatchObject({ status: 401, code: 'unauthenticated' });
});

test.each(['viewer', 'operator', 'admin'] as const)('a call in a session has the role of its key: %s', async (role) => {
  const signed = await signIn(admin.keys[role]);
  expect((await callAs(signed, 'GET', '/v1/subscriptions/sub_a')).statusCode).toBe(200);
  expect((await callAs(signed, 'GET', '/v1/keys')).statusCode).toBe(role === 'admin' ? 200 : 403);
  expect((await callAs(signed, 'GET', '/v1/session')).json()).toMatchObject({ role, csrfToken: signed.csrfToken });
});

test('a session of an operator or of the bootstrap key may write, and shows the name and the role of its key', async () => {
  const signed = await signIn(admin.keys.operator);
  const paused = await writeAs(signed, '/v1/subscriptions/sub_a/consent-check');
  expect(paused.statusCode).toBe(200);
  const made = await writeAs(await signIn(BOOTSTRAP_KEY), '/v1/subscriptions/sub_a/consent-check');
  expect(made.statusCode).toBe(200);
  expect((await callAs(await signIn(BOOTSTRAP_KEY), 'GET', '/v1/session')).json()).toMatchObject({
    name: 'bootstrap',
    role: 'admin',
  });
});

test('a session that one API process opened is valid in every other process', async () => {
  const another = await admin.another();
  const { cookie } = await signIn(admin.keys.viewer);
  const answer = await another.inject({ method: 'GET', url: '/v1/session', headers: { cookie, host: HOST } });
  await another.close();
  expect(answer.statusCode).toBe(200);
});

test.each(['', '__Host-dueday=', '__Host-dueday=ds_none', `__Host-dueday=ds_${'x'.repeat(43)}`, 'dueday=ds_x'])(
  'the cookie "%s" opens nothing',
  async (cookie) => {
    const answer = await callAs({ cookie, csrfToken: '' }, 'GET', '/v1/subscriptions');
    expect(answer.json()).toMatchObject({ status: 401, code: 'unauthenticated' });
  },
);

test('the token of a session is not a key', async () => {
  const { cookie } = await signIn(admin.keys.admin);
  expect((await admin.call('GET', '/v1/subscriptions', { key: cookie.split('=')[1]! })).statusCode).toBe(401);
});

test('a key that is sent with a call takes precedence over the cookie of a session', async () => {
  const signed = await signIn(admin.keys.viewer);
  const headers = { authorization: `Bearer ${admin.keys.admin}` };
  expect((await callAs(signed, 'GET', '/v1/keys', headers)).statusCode).toBe(200);
});

const url = '/v1/subscriptions/sub_a/consent-check';

test.each<[string, Record<string, string>]>([
  ['no CSRF token', { 'x-csrf-token': '' }],
  ['the CSRF token of another session', { 'x-csrf-token': 'x'.repeat(43) }],
  ['the origin of another page', { origin: 'https://evil.example' }],
  ['the origin null, as browsers send to hide it', { origin: 'null' }],
  ['another port of the same host', { origin: 'https://billing.internal:8080' }],
])('a write in a session with %s is refused', async (_which, headers) => {
  const answer = await writeAs(await signIn(admin.keys.operator), url, headers);
  expect(answer.json()).toMatchObject({ status: 403, code: 'csrf_failed' });
});

test('a write in a session without an origin is refused', async () => {
  const signed = await signIn(admin.keys.operator);
  const answer = await callAs(signed, 'POST', url, { 'x-csrf-token': signed.csrfToken });
  expect(answer.json()).toMatchObject({ status: 403, code: 'csrf_failed' });
});

test('a write in a session with its own origin and CSRF token is carried out', async () => {
  expect((await writeAs(await signIn(admin.keys.operator), url)).statusCode).toBe(200);
});

test('a sign-out that another page sends does not end the session', async () => {
  const signed = await signIn(admin.keys.viewer);
  const answer = await callAs(signed, 'DELETE', '/v1/session', { origin: 'https://evil.example' });
  expect(answer.statusCode).toBe(403);
  expect((await callAs(signed, 'GET', '/v1/session')).statusCode).toBe(200);
});

const entries = async (type: string) => {
  const { items } = (await admin.call('GET', `/v1/audit?type=${type}`, { role: 'viewer' })).json();
  return items as { actor: string; data: Record<string, unknown> }[];
};

test('the audit log has who signed in and who signed out, with the same id of the session, which grants no access', async () => {
  const signed = await signIn(admin.keys.operator);
  const [opened] = await entries('session.opened');
  expect(opened).toMatchObject({
    actor: 'operator of the shop',
    data: {
      session: expect.stringMatching(/^[0-9a-f]{12}$/),
      role: 'operator',
      endsAt: new Date(admin.clock.real + 12 * HOUR).toISOString(),
    },
  });
  const headers = { origin: ORIGIN, 'x-csrf-token': signed.csrfToken };
  expect((await callAs(signed, 'DELETE', '/v1/session', headers)).statusCode).toBe(200);
  const [ended] = await entries('session.ended');
  expect(ended).toMatchObject({
    actor: 'operator of the shop',
    data: { session: opened!.data['session'], reason: 'signed_out' },
  });
  expect((await callAs(signed, 'DELETE', '/v1/session', headers)).statusCode).toBe(401);
  expect((await entries('session.ended')).length).toBe(1);
});

test('the audit log has the end of sessions without a sign-out, with time and reason, once any user signs in', async () => {
  const startedAt = admin.clock.real;
  await signIn(admin.keys.operator);
  const made = await admin.call('POST', '/v1/keys', { body: { name: 'leaver too', role: 'viewer' } });
  const { key, keyId } = made.json<{ key: string; keyId: string }>();
  await signIn(key);
  admin.clock.real += 5 * MINUTE;
  await admin.call('DELETE', `/v1/keys/${keyId}`);
  admin.clock.real += HOUR;
  const before = (await entries('session.ended')).length;
  const [one, other] = await Promise.all([signIn(admin.keys.viewer), signIn(BOOTSTRAP_KEY)]);
  expect(one.cookie).not.toBe(other.cookie);
  const all = await entries('session.ended');
  const ended = all.slice(0, all.length - before).map(({ actor, data }) => ({ actor, ...data }));
  const iso = (ms: number) => new Date(startedAt + ms).toISOString();
  expect(ended).toContainEqual(
    expect.objectContaining({
      actor: 'dueday',
      name: 'operator of the shop',
      reason: 'idle',
      endedAt: iso(30 * MINUTE),
    }),
  );
  expect(ended).toContainEqual(
    expect.objectContaining({ actor: 'dueday', name: 'leaver too', reason: 'key_revoked', endedAt: iso(5 * MINUTE) }),
  );
  const { rows } = await admin.db.query('select token_hash from sessions');
  expect(rows.length).toBe(2);
  expect(new Set(all.map(({ data }) => data['session'])).size).toBe(all.length);
});

const pass = (ms: number) => (admin.clock.real += ms);
const statusOf = async (signed: Signed, headers: Record<string, string> = {}) =>
  (await callAs(signed, 'GET', '/v1/subscriptions', headers)).statusCode;

test('a session ends with a sign-out, which removes the cookie', async () => {
  const signed = await signIn(admin.keys.viewer);
  const { origin, csrf } = { origin: ORIGIN, csrf: signed.csrfToken };
  const ended = await callAs(signed, 'DELETE', '/v1/session', { origin, 'x-csrf-token': csrf });
  expect(ended.statusCode).toBe(200);
  expect(ended.headers['set-cookie']).toMatch(/^__Host-dueday=; .*Max-Age=0$/);
  expect(await statusOf(signed)).toBe(401);
});

test('a session ends at the end of its idle time, and not a moment before', async () => {
  const signed = await signIn(admin.keys.viewer);
  pass(30 * MINUTE - 1);
  expect(await statusOf(signed)).toBe(200);
  pass(30 * MINUTE - 1);
  expect(await statusOf(signed, { 'x-unattended': 'true' })).toBe(200);
  pass(1);
  expect(await statusOf(signed)).toBe(401);
});

test('a session ends at its absolute end, however much it is used', async () => {
  const signed = await signIn(admin.keys.viewer);
  for (let passed = 0; passed < 12 * HOUR - 20 * MINUTE; passed += 20 * MINUTE) {
    pass(20 * MINUTE);
    expect(await statusOf(signed)).toBe(200);
  }
  pass(20 * MINUTE - 1);
  expect(await statusOf(signed)).toBe(200);
  pass(1);
  expect(await statusOf(signed)).toBe(401);
});

test('a session ends with its key', async () => {
  const answer = await admin.call('POST', '/v1/keys', { body: { name: 'leaver', role: 'admin' } });
  const made = answer.json<{ key: string; keyId: string }>();
  const signed = await signIn(made.key);
  expect(await statusOf(signed)).toBe(200);
  await admin.call('DELETE', `/v1/keys/${made.keyId}`);
  expect(await statusOf(signed)).toBe(401);
});

test('a session of the bootstrap key is not valid in a process that has another bootstrap key', async () => {
  const signed = await signIn(BOOTSTRAP_KEY);
  const another = await admin.another({ bootstrapKey: BOOTSTRAP_KEY.replace('1', '2') });
  const { cookie } = signed;
  const answer = await another.inject({ method: 'GET', url: '/v1/session', headers: { cookie, host: HOST } });
  await another.close();
  expect(answer.statusCode).toBe(401);
  expect(await statusOf(signed)).toBe(200);
});
