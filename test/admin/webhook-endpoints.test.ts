import { Registry } from 'prom-client';
import { createAddressCheck } from '../../src/webhooks';
import { insertEvent, placeEvents } from '../../src/ledger';
import { createSecretBox } from '../../src/platform/secret-box';
import { subscribe } from '../ledger/ledger-fixture';
import { type AdminUnderTest, eachItems, faultPaths, NOW, PRODUCTION, startAdmin } from './admin-under-test';

const KEYS = [{ id: 'k1', key: Buffer.alloc(32, 7).toString('base64') }];
const EVENTS = { secrets: createSecretBox(KEYS), refusalOf: createAddressCheck([], true).refusalOf, envUrl: null };

let admin: AdminUnderTest;

beforeAll(async () => {
  admin = await startAdmin({ events: EVENTS });
});
afterAll(() => admin.stop());
afterEach(() => admin.db.query(`delete from webhook_endpoints where endpoint_id <> 'env'`));

interface Endpoint {
  endpointId: string;
  secret: string;
  enabled: boolean;
}

const URL_OF_SHOP = 'https://shop.example/events';

const create = (body: object = {}) =>
  admin.call('POST', '/v1/webhook-endpoints', { body: { url: URL_OF_SHOP, types: ['*'], ...body } });

async function createEndpoint(body: object = {}): Promise<Endpoint> {
  const answer = await create(body);
  expect([answer.statusCode, answer.json()]).toEqual([201, expect.objectContaining({ enabled: true })]);
  return answer.json<Endpoint>();
}

const at = (id: string, more = '') => `/v1/webhook-endpoints/${id}${more}`;
const page = (query: string) => admin.call('GET', `/v1/webhook-endpoints?${query}`, { role: 'viewer' });

it('webhook endpoints show their secret once, and keep it encrypted', async () => {
  const { endpointId, secret } = await createEndpoint({ description: 'the shop' });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  const read = await admin.call('GET', at(endpointId), { role: 'viewer' });
  expect(read.json()).toMatchObject({ endpointId, url: URL_OF_SHOP, types: ['*'], description: 'the shop' });
  expect(read.body).not.toContain(secret);
  const { rows } = await admin.db.query<{ secret: string }>(
    'select secret from webhook_endpoints where endpoint_id = $1',
    [endpointId],
  );
  expect(rows[0]?.secret).not.toContain(secret);
  expect(EVENTS.secrets.open(rows[0]!.secret)).toBe(secret);
});

it.each<[object, string]>([
  [{ url: 'no url' }, 'url'],
  [{ url: 'ftp://shop.example/' }, 'url'],
  [{ url: 'https://ada:secret@shop.example/' }, 'url'],
  [{ url: 'https://10.0.0.7/' }, 'url'],
  [{ url: 'http://[fe80::1]/' }, 'url'],
  [{ types: [] }, 'types'],
  [{ types: ['cycle.*', 'nothing'] }, 'types.1'],
  [{ description: 'two\nlines' }, 'description'],
  [{ secret: 'whsec_mine' }, 'secret'],
])('webhook endpoints refuse %j', async (body, path) => {
  const answer = await create(body);
  expect([answer.statusCode, faultPaths(answer)]).toEqual([400, [path]]);
  expect(answer.body).not.toContain('ada:secret');
});

it('there can be at most 20 webhook endpoints', async () => {
  for (let n = 0; n < 20; n += 1) await createEndpoint();
  expect((await create()).json()).toMatchObject({ code: 'state_conflict' });
  expect((await admin.call('GET', '/v1/webhook-endpoints', { role: 'viewer' })).json().items).toHaveLength(20);
});

it('webhook endpoints can be changed, and are no longer found once deleted', async () => {
  const { endpointId } = await createEndpoint();
  const patch = (body: object) => admin.call('PATCH', at(endpointId), { body });
  expect((await patch({ enabled: false, types: ['cycle.collected'] })).json()).toMatchObject({
    enabled: false,
    disabledReason: 'disabled_by_admin',
    types: ['cycle.collected'],
    url: URL_OF_SHOP,
  });
  expect((await patch({ enabled: true, description: null })).json()).toMatchObject({
    enabled: true,
    description: null,
  });
  expect((await patch({})).statusCode).toBe(400);
  expect((await admin.call('DELETE', at(endpointId))).statusCode).toBe(200);
  for (const method of ['GET', 'DELETE'] as const)
    expect((await admin.call(method, at(endpointId))).statusCode).toBe(404);
  expect((await patch({ enabled: true })).statusCode).toBe(404);
});

