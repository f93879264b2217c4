import type { CreateOutcome } from '../../src/temporal';
import type { SubscriptionId } from '../../src/domain/ids';
import { MINUTE } from '../../src/domain/time';
import { applyChange, haltSending, insertPaymentDraft, liftHalt } from '../../src/ledger';
import { BEGIN_SENDING } from '../../src/ledger/halt/halt';
import { createCollected } from '../ledger/refund-fixture';
import { type AdminUnderTest, eachItems, faultPaths, NOW, startAdmin } from './admin-under-test';
import { order } from './order';
import { createAuthorized, createBooked, eur, pathOf, payment } from './payment-order';

let admin: AdminUnderTest;
let keys = 0;
const SINCE = '2027-01-31T12:00:00.000Z';
const STANDING = { halted: true, since: SINCE, by: 'admin of the shop', reason: 'wrong amounts' };

beforeAll(async () => {
  admin = await startAdmin();
});
afterEach(async () => {
  await liftHalt(admin.db, { actor: 'test', at: NOW, reason: null });
  admin.clock.business = NOW;
});
afterAll(() => admin.stop());

const freshKey = () => `halt-${(keys += 1)}`;
const halt = (body: unknown = { reason: 'wrong amounts' }) => admin.call('POST', '/v1/halt', { body });
const entries = async () =>
  (await admin.call('GET', '/v1/audit?limit=2')).json<{ items: Record<string, unknown>[] }>().items;

async function count(table: string): Promise<number> {
  const { rows } = await admin.db.query<{ n: number }>(`select count(*) as n from ${table}`);
  return rows[0]!.n;
}

test('the halt is in effect once confirmed, can be read, and can be lifted', async () => {
  expect((await admin.call('GET', '/v1/halt')).json()).toEqual({ halted: false });
  const answer = await halt();
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual(STANDING);
  expect((await admin.call('GET', '/v1/halt')).json()).toEqual(STANDING);
  const lifted = await admin.call('DELETE', '/v1/halt?reason=mended');
  expect([lifted.statusCode, lifted.json()]).toEqual([200, { halted: false }]);
  expect((await admin.call('GET', '/v1/halt')).json()).toEqual({ halted: false });
});

test('the halt and its lifting have audit entries with actor and reason', async () => {
  await halt();
  admin.clock.business = NOW + MINUTE;
  await admin.call('DELETE', '/v1/halt?reason=mended');
  const common = { actor: 'admin of the shop', subscriptionId: null };
  expect(await entries()).toMatchObject([
    { ...common, type: 'halt.lifted', at: '2027-01-31T12:01:00.000Z', data: { reason: 'mended', since: SINCE } },
    { ...common, type: 'halt.started', at: SINCE, data: { reason: 'wrong amounts' } },
  ]);
});

test('the halt is lifted with a reason in the query, in the body, or the same in both', async () => {
  for (const [query, body] of [
    ['?reason=mended'],
    ['', { reason: 'mended' }],
    ['?reason=mended', { reason: 'mended' }],
  ] as const) {
    await halt();
    expect((await admin.call('DELETE', `/v1/halt${query}`, { body })).statusCode).toBe(200);
    expect((await entries())[0]).toMatchObject({ type: 'halt.lifted', data: { reason: 'mended' } });
  }
});

test('the halt is not lifted if query and body have different reasons, or the body has an invalid one', async () => {
  await halt();
  const lift = (body: unknown) => admin.call('DELETE', '/v1/halt?reason=mended', { body });
  expect(faultPaths(await lift({ reason: 'another' }))).toEqual(['reason']);
  expect(faultPaths(await lift({ reason: ' ' }))).toEqual(['reason']);
  expect(faultPaths(await lift({ why: 'mended' }))).toEqual(['why']);
  expect((await admin.call('GET', '/v1/halt')).json()).toEqual(STANDING);
});

test('the halt requested again returns the existing halt; lifting it again changes nothing', async () => {
  await halt();
  admin.clock.business = NOW + MINUTE;
  const again = await halt({ reason: 'another' });
  expect([again.statusCode, again.json()]).toEqual([200, STANDING]);
  await admin.call('DELETE', '/v1/halt');
  const before = await count('events');
  expect((await admin.call('DELETE', '/v1/halt')).json()).toEqual({ halted: false });
  expect(await count('events')).toBe(before);
});

test('the halt needs a reason', async () => {
  for (const body of [{}, { reason: '' }, { reason: ' ' }]) expect(faultPaths(await halt(body))).toContain('reason');
  expect((await halt({ reason: 'why', until: SINCE })).statusCode).toBe(400);
  expect((await admin.call('GET', '/v1/halt')).json()).toEqual({ halted: false });
});

