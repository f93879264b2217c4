import { randomUUID } from 'node:crypto';
import type { SubscriptionId } from '../../src/domain/ids';
import type { DeliveryDeps } from '../../src/jobs/deliver-messages';
import {
  changeEndpoint,
  createPool,
  type DeliveryRecord,
  insertEndpoint,
  insertEvent,
  listDeliveries,
  countReplay,
  orderReplay,
  readEndpoint,
  readReplay,
  resendEvent,
  typesMatching,
} from '../../src/ledger';
import { NOW, subscribe, useLedger } from '../ledger/ledger-fixture';
import { startWebhookReceiver, type WebhookReceiver } from '../notices/webhook-receiver';
import { deliverEvents } from '../support/delivering';
import { waitUntil } from '../support/wait-until';

/**
 * Row 52 of docs/explain/faults.md: an endpoint returns after an outage. The first wait after a failed try is an hour, so whatever
 * arrives in these tests was sent early.
 */

const ledger = useLedger();

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** Concurrent deliveries to one endpoint. */
const AT_ONCE = 8;
const SUBSCRIPTIONS = 20;
const CYCLES = 3;
const act = { actor: 'ada', at: NOW };
const NEVER_PROBED = 3_600_000;

let receiver: WebhookReceiver;
let endpointId: string;
let ids: SubscriptionId[];
let stops: (() => Promise<unknown>)[];

beforeEach(async () => {
  stops = [];
  // A replay also finds the events of other tests, which are in the same ledger.
  await ledger.pool.query('delete from merchant_events');
  receiver = await startWebhookReceiver();
  endpointId = `whe_${randomUUID().replaceAll('-', '')}`;
  const endpoint = { endpointId, url: receiver.url, secret: SECRET, description: null, types: ['cycle.*'] };
  await insertEndpoint(ledger.pool, { ...endpoint, enabled: true }, act);
  ids = [];
  for (let each = 0; each < SUBSCRIPTIONS; each += 1) ids.push((await subscribe(ledger.pool)).subscriptionId);
});

/** Closes receivers first, because stopping a delivery waits for unanswered posts. */
afterEach(async () => {
  await receiver.close();
  for (const stop of stops.toReversed()) await stop();
  await ledger.pool.query(`delete from webhook_endpoints where endpoint_id <> 'env'`);
});

function deliver(changes: Partial<DeliveryDeps> = {}): void {
  const db = createPool({ databaseUrl: ledger.url, max: 4 });
  const delivering = deliverEvents(db, [3_600, 3_600], { probeEvery: NEVER_PROBED, ...changes });
  stops.push(() => delivering.stop().then(() => db.end()));
}

/** Inserts the event of a missed cycle for each subscription, in the order of the subscriptions. */
async function insertMissed(cycle: number): Promise<void> {
  for (const subscriptionId of ids) {
    const entry = { subscriptionId, at: NOW, actor: 'dueday', type: 'cycle.missed', data: { cycle } } as const;
    await insertEvent(ledger.pool, entry);
  }
}

async function all(): Promise<readonly DeliveryRecord[]> {
  return (await listDeliveries(ledger.pool, endpointId, {}, { limit: 200, cursor: null })).items;
}

const inState = async (state: DeliveryRecord['state']) => (await all()).filter((each) => each.state === state);

interface Posted {
  readonly id: string;
  readonly data: { readonly subscriptionId: string; readonly cycle: number };
}

const posted = () => receiver.received.map(({ body }) => JSON.parse(body) as Posted);
const answer = (status: number) => receiver.answer((response) => void response.writeHead(status).end());
const delivered = (count: number) =>
  waitUntil(`${count} are delivered`, async () => (await inState('delivered')).length === count);

/** Plays an outage: the oldest event of each subscription has failed once, and its next attempt is an hour away. */
async function outage(): Promise<void> {
  answer(503);
  for (let cycle = 1; cycle <= CYCLES; cycle += 1) await insertMissed(cycle);
  await waitUntil('the first of each subscription has failed', async () => {
    const pending = await inState('pending');
    const failed = pending.filter(({ waitingFor }) => waitingFor?.kind === 'time');
    return failed.length === SUBSCRIPTIONS && pending.length === SUBSCRIPTIONS * CYCLES;
  });
  receiver.received.length = 0;
  answer(204);
}

