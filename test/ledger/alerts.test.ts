import { DAY, HOUR } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import {
  actOnAttention,
  applyChange,
  createHold,
  listAttention,
  listEvents,
  raiseAlerts,
  readAlarms,
  recordOutcome,
} from '../../src/ledger';
import { type NewItem, openItem } from '../../src/ledger/rows/attention-item';
import { emptyLedger } from '../support/empty-ledger';
import { NOW, REAL_NOW, sendOf, startDebit, subscribe, type Subscribed, useLedger } from './ledger-fixture';
import { startSend, createCollected, placeRefund } from './refund-fixture';

const ledger = useLedger();
beforeEach(() => emptyLedger(ledger.pool));

const typesOf = (alerts: Awaited<ReturnType<typeof raiseAlerts>>) => alerts.map(({ type }) => type);

async function auditEntriesOf({ subscriptionId }: Subscribed): Promise<string[]> {
  const { items } = await listEvents(ledger.pool, { subscriptionId }, { limit: 100, cursor: null });
  return items.map(({ type }) => type).filter((type) => type.startsWith('alert.'));
}

it.each([
  [HOUR, 0],
  [HOUR + 1, 1],
])('an outcome unknown for %i ms raises %i alerts, and exactly one by a later check', async (age, times) => {
  const subscribed = await subscribe(ledger.pool);
  const ref = await startDebit(ledger.pool, sendOf(subscribed));
  const unknown = { state: 'unknown', reason: 'time-out', sinceReal: REAL_NOW } as const;
  await recordOutcome(ledger.pool, ref, unknown, NOW, { type: 'attempt.unknown', data: {} });
  const first = await raiseAlerts(ledger.pool, NOW, REAL_NOW + age);
  const second = await raiseAlerts(ledger.pool, NOW, REAL_NOW + age + HOUR);
  expect([...first, ...second].filter(({ type }) => type === 'alert.outcome_unknown')).toHaveLength(1);
  expect(first.filter(({ type }) => type === 'alert.outcome_unknown')).toHaveLength(times);
  expect((await auditEntriesOf(subscribed)).filter((type) => type === 'alert.outcome_unknown')).toHaveLength(1);
});

it('a refund with an unknown outcome raises an alert', async () => {
  const subscribed = await createCollected(ledger.pool);
  const refund = await placeRefund(ledger.pool, subscribed, 500);
  await startSend(ledger.pool, refund);
  const [alert] = await raiseAlerts(ledger.pool, NOW, REAL_NOW + 2 * HOUR);
  expect(alert).toMatchObject({
    type: 'alert.outcome_unknown',
    subscriptionId: subscribed.subscriptionId,
    data: { of: 'refund', orderId: refund.refundId, cycle: 0, amount: euros(500) },
  });
  expect(await raiseAlerts(ledger.pool, NOW, REAL_NOW + 2 * HOUR)).toEqual([]);
});

it('two concurrent checks record an alert in the audit log once', async () => {
  const subscribed = await subscribe(ledger.pool);
  await startDebit(ledger.pool, sendOf(subscribed));
  await Promise.all([1, 2].map(() => raiseAlerts(ledger.pool, NOW - 30 * DAY, REAL_NOW + 2 * HOUR)));
  expect(await auditEntriesOf(subscribed)).toEqual(['alert.outcome_unknown']);
});

const dueAt = NOW + 10 * DAY;

async function cycleIn(status: 'dunning' | 'collected' | 'unresolved'): Promise<Subscribed> {
  const subscribed = await subscribe(ledger.pool);
  const { subscriptionId } = subscribed;
  const cycle = { cycle: 3, dueAt, collectBy: dueAt + 5 * DAY, amount: euros(1999), status };
  await applyChange(ledger.pool, { subscriptionId, key: status, at: NOW, actor: 'test', events: [], cycle });
  return subscribed;
}

it.each([
  [dueAt + 4 * DAY - 1, []],
  [dueAt + 4 * DAY, ['alert.window_closing']],
  [dueAt + 5 * DAY - 1, ['alert.window_closing']],
  [dueAt + 5 * DAY, []],
])('a window raises an alert during its last day only: at the instant %i the alerts are %j', async (now, expected) => {
  const subscribed = await cycleIn('dunning');
  expect(typesOf(await raiseAlerts(ledger.pool, now, REAL_NOW))).toEqual(expected);
  expect(await raiseAlerts(ledger.pool, now, REAL_NOW)).toEqual([]);
  expect(await auditEntriesOf(subscribed)).toEqual(expected);
});

it('the closing window of a collected cycle raises no alert', async () => {
  await cycleIn('collected');
  expect(await raiseAlerts(ledger.pool, dueAt + 4 * DAY, REAL_NOW)).toEqual([]);
});

