import type { LedgerChange } from '../../src/ledger/rows/change';
import type { SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { applyChange, getCycle, getSubscription, listEvents } from '../../src/ledger';
import {
  COLLECT_BY,
  count,
  DUE,
  NOW,
  sendOf,
  settle,
  startDebit,
  subscribe,
  type Subscribed,
  useLedger,
} from './ledger-fixture';

const ledger = useLedger();
const CYCLE = { cycle: 0, dueAt: DUE, collectBy: COLLECT_BY, amount: euros(1999) };

function change(given: Subscribed, changes: Partial<LedgerChange> = {}): LedgerChange {
  return { subscriptionId: given.subscriptionId, key: 'run-1/1', at: NOW, actor: 'ada', events: [], ...changes };
}

const MISSED: Partial<LedgerChange> = {
  events: [
    { type: 'cycle.missed', data: { cycle: 0 } },
    { type: 'attention.changed', data: { is: ['missed:0'] } },
  ],
  subscription: { attention: ['missed:0'], pastDue: true },
  cycle: { ...CYCLE, status: 'missed', reason: 'window closed' },
  notices: [
    { type: 'cycle.missed', cycle: 0, attempt: null, data: { reason: 'window closed' } },
    { type: 'subscription.paused', cycle: null, attempt: null, data: {} },
  ],
};

test('a change writes subscription, cycle, audit entries and notices, and returns the revision', async () => {
  const given = await subscribe(ledger.pool);
  expect(await applyChange(ledger.pool, change(given, MISSED))).toBe(0);
  expect(await count(ledger.pool, 'notices', given.subscriptionId)).toBe(2);
  expect(await getSubscription(ledger.pool, given.subscriptionId)).toMatchObject({
    attention: ['missed:0'],
    pastDue: true,
    standing: 'needs_attention',
  });
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({
    status: 'missed',
    reason: 'window closed',
  });
  const { items } = await listEvents(ledger.pool, given, { limit: 2, cursor: null });
  expect(items.map(({ type, actor, at }) => [type, actor, at])).toEqual([
    ['attention.changed', 'ada', NOW],
    ['cycle.missed', 'ada', NOW],
  ]);
});

test('the entries and notices of a change that is applied twice with the same key are written once', async () => {
  const given = await subscribe(ledger.pool);
  await applyChange(ledger.pool, change(given, MISSED));
  const events = await count(ledger.pool, 'events', given.subscriptionId);
  await applyChange(ledger.pool, change(given, MISSED));
  expect(await count(ledger.pool, 'events', given.subscriptionId)).toBe(events);
  expect(await count(ledger.pool, 'notices', given.subscriptionId)).toBe(2);
});

test('ten concurrent changes with the same key are written once', async () => {
  const given = await subscribe(ledger.pool);
  const before = await count(ledger.pool, 'events', given.subscriptionId);
  await Promise.all(Array.from({ length: 10 }, () => applyChange(ledger.pool, change(given, MISSED))));
  expect(await count(ledger.pool, 'events', given.subscriptionId)).toBe(before + 2);
  expect(await count(ledger.pool, 'notices', given.subscriptionId)).toBe(2);
});

test('a key identifies a change only within its subscription', async () => {
  const [one, two] = [await subscribe(ledger.pool), await subscribe(ledger.pool)];
  await Promise.all([one, two].map((given) => applyChange(ledger.pool, change(given, MISSED))));
  for (const given of [one, two]) expect(await count(ledger.pool, 'notices', given.subscriptionId)).toBe(2);
});

test('a change that fails midway leaves nothing, and its key is free', async () => {
  const given = await subscribe(ledger.pool);
  const broken = { ...MISSED, cycle: { ...CYCLE, status: 'missed' as const, collectBy: DUE } };
  await expect(applyChange(ledger.pool, change(given, broken))).rejects.toThrow('cycles_check');
  expect((await getSubscription(ledger.pool, given.subscriptionId))?.standing).toBe('good');
  await applyChange(ledger.pool, change(given, MISSED));
  expect(await count(ledger.pool, 'notices', given.subscriptionId)).toBe(2);
});

test('a change of a subscription that does not exist is refused', async () => {
  const nobody = { subscriptionId: 'sub_nobody' as SubscriptionId } as Subscribed;
  await expect(applyChange(ledger.pool, change(nobody))).rejects.toThrow('the ledger has no subscription sub_nobody');
});

test('a change patches only the given fields; null is a value', async () => {
  const given = await subscribe(ledger.pool);
  const all = {
    status: 'paused',
    attention: ['x'],
    dunning: true,
    pastDue: true,
    stoppedBy: 'pause',
    pausedUntil: NOW + DAY,
    cancelledBy: 'payer',
    nextDueAt: NOW + 2 * DAY,
  } as const;
  await applyChange(ledger.pool, change(given, { subscription: all }));
  expect(await getSubscription(ledger.pool, given.subscriptionId)).toMatchObject(all);
  const some = { pausedUntil: null, stoppedBy: null, dunning: false } as const;
  await applyChange(ledger.pool, change(given, { key: 'run-1/2', subscription: some }));
  expect(await getSubscription(ledger.pool, given.subscriptionId)).toMatchObject({ ...all, ...some });
});

test.each([
  [{ attention: ['x'], dunning: true, pastDue: true }, 'needs_attention'],
  [{ attention: [], dunning: true, pastDue: true }, 'dunning'],
  [{ attention: [], dunning: false, pastDue: true }, 'past_due'],
  [{ attention: [], dunning: false, pastDue: false }, 'good'],
] as const)('the standing follows its parts: %j is %s', async (parts, standing) => {
  const given = await subscribe(ledger.pool);
  await applyChange(ledger.pool, change(given, { subscription: parts }));
  expect((await getSubscription(ledger.pool, given.subscriptionId))?.standing).toBe(standing);
});

test('a cycle keeps fields that a later change does not contain', async () => {
  const given = await subscribe(ledger.pool);
  const plan = { nextAttemptAt: NOW + HOUR, retriesLeft: 2, retryUntil: NOW + DAY, reason: 'insufficient funds' };
  await applyChange(ledger.pool, change(given, { cycle: { ...CYCLE, ...plan, status: 'dunning' } }));
  await applyChange(ledger.pool, change(given, { key: 'b', cycle: { ...CYCLE, status: 'collecting' } }));
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({ ...plan, status: 'collecting' });
  const cleared = { nextAttemptAt: null, retriesLeft: 0, retryUntil: null, reason: null };
  await applyChange(ledger.pool, change(given, { key: 'c', cycle: { ...CYCLE, ...cleared, status: 'failed' } }));
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({ ...cleared, status: 'failed' });
});

test('a collected cycle stays collected, whatever was decided before', async () => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'successful');
  await applyChange(ledger.pool, change(given, { cycle: { ...CYCLE, status: 'unresolved', reason: 'late word' } }));
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({ status: 'collected', reason: null });
});

test('the amount that an attempt has frozen does not change', async () => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'rejected_retryable');
  await applyChange(ledger.pool, change(given, { cycle: { ...CYCLE, amount: euros(5), status: 'dunning' } }));
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({
    status: 'dunning',
    amount: euros(1999),
  });
});

test('an amount that no attempt has frozen is changed', async () => {
  const given = await subscribe(ledger.pool);
  await applyChange(ledger.pool, change(given, { cycle: { ...CYCLE, status: 'scheduled' } }));
  await applyChange(ledger.pool, change(given, { key: 'b', cycle: { ...CYCLE, amount: euros(5), status: 'skipped' } }));
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({ status: 'skipped', amount: euros(5) });
});

test('a cycle collected by a change is counted', async () => {
  const given = await subscribe(ledger.pool);
  await applyChange(ledger.pool, change(given, { cycle: { ...CYCLE, status: 'collected' } }));
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({ status: 'collected', collectedAt: NOW });
  expect((await getSubscription(ledger.pool, given.subscriptionId))?.cyclesCollected).toBe(1);
});