/** The ids of the oldest event, or of several if they were recorded in the same millisecond. */
async function oldestEvents(): Promise<readonly string[]> {
  const { rows } = await ledger.pool.query<{ event_id: string }>(
    `select event_id from merchant_events
     where recorded_real_at = (select min(recorded_real_at) from merchant_events where type = 'cycle.missed')`,
  );
  return rows.map(({ event_id }) => event_id);
}

/** Expects the events that have arrived since to be in order within each subscription, each event once. */
function expectInOrder(): void {
  for (const subscriptionId of ids) {
    const cycles = posted().flatMap(({ data }) => (data.subscriptionId === subscriptionId ? [data.cycle] : []));
    expect(cycles).toEqual([1, 2, 3]);
  }
}

test('fault 52: a returning endpoint is noticed by a probe, and all waiting events are sent at once, in order, eight at a time', async () => {
  let [atOnce, most] = [0, 0];
  deliver({ probeEvery: 1_500 });
  await outage();
  receiver.answer((response) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    setTimeout(() => {
      atOnce -= 1;
      response.writeHead(204).end();
    }, 20);
  });
  await delivered(SUBSCRIPTIONS * CYCLES);
  expectInOrder();
  // The oldest event is the probe, and the others follow by age.
  expect(await oldestEvents()).toContain(posted()[0]?.id);
  expect(
    new Set(
      posted()
        .slice(0, SUBSCRIPTIONS)
        .map(({ data }) => data.cycle),
    ),
  ).toContain(1);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(AT_ONCE);
  expect(await readEndpoint(ledger.pool, endpointId)).toMatchObject({ failingSinceReal: null });
});

test('fault 52: a failed probe does not count as a delivery attempt', async () => {
  deliver({ probeEvery: 200 });
  await outage();
  answer(503);
  receiver.received.length = 0;
  await waitUntil('it was probed', () => posted().length >= 4);
  // On a busy machine there may be more than one: while the oldest event is still being sent, the next probe takes another event.
  const probedIds = new Set(posted().map(({ id }) => id));
  const probed = (await all()).filter(({ eventId }) => probedIds.has(eventId));
  expect(probed).toHaveLength(probedIds.size);
  for (const { state, tries } of probed)
    expect({ state, tries }).toMatchObject({ state: 'pending', tries: [{ status: 503 }] });
});

test('fault 52: the first success after failures sends all waiting events at once', async () => {
  deliver();
  await outage();
  const other = await subscribe(ledger.pool);
  const entry = { subscriptionId: other.subscriptionId, at: NOW, actor: 'dueday', type: 'cycle.missed' } as const;
  await insertEvent(ledger.pool, { ...entry, data: { cycle: 9 } });
  await delivered(SUBSCRIPTIONS * CYCLES + 1);
  expectInOrder();
});

test('fault 52: an event that is always refused is not sent early at each success of another event', async () => {
  deliver();
  await insertMissed(1);
  await delivered(SUBSCRIPTIONS);
  receiver.answer((response) => void response.writeHead(posted().at(-1)?.data.cycle === 2 ? 500 : 204).end());
  ids = ids.slice(0, 1);
  await insertMissed(2);
  const others = [await subscribe(ledger.pool), await subscribe(ledger.pool), await subscribe(ledger.pool)];
  await waitUntil('it was refused', () => posted().some(({ data }) => data.cycle === 2));
  for (const [index, { subscriptionId }] of others.entries()) {
    ids = [subscriptionId];
    await insertMissed(3);
    await delivered(SUBSCRIPTIONS + index + 1);
  }
  expect(posted().filter(({ data }) => data.cycle === 2).length).toBeLessThanOrEqual(2);
});

test.each<[string, () => Promise<unknown>]>([
  ['a new URL', () => changeEndpoint(ledger.pool, endpointId, { url: `${receiver.url}?v=2` }, act)],
  ['enabling the endpoint', () => changeEndpoint(ledger.pool, endpointId, { enabled: true }, act)],
  ['a replay', () => replay(true)],
])('fault 52: %s sends all waiting events at once', async (_what, change) => {
  deliver();
  await outage();
  await change();
  await delivered(SUBSCRIPTIONS * CYCLES);
  expectInOrder();
});

