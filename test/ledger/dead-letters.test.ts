import { randomUUID } from 'node:crypto';
import type { SubscriptionId } from '../../src/domain/ids';
import { DAY } from '../../src/domain/time';
import {
  actOnAttention,
  changeEndpoint,
  claimDeliveries,
  deleteEndpoint,
  endPurgedDeadLetters,
  fanOut,
  insertEndpoint,
  insertEvent,
  listAttention,
  orderReplay,
  placeEvents,
  purgeEvents,
  queueReplay,
  readAlarms,
  resendEvent,
  sendTest,
  type TryRecord,
  typesMatching,
} from '../../src/ledger';
import { queueEvents, tryAll } from './delivery-fixture';
import { NOW, REAL_NOW, subscribe, useLedger } from './ledger-fixture';

const ledger = useLedger();

const act = { actor: 'ada', at: NOW };

afterEach(async () => {
  await ledger.pool.query(`delete from webhook_endpoints where endpoint_id <> 'env'`);
  await ledger.pool.query('delete from attention_items');
  await ledger.pool.query('delete from merchant_events');
});

async function endpoint(): Promise<string> {
  const endpointId = `whe_${randomUUID().replaceAll('-', '')}`;
  const wanted = { endpointId, url: 'https://shop.example/', description: null, secret: 'whsec_x', enabled: true };
  await insertEndpoint(ledger.pool, { ...wanted, types: ['cycle.*'] }, act);
  return endpointId;
}

async function insertMissed(subscriptionId: SubscriptionId, ...cycles: number[]): Promise<void> {
  for (const cycle of cycles) {
    await insertEvent(ledger.pool, { subscriptionId, at: NOW, actor: 'dueday', type: 'cycle.missed', data: { cycle } });
  }
  await queueEvents(ledger.pool);
}

/** Records a try of every delivery that is due at the endpoint. @returns the ids of the events */
const tried = (endpointId: string, state: TryRecord['state'], status = state === 'delivered' ? 204 : 500) =>
  tryAll(ledger.pool, endpointId, { state, status, wait: 60_000 }, NOW + DAY);

async function replay(endpointId: string): Promise<void> {
  const replay = { jobId: randomUUID(), endpointId, types: typesMatching(['*']), since: NOW, until: null };
  await orderReplay(ledger.pool, { ...replay, onlyFailed: true }, act);
  while (await queueReplay(ledger.pool));
}

const items = async () => (await listAttention(ledger.pool, {}, { limit: 50, cursor: null })).items;
const counts = async () => (await items()).map(({ endpoint: { undelivered } }) => undelivered);

test('all dead letters of an endpoint are one item, which shows their number, since when, and the last one', async () => {
  const [one, other] = [await subscribe(ledger.pool), await subscribe(ledger.pool)];
  const endpointId = await endpoint();
  await insertMissed(one.subscriptionId, 1, 2);
  await insertMissed(other.subscriptionId, 1);
  await tried(endpointId, 'pending');
  expect(await items()).toEqual([]);
  await ledger.pool.query('update webhook_queues set next_try_real_at = now()');
  const events = await tried(endpointId, 'dead');
  expect(events).toHaveLength(3);
  expect(await items()).toMatchObject([
    {
      source: 'endpoint',
      kind: 'dead_letter',
      endpointId,
      subscriptionId: null,
      paymentId: null,
      amount: null,
      since: NOW + DAY,
      deadline: null,
      ledger: { state: 'dead', id: events.at(-1), detail: 'HTTP 500' },
      endpoint: { enabled: true, undelivered: 3 },
    },
  ]);
  expect((await readAlarms(ledger.pool, NOW, REAL_NOW)).attentionItems).toMatchObject({ dead_letter: 1 });
});

test('a dead-letter item is closed only once a replay has delivered each dead letter', async () => {
  const [one, other] = [await subscribe(ledger.pool), await subscribe(ledger.pool)];
  const endpointId = await endpoint();
  await insertMissed(one.subscriptionId, 1);
  const [event = ''] = await tried(endpointId, 'dead');
  await insertMissed(other.subscriptionId, 1);
  await tried(endpointId, 'dead');
  await resendEvent(ledger.pool, endpointId, event, act);
  await tried(endpointId, 'delivered');
  expect(await counts()).toEqual([1]);
  await replay(endpointId);
  await tried(endpointId, 'dead');
  expect(await counts()).toEqual([1]);
  await replay(endpointId);
  await tried(endpointId, 'delivered');
  expect(await items()).toEqual([]);
});