test.each(['viewer', 'operator'] as const)('the halt is forbidden to a key of role %s', async (role) => {
  for (const method of ['POST', 'GET', 'DELETE'] as const) {
    const answer = await admin.call(method, '/v1/halt', {
      role,
      ...(method === 'POST' ? { body: { reason: 'x' } } : {}),
    });
    expect(answer.json()).toMatchObject({ status: 403, code: 'forbidden' });
  }
});

test('the halt is in effect but answered with 503 while an earlier send is uncertain, and with 200 once it is not', async () => {
  const client = await admin.db.connect();
  await client.query(BEGIN_SENDING);
  const unsure = await halt();
  expect(unsure.json()).toMatchObject({
    status: 503,
    code: 'not_ready',
    detail: expect.stringContaining('is in effect'),
  });
  expect((await admin.call('GET', '/v1/halt')).json()).toEqual(STANDING);
  await client.query('rollback');
  client.release();
  expect((await halt()).json()).toEqual(STANDING);
});

const isHalted = { status: 409, code: 'halted', detail: expect.stringContaining('not accepted') };
const haltNow = () => haltSending(admin.db, { actor: 'test', at: NOW, reason: 'wrong amounts' });

test('a subscription is refused during a halt, and nothing is stored', async () => {
  await haltNow();
  const before = [await count('subscriptions'), await count('events')];
  const made = admin.workflows.created.length;
  const answer = await admin.call('POST', '/v1/subscriptions', { role: 'operator', body: order() });
  expect(answer.json()).toMatchObject(isHalted);
  expect(admin.workflows.created).toHaveLength(made);
  expect([await count('subscriptions'), await count('events')]).toEqual(before);
});

test('a payment request whose draft was stored before a halt is answered during the halt that the payment may still be created', async () => {
  const idempotencyKey = freshKey();
  const create = () => admin.call('POST', '/v1/payments', { role: 'operator', body: payment(), idempotencyKey });
  const { onCreate } = admin.payments;
  admin.payments.onCreate = async (draft) => ({
    kind: (await insertPaymentDraft(admin.db, draft, 0)) ? 'not_ready' : 'exists',
  });
  expect((await create()).json()).toMatchObject({ status: 503, code: 'not_ready' });
  admin.payments.onCreate = onCreate;
  await haltNow();
  expect((await create()).json()).toMatchObject({
    status: 503,
    code: 'not_ready',
    detail: expect.stringContaining('may still be created'),
  });
});

test('a payment is refused during a halt, and nothing is stored', async () => {
  await haltNow();
  const before = [await count('payments'), await count('events')];
  const answer = await admin.call('POST', '/v1/payments', { role: 'operator', body: payment() });
  expect(answer.json()).toMatchObject(isHalted);
  expect([await count('payments'), await count('events')]).toEqual(before);
});

test.each(['/v1/subscriptions', '/v1/payments'])(
  'a request to %s that a halt stops before it reaches the service is refused as during a halt',
  async (path) => {
    const overtaken = async (): Promise<CreateOutcome> => {
      await haltNow();
      return { kind: 'unavailable', reason: 'all sending is halted' };
    };
    const { onCreate } = admin.workflows;
    const { onCreate: onPayment } = admin.payments;
    admin.workflows.onCreate = overtaken;
    admin.payments.onCreate = overtaken;
    const body = path === '/v1/payments' ? payment() : order();
    expect((await admin.call('POST', path, { body })).json()).toMatchObject(isHalted);
    admin.workflows.onCreate = onCreate;
    admin.payments.onCreate = onPayment;
  },
);

test('a capture and a refund of a payment, and a refund of a cycle, are refused during a halt, and nothing is stored', async () => {
  const shop = await createCollected(admin.db);
  const [toCapture, toRefund] = [await createAuthorized(admin), await createBooked(admin, 5_000)];
  await haltNow();
  const before = [await count('orders'), await count('events')];
  const asked = { role: 'operator', body: { amount: eur(500) } } as const;
  for (const path of [
    `${pathOf(toCapture)}/captures`,
    `${pathOf(toRefund)}/refunds`,
    `/v1/subscriptions/${shop.subscriptionId}/cycles/0/refunds`,
  ]) {
    expect((await admin.call('POST', path, { ...asked, idempotencyKey: freshKey() })).json()).toMatchObject(isHalted);
  }
  expect([await count('orders'), await count('events')]).toEqual(before);
});

test('a retry that is requested for now is refused during a halt, and is not carried out', async () => {
  const { subscriptionId } = await createCollected(admin.db);
  await haltNow();
  const steered = admin.workflows.steered.length;
  const path = `/v1/subscriptions/${subscriptionId}/cycles/0/retry`;
  expect((await admin.call('POST', path, { body: { reason: 'asked' } })).json()).toMatchObject(isHalted);
  expect(admin.workflows.steered).toHaveLength(steered);
});

