import type { FastifyInstance } from 'fastify';
import { createPool, insertDraft, type Pool } from '../../src/ledger';
import { createCollected } from '../ledger/refund-fixture';
import { silentLog } from '../support/silent-log';
import { waitUntil } from '../support/wait-until';
import { type AdminUnderTest, startAdmin } from './admin-under-test';
import { order } from './order';
import { createAuthorized, BOTH_FLAGS, eur, pathOf, payment } from './payment-order';

/** A pool for leases through which a process renews no lease, so that the other process sees it as silent. */
const SILENT = { query: async () => ({ rowCount: 0 }) } as unknown as Pool;

/** Two API processes on one ledger. The process of `admin` renews no lease, as if it had died or were frozen. */
let admin: AdminUnderTest;
let other: FastifyInstance;
let opened: number;

beforeEach(async () => {
  admin = await startAdmin({ leases: SILENT });
  other = await admin.another({ leases: admin.db });
  opened = 0;
});
afterEach(async () => {
  await other.close();
  await admin.stop();
});

const create = (on: FastifyInstance, changes: Record<string, unknown> = {}) =>
  admin.call('POST', '/v1/subscriptions', { on, idempotencyKey: 'order-1', body: order(changes) });

/** Lets the first creation hang until `release` is called. */
function hangsAtFirst() {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  admin.workflows.onCreate = async (draft) => {
    opened += 1;
    if (opened === 1) await released;
    return admin.workflows.open(draft);
  };
  return { started: () => waitUntil('the first runs', () => opened === 1), release, released };
}

/** Makes the process that has the key appear silent for this long. */
const silentFor = (seconds: number) =>
  admin.db.query(
    `update idempotency_keys set leased_until = clock_timestamp() + make_interval(secs => 10 - $1::float8)
     where key = 'order-1'`,
    [seconds],
  );

const leaseLeft = async () => {
  const { rows } = await admin.db.query<{ left: number }>(
    `select extract(epoch from leased_until - clock_timestamp())::float8 as left from idempotency_keys
     where key = 'order-1'`,
  );
  return rows[0]!.left;
};

const isKept = async () => {
  const { rows } = await admin.db.query(`select status from idempotency_keys where key = 'order-1' and state = 'done'`);
  return rows.length === 1;
};

test('an idempotency key is taken over after its process has been silent for ten seconds, and not before', async () => {
  const first = hangsAtFirst();
  const dying = create(admin.app);
  await first.started();
  await silentFor(5);
  expect((await create(other)).json()).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
  await silentFor(10);
  const taken = await create(other);
  expect(taken.statusCode).toBe(201);
  expect(taken.headers).not.toHaveProperty('idempotent-replay');
  first.release();
  await dying;
});

test('a call that another process takes over on the next day keeps its request id, so that it takes effect once', async () => {
  await create(other, { subscriptionId: 'sub_late' });
  await admin.db.query('delete from idempotency_keys');
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const { steered } = admin.workflows;
  admin.workflows.onSteer = async () => {
    if (steered.length === 1) await released;
    return { kind: 'done' };
  };
  const skip = (on: FastifyInstance) =>
    admin.call('POST', '/v1/subscriptions/sub_late/cycles/0/skip', { on, idempotencyKey: 'order-1' });
  admin.clock.real = Date.UTC(2026, 10, 21, 23, 59, 59, 999);
  const dying = skip(admin.app);
  await waitUntil('the first runs', () => steered.length === 1);
  await silentFor(10);
  admin.clock.real += 1;
  await skip(other);
  release();
  await dying;
  const requestIds = steered.map(({ request }) => request.requestId);
  expect(requestIds).toEqual([expect.any(String), requestIds[0]]);
});

test('a process whose clock is hours ahead does not take over a key', async () => {
  const first = hangsAtFirst();
  const running = create(other);
  await first.started();
  admin.clock.real += 6 * 3_600_000;
  expect((await create(admin.app)).json()).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
  first.release();
  expect((await running).statusCode).toBe(201);
});

