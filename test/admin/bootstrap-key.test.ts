import type { FastifyInstance } from 'fastify';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { issueKey } from '../../src/admin/access/key-ring';
import { DAY, HOUR, toIso } from '../../src/domain/time';
import { listEvents, listKeys } from '../../src/ledger';
import { type AdminUnderTest, BOOTSTRAP_KEY, NOW, startAdmin } from './admin-under-test';

/** The bootstrap key, the first key of an installation, ends a day after another admin key is created. */

let admin: AdminUnderTest;
beforeEach(async () => {
  admin = await startAdmin({ limits: { sessionIdleMs: 2 * DAY, sessionMs: 2 * DAY } });
  await admin.db.query('delete from api_keys');
});
afterEach(() => admin.stop());

interface Shown {
  keyId: string;
  name: string;
  expiresAt?: string;
  bootstrapEndsAt?: string;
}

const OTHER_KEY = BOOTSTRAP_KEY.replace('1', '2');

const make = (name: string, role = 'admin', key = BOOTSTRAP_KEY) =>
  admin.call('POST', '/v1/keys', { key, body: { name, role } });
const made = async (...given: Parameters<typeof make>) => (await make(...given)).json<Shown & { key: string }>();
const listed = async (key = BOOTSTRAP_KEY, on = admin.app) =>
  (await admin.call('GET', '/v1/keys', { key, on })).json<{ items: Shown[] }>().items;
/** The bootstrap key in the list of keys. It is found by name, because keys created at the same moment have no defined order. */
const ofBootstrap = async (on = admin.app) =>
  (await listed(BOOTSTRAP_KEY, on)).find(({ name }) => name === 'bootstrap')!;
const opens = async (key = BOOTSTRAP_KEY, on = admin.app) =>
  (await admin.call('GET', '/v1/keys', { key, on })).statusCode === 200;
const inADay = () => toIso(admin.clock.real + DAY);
const auditEntriesOf = async (type: 'key.created' | 'key.superseded') =>
  (await listEvents(admin.db, { type }, { limit: 10, cursor: null })).items;

async function restart(bootstrapKey: string | undefined = BOOTSTRAP_KEY): Promise<FastifyInstance> {
  const app = await admin.another({ bootstrapKey });
  await app.ready();
  return app;
}

/** Issues an admin key as the command line does. */
const issue = (name: string) =>
  issueKey(
    admin.db,
    { name, role: 'admin' },
    { actor: 'command line', reason: null, at: NOW, realAt: admin.clock.real },
  );

test('the bootstrap key is registered when the API starts, before it is used', async () => {
  const app = await restart();
  expect(await listKeys(admin.db)).toMatchObject([{ name: 'bootstrap', isBootstrap: true, lastUsedRealAt: null }]);
  await app.close();
});

test('the bootstrap key is registered at its first use, with an audit entry, if the API started without the ledger or the ledger was restored', async () => {
  const [shown, ...others] = await listed();
  expect(others).toEqual([]);
  const lastUsedAt = toIso(admin.clock.real);
  expect(shown).toEqual({
    ...{ keyId: expect.any(String) as string, name: 'bootstrap', role: 'admin', scopes: [] },
    ...{ createdAt: lastUsedAt, lastUsedAt },
  });
  expect((await auditEntriesOf('key.created'))[0]).toMatchObject({ actor: 'dueday', data: { keyId: shown!.keyId } });
});

test('two requests that register the bootstrap key concurrently both succeed', async () => {
  const looks: boolean[] = [];
  const query = async (text: string, values: unknown[]) => {
    const found = await admin.db.query(text, values);
    if (!text.includes('where hash =') || looks.push(found.rowCount === 1) > 1) return found;
    expect(await opens()).toBe(true);
    return found;
  };
  const other = await admin.another({ db: Object.assign(Object.create(admin.db), { query }) });
  await other.ready();
  await admin.db.query('delete from api_keys');

  expect(await opens(BOOTSTRAP_KEY, other)).toBe(true);

  expect(looks).toEqual([false, true]);
  expect(await listKeys(admin.db)).toHaveLength(1);
  await other.close();
});

test('the bootstrap key and its session end a day after the first admin key, whose response says so', async () => {
  const { cookie } = await signIn();
  const first = await made('ada');
  expect(first.bootstrapEndsAt).toBe(inADay());
  const endsAt = inADay();
  const { keyId, expiresAt } = await ofBootstrap();
  expect(expiresAt).toBe(endsAt);
  const told = { actor: 'bootstrap', keyId, data: { keyId, name: 'bootstrap', expiresAt: endsAt } };
  expect((await auditEntriesOf('key.superseded'))[0]).toMatchObject(told);
  expect((await signIn()).endsAt).toBe(endsAt);
  admin.clock.real += DAY - 1;
  expect(await opens()).toBe(true);
  admin.clock.real += 1;
  const refused = await admin.call('GET', '/v1/keys', { key: BOOTSTRAP_KEY });
  expect(refused.statusCode).toBe(401);
  expect(refused.json()).toMatchObject({
    detail: expect.stringContaining('The bootstrap key is no longer valid') as string,
  });
  expect((await admin.app.inject({ method: 'GET', url: '/v1/session', headers: { cookie } })).statusCode).toBe(401);
  expect(await opens(first.key)).toBe(true);
});