test('what was refused during a halt is accepted with the same Idempotency-Key once the halt is lifted', async () => {
  const idempotencyKey = freshKey();
  const create = () => admin.call('POST', '/v1/subscriptions', { idempotencyKey, body: order() });
  await haltNow();
  expect((await create()).statusCode).toBe(409);
  await liftHalt(admin.db, { actor: 'test', at: NOW, reason: null });
  expect((await create()).statusCode).toBe(201);
  await haltNow();
  const replayed = await create();
  expect([replayed.statusCode, replayed.headers['idempotent-replay']]).toEqual([201, 'true']);
});

test('a refund that is already stored is returned in its current state during a halt', async () => {
  const { subscriptionId } = await createCollected(admin.db);
  const [path, idempotencyKey] = [`/v1/subscriptions/${subscriptionId}/cycles/0/refunds`, freshKey()];
  admin.refunds.onRun = () => ({ kind: 'not_ready' });
  const ask = () => admin.call('POST', path, { body: { amount: eur(500) }, idempotencyKey });
  expect((await ask()).statusCode).toBe(503);
  admin.refunds.onRun = () => ({ kind: 'running' });
  await haltNow();
  const again = await ask();
  expect([again.statusCode, again.json().status]).toEqual([201, 'pending']);
});

test('pause, cancel, release and consent checks still work during a halt', async () => {
  const { subscriptionId } = await createCollected(admin.db);
  const paymentId = await createAuthorized(admin);
  await haltNow();
  for (const path of [
    ...['pause', 'resume', 'cancel', 'consent-check'].map((verb) => `/v1/subscriptions/${subscriptionId}/${verb}`),
    ...['release', 'consent-check'].map((verb) => `${pathOf(paymentId)}/${verb}`),
  ]) {
    expect([path, (await admin.call('POST', path)).statusCode]).not.toEqual([path, 409]);
  }
});

const metric = async () => /^dueday_halted .*$/m.exec((await admin.app.inject({ url: '/metrics' })).body)?.[0];
const ready = async () => {
  const answer = await admin.app.inject({ url: '/readyz' });
  return [answer.statusCode, answer.json<{ halted?: boolean }>().halted];
};

test('a halt is visible in metrics and readiness, which remains ready and shows neither actor nor reason', async () => {
  expect([await metric(), await ready()]).toEqual(['dueday_halted 0', [200, false]]);
  await halt();
  expect([await metric(), await ready()]).toEqual(['dueday_halted 1', [200, true]]);
  expect((await admin.app.inject({ url: '/readyz' })).body).not.toMatch(/shop|wrong amounts/);
});

test('a halt is visible as the first attention item, with instructions', async () => {
  await halt();
  const [first] = (await admin.call('GET', '/v1/attention', { role: 'viewer' })).json().items;
  expect(first).toEqual({
    item: expect.stringMatching(/^att_/),
    kind: 'sending_halted',
    subscriptionId: null,
    cycle: null,
    paymentId: null,
    status: null,
    amount: null,
    since: SINCE,
    deadline: null,
    ledger: null,
    service: null,
    assignee: null,
    note: null,
    title: 'All sending is halted',
    explanation: expect.stringContaining('admin of the shop halted all sending: wrong amounts.'),
    recommended: null,
    evidence: [],
    related: [],
  });
});

test.each([1, 2, 3, 200])(
  'a halt is visible once in the attention list, without displacing other items: pages of %i',
  async (limit) => {
    const waiting = [];
    for (let each = 0; each < 3; each += 1) {
      const { subscriptionId } = await createCollected(admin.db);
      await setAttention(subscriptionId, ['unresolved:0']);
      waiting.push(subscriptionId);
    }
    await halt();
    const seen: unknown[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null && page < 10; page += 1) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const answer = await admin.call('GET', `/v1/attention?limit=${limit}${query}`);
      const items = eachItems(answer, 'subscriptionId');
      expect(items.length).toBeLessThanOrEqual(limit);
      seen.push(...items);
      cursor = answer.json<{ nextCursor: string | null }>().nextCursor;
    }
    expect(cursor).toBeNull();
    expect(seen[0]).toBeNull();
    expect(seen.slice(1).sort()).toEqual([...waiting].sort());
    for (const subscriptionId of waiting) await setAttention(subscriptionId, []);
  },
);

async function setAttention(subscriptionId: SubscriptionId, attention: string[]): Promise<void> {
  const key = `attention ${attention.length}`;
  await applyChange(admin.db, {
    subscriptionId,
    key,
    at: NOW,
    actor: 'test',
    events: [],
    subscription: { attention },
  });
}
