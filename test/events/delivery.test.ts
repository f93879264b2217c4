import { randomUUID } from 'node:crypto';
import { createClock } from '../../src/platform/clock';
import type { SubscriptionId } from '../../src/domain/ids';
import { createAddressCheck, createWebhookSender } from '../../src/webhooks';
import type { DeliveryDeps } from '../../src/jobs/deliver-messages';
import {
  changeEndpoint,
  createPool,
  ENV,
  insertEndpoint,
  insertEvent,
  listDeliveries,
  orderReplay,
  readEndpoint,
  readReplay,
  resendEvent,
  rotateSecret,
  sendTest,
  typesMatching,
} from '../../src/ledger';
import { NOW, subscribe, useLedger } from '../ledger/ledger-fixture';
import { deliverEvents } from '../support/delivering';
import { startWebhookReceiver, type WebhookReceiver } from '../notices/webhook-receiver';
import { waitUntil } from '../support/wait-until';

const ledger = useLedger();

const until = (holds: () => boolean | Promise<boolean>) => waitUntil(holds.toString(), holds);
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const act = { actor: 'ada', at: NOW };

const running: { stop(): Promise<void> }[] = [];
const receivers: WebhookReceiver[] = [];

/** Closes receivers first, because stopping a delivery waits for unanswered posts. */
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((each) => each.close()));
  await Promise.all(running.splice(0).map((each) => each.stop()));
  await ledger.pool.query(`delete from webhook_endpoints where endpoint_id <> 'env'`);
});

/** A process that delivers. */
function deliver(changes: Partial<DeliveryDeps> = {}) {
  const db = createPool({ databaseUrl: ledger.url, max: 4 });
  const delivering = deliverEvents(db, [0.05, 0.05], changes);
  const process = {
    db,
    async stop() {
      await delivering.stop();
      await db.end();
    },
  };
  running.push(process);
  return process;
}

interface Posted {
  id: string;
  type: string;
  sequence?: number;
  test: boolean;
  data: { subscriptionId: string | null; cycle: number | null };
}

async function receive() {
  const receiver = await startWebhookReceiver();
  receivers.push(receiver);
  return {
    receiver,
    posted: () => receiver.received.map(({ body }) => JSON.parse(body) as Posted),
  };
}

async function endpoint(url: string, types: readonly string[] = ['*']): Promise<string> {
  const endpointId = `whe_${randomUUID().replaceAll('-', '')}`;
  await insertEndpoint(ledger.pool, { endpointId, url, description: null, types, enabled: true, secret: SECRET }, act);
  return endpointId;
}

async function insertMissed(subscriptionId: SubscriptionId, ...cycles: number[]) {
  for (const cycle of cycles) {
    await insertEvent(ledger.pool, { subscriptionId, at: NOW, actor: 'dueday', type: 'cycle.missed', data: { cycle } });
  }
}

const deliveriesOf = async (endpointId: string) =>
  (await listDeliveries(ledger.pool, endpointId, {}, { limit: 200, cursor: null })).items;

const statesOf = async (endpointId: string) => (await deliveriesOf(endpointId)).map(({ state }) => state);

test('each event is delivered to every endpoint with its type, in order, from the creation of the endpoint on', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  deliver();
  const [all, some] = [await receive(), await receive()];
  await until(
    async () => (await ledger.pool.query('select from merchant_events where position is null')).rowCount === 0,
  );
  const wanting = await endpoint(some.receiver.url, ['cycle.failed']);
  await endpoint(all.receiver.url, ['cycle.*']);
  await insertMissed(subscriptionId, 1, 2, 3);
  await insertEvent(ledger.pool, {
    subscriptionId,
    at: NOW,
    actor: 'dueday',
    type: 'cycle.failed',
    data: { cycle: 4 },
  });
  await until(() => all.posted().length === 4 && some.posted().length === 1);
  expect(all.posted().map(({ sequence, data }) => [sequence, data.cycle])).toEqual([
    [2, 1],
    [3, 2],
    [4, 3],
    [5, 4],
  ]);
  await until(async () => (await statesOf(wanting)).join() === 'delivered');
});