test('the lease of an idempotency key is renewed while its request runs, however long, and ends with the request', async () => {
  const first = hangsAtFirst();
  const running = create(other);
  await first.started();
  await silentFor(7);
  await waitUntil('the lease is renewed', async () => (await leaseLeft()) > 5);
  expect((await create(admin.app)).statusCode).toBe(409);
  first.release();
  expect((await running).statusCode).toBe(201);
  const { rows } = await admin.db.query(`select leased_until from idempotency_keys where key = 'order-1'`);
  expect(rows).toEqual([{ leased_until: null }]);
});

test('another body under an abandoned idempotency key is still refused as a reuse of the key', async () => {
  const first = hangsAtFirst();
  const dying = create(admin.app);
  await first.started();
  await silentFor(60);
  expect((await create(other, { repetition: 'YEARLY' })).json()).toMatchObject({ status: 422 });
  first.release();
  await dying;
});

test('a process that resumes after another process took over its key stores no response and creates nothing twice', async () => {
  const first = hangsAtFirst();
  const frozen = create(admin.app);
  await first.started();
  await silentFor(60);
  const taken = await create(other);
  first.release();
  const woken = await frozen;
  expect([taken.statusCode, woken.statusCode]).toEqual([201, 201]);
  expect(woken.json().subscriptionId).toBe(taken.json().subscriptionId);
  const again = await create(other);
  expect(again.headers['idempotent-replay']).toBe('true');
  expect(again.body).toBe(taken.body);
  const { rows } = await admin.db.query('select subscription_id from subscriptions');
  expect(rows).toHaveLength(1);
});

test('a process that resumes while another process runs the request leaves the key to the other process', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const first = hangsAtFirst();
  const frozen = create(admin.app);
  await first.started();
  await silentFor(60);
  admin.workflows.onCreate = async (draft) => {
    opened += 1;
    await released;
    return admin.workflows.open(draft);
  };
  const second = create(other);
  await waitUntil('the second runs', () => opened === 2);
  first.release();
  expect((await frozen).statusCode).toBe(201);
  expect(await isKept()).toBe(false);
  expect((await create(admin.app)).json()).toMatchObject({ code: 'idempotency_in_progress' });
  release();
  await second;
});

test('a second run of a creation also finds a subscription whose id the caller chose', async () => {
  const first = hangsAtFirst();
  const dying = create(admin.app, { subscriptionId: 'sub_mine' });
  await first.started();
  await silentFor(60);
  const taken = await create(other, { subscriptionId: 'sub_mine' });
  first.release();
  await dying;
  expect(taken.statusCode).toBe(201);
  await admin.db.query(
    `update idempotency_keys set state = 'running', status = null, body = null, headers = null,
       leased_until = clock_timestamp() where key = 'order-1'`,
  );
  const third = await create(other, { subscriptionId: 'sub_mine' });
  expect([third.statusCode, third.body]).toEqual([201, taken.body]);
  const stranger = await admin.call('POST', '/v1/subscriptions', {
    idempotencyKey: 'order-2',
    body: order({ subscriptionId: 'sub_mine' }),
  });
  expect(stranger.json()).toMatchObject({ status: 409, code: 'state_conflict' });
});

test('a second run of a creation accepts a first payment date that was in the future when the request was first sent', async () => {
  const first = hangsAtFirst();
  admin.workflows.onCreate = async (draft) => {
    await insertDraft(admin.db, draft, 0);
    opened += 1;
    await first.released;
    return { kind: 'not_ready' };
  };
  const dying = create(admin.app);
  await first.started();
  await silentFor(60);
  admin.clock.business += 30 * 24 * 3_600_000;
  expect((await create(other)).json()).toMatchObject({ status: 503, code: 'not_ready' });
  admin.clock.real += 180_000;
  expect((await create(other)).json()).toMatchObject({ status: 400, code: 'invalid_request' });
  first.release();
  await dying;
});

/** Sends a request to one process, which hangs while it runs, and to the other process once the lease has ended. */
async function twice(path: string, body: unknown, hang: (released: Promise<void>) => void, started: () => number) {
  let release = (): void => undefined;
  hang(new Promise<void>((resolve) => (release = resolve)));
  const send = (on: FastifyInstance) => admin.call('POST', path, { on, idempotencyKey: 'order-1', body });
  const dying = send(admin.app);
  await waitUntil('the first has started', () => started() === 1);
  await silentFor(60);
  const taken = send(other);
  await waitUntil('the second has started beside it', () => started() === 2);
  release();
  return [await dying, await taken].map((answer) => [answer.statusCode, answer.json<Record<string, unknown>>()]);
}

