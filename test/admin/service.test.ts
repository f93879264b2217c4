import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { createAdmin, type Probe } from '../../src/admin';
import { createPool } from '../../src/ledger';
import { silentLog } from '../support/silent-log';
import { createValidator } from '../support/validator';
import { type AdminUnderTest, SANDBOX, startAdmin, TestClock, NO_EVENTS, PREVIEW } from './admin-under-test';
import { FakeSubscriptions } from './fake-subscriptions';
import { FakeMandates, importsBy } from './fake-mandates';
import { FakePayments } from './fake-payments';
import { FakeReconciliation } from './fake-reconciliation';
import { FakeRefunds } from './fake-refunds';
import { order } from './order';

let admin: AdminUnderTest;
/** An API with short time-outs, for probes that hang. */
let hasty: FastifyInstance;
const probes: Probe[] = [];
beforeAll(async () => {
  admin = await startAdmin({ probes });
  hasty = await admin.another({ limits: { probeTimeoutMs: 1_000, optionalTimeoutMs: 100 } });
});
beforeEach(() => probes.splice(0));
afterAll(async () => {
  await hasty.close();
  await admin.stop();
});

const open = (url: string, on = admin.app) => on.inject({ method: 'GET', url });

test('a running process answers /healthz with ok', async () => {
  expect((await open('/healthz')).json()).toEqual({ status: 'ok' });
});

const works = (name: string): Probe => ({ name, check: async () => undefined });

test('readiness names each part with its latency', async () => {
  probes.push(works('postgresql'), works('temporal'));
  const answer = await open('/readyz');
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({
    status: 'ready',
    halted: false,
    checks: ['postgresql', 'temporal'].map((name) => ({ name, status: 'ok', latencyMs: expect.any(Number) })),
  });
});

test('readiness fails if a part fails or hangs, and names the part but not its error', async () => {
  const fails = { name: 'temporal', check: () => Promise.reject(new Error('10.0.0.7 refused, password hunter2')) };
  const hangs = { name: 'payment service', check: () => new Promise<void>(() => undefined) };
  probes.push(works('postgresql'), fails, hangs);
  const answer = await open('/readyz', hasty);
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({
    code: 'not_ready',
    failed: ['temporal', 'payment service'],
    checks: [{ status: 'ok' }, { status: 'failed' }, { status: 'failed' }],
  });
  expect(answer.json().checks[2].latencyMs).toBeGreaterThanOrEqual(90);
  expect(answer.body).not.toMatch(/10\.0\.0\.7|hunter2/);
});

test('readiness does not depend on an optional part, and reports whether it failed and the state of its circuit', async () => {
  const fails = () => Promise.reject(new Error('no access token was issued'));
  const hangs = () => new Promise<void>(() => undefined);
  for (const check of [fails, hangs]) {
    probes.splice(0);
    probes.push(works('postgresql'), { name: 'payment_service', check, isOptional: true, circuit: () => 'open' });
    const answer = await open('/readyz', hasty);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      status: 'ready',
      checks: [
        { name: 'postgresql', status: 'ok' },
        { name: 'payment_service', status: 'failed', latencyMs: expect.any(Number), circuit: 'open' },
      ],
    });
  }
});

test('a process that is not ready names the required parts that failed, but no optional ones', async () => {
  const check = () => Promise.reject(new Error('gone'));
  probes.push({ name: 'temporal', check }, { name: 'payment_service', check, isOptional: true });
  const answer = await open('/readyz');
  expect(answer.json()).toMatchObject({ status: 503, failed: ['temporal'], halted: false });
  expect(answer.json().checks).toHaveLength(2);
});

test('readiness waits for an optional part no longer than the time-out of optional parts', async () => {
  const app = await admin.another({ limits: { probeTimeoutMs: 60_000, optionalTimeoutMs: 50 } });
  probes.push({ name: 'payment_service', check: () => new Promise(() => undefined), isOptional: true });
  expect((await app.inject({ method: 'GET', url: '/readyz' })).json().checks[0].latencyMs).toBeLessThan(5_000);
  await app.close();
});