it('the closing window of a due date without an attempt raises an alert', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  const subscription = { status: 'active', nextDueAt: dueAt } as const;
  await applyChange(ledger.pool, { subscriptionId, key: 'k', at: NOW, actor: 'test', events: [], subscription });
  const [alert] = await raiseAlerts(ledger.pool, dueAt + 4 * DAY + 1, REAL_NOW);
  expect(alert).toMatchObject({ type: 'alert.window_closing', subscriptionId, data: { status: 'untried' } });
  expect(await raiseAlerts(ledger.pool, dueAt + 4 * DAY + 2, REAL_NOW)).toEqual([]);
});

it.each(["stopped_by = 'pause'", "stopped_by = 'cancel'", "status = 'paused'"])(
  'a closing window raises no alert while the subscription has %s',
  async (stop) => {
    await cycleIn('dunning');
    const { subscriptionId } = await subscribe(ledger.pool);
    const subscription = { status: 'active', nextDueAt: dueAt } as const;
    await applyChange(ledger.pool, { subscriptionId, key: 'k', at: NOW, actor: 'test', events: [], subscription });
    await ledger.pool.query(`update subscriptions set ${stop}`);
    expect(await raiseAlerts(ledger.pool, dueAt + 4 * DAY + 1, REAL_NOW)).toEqual([]);
    await ledger.pool.query(`update subscriptions set status = 'active', stopped_by = null`);
    expect(await raiseAlerts(ledger.pool, dueAt + 4 * DAY + 1, REAL_NOW)).toHaveLength(2);
  },
);

it('the closing window of a cycle that waits for its retry raises no alert while a hold stops it', async () => {
  const { subscriptionId } = await cycleIn('dunning');
  const now = dueAt + 4 * DAY + 1;
  const hold = { holdId: 'hold_window', filter: { q: subscriptionId }, until: now + HOUR, reason: 'outage' };
  expect((await createHold(ledger.pool, { ...hold, actor: 'ada', at: NOW })).kind).toBe('created');
  expect(typesOf(await raiseAlerts(ledger.pool, now, REAL_NOW))).toEqual([]);
  expect(await readAlarms(ledger.pool, now, REAL_NOW)).toMatchObject({ windowsClosing: 0, nextWindowEnd: null });
  expect(typesOf(await raiseAlerts(ledger.pool, now + HOUR, REAL_NOW))).toEqual(['alert.window_closing']);
});

const alarms = () => readAlarms(ledger.pool, NOW, REAL_NOW);

test('open attention items are counted by kind, whatever their source, except a halt; live subscriptions are counted, too', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  const { subscriptionId: cancelled } = await subscribe(ledger.pool);
  const end = { key: 'over', at: NOW, actor: 'ada', events: [], subscription: { status: 'cancelled' } } as const;
  await applyChange(ledger.pool, { subscriptionId: cancelled, ...end });
  const open: readonly (readonly [NewItem['source'], NewItem['kind']])[] = [
    ['consent', 'consent_unreadable'],
    ['notice', 'upcoming_undelivered'],
    ['difference', 'debit_unknown'],
    ['evidence', 'contradiction'],
    ['halt', 'sending_halted'],
  ];
  for (const [source, kind] of open) await openItem(ledger.pool, { key: kind, source, kind, subscriptionId }, NOW);
  expect(await alarms()).toMatchObject({
    liveSubscriptions: 1,
    attentionItems: { consent_unreadable: 1, upcoming_undelivered: 1, debit_unknown: 1, contradiction: 1 },
  });
  expect((await alarms()).attentionItems).not.toHaveProperty('sending_halted');
});

test('the oldest attention item counts as unhandled until an operator is assigned or has written a note', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  expect((await alarms()).oldestUnhandled).toBeNull();
  for (const [key, age] of [['newest', 1] as const, ['oldest', 3] as const, ['older', 2] as const])
    await openItem(ledger.pool, { key, source: 'evidence', kind: 'contradiction', subscriptionId }, NOW - age * HOUR);
  const act = { actor: 'ada', at: NOW } as const;
  const oldest = async () => (await listAttention(ledger.pool, { sort: 'since' }, { limit: 10, cursor: null })).items;
  const [first, second, third] = (await oldest()).map(({ itemId }) => itemId);

  expect((await alarms()).oldestUnhandled).toBe(NOW - 3 * HOUR);
  await actOnAttention(ledger.pool, first!, { kind: 'assign', assignee: 'Ada' }, act);
  expect((await alarms()).oldestUnhandled).toBe(NOW - 2 * HOUR);
  await actOnAttention(ledger.pool, second!, { kind: 'note', note: 'asked the service' }, act);
  expect((await alarms()).oldestUnhandled).toBe(NOW - HOUR);
  await actOnAttention(ledger.pool, third!, { kind: 'close', reason: 'explained' }, act);
  expect((await alarms()).oldestUnhandled).toBeNull();
  await actOnAttention(ledger.pool, first!, { kind: 'assign', assignee: null }, act);
  expect((await alarms()).oldestUnhandled).toBe(NOW - 3 * HOUR);
});
