import type { FastifyInstance } from 'fastify';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { issueKey } from '../../src/admin/access/key-ring';
import { DAY, HOUR, toIso } from '../../src/domain/time';
import { listEvents, listKeys } from '../../src/ledger';
import { type AdminUnderTest, BOOTSTRAP_KEY, NOW, startAdmin } from './admin-under-test';

/** The key to begin with ends a day after there is another admin key. */

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
/** Keys of one moment stand in no order. */
const ofBootstrap = async (on = admin.app) =>
  (await listed(BOOTSTRAP_KEY, on)).find(({ name }) => name === 'bootstrap')!;
const opens = async (key = BOOTSTRAP_KEY, on = admin.app) =>
  (await admin.call('GET', '/v1/keys', { key, on })).statusCode === 200;
const inADay = () => toIso(admin.clock.real + DAY);
const trailOf = async (type: 'key.created' | 'key.superseded') =>
  (await listEvents(admin.db, { type }, { limit: 10, cursor: null })).items;

async function restarted(bootstrapKey: string | undefined = BOOTSTRAP_KEY): Promise<FastifyInstance> {
  const app = await admin.another({ bootstrapKey });
  await app.ready();
  return app;
}

/** By the command line. */
const issue = (name: string) =>
  issueKey(
    admin.db,
    { name, role: 'admin' },
    { actor: 'command line', reason: null, at: NOW, realAt: admin.clock.real },
  );

test('it is listed when the API comes up, before it is used', async () => {
  const app = await restarted();
  expect(await listKeys(admin.db)).toMatchObject([{ name: 'bootstrap', isBootstrap: true, lastUsedRealAt: null }]);
  await app.close();
});

test('where the ledger was away then, or was restored since, it is listed as it is used, and the trail has it', async () => {
  const [shown, ...others] = await listed();
  expect(others).toEqual([]);
  const lastUsedAt = toIso(admin.clock.real);
  expect(shown).toEqual({
    ...{ keyId: expect.any(String) as string, name: 'bootstrap', role: 'admin', scopes: [] },
    ...{ createdAt: lastUsedAt, lastUsedAt },
  });
  expect((await trailOf('key.created'))[0]).toMatchObject({ actor: 'dueday', data: { keyId: shown!.keyId } });
});