test('readiness is answered within two seconds, with the state of each part, even if every part hangs', async () => {
  const hangs = () => new Promise<void>(() => undefined);
  probes.push(...['postgresql', 'temporal', 'worker'].map((name) => ({ name, check: hangs })));
  const startedAt = performance.now();
  const answer = await open('/readyz');
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  const { checks } = answer.json<{ checks: { name: string; status: string }[] }>();
  expect(checks.map(({ name, status }) => [name, status])).toEqual([
    ['postgresql', 'failed'],
    ['temporal', 'failed'],
    ['worker', 'failed'],
  ]);
});

test('a probe that throws synchronously fails like any other', async () => {
  const check = () => {
    throw new Error('at once');
  };
  probes.push({ name: 'odd', check });
  expect((await open('/readyz')).json()).toMatchObject({ code: 'not_ready', failed: ['odd'] });
});

test('metrics count requests by route, never by path', async () => {
  const registry = new Registry();
  const app = await admin.another({ registry });
  await admin.call('GET', '/v1/subscriptions/sub_secret', { on: app });
  const answer = await app.inject({ method: 'GET', url: '/metrics' });
  expect(answer.headers['content-type']).toContain('text/plain');
  expect(answer.body).toContain('route="/v1/subscriptions/:id",status="404"');
  expect(answer.body).not.toContain('sub_secret');
  await app.close();
});