it.each([
  ['HTTPS://Shop.Example:443/a/../b?x=%7e', 'https://shop.example/b?x=%7e'],
  ['https://shop.example', 'https://shop.example/'],
  ['https://0x08080808/', 'https://8.8.8.8/'],
  ['https://sh\u00f6p.example/\u00e4', 'https://xn--shp-tna.example/%C3%A4'],
])('webhook endpoints store %s as %s', async (url, stored) => {
  const answer = await admin.call('POST', '/v1/webhook-endpoints', { body: { url, types: ['*'] } });
  expect([answer.statusCode, answer.json<{ url: string }>().url]).toEqual([201, stored]);
});

it('webhook endpoints can be managed only by admins', async () => {
  const { endpointId } = await createEndpoint();
  for (const [method, path] of [
    ['POST', ''],
    ['PATCH', `/${endpointId}`],
    ['DELETE', `/${endpointId}`],
    ['POST', `/${endpointId}/rotate-secret`],
  ] as const) {
    const answer = await admin.call(method, `/v1/webhook-endpoints${path}`, { role: 'operator', body: {} });
    expect([method, path, answer.statusCode]).toEqual([method, path, 403]);
  }
});

it('a webhook endpoint gets a new secret on request, and the stored response is encrypted', async () => {
  const { endpointId, secret } = await createEndpoint();
  const rotate = () =>
    admin.call('POST', at(endpointId, '/rotate-secret'), { body: { overlapHours: 1 }, idempotencyKey: 'once' });
  const first = await rotate();
  expect(first.json<Endpoint>().secret).not.toBe(secret);
  expect((await rotate()).json()).toEqual(first.json());
  const { rows } = await admin.db.query<{ body: string }>(
    `select body::text as body from idempotency_keys where key = 'once'`,
  );
  expect(rows[0]?.body).not.toContain(first.json<Endpoint>().secret);
});

it('a new secret and a test of an endpoint can be requested without a body', async () => {
  const { endpointId } = await createEndpoint();
  const rotated = await admin.call('POST', at(endpointId, '/rotate-secret'));
  expect([rotated.statusCode, rotated.json()]).toEqual([200, expect.objectContaining({ endpointId })]);
  expect((await admin.call('POST', at(endpointId, '/test'))).statusCode).toBe(202);
  const sent = await admin.call('GET', at(endpointId, '/deliveries'));
  expect(eachItems(sent, 'type')).toEqual(['endpoint.test']);
});

it('webhook endpoints are listed in pages', async () => {
  const ids = [];
  for (let n = 0; n < 3; n += 1) ids.push((await createEndpoint()).endpointId);
  const first = await page('limit=2');
  const second = await page(`limit=2&cursor=${first.json<{ nextCursor: string }>().nextCursor}`);
  const listed = [...eachItems(first, 'endpointId'), ...eachItems(second, 'endpointId')];
  expect(listed.toSorted()).toEqual(ids.toSorted());
  expect(second.json()).toMatchObject({ nextCursor: null });
  for (const query of ['limit=0', 'cursor=x', 'sort=url']) expect((await page(query)).statusCode).toBe(400);
});

it('the list of webhook endpoints continues after a cursor whose endpoint was deleted meanwhile', async () => {
  for (let n = 0; n < 3; n += 1) await createEndpoint();
  const [, second, third] = eachItems(await page('limit=3'), 'endpointId') as string[];
  const { nextCursor } = (await page('limit=2')).json<{ nextCursor: string }>();
  expect((await admin.call('DELETE', at(second!))).statusCode).toBe(200);
  const next = await page(`limit=2&cursor=${nextCursor}`);
  expect([eachItems(next, 'endpointId'), next.json()]).toMatchObject([[third], { nextCursor: null }]);
});

it('webhook endpoints are listed after the endpoint of the environment, across pages too', async () => {
  const { endpointId } = await createEndpoint();
  const on = await admin.another({ events: { ...EVENTS, envUrl: URL_OF_SHOP } });
  const list = (more: string) => admin.call('GET', `/v1/webhook-endpoints?limit=1${more}`, { on, role: 'viewer' });
  const first = await list('');
  const second = await list(`&cursor=${first.json<{ nextCursor: string }>().nextCursor}`);
  expect([first, second].map((each) => eachItems(each, 'endpointId'))).toEqual([['env'], [endpointId]]);
  await on.close();
});

it('webhook endpoints are recorded in the audit log without their secrets', async () => {
  const { endpointId, secret } = await createEndpoint();
  await admin.call('POST', at(endpointId, '/rotate-secret'), { body: {} });
  const auditLog = await admin.call('GET', '/v1/audit?limit=2');
  expect(eachItems(auditLog, 'type')).toEqual(['endpoint.secret_rotated', 'endpoint.created']);
  expect(auditLog.body).not.toContain(secret);
});