test('a later event of a subscription waits for the earlier one, which is repeated with the same id; other subscriptions do not wait', async () => {
  const [one, other] = [await subscribe(ledger.pool), await subscribe(ledger.pool)];
  const { receiver, posted } = await receive();
  let refused = 0;
  receiver.answer((response) => {
    const { data } = posted().at(-1)!;
    const refuses = data.subscriptionId === one.subscriptionId && data.cycle === 1 && refused < 2;
    if (refuses) refused += 1;
    response.writeHead(refuses ? 500 : 204).end();
  });
  await endpoint(receiver.url, ['cycle.*']);
  await insertMissed(one.subscriptionId, 1, 2);
  await insertMissed(other.subscriptionId, 7);
  deliver();
  await until(() => posted().some(({ data }) => data.cycle === 2));
  const own = posted().filter(({ data }) => data.subscriptionId === one.subscriptionId);
  expect(own.map(({ data }) => data.cycle)).toEqual([1, 1, 1, 2]);
  expect(new Set(own.slice(0, 3).map(({ id }) => id)).size).toBe(1);
  expect(posted().some(({ data }) => data.cycle === 7)).toBe(true);
});

test('a dead letter does not hold up the next event, and can be replayed, after live events', async () => {
  // A replay also finds the events of other tests, which are in the same ledger.
  await ledger.pool.query('delete from merchant_events');
  const { subscriptionId } = await subscribe(ledger.pool);
  const { receiver, posted } = await receive();
  receiver.answer((response) => response.writeHead(posted().at(-1)!.data.cycle === 1 ? 500 : 204).end('no, thanks'));
  const endpointId = await endpoint(receiver.url, ['cycle.*']);
  await insertMissed(subscriptionId, 1, 2);
  deliver();
  await until(() => posted().length === 4);
  await until(async () => (await statesOf(endpointId)).join() === 'delivered,dead');
  const [, dead] = await deliveriesOf(endpointId);
  expect(dead?.tries.map(({ status, answer }) => [status, answer])).toEqual(Array(3).fill([500, 'no, thanks']));
  receiver.answer((response) => response.writeHead(204).end());
  const jobId = randomUUID();
  const replay = { jobId, endpointId, types: typesMatching(['cycle.*']), since: NOW, until: null, onlyFailed: true };
  await orderReplay(ledger.pool, replay, act);
  await until(async () => (await readReplay(ledger.pool, jobId))?.state === 'finished');
  expect(await readReplay(ledger.pool, jobId)).toMatchObject({ total: 1, done: 1, dead: 0 });
  expect(posted().at(-1)).toMatchObject({ id: posted()[0]?.id, data: { cycle: 1 } });
});

test('a resend has the same id', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  const { receiver, posted } = await receive();
  const endpointId = await endpoint(receiver.url, ['cycle.*']);
  await insertMissed(subscriptionId, 1);
  deliver();
  await until(() => posted().length === 1);
  await resendEvent(ledger.pool, endpointId, posted()[0]!.id, act);
  await until(() => posted().length === 2);
  expect(posted()[1]).toEqual(posted()[0]);
});

test('410 disables the endpoint, which continues with pending events once it is enabled', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  const { receiver, posted } = await receive();
  const watching = await receive();
  receiver.answer((response) => response.writeHead(410).end());
  const endpointId = await endpoint(receiver.url, ['cycle.*']);
  await endpoint(watching.receiver.url, ['endpoint.*']);
  await insertMissed(subscriptionId, 1);
  deliver();
  await until(async () => (await readEndpoint(ledger.pool, endpointId))?.enabled === false);
  expect(await readEndpoint(ledger.pool, endpointId)).toMatchObject({ disabledReason: 'gone' });
  await until(() => watching.posted().some(({ type }) => type === 'endpoint.disabled'));
  receiver.answer((response) => response.writeHead(204).end());
  await changeEndpoint(ledger.pool, endpointId, { enabled: true }, act);
  await until(async () => (await statesOf(endpointId)).join() === 'delivered');
  await until(() => watching.posted().some(({ type }) => type === 'endpoint.recovered'));
  expect(posted()).toHaveLength(2);
});

test('an endpoint is disabled if all attempts to deliver to it fail for too long', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  const { receiver } = await receive();
  receiver.answer((response) => response.writeHead(500).end());
  const endpointId = await endpoint(receiver.url, ['cycle.*']);
  await insertMissed(subscriptionId, 1);
  deliver({ disableAfter: 50, waits: Array(9).fill(0.03) });
  await until(async () => (await readEndpoint(ledger.pool, endpointId))?.disabledReason === 'failing');
});