test('fault 52: a resend sends all waiting events at once, and the event again', async () => {
  deliver();
  await insertMissed(0);
  await delivered(SUBSCRIPTIONS);
  const [{ id } = { id: '' }] = posted();
  await outage();
  await resendEvent(ledger.pool, endpointId, id, act);
  await delivered(SUBSCRIPTIONS * (CYCLES + 1) + 1);
  expect(posted().filter((each) => each.id === id)).toHaveLength(1);
});

async function replay(onlyFailed: boolean): Promise<string> {
  const jobId = randomUUID();
  const wanted = { jobId, endpointId, types: typesMatching(['cycle.*']), since: NOW, until: null, onlyFailed };
  await orderReplay(ledger.pool, wanted, act);
  return jobId;
}

const finished = (jobId: string) =>
  waitUntil('it has finished', async () => (await readReplay(ledger.pool, jobId))?.state === 'finished');

describe('orderReplay', () => {
  /** The first cycles were delivered, the second ones given up, the third ones delivered. */
  beforeEach(async () => {
    deliver({ waits: [] });
    for (const [cycle, status] of [
      [1, 204],
      [2, 400],
      [3, 204],
    ] as const) {
      answer(status);
      await insertMissed(cycle);
      await waitUntil('all have ended', async () => {
        const ended = (await all()).filter(({ state }) => state !== 'pending');
        return ended.length === SUBSCRIPTIONS * cycle;
      });
    }
    answer(204);
    receiver.received.length = 0;
  });

  test('fault 52: a replay of failed deliveries sends only events that were not delivered', async () => {
    const wanted = { endpointId, types: typesMatching(['cycle.*']), since: NOW, until: null };
    expect(await countReplay(ledger.pool, { ...wanted, onlyFailed: true })).toBe(SUBSCRIPTIONS);
    expect(await countReplay(ledger.pool, { ...wanted, onlyFailed: false })).toBe(3 * SUBSCRIPTIONS);
    const jobId = await replay(true);
    await finished(jobId);
    expect(posted().map(({ data }) => data.cycle)).toEqual(Array(SUBSCRIPTIONS).fill(2));
    const counted = { total: SUBSCRIPTIONS, done: SUBSCRIPTIONS, newTotal: SUBSCRIPTIONS, newDone: SUBSCRIPTIONS };
    expect(await readReplay(ledger.pool, jobId)).toMatchObject(counted);
    // A second replay finds nothing left.
    expect(await readReplay(ledger.pool, await replay(true))).toMatchObject({ total: 0 });
  });

  test('fault 52: a replay of everything sends delivered events last, and counts the new ones', async () => {
    const jobId = await replay(false);
    await finished(jobId);
    const cycles = posted().map(({ data }) => data.cycle);
    // Eight are under way at a time: the last undelivered ones may arrive behind delivered ones that were started after them.
    expect(cycles.slice(0, AT_ONCE)).toEqual(Array(AT_ONCE).fill(2));
    expect(cycles.lastIndexOf(2)).toBeLessThan(SUBSCRIPTIONS + AT_ONCE);
    expect(cycles.toSorted()).toEqual([1, 2, 3].flatMap((cycle) => ids.map(() => cycle)));
    const all = SUBSCRIPTIONS * CYCLES;
    const counted = { total: all, done: all, newTotal: SUBSCRIPTIONS, newDone: SUBSCRIPTIONS };
    expect(await readReplay(ledger.pool, jobId)).toMatchObject(counted);
  });
});

test('fault 52: a pending delivery shows why it waits', async () => {
  deliver();
  await outage();
  const own = (await all()).filter(({ waitingFor }) => waitingFor !== null);
  const kinds = own.map(({ waitingFor }) => waitingFor?.kind);
  expect(kinds.filter((kind) => kind === 'time')).toHaveLength(SUBSCRIPTIONS);
  expect(kinds.filter((kind) => kind === 'event')).toHaveLength(SUBSCRIPTIONS * (CYCLES - 1));
  const first = own.find(({ waitingFor }) => waitingFor?.kind === 'time');
  expect(own).toContainEqual(
    expect.objectContaining({ waitingFor: { kind: 'event', eventId: first?.eventId } }) as DeliveryRecord,
  );
  await changeEndpoint(ledger.pool, endpointId, { enabled: false }, act);
  expect(new Set((await inState('pending')).map(({ waitingFor }) => waitingFor?.kind))).toEqual(new Set(['endpoint']));
});