test('where another request lists it at the same moment, both are let in', async () => {
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

test('it ends a day after the first admin key, which says so, and its session with it', async () => {
  const { cookie } = await signIn();
  const first = await made('ada');
  expect(first.bootstrapEndsAt).toBe(inADay());
  const endsAt = inADay();
  const { keyId, expiresAt } = await ofBootstrap();
  expect(expiresAt).toBe(endsAt);
  const told = { actor: 'bootstrap', keyId, data: { keyId, name: 'bootstrap', expiresAt: endsAt } };
  expect((await trailOf('key.superseded'))[0]).toMatchObject(told);
  expect((await signIn()).endsAt).toBe(endsAt);
  admin.clock.real += DAY - 1;
  expect(await opens()).toBe(true);
  admin.clock.real += 1;
  const refused = await admin.call('GET', '/v1/keys', { key: BOOTSTRAP_KEY });
  expect(refused.statusCode).toBe(401);
  expect(refused.json()).toMatchObject({ detail: expect.stringContaining('The bootstrap key is over') as string });
  expect((await admin.app.inject({ method: 'GET', url: '/v1/session', headers: { cookie } })).statusCode).toBe(401);
  expect(await opens(first.key)).toBe(true);
});

async function signIn(): Promise<{ cookie: string; endsAt: string }> {
  const answer = await admin.call('POST', '/v1/session', { key: BOOTSTRAP_KEY });
  return { cookie: String(answer.headers['set-cookie']).split(';', 1)[0]!, ...answer.json<{ endsAt: string }>() };
}

test('a smaller key, and a second admin key, change nothing in its end', async () => {
  expect(await made('till', 'operator')).not.toHaveProperty('bootstrapEndsAt');
  expect(await ofBootstrap()).not.toHaveProperty('expiresAt');
  const { bootstrapEndsAt } = await made('ada');
  const told = await trailOf('key.superseded');
  admin.clock.real += HOUR;
  expect(await made('grace')).not.toHaveProperty('bootstrapEndsAt');
  expect(await ofBootstrap()).toMatchObject({ expiresAt: bootstrapEndsAt });
  expect(await trailOf('key.superseded')).toEqual(told);
});

test('until it ends it makes keys that have no end', async () => {
  await made('ada');
  expect((await make('till', 'operator')).statusCode).toBe(201);
});

test('it ends by an admin key of the command line, too', async () => {
  expect(await opens()).toBe(true);
  expect(await issue('ada')).toMatchObject({ bootstrapEndsRealAt: admin.clock.real + DAY });
  expect(await ofBootstrap()).toMatchObject({ expiresAt: inADay() });
});

test('where there is an admin key when it is first configured, it ends from then on, and the log says so', async () => {
  await issue('ada');
  const lines: string[] = [];
  const sink = new Writable({ write: (chunk: Buffer, _, done) => done(void lines.push(chunk.toString())) });
  const app = await admin.another({ logger: pino(sink) });
  await app.ready();
  expect(lines.filter((line) => line.includes('bootstrap'))).toEqual([expect.stringContaining(inADay())]);
  const endsAt = inADay();
  admin.clock.real += HOUR;
  await app.close();
  const again = await restarted();
  expect(await ofBootstrap(again)).toMatchObject({ expiresAt: endsAt });
  await again.close();
});

test('without the ledger the API comes up all the same, and the log says so', async () => {
  const isGone = () => Promise.reject(new Error('gone'));
  const lines: string[] = [];
  const sink = new Writable({ write: (chunk: Buffer, _, done) => done(void lines.push(chunk.toString())) });
  const app = await admin.another({ db: { connect: isGone, query: isGone } as never, logger: pino(sink) });
  await app.ready();
  expect(lines.join('')).toContain('the bootstrap key could not be listed');
  await app.close();
});

test('an admin key that is revoked or over does not end it', async () => {
  const ada = await issue('ada');
  if (ada.kind === 'issued') await admin.db.query('update api_keys set revoked_real_at = $1', [toIso(NOW)]);
  expect(await ofBootstrap()).not.toHaveProperty('expiresAt');
});

test('another one that is configured takes its place: it ends, and each is good where it is configured', async () => {
  expect(await opens()).toBe(true);
  const other = await restarted(OTHER_KEY);
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

test('where it is configured no more, it opens nothing, be it in the form of a key', async () => {
  const inForm = `dd_${'x'.repeat(43)}`;
  const there = await restarted(inForm);
  expect(await opens(inForm, there)).toBe(true);
  expect(await opens(inForm)).toBe(false);
  await there.close();
});

test('revoked, it is over at once, and does not come back by a restart', async () => {
  const ada = await made('ada');
  const { keyId } = await ofBootstrap();
  expect((await admin.call('DELETE', `/v1/keys/${keyId}`, { key: ada.key })).statusCode).toBe(200);
  expect(await opens()).toBe(false);
  const again = await restarted();
  expect(await opens(BOOTSTRAP_KEY, again)).toBe(false);
  await again.close();
});

test('it is not rotated: an admin key takes its place', async () => {
  const { keyId } = await ofBootstrap();
  const answer = await admin.call('POST', `/v1/keys/${keyId}/rotate`, { key: BOOTSTRAP_KEY, body: {} });
  expect(answer.json()).toMatchObject({ status: 409, detail: expect.stringContaining('make an admin key') as string });
});

test('a key of the list is refused as the configured one', async () => {
  const { key } = await made('ada');
  const app = await admin.another({ bootstrapKey: key });
  await expect(app.ready()).rejects.toThrow('ADMIN_BOOTSTRAP_KEY: expected a key of its own');
  await app.close();
});