test('once all events of a disabled endpoint have been delivered, enabling the endpoint closes its dead-letter item', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  const endpointId = await endpoint();
  await insertMissed(subscriptionId, 1, 2);
  await tried(endpointId, 'dead');
  await replay(endpointId);
  const claimed = await claimDeliveries(ledger.pool, {
    endpointId,
    claimId: randomUUID(),
    lease: 0,
    limit: 20,
    probeEvery: 60_000,
  });
  expect(claimed).toHaveLength(1);
  await changeEndpoint(ledger.pool, endpointId, { enabled: false }, act);
  await ledger.pool.query(
    `update webhook_deliveries set state = 'delivered', ended_real_at = now() where state = 'pending'`,
  );
  expect(await items()).toMatchObject([{ endpoint: { enabled: false, undelivered: 0 } }]);
  await changeEndpoint(ledger.pool, endpointId, { enabled: true }, act);
  expect(await items()).toEqual([]);
});

test('while an event is undelivered, enabling the endpoint does not close its dead-letter item, but deleting the endpoint does', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  const endpointId = await endpoint();
  await insertMissed(subscriptionId, 1);
  await tried(endpointId, 'dead', 410);
  expect(await items()).toMatchObject([{ ledger: { detail: 'HTTP 410' }, endpoint: { enabled: false } }]);
  await changeEndpoint(ledger.pool, endpointId, { enabled: true }, act);
  expect(await counts()).toEqual([1]);
  await deleteEndpoint(ledger.pool, endpointId, act);
  expect(await items()).toEqual([]);
});

test('the dead-letter item is closed when its events are purged for their age', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  const endpointId = await endpoint();
  await insertMissed(subscriptionId, 1);
  await tried(endpointId, 'dead');
  await endPurgedDeadLetters(ledger.pool);
  expect(await counts()).toEqual([1]);
  await purgeEvents(ledger.pool, Date.now() + DAY, 500);
  await endPurgedDeadLetters(ledger.pool);
  expect(await items()).toEqual([]);
});

test('an operator may close the dead-letter item; the next dead letter opens it again', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  const endpointId = await endpoint();
  await insertMissed(subscriptionId, 1);
  await tried(endpointId, 'dead');
  const [item] = await items();
  const closed = { kind: 'close', reason: 'the shop has asked for them' } as const;
  expect(await actOnAttention(ledger.pool, item!.itemId, closed, act)).toMatchObject({ kind: 'done' });
  expect(await items()).toEqual([]);
  await insertMissed(subscriptionId, 2);
  await tried(endpointId, 'delivered');
  expect(await items()).toEqual([]);
  await insertMissed(subscriptionId, 3);
  await tried(endpointId, 'dead');
  expect(await items()).toMatchObject([{ itemId: item!.itemId, endpoint: { undelivered: 2 } }]);
});

test('no event reports dead letters: it would become one itself at the failing endpoint', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  const endpointId = await endpoint();
  await insertMissed(subscriptionId, 1);
  await tried(endpointId, 'dead');
  const [item] = await items();
  await actOnAttention(ledger.pool, item!.itemId, { kind: 'close', reason: 'not wanted' }, act);
  await insertMissed(subscriptionId, 2);
  await tried(endpointId, 'dead');
  await deleteEndpoint(ledger.pool, endpointId, act);
  const { rows } = await ledger.pool.query(`select type from merchant_events where type like 'attention.%'`);
  expect(rows).toEqual([]);
});

test('neither a failed test event nor a failed resend of a delivered event leaves an open dead letter', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  const endpointId = await endpoint();
  await sendTest(ledger.pool, endpointId, 'cycle.missed', act);
  await tried(endpointId, 'dead');
  await insertMissed(subscriptionId, 1);
  const [event = ''] = await tried(endpointId, 'delivered');
  await resendEvent(ledger.pool, endpointId, event, act);
  await tried(endpointId, 'dead');
  expect(await items()).toEqual([]);
});

test('results of a failing endpoint are recorded while deliveries for it are created', async () => {
  const subscribed = await Promise.all(Array.from({ length: 8 }, () => subscribe(ledger.pool)));
  const endpointId = await endpoint();
  for (let cycle = 1; cycle <= 6; cycle += 1) {
    await Promise.all(
      subscribed.map(({ subscriptionId }) =>
        insertEvent(ledger.pool, { subscriptionId, at: NOW, actor: 'dueday', type: 'cycle.missed', data: { cycle } }),
      ),
    );
    await placeEvents(ledger.pool);
    await Promise.all([fanOut(ledger.pool), tried(endpointId, 'dead'), tried(endpointId, 'dead')]);
  }
  await fanOut(ledger.pool);
  await tried(endpointId, 'dead');
  expect(await counts()).toEqual([48]);
});