it('the API warns of another endpoint with the same URL when an endpoint is created or changed', async () => {
  const create = async (url: string) => {
    const answer = await admin.call('POST', '/v1/webhook-endpoints', { body: { url, types: ['*'] } });
    return answer.json<{ endpointId: string; warnings?: string[] }>();
  };
  const first = await create('https://shop.example/twice');
  expect(first.warnings).toBeUndefined();
  const second = await create('https://shop.example/twice');
  const warning = `Each event is posted to this URL more than once: ${first.endpointId} also uses it.`;
  expect(second.warnings).toEqual([warning]);
  const change = async (url: string) =>
    (await admin.call('PATCH', at(second.endpointId), { body: { url } })).json<{ warnings?: string[] }>().warnings;
  expect(await change('https://shop.example/once')).toBeUndefined();
  expect(await change('https://shop.example/twice')).toEqual([warning]);
  expect((await admin.call('GET', at(second.endpointId))).json()).not.toHaveProperty('warnings');
  const third = await create('https://shop.example/twice');
  expect(third.warnings?.[0]).toMatch(/^Each event .* more than once: \S+, \S+ also use it\.$/);
});

it('the API shows what a pending delivery waits for', async () => {
  const { endpointId } = await createEndpoint();
  expect((await admin.call('POST', at(endpointId, '/test'), { body: {} })).statusCode).toBe(202);
  const deliveries = async () =>
    (await admin.call('GET', at(endpointId, '/deliveries'))).json<{ items: { waitingFor?: object }[] }>().items;
  expect((await deliveries())[0]).not.toHaveProperty('waitingFor');
  await admin.db.query(`update webhook_queues set next_try_real_at = '2099-01-01T00:00:00Z'`);
  expect((await deliveries())[0]?.waitingFor).toEqual({ kind: 'time', until: '2099-01-01T00:00:00.000Z' });
  await admin.call('PATCH', at(endpointId), { body: { enabled: false } });
  expect((await deliveries())[0]?.waitingFor).toEqual({ kind: 'endpoint' });
});

it('the API shows EVENT_WEBHOOK_URL as env, which can be changed only in the environment', async () => {
  const url = 'https://shop.example/notices';
  const on = await admin.another({ registry: new Registry(), events: { ...EVENTS, envUrl: url } });
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    admin.call(method, at('env', path), { on, ...(body === undefined ? {} : { body }) });
  expect((await call('GET', '')).json()).toMatchObject({ endpointId: 'env', url, readOnly: true });
  expect((await call('PATCH', '', { enabled: false })).json()).toMatchObject({ code: 'state_conflict' });
  expect((await call('DELETE', '')).json()).toMatchObject({ code: 'state_conflict' });
  expect((await call('POST', '/rotate-secret', {})).json()).toMatchObject({ code: 'state_conflict' });
  expect((await call('POST', '/replay', { since: '2027-01-01T00:00:00Z' })).json()).toMatchObject({
    code: 'state_conflict',
  });
  expect((await call('POST', '/test', {})).statusCode).toBe(202);
  expect((await admin.call('GET', at('env'))).statusCode).toBe(404);
  await on.close();
});

it('in production the API refuses endpoints over http, and all endpoints while SECRETS_KEYS is not set', async () => {
  const keyless = await admin.another({
    registry: new Registry(),
    policy: PRODUCTION,
    events: { ...EVENTS, secrets: createSecretBox([]) },
  });
  const keyed = await admin.another({ registry: new Registry(), policy: PRODUCTION, events: EVENTS });
  const body = { url: URL_OF_SHOP, types: ['*'] };
  expect((await admin.call('POST', '/v1/webhook-endpoints', { on: keyless, body })).json()).toMatchObject({
    code: 'state_conflict',
    detail: expect.stringContaining('SECRETS_KEYS'),
  });
  const plain = { ...body, url: 'http://shop.example/' };
  expect((await admin.call('POST', '/v1/webhook-endpoints', { on: keyed, body: plain })).statusCode).toBe(400);
  expect((await admin.call('POST', '/v1/webhook-endpoints', { on: keyed, body })).statusCode).toBe(201);
  await Promise.all([keyless.close(), keyed.close()]);
});

async function insertMissed(cycles: number) {
  const { subscriptionId } = await subscribe(admin.db);
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    await insertEvent(admin.db, { subscriptionId, at: NOW, actor: 'dueday', type: 'cycle.missed', data: { cycle } });
  }
  await placeEvents(admin.db);
  return subscriptionId;
}

