import { HOUR, MINUTE } from '../../src/domain/time';
import {
  actOnAttention,
  endListItem,
  endUnrecordableItem,
  endUnrecordableItems,
  followOverdue,
  listAttention,
  openListItem,
  openUnrecordableItem,
} from '../../src/ledger';
import { windowOf } from './deciding-fixture';
import {
  COLLECT_BY,
  DUE,
  NOW,
  REAL_NOW,
  sendOf,
  settle,
  startDebit,
  subscribe,
  type Subscribed,
  useLedger,
} from './ledger-fixture';

const ledger = useLedger();

/** The open items of a subscription, each with its cycle. */
async function open({ subscriptionId }: Subscribed): Promise<[kind: string, cycle: number | null][]> {
  const { items } = await listAttention(ledger.pool, { subscriptionId }, { limit: 10, cursor: null });
  return items.map(({ kind, cycle }) => [kind, cycle]);
}

function findOverdue(now: number): Promise<unknown> {
  const terms = { now, realNow: REAL_NOW, settle: 15 * MINUTE, callsPerSecond: null, speed: 1 };
  return followOverdue(ledger.pool, terms);
}

const openList = (given: Subscribed, cycle: number): Promise<void> =>
  openListItem(ledger.pool, { ...given, cycle, collectBy: COLLECT_BY, reason: 'the list says there is more', at: NOW });

test('an item of a subscription that is opened again for a later cycle names that cycle', async () => {
  const given = await subscribe(ledger.pool);
  await findOverdue(DUE + 2 * HOUR);
  expect(await open(given)).toEqual([['overdue', 0]]);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'successful');
  const { dueAt } = windowOf(1);
  await ledger.pool.query(
    `update subscriptions set next_due_at = to_timestamp($2::bigint / 1000.0) where subscription_id = $1`,
    [given.subscriptionId, dueAt],
  );
  await findOverdue(dueAt);
  expect(await open(given)).toEqual([]);
  await findOverdue(dueAt + 2 * HOUR);
  expect(await open(given)).toEqual([['overdue', 1]]);
});

test('an item that an operator has closed stays closed for its cycle, and is opened again for a later one', async () => {
  const given = await subscribe(ledger.pool);
  await openList(given, 0);
  const { items } = await listAttention(ledger.pool, given, { limit: 1, cursor: null });
  await actOnAttention(
    ledger.pool,
    items[0]!.itemId,
    { kind: 'close', reason: 'the service was being updated' },
    { actor: 'ada', at: NOW },
  );
  await openList(given, 0);
  expect(await open(given)).toEqual([]);
  await endListItem(ledger.pool, given);
  await openList(given, 1);
  expect(await open(given)).toEqual([['list_incomplete', 1]]);
});

test('an item about a refused write that an operator has closed opens again at the next refusal only if the write has succeeded in between', async () => {
  const given = await subscribe(ledger.pool);
  const work = { activity: 'decide', id: given.subscriptionId };
  const about = { subscriptionId: given.subscriptionId, paymentId: given.paymentId };
  const refuse = () => openUnrecordableItem(ledger.pool, { ...work, about }, 'SQLSTATE 23514 at cycles.refused', NOW);
  const closeIt = async () => {
    const { items } = await listAttention(ledger.pool, given, { limit: 1, cursor: null });
    const close = { kind: 'close', reason: 'the constraint was dropped' } as const;
    await actOnAttention(ledger.pool, items[0]!.itemId, close, { actor: 'ada', at: NOW });
  };
  await refuse();
  await closeIt();
  await refuse();
  expect(await open(given)).toEqual([]);
  await endUnrecordableItem(ledger.pool, work);
  await refuse();
  expect(await open(given)).toEqual([['unrecordable', null]]);
  await closeIt();
  await endUnrecordableItems(ledger.pool, work.activity, [work.id]);
  await refuse();
  expect(await open(given)).toEqual([['unrecordable', null]]);
});