test('every response forbids content sniffing and framing', async () => {
  for (const url of ['/healthz', '/v1/subscriptions', '/nothing', '/docs/']) {
    const { headers } = await open(url);
    expect(headers['x-content-type-options']).toBe('nosniff');
    const policy = String(headers['content-security-policy']).split(';');
    for (const directive of ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(directive);
    expect(headers['referrer-policy']).toBe('no-referrer');
  }
});

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
  requestBody?: { required?: boolean; content: Record<string, { schema: object }> };
  security?: unknown[];
}
type Document = {
  openapi: string;
  security: unknown[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
};
const read = async () => (await open('/openapi.json')).json<Document>();

test('the published description is OpenAPI 3.1 and has every call, each with a unique name and its error responses', async () => {
  const document = await read();
  expect(document.openapi).toBe('3.1.0');
  expect(document.security).toEqual([{ key: [] }, { session: [] }]);
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(calls.sort()).toEqual(
    [
      'GET /healthz',
      'GET /readyz',
      'GET /v1/attention',
      'POST /v1/attention/{item}/assign',
      'POST /v1/attention/{item}/note',
      'POST /v1/attention/{item}/close',
      'GET /v1/audit',
      'POST /v1/audit/{id}/redact',
      'GET /v1/events',
      'GET /v1/events/{id}',
      'POST /v1/events/{id}/resend',
      'GET /v1/stream',
      'GET /v1/webhook-endpoints',
      'POST /v1/webhook-endpoints',
      'GET /v1/webhook-endpoints/{id}',
      'PATCH /v1/webhook-endpoints/{id}',
      'DELETE /v1/webhook-endpoints/{id}',
      'GET /v1/webhook-endpoints/{id}/deliveries',
      'POST /v1/webhook-endpoints/{id}/replay',
      'POST /v1/webhook-endpoints/{id}/rotate-secret',
      'POST /v1/webhook-endpoints/{id}/test',
      'DELETE /v1/halt',
      'DELETE /v1/holds/{id}',
      'GET /v1/halt',
      'GET /v1/holds',
      'POST /v1/halt',
      'POST /v1/holds',
      'GET /v1/approvals',
      'POST /v1/approvals/{id}/approve',
      'POST /v1/approvals/{id}/reject',
      'GET /v1/keys',
      'GET /v1/reports/collections',
      'GET /v1/reports/deadlines',
      'GET /v1/reports/deliveries',
      'GET /v1/reports/failing-payers',
      'GET /v1/reports/forecast',
      'GET /v1/reports/reconciliation',
      'GET /v1/reports/recovery',
      'GET /v1/reports/retry-advice',
      'GET /v1/reports/subscriptions',
      'GET /v1/reports/today',
      'GET /v1/transactions',
      'PATCH /v1/subscriptions/{id}/payer',
      'POST /v1/reports/reconciliation',
      'POST /v1/bulk',
      'GET /v1/jobs',
      'GET /v1/jobs/{id}',
      'DELETE /v1/jobs/{id}',
      'GET /v1/jobs/{id}/results',
      'POST /v1/keys',
      'POST /v1/keys/{id}/rotate',
      'DELETE /v1/keys/{id}',
      'POST /v1/session',
      'GET /v1/session',
      'DELETE /v1/session',
      'GET /v1/notices',
      'GET /v1/notices/preview',
      'GET /v1/payers/{reference}',
      'POST /v1/notices/{id}/resend',
      'POST /v1/notices/{id}/told',
      'POST /v1/payers/{reference}/erase',
      'GET /v1/payments',
      'POST /v1/payments',
      'GET /v1/payments/{id}',
      'PATCH /v1/payments/{id}',
      'GET /v1/payments/{id}/events',
      'POST /v1/payments/{id}/captures',
      'POST /v1/payments/{id}/consent-check',
      'POST /v1/payments/{id}/refunds',
      'POST /v1/payments/{id}/release',
      'POST /v1/payments/{id}/restart',
      'POST /v1/captures/{orderId}/resolve',
      'POST /v1/refunds/{refundId}/resolve',
      'GET /v1/subscriptions',
      'POST /v1/subscriptions',
      'GET /v1/subscriptions/{id}',
      'PATCH /v1/subscriptions/{id}',
      'GET /v1/subscriptions/{id}/cycles',
      'GET /v1/subscriptions/{id}/schedule',
      'GET /v1/subscriptions/{id}/events',
      'POST /v1/subscriptions/{id}/pause',
      'POST /v1/subscriptions/{id}/restart',
      'POST /v1/subscriptions/{id}/resume',
      'GET /v1/subscriptions/export',
      'POST /v1/subscriptions/import',
      'POST /v1/subscriptions/{id}/amount-changes',
      'DELETE /v1/subscriptions/{id}/amount-changes/pending',
      'POST /v1/subscriptions/{id}/cancel',
      'POST /v1/subscriptions/{id}/consent-check',
      'POST /v1/subscriptions/{id}/acknowledge',
      'POST /v1/subscriptions/{id}/cycles/{n}/resolve',
      'POST /v1/subscriptions/{id}/cycles/{n}/skip',
      'POST /v1/subscriptions/{id}/cycles/{n}/retry',
      'POST /v1/subscriptions/{id}/cycles/{n}/payment-link',
      'POST /v1/subscriptions/{id}/cycles/{n}/postpone',
      'POST /v1/subscriptions/{id}/cycles/{n}/refunds',
    ].sort(),
  );
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(operations.length);
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const operation of Object.values(methods)) {
      if (path.startsWith('/v1')) {
        expect(Object.keys(operation.responses['4XX']?.content ?? {})).toEqual(['application/problem+json']);
      }
      expect(operation.security).toEqual(path.startsWith('/v1') ? undefined : []);
    }
  }
});