it('the delivery of a test event goes to one endpoint, and the event is in no list of events', async () => {
  const { endpointId } = await createEndpoint();
  const queued = await admin.call('POST', at(endpointId, '/test'), {
    role: 'operator',
    body: { type: 'refund.failed' },
  });
  expect(queued.statusCode).toBe(202);
  const listed = await admin.call('GET', at(endpointId, '/deliveries'), { role: 'viewer' });
  expect(listed.json().items).toMatchObject([{ type: 'refund.failed', state: 'pending', test: true, tries: [] }]);
  await placeEvents(admin.db);
  const { eventId } = queued.json<{ eventId: string }>();
  expect((await admin.call('GET', '/v1/events?types=refund.failed')).json().items).toEqual([]);
  expect((await admin.call('POST', `/v1/events/${eventId}/resend`, { body: { endpointId } })).statusCode).toBe(404);
  expect((await admin.call('POST', at(endpointId, '/test'), { body: { type: 'cycle.*' } })).statusCode).toBe(400);
});

it('a replay of events to an endpoint is a job, which can be stopped', async () => {
  const subscriptionId = await insertMissed(3);
  const { endpointId } = await createEndpoint({ types: ['cycle.missed'] });
  const since = new Date(NOW).toISOString();
  const answer = await admin.call('POST', at(endpointId, '/replay'), { role: 'operator', body: { since } });
  expect(answer.statusCode).toBe(202);
  const location = String(answer.headers['location']);
  const job = await admin.call('GET', location, { role: 'viewer' });
  expect(job.json()).toMatchObject({ kind: 'replay', state: 'running', done: 0, refused: 0, endpointId });
  expect(job.json().total).toBeGreaterThanOrEqual(3);
  expect((await admin.call('DELETE', location, { role: 'operator' })).json()).toMatchObject({ state: 'stopped' });
  const backwards = { since, until: since };
  expect((await admin.call('POST', at(endpointId, '/replay'), { body: backwards })).statusCode).toBe(400);
  expect(subscriptionId).toBeDefined();
});

it('a dry run of a replay counts what it would send, and sends nothing', async () => {
  const since = new Date(NOW).toISOString();
  const { endpointId } = await createEndpoint({ types: ['cycle.missed'] });
  const counted = async (more: object = {}) => {
    const body = { since, dryRun: true, ...more };
    const answer = await admin.call('POST', at(endpointId, '/replay'), { role: 'operator', body });
    expect(answer.statusCode).toBe(200);
    return answer.json<{ total: number }>().total;
  };
  const before = await counted();
  await insertMissed(3);
  await placeEvents(admin.db);
  const [all, undelivered] = [await counted(), await counted({ onlyFailed: true })];
  expect([all, undelivered]).toEqual([before + 3, before + 3]);
  expect(await counted({ types: ['cycle.collected'] })).toBe(0);
  expect(await counted({ until: new Date(NOW + 1).toISOString(), types: ['refund.*'] })).toBe(0);
  expect((await admin.call('GET', '/v1/jobs?kind=replay')).json().items).toEqual([]);
  const started = await admin.call('POST', at(endpointId, '/replay'), { role: 'operator', body: { since } });
  expect(started.json().total).toBe(all);
});

it('a resend of an event names the endpoint, which must be enabled', async () => {
  await insertMissed(1);
  const { endpointId } = await createEndpoint();
  const [event] = (await admin.call('GET', '/v1/events?types=cycle.missed&limit=1')).json<{
    items: { id: string }[];
  }>().items;
  const resend = () => admin.call('POST', `/v1/events/${event!.id}/resend`, { role: 'operator', body: { endpointId } });
  expect((await resend()).json()).toMatchObject({ eventId: event!.id, endpointId });
  const listed = await admin.call('GET', at(endpointId, '/deliveries?state=pending&type=cycle.*'));
  expect(listed.json().items).toMatchObject([{ eventId: event!.id, test: false, again: true }]);
  await admin.call('PATCH', at(endpointId), { body: { enabled: false } });
  expect((await resend()).json()).toMatchObject({ code: 'state_conflict' });
});

it('deliveries show the responses of the endpoint only to admins', async () => {
  const { endpointId } = await createEndpoint();
  await admin.call('POST', at(endpointId, '/test'), { body: {} });
  await admin.db.query(
    `insert into webhook_tries (delivery_id, try, real_at, status, ms, answer)
       select delivery_id, 1, now(), 500, 12, 'a stack of theirs' from webhook_deliveries where endpoint_id = $1`,
    [endpointId],
  );
  const read = (role: 'viewer' | 'admin') => admin.call('GET', at(endpointId, '/deliveries'), { role });
  expect((await read('admin')).json().items[0].tries).toMatchObject([
    { status: 500, ms: 12, answer: 'a stack of theirs' },
  ]);
  expect((await read('viewer')).body).not.toContain('a stack');
});

it.each(['state=gone', 'status=99', 'from=2027-01-02T00:00:00Z&to=2027-01-01T00:00:00Z', 'cursor=x', 'type=nothing'])(
  'the list of deliveries refuses %s',
  async (query) => {
    const { endpointId } = await createEndpoint();
    expect((await admin.call('GET', at(endpointId, `/deliveries?${query}`))).statusCode).toBe(400);
  },
);