test('a refund is ordered only once if another process takes over its request', async () => {
  const { subscriptionId } = await createCollected(admin.db);
  const hang = (released: Promise<void>) => {
    admin.refunds.onRun = () => released.then(() => ({ kind: 'running' }));
  };
  const path = `/v1/subscriptions/${subscriptionId}/cycles/0/refunds`;
  const answers = await twice(path, { amount: eur(500) }, hang, () => admin.refunds.ran.length);
  expect(answers).toEqual(Array(2).fill([201, expect.objectContaining({ amount: eur(500) })]));
  const { rows } = await admin.db.query(`select amount from orders where kind = 'refund'`);
  expect(rows).toHaveLength(1);
});

test('a capture is ordered only once if another process takes over its request', async () => {
  const paymentId = await createAuthorized(admin, BOTH_FLAGS);
  const hang = (released: Promise<void>) => {
    admin.payments.onRun = () => released.then(() => ({ kind: 'running' }));
  };
  const path = `${pathOf(paymentId)}/captures`;
  const answers = await twice(path, { amount: eur(3000) }, hang, () => admin.payments.ran.length);
  expect(answers).toEqual(Array(2).fill([201, expect.objectContaining({ amount: eur(3000) })]));
  const { rows } = await admin.db.query(`select amount from orders where kind = 'capture'`);
  expect(rows).toHaveLength(1);
});

test('a one-time payment is created only once if another process takes over its request', async () => {
  const hang = (released: Promise<void>) => {
    let second: Promise<unknown> = Promise.resolve();
    admin.payments.onCreate = (draft) => {
      const isFirst = admin.payments.created.length === 1;
      // The first run waits for the second, because Temporal would join two simultaneous runs.
      const opened = isFirst
        ? released.then(() => second).then(() => admin.payments.open(draft))
        : admin.payments.open(draft);
      if (!isFirst) second = opened;
      return opened;
    };
  };
  const answers = await twice('/v1/payments', payment(), hang, () => admin.payments.created.length);
  const [first, second] = answers.map(([, body]) => (body as { paymentId: string }).paymentId);
  expect([answers.map(([status]) => status), first]).toEqual([[201, 201], second]);
  const { rows } = await admin.db.query('select payment_id from payments');
  expect(rows).toHaveLength(1);
});

test('a brief outage of the ledger loses no lease', async () => {
  const leases = createPool({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none', max: 1 });
  const query = jest.spyOn(leases, 'query');
  const warned = jest.fn();
  const logger = silentLog();
  const app = await admin.another({ leases, logger: Object.assign(logger, { warn: warned }) });
  const first = hangsAtFirst();
  const running = create(app);
  await first.started();
  await waitUntil('a renewal has failed', () => warned.mock.calls.length > 0);
  query.mockImplementation(((text: string, values: unknown[]) => admin.db.query(text, values)) as never);
  await silentFor(7);
  await waitUntil('the lease is renewed', async () => (await leaseLeft()) > 5);
  first.release();
  expect((await running).statusCode).toBe(201);
  await app.close();
  await leases.end();
});

test('a process renews the lease of a key only while its request runs', async () => {
  const renewals = () =>
    query.mock.calls.filter(([text]) => /update idempotency_keys[^]*leased_until = clock_timestamp\(\)/.test(text))
      .length;
  const query = jest.spyOn(admin.db, 'query');
  const app = await admin.another({ leases: admin.db });
  const real: (keyof typeof globalThis)[] = [
    'setTimeout',
    'clearTimeout',
    'setImmediate',
    'queueMicrotask',
    'performance',
  ];
  jest.useFakeTimers({ doNotFake: [...real, 'Date', 'nextTick'] as never });
  try {
    const first = hangsAtFirst();
    const running = create(app);
    await first.started();
    query.mockClear();
    jest.advanceTimersByTime(2_000);
    expect(renewals()).toBe(1);
    first.release();
    expect((await running).statusCode).toBe(201);
    query.mockClear();
    jest.advanceTimersByTime(60_000);
    expect(renewals()).toBe(0);
  } finally {
    jest.useRealTimers();
    await app.close();
  }
});
