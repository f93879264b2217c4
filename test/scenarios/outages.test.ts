import { randomInt, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { DAY } from '../../src/domain/time';
import { findFreePort } from '../../src/embedded/free-port';
import { silentLog } from '../support/silent-log';
import { waitUntil } from '../support/wait-until';
import type { ProblemBody, Subscription } from './admin-api';
import { orderOf } from './order';
import { adminApiOf, type Ground, openGround } from './world';

/** The longest time for which a request of the admin API waits for a worker, and a little for a busy machine. Real ms. */
const MAX_WAIT = 60_000;

/** Nothing falls due while these tests last. */
const FAR_AHEAD = 60 * DAY;

type Created = Subscription & ProblemBody;

let ground: Ground;

beforeEach(async () => {
  ground = await openGround();
});

afterEach(() => ground.close());

async function countRows(table: 'subscriptions' | 'payers'): Promise<number> {
  const client = new Client({ connectionString: ground.database.url });
  await client.connect();
  try {
    return (await client.query(`select from ${table}`)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/** A port outside the range from which the system assigns ports, so that it is still free when the service starts. */
function portForLater(): Promise<number> {
  return findFreePort(20_000 + randomInt(10_000), 'the payment service', silentLog());
}

/**
 *   no worker          a worker comes up
 *   503 in its time    the same request: 201, one subscription
 */
test('a creation without a worker is answered with 503 in time, and carried out once when a worker is up', async () => {
  const { sandbox, url } = await ground.openSandbox();
  const admin = await adminApiOf(ground.start('api', { PAYMENT_SERVICE_BASE_URL: url }));
  const order = {
    ...orderOf({ name: 'early', cents: 1999, lead: FAR_AHEAD }, ground.clock.now()),
    subscriptionId: undefined,
  };
  const key = randomUUID();

  const askedAt = performance.now();
  const refused = await admin.post<Created>('/v1/subscriptions', order, key);

  expect(refused).toMatchObject({ status: 503, body: { code: 'not_ready' } });
  expect(performance.now() - askedAt).toBeLessThan(MAX_WAIT);
  expect(sandbox.payments()).toEqual([]);

  await ground.start('worker', { PAYMENT_SERVICE_BASE_URL: url }).says('worker started');
  const made = async () => (await admin.get<{ items: unknown[] }>('/v1/subscriptions')).body.items.length;
  await waitUntil('the order is executed', async () => (await made()) > 0);
  const repeated = await admin.post<Created>('/v1/subscriptions', order, key);

  expect(repeated).toMatchObject({ status: 201, body: { status: 'pending_consent' } });
  expect(sandbox.payments().map(({ paymentId }) => paymentId)).toEqual([repeated.body.paymentId]);
  expect(await countRows('subscriptions')).toBe(1);
});

/**
 *   the service is down       the service is up
 *   502, nothing is kept      the same id: 201
 */
test('a creation leaves nothing if the payment service cannot be reached, and can be repeated with its id', async () => {
  const port = await portForLater();
  const daemon = ground.start('daemon', { PAYMENT_SERVICE_BASE_URL: `http://127.0.0.1:${port}` });
  const admin = await adminApiOf(daemon);
  const order = orderOf({ name: 'repeated', cents: 1999, lead: FAR_AHEAD }, ground.clock.now());

  const refused = await admin.post<Created>('/v1/subscriptions', order);

  expect(refused).toMatchObject({ status: 502, body: { code: 'payment_service_unavailable' } });
  expect([await countRows('subscriptions'), await countRows('payers')]).toEqual([0, 0]);
  expect((await admin.get(`/v1/subscriptions/${order.subscriptionId}`)).status).toBe(404);

  const { sandbox } = await ground.openSandbox(port);
  const created = await admin.post<Created>('/v1/subscriptions', order);
  expect(created).toMatchObject({
    status: 201,
    body: { subscriptionId: order.subscriptionId, status: 'pending_consent' },
  });
  expect(sandbox.payments().map(({ paymentId }) => paymentId)).toEqual([created.body.paymentId]);
  expect([await countRows('subscriptions'), await countRows('payers')]).toEqual([1, 1]);
});
