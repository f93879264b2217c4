import {
  applyChange,
  endUnrecordableItem,
  getSubscription,
  inTransaction,
  listSubscriptions,
  markOrphaned,
  openUnrecordableItem,
  readMarkedAtEnd,
  unmarkOrphaned,
} from '../../src/ledger';
import { NOW, type Subscribed, subscribe, useLedger } from './ledger-fixture';

const ledger = useLedger();

let nth = 0;
async function attend({ subscriptionId }: Subscribed, attention: string[]) {
  nth += 1;
  const change = { key: `change ${nth}`, at: NOW + nth, actor: 'test', events: [] };
  await applyChange(ledger.pool, { subscriptionId, ...change, subscription: { attention, pastDue: true } });
}

const work = ({ subscriptionId }: Subscribed) => ({ activity: 'collect', id: subscriptionId });

async function openUnrecordable(given: Subscribed) {
  const about = { subscriptionId: given.subscriptionId };
  await openUnrecordableItem(ledger.pool, { ...work(given), about }, 'SQLSTATE 22003', NOW);
}

const endUnrecordable = (given: Subscribed) => inTransaction(ledger.pool, (db) => endUnrecordableItem(db, work(given)));

async function shown({ subscriptionId }: Subscribed) {
  const found = await getSubscription(ledger.pool, subscriptionId);
  return [found?.standing, found?.attention];
}

async function listed(standing: 'needs_attention' | 'past_due') {
  const { items } = await listSubscriptions(ledger.pool, { standing }, { limit: 200, cursor: null });
  return items.map(({ subscriptionId }) => subscriptionId);
}

test('a subscription needs attention only while one of its items is open', async () => {
  const given = await subscribe(ledger.pool);
  await attend(given, ['unresolved:0', 'notice_undeliverable:1']);
  expect(await shown(given)).toEqual(['needs_attention', ['unresolved:0', 'notice_undeliverable:1']]);
  await attend(given, ['notice_undeliverable:1']);
  expect(await shown(given)).toEqual(['needs_attention', ['notice_undeliverable:1']]);
  await attend(given, []);
  expect(await shown(given)).toEqual(['past_due', []]);
});

test("ending the item about a write that PostgreSQL refuses does not end the items of the subscription's state, nor the reverse", async () => {
  const given = await subscribe(ledger.pool);
  await attend(given, ['unresolved:0']);
  await openUnrecordable(given);
  await attend(given, []);
  expect(await shown(given)).toEqual(['needs_attention', []]);
  await attend(given, ['unresolved:0']);
  await endUnrecordable(given);
  expect(await shown(given)).toEqual(['needs_attention', ['unresolved:0']]);
});

test('a list filtered by standing follows the open items', async () => {
  const [one, other] = [await subscribe(ledger.pool), await subscribe(ledger.pool)];
  await attend(one, ['unresolved:0']);
  await attend(other, []);
  expect(await listed('needs_attention')).toContain(one.subscriptionId);
  expect(await listed('needs_attention')).not.toContain(other.subscriptionId);
  await openUnrecordable(other);
  await attend(one, []);
  expect(await listed('past_due')).toContain(one.subscriptionId);
  expect(await listed('needs_attention')).toContain(other.subscriptionId);
});

test('after items have opened and closed concurrently, the standing is that of the open ones', async () => {
  const given = await subscribe(ledger.pool);
  for (let round = 0; round < 20; round += 1) {
    await attend(given, ['unresolved:0']);
    await Promise.all([attend(given, []), openUnrecordable(given)]);
    expect((await shown(given))[0]).toBe('needs_attention');
    await endUnrecordable(given);
    expect((await shown(given))[0]).toBe('past_due');
  }
});

test('marking an orphan, once, and unmarking it leave its other items open', async () => {
  const given = await subscribe(ledger.pool);
  const orphan = { kind: 'subscription', id: given.subscriptionId } as const;
  await attend(given, ['unresolved:0']);
  expect(await markOrphaned(ledger.pool, orphan, NOW + 1000)).toBe(true);
  expect(await markOrphaned(ledger.pool, orphan, NOW + 1000)).toBe(false);
  expect(await shown(given)).toEqual(['needs_attention', ['unresolved:0', 'orphaned']]);
  await unmarkOrphaned(ledger.pool, orphan, NOW + 2000);
  expect(await shown(given)).toEqual(['needs_attention', ['unresolved:0']]);
});

test('an orphaned subscription that has ended is found as one that needs no workflow any more', async () => {
  const given = await subscribe(ledger.pool);
  const { subscriptionId } = given;
  const marked = { kind: 'subscription', id: subscriptionId } as const;
  expect(await markOrphaned(ledger.pool, marked, NOW)).toBe(true);
  expect(await readMarkedAtEnd(ledger.pool)).not.toContainEqual(marked);
  const end = { subscriptionId, key: 'end', at: NOW, actor: 'test', events: [] };
  await applyChange(ledger.pool, { ...end, subscription: { status: 'cancelled', cancelledBy: 'payer' } });
  expect(await readMarkedAtEnd(ledger.pool)).toContainEqual(marked);
});