test('all references of the published description have a target, and all its schemas compile', async () => {
  const document = await read();
  const references = JSON.stringify(document).match(/#\/components\/[^"]+/g) ?? [];
  expect(references.length).toBeGreaterThan(10);
  for (const reference of references) {
    const [, , section, name] = reference.split('/');
    expect(document.components).toHaveProperty([section!, name!]);
  }
  const wrongBy = createValidator(document.components.schemas);
  for (const schema of Object.values(document.components.schemas)) wrongBy(schema, null);
});

test('the schemas of the published description match the requests that are accepted and the responses', async () => {
  const document = await read();
  const wrongBy = createValidator(document.components.schemas);
  const creation = document.paths['/v1/subscriptions']!['post']!;
  const { schema: taken } = creation.requestBody!.content['application/json']!;
  expect(wrongBy(taken, order())).toBeNull();
  expect(wrongBy(taken, order({ colour: 'red' }))).toContain('unevaluated properties');
  expect(wrongBy(taken, order({ amount: { value: -1, currency: 'EUR' } }))).toContain('amount/value');
  const made = await admin.call('POST', '/v1/subscriptions', { body: order() });
  expect(wrongBy(creation.responses['201']!.content!['application/json']!.schema, made.json())).toBeNull();
  const bad = await admin.call('POST', '/v1/subscriptions', { body: {} });
  expect(wrongBy(creation.responses['4XX']!.content!['application/problem+json']!.schema, bad.json())).toBeNull();
});

test('the published description says for each request body whether it may be omitted', async () => {
  const { paths } = await read();
  const isNeeded = (path: string, method: string) => paths[path]?.[method]?.requestBody?.required;
  expect(isNeeded('/v1/subscriptions', 'post')).toBe(true);
  expect(isNeeded('/v1/halt', 'post')).toBe(true);
  expect(isNeeded('/v1/subscriptions/{id}/pause', 'post')).toBe(false);
  expect(isNeeded('/v1/halt', 'delete')).toBe(false);
  expect(isNeeded('/v1/keys/{id}', 'delete')).toBe(false);
  expect(isNeeded('/v1/keys/{id}/rotate', 'post')).toBe(false);
  expect(isNeeded('/v1/webhook-endpoints/{id}/rotate-secret', 'post')).toBe(false);
  expect(isNeeded('/v1/webhook-endpoints/{id}/test', 'post')).toBe(false);
});

test('the published description can be read as a page', async () => {
  for (const url of ['/docs', '/docs/', '/docs/api/']) {
    const page = await open(url);
    expect([url, page.statusCode, page.headers['content-type']]).toEqual([
      url,
      200,
      expect.stringContaining('text/html'),
    ]);
  }
});

test('neither the published description nor the files that its page loads may be cached', async () => {
  for (const url of [
    '/openapi.json',
    '/docs/',
    '/docs/api/',
    '/docs/api/json',
    '/docs/api/static/swagger-ui.css',
    '/docs/api/static/nothing',
  ]) {
    const { headers } = await open(url);
    expect([url, headers['cache-control']]).toEqual([url, 'no-store']);
  }
});

test('the published description needs a key if the deployment is configured that way', async () => {
  const app = await admin.another({ docsNeedKey: true });
  for (const url of ['/openapi.json', '/docs', '/docs/', '/docs/api/json', '/docs/api/static/swagger-ui.css']) {
    const refused = await app.inject({ method: 'GET', url });
    expect([url, refused.statusCode]).toEqual([url, 401]);
    expect(refused.json()).toMatchObject({ code: 'unauthenticated' });
    const shown = await admin.call('GET', url, { role: 'viewer', on: app });
    expect([url, shown.statusCode]).toEqual([url, 200]);
  }
  expect((await app.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200);
  await app.close();
});

test('without the ledger a call is answered with 503 and without details', async () => {
  const db = createPool({ databaseUrl: 'postgres://nobody:hunter2@127.0.0.1:1/none' });
  const app = await createAdmin({
    db,
    reading: db,
    subscriptions: new FakeSubscriptions(db, new TestClock()),
    payments: new FakePayments(db),
    refunds: new FakeRefunds(),
    reconciliation: new FakeReconciliation(db),
    clock: new TestClock(),
    logger: silentLog(),
    probes: [],
    registry: new Registry(),
    policy: SANDBOX,
    events: NO_EVENTS,
    imports: importsBy(new FakeMandates()),
    previewEmail: PREVIEW,
  });
  const answer = await admin.call('GET', '/v1/subscriptions', { on: app });
  expect(answer.json()).toMatchObject({ status: 503, code: 'not_ready' });
  expect(answer.body).not.toMatch(/127\.0\.0\.1|hunter2|ECONN/);
  expect((await app.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200);
  await app.close();
  await db.end();
});