test('the failures at one URL of an endpoint do not count once the endpoint has another URL', async () => {
  const endpointId = await endpoint('https://one.example/hook', ['cycle.*']);
  await ledger.pool.query('update webhook_endpoints set failing_since_real = now() where endpoint_id = $1', [
    endpointId,
  ]);
  const failingSince = async (url: string) =>
    (await changeEndpoint(ledger.pool, endpointId, { url }, act))?.failingSinceReal;
  expect(await failingSince('https://one.example/hook')).not.toBeNull();
  expect(await failingSince('https://two.example/hook')).toBeNull();
});

test("a slow answer of an endpoint delays neither other endpoints nor the endpoint's events of other subscriptions", async () => {
  const [one, other] = [await subscribe(ledger.pool), await subscribe(ledger.pool)];
  const [slow, quick] = [await receive(), await receive()];
  slow.receiver.answer((response) => {
    if (slow.posted().at(-1)!.data.cycle === 1) return;
    response.writeHead(204).end();
  });
  await endpoint(slow.receiver.url, ['cycle.*']);
  await endpoint(quick.receiver.url, ['cycle.*']);
  await insertMissed(one.subscriptionId, 1);
  deliver();
  await until(() => slow.posted().length === 1);
  await insertMissed(other.subscriptionId, 2, 3);
  await until(() => quick.posted().length === 3 && slow.posted().some(({ data }) => data.cycle === 3));
  expect(slow.posted().filter(({ data }) => data.cycle === 1)).toHaveLength(1);
});

test('several processes together deliver each event once, and in order', async () => {
  const subscribed = await Promise.all(Array.from({ length: 6 }, () => subscribe(ledger.pool)));
  const { receiver, posted } = await receive();
  const endpointId = await endpoint(receiver.url, ['cycle.*']);
  deliver();
  deliver();
  deliver();
  for (let cycle = 1; cycle <= 6; cycle += 1) {
    await Promise.all(subscribed.map(({ subscriptionId }) => insertMissed(subscriptionId, cycle)));
  }
  await until(async () => (await statesOf(endpointId)).filter((state) => state === 'delivered').length === 36);
  expect(posted()).toHaveLength(36);
  for (const { subscriptionId } of subscribed) {
    const own = posted().filter(({ data }) => data.subscriptionId === subscriptionId);
    expect(own.map(({ data }) => data.cycle)).toEqual([1, 2, 3, 4, 5, 6]);
  }
});

test('events are signed with a new secret at once, and also with the previous one until the overlap ends', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  const { receiver } = await receive();
  const endpointId = await endpoint(receiver.url, ['cycle.*']);
  const fresh = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
  await rotateSecret(ledger.pool, endpointId, { secret: fresh, overlapUntilReal: Date.now() + 60_000 }, act);
  await insertMissed(subscriptionId, 1);
  deliver();
  await until(() => receiver.received.length === 1);
  expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  await rotateSecret(ledger.pool, endpointId, { secret: SECRET, overlapUntilReal: Date.now() - 1 }, act);
  await insertMissed(subscriptionId, 2);
  await until(() => receiver.received.length === 2);
  expect(receiver.received[1]?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
});

test('a test event for the endpoint `env` reaches EVENT_WEBHOOK_URL even at a private address, as notices do', async () => {
  const { receiver, posted } = await receive();
  const sender = createWebhookSender(createAddressCheck([], false), createClock(null));
  running.push({ stop: () => sender.close() });
  deliver({ sender, env: { url: receiver.url, secret: SECRET } });
  await sendTest(ledger.pool, ENV, 'cycle.missed', act);
  await until(async () => (await statesOf(ENV)).join() === 'delivered');
  expect(posted()).toMatchObject([{ type: 'cycle.missed', test: true }]);
  expect(await readEndpoint(ledger.pool, ENV)).toMatchObject({ failingSinceReal: null });
});

test('if there is nothing to deliver, each pass of the delivery runs the same single statement', async () => {
  const { receiver } = await receive();
  await endpoint(receiver.url);
  const asked: string[] = [];
  const { db } = deliver();
  db.on('connect', (client) => {
    const watched = client as unknown as { query: (...given: unknown[]) => unknown };
    const query = watched.query.bind(client);
    watched.query = (...given) => {
      asked.push(String(given[0]));
      return query(...given);
    };
  });
  await until(() => asked.length > 6 && new Set(asked.slice(-6)).size === 1);
});
