import { randomUUID } from 'node:crypto';
import { EVENTS, type EventType } from '../../src/domain/audit/events';
import type { SubscriptionId } from '../../src/domain/ids';
import { insertEvent, listEvents, type NewEvent } from '../../src/ledger';
import { insertEvents } from '../../src/ledger/audit/entries';
import { NOW, useLedger } from './ledger-fixture';

const ALL_TYPES = Object.keys(EVENTS) as EventType[];

const ledger = useLedger();

function event(changes: Partial<NewEvent> = {}): NewEvent {
  return { subscriptionId: null, at: NOW, actor: 'ada', type: 'key.created', data: { name: 'till' }, ...changes };
}

function newId(): SubscriptionId {
  return `sub_${randomUUID()}` as SubscriptionId;
}

test('the audit log is append-only: no update, no delete, no truncate', async () => {
  await insertEvent(ledger.pool, event());
  await expect(ledger.pool.query(`update events set actor = 'eve'`)).rejects.toThrow('update on events is refused');
  await expect(ledger.pool.query('delete from events')).rejects.toThrow('delete on events is refused');
  await expect(ledger.pool.query('truncate events')).rejects.toThrow('truncate on events is refused');
  await expect(ledger.pool.query('truncate events, subscriptions cascade')).rejects.toThrow('is refused');
  expect((await listEvents(ledger.pool, {}, { limit: 5, cursor: null })).items[0]).toMatchObject({ actor: 'ada' });
});

test('an audit entry keeps its business time, its real time and what was changed', async () => {
  const subscriptionId = newId();
  await insertEvent(ledger.pool, event({ subscriptionId, data: { list: [1, { a: null }], text: 'ä"\\' } }));
  const { items } = await listEvents(ledger.pool, { subscriptionId }, { limit: 5, cursor: null });
  expect(items).toEqual([
    {
      id: expect.any(Number),
      subscriptionId,
      paymentId: null,
      at: NOW,
      recordedAt: expect.any(Number),
      actor: 'ada',
      keyId: null,
      type: 'key.created',
      data: { list: [1, { a: null }], text: 'ä"\\' },
      rule: null,
    },
  ]);
});

test('an entry keeps the rule that it is based on, separate from its own data', async () => {
  const subscriptionId = newId();
  const data = { cycle: 3, rule: 'a name', reason: 'retries_used' };
  await insertEvent(ledger.pool, event({ subscriptionId, type: 'cycle.failed', data }));
  const { items } = await listEvents(ledger.pool, { subscriptionId }, { limit: 5, cursor: null });
  expect(items).toMatchObject([{ data, rule: { decision: 15, source: 'reference' } }]);
  expect(items[0]?.data).toEqual(data);
});

test('an entry from before rules were stored cites none', async () => {
  const subscriptionId = newId();
  await ledger.pool.query(
    `insert into events (subscription_id, at, actor, type, data) values ($1, now(), 'dueday', 'cycle.missed', '{"cycle": 1}')`,
    [subscriptionId],
  );
  const { items } = await listEvents(ledger.pool, { subscriptionId }, { limit: 5, cursor: null });
  expect(items).toMatchObject([{ data: { cycle: 1 }, rule: null }]);
});

test('pages of the audit log continue at their position while new entries are added', async () => {
  const subscriptionId = newId();
  const five = ALL_TYPES.slice(0, 5);
  const add = (type: EventType) => insertEvent(ledger.pool, event({ subscriptionId, type }));
  for (const type of five) await add(type);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await listEvents(ledger.pool, { subscriptionId }, { limit: 2, cursor });
    seen.push(...page.items.map(({ type }) => type));
    cursor = page.nextCursor;
    await add('refund.pending');
  } while (cursor !== null);
  expect(seen).toEqual(five.toReversed());
});

test('the audit log is filtered by actor, type and a period of business time, including its start and excluding its end', async () => {
  const subscriptionId = newId();
  for (const at of [NOW - 1, NOW, NOW + 1]) await insertEvent(ledger.pool, event({ subscriptionId, at }));
  await insertEvent(ledger.pool, event({ subscriptionId, actor: 'bo', type: 'subscription.paused' }));
  const found = async (filter: object) =>
    (await listEvents(ledger.pool, { subscriptionId, ...filter }, { limit: 9, cursor: null })).items.length;
  expect(await found({})).toBe(4);
  expect(await found({ actor: 'bo' })).toBe(1);
  expect(await found({ type: 'key.created' })).toBe(3);
  expect(await found({ from: NOW, to: NOW + 1 })).toBe(2);
});

test('a change key and ordinal identify one entry of a subscription', async () => {
  const subscriptionId = newId();
  const write = (of: SubscriptionId, ...types: EventType[]) =>
    insertEvents(ledger.pool, {
      ...{ subscriptionId: of, at: NOW, actor: 'ada', changeKey: 'k' },
      entries: types.map((type) => ({ type, data: {} })),
    });
  await write(subscriptionId, 'cycle.missed');
  await write(subscriptionId, 'cycle.failed', 'cycle.skipped');
  await write(newId(), 'cycle.missed');
  const { items } = await listEvents(ledger.pool, { subscriptionId }, { limit: 5, cursor: null });
  expect(items.map(({ type }) => type)).toEqual(['cycle.skipped', 'cycle.missed']);
});

test('writing an empty list of audit entries writes nothing', async () => {
  const subscriptionId = newId();
  await insertEvents(ledger.pool, { subscriptionId, at: NOW, actor: 'ada', entries: [] });
  expect((await listEvents(ledger.pool, { subscriptionId }, { limit: 5, cursor: null })).items).toEqual([]);
});