async function signIn(): Promise<{ cookie: string; endsAt: string }> {
  const answer = await admin.call('POST', '/v1/session', { key: BOOTSTRAP_KEY });
  return { cookie: String(answer.headers['set-cookie']).split(';', 1)[0]!, ...answer.json<{ endsAt: string }>() };
}

test('keys of lower roles and a second admin key do not change the time at which the bootstrap key ends', async () => {
  expect(await made('till', 'operator')).not.toHaveProperty('bootstrapEndsAt');
  expect(await ofBootstrap()).not.toHaveProperty('expiresAt');
  const { bootstrapEndsAt } = await made('ada');
  const told = await auditEntriesOf('key.superseded');
  admin.clock.real += HOUR;
  expect(await made('grace')).not.toHaveProperty('bootstrapEndsAt');
  expect(await ofBootstrap()).toMatchObject({ expiresAt: bootstrapEndsAt });
  expect(await auditEntriesOf('key.superseded')).toEqual(told);
});

test('the bootstrap key creates keys without expiry until it ends', async () => {
  await made('ada');
  expect((await make('till', 'operator')).statusCode).toBe(201);
});

test('an admin key created on the command line also ends the bootstrap key', async () => {
  expect(await opens()).toBe(true);
  expect(await issue('ada')).toMatchObject({ bootstrapEndsRealAt: admin.clock.real + DAY });
  expect(await ofBootstrap()).toMatchObject({ expiresAt: inADay() });
});

test('a bootstrap key that is first configured when an admin key exists ends a day later, and the log says so', async () => {
  await issue('ada');
  const lines: string[] = [];
  const sink = new Writable({ write: (chunk: Buffer, _, done) => done(void lines.push(chunk.toString())) });
  const app = await admin.another({ logger: pino(sink) });
  await app.ready();
  expect(lines.filter((line) => line.includes('bootstrap'))).toEqual([expect.stringContaining(inADay())]);
  const endsAt = inADay();
  admin.clock.real += HOUR;
  await app.close();
  const again = await restart();
  expect(await ofBootstrap(again)).toMatchObject({ expiresAt: endsAt });
  await again.close();
});

test('the API starts without the ledger and logs that the bootstrap key is not registered', async () => {
  const isGone = () => Promise.reject(new Error('gone'));
  const lines: string[] = [];
  const sink = new Writable({ write: (chunk: Buffer, _, done) => done(void lines.push(chunk.toString())) });
  const app = await admin.another({ db: { connect: isGone, query: isGone } as never, logger: pino(sink) });
  await app.ready();
  expect(lines.join('')).toContain('the bootstrap key could not be registered');
  await app.close();
});

test('a revoked admin key does not end the bootstrap key', async () => {
  const ada = await issue('ada');
  if (ada.kind === 'issued') await admin.db.query('update api_keys set revoked_real_at = $1', [toIso(NOW)]);
  expect(await ofBootstrap()).not.toHaveProperty('expiresAt');
});

test('a newly configured bootstrap key replaces the previous one; each is valid only in processes that are configured with it', async () => {
  expect(await opens()).toBe(true);
  const other = await restart(OTHER_KEY);
  expect(await opens(OTHER_KEY, other)).toBe(true);
  expect(await opens(BOOTSTRAP_KEY, other)).toBe(false);
  expect(await opens(OTHER_KEY)).toBe(false);
  const ends = (await listed()).map(({ name, expiresAt }) => ({ name, expiresAt }));
  expect(ends).toHaveLength(2);
  expect(ends).toContainEqual({ name: 'bootstrap', expiresAt: inADay() });
  expect(ends).toContainEqual({ name: 'bootstrap', expiresAt: undefined });
  admin.clock.real += DAY;
  expect([await opens(), await opens(OTHER_KEY, other)]).toEqual([false, true]);
  await other.close();
});

test('a bootstrap key that is no longer configured grants no access, even if it has the form of an API key', async () => {
  const inForm = `dd_${'x'.repeat(43)}`;
  const there = await restart(inForm);
  expect(await opens(inForm, there)).toBe(true);
  expect(await opens(inForm)).toBe(false);
  await there.close();
});

test('a revoked bootstrap key ends at once, and a restart does not restore it', async () => {
  const ada = await made('ada');
  const { keyId } = await ofBootstrap();
  expect((await admin.call('DELETE', `/v1/keys/${keyId}`, { key: ada.key })).statusCode).toBe(200);
  expect(await opens()).toBe(false);
  const again = await restart();
  expect(await opens(BOOTSTRAP_KEY, again)).toBe(false);
  await again.close();
});

test('the bootstrap key cannot be rotated; the refusal says to create an admin key instead', async () => {
  const { keyId } = await ofBootstrap();
  const answer = await admin.call('POST', `/v1/keys/${keyId}/rotate`, { key: BOOTSTRAP_KEY, body: {} });
  expect(answer.json()).toMatchObject({
    status: 409,
    detail: expect.stringContaining('create an admin key') as string,
  });
});

test('an existing API key is rejected if it is configured as the bootstrap key', async () => {
  const { key } = await made('ada');
  const app = await admin.another({ bootstrapKey: key });
  await expect(app.ready()).rejects.toThrow('ADMIN_BOOTSTRAP_KEY: expected a separate key');
  await app.close();
});
