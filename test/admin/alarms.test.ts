import { DAY, HOUR } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { NoticeId, SubscriptionId } from '../../src/domain/ids';
import {
  applyChange,
  applyPaymentChange,
  openOrderItem,
  openReleaseItem,
  markOrphaned,
  recordDelivery,
  recordCheckFinished,
  resolveOrder,
  unmarkOrphaned,
} from '../../src/ledger';
import { orderedCapture } from '../ledger/payment-fixture';
import { type AdminUnderTest, NOW, startAdmin } from './admin-under-test';
import { order } from './order';
import { createAuthorized } from './payment-order';

const ID = 'sub_a' as SubscriptionId;
let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
  await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: ID }) });
});
afterAll(() => admin.stop());

async function metric(name: string, on = admin.app): Promise<string[]> {
  const { body } = await on.inject({ method: 'GET', url: '/metrics' });
  const lines = body.split('\n').filter((line) => line.startsWith(`dueday_${name}`));
  return lines.map((line) => line.slice(`dueday_${name}`.length).trim());
}

function change(key: string, more: Partial<Parameters<typeof applyChange>[1]>) {
  return applyChange(admin.db, { subscriptionId: ID, key, at: NOW, actor: 'test', events: [], ...more });
}

function openCycle(cycle: number, collectBy: number) {
  const dueAt = collectBy - 5 * DAY;
  return change(`cycle ${cycle}`, { cycle: { cycle, dueAt, collectBy, amount: euros(1999), status: 'dunning' } });
}

test('open attention items are counted by kind until they are handled', async () => {
  expect(await metric('attention_items_open')).toEqual([]);
  await change('a', { subscription: { attention: ['unresolved:3', 'notice_undeliverable:4', 'unresolved:5'] } });
  expect((await metric('attention_items_open')).sort()).toEqual([
    '{kind="notice_undeliverable"} 1',
    '{kind="unresolved"} 2',
  ]);
  await change('b', { subscription: { attention: [] } });
  expect(await metric('attention_items_open')).toEqual([]);
});

test('one-time payments without a running workflow are counted as orphaned', async () => {
  const payment = { kind: 'payment', id: await createAuthorized(admin) } as const;
  await markOrphaned(admin.db, payment, NOW);
  expect(await metric('attention_items_open')).toEqual(['{kind="orphaned"} 1']);
  await unmarkOrphaned(admin.db, payment, NOW);
  expect(await metric('attention_items_open')).toEqual([]);
});

test('an order that waits for an operator is counted until it is settled', async () => {
  const paymentId = await createAuthorized(admin);
  const orderId = await orderedCapture(admin.db, { subscriptionId: null, requestId: '', paymentId }, 10_000, NOW);
  await openOrderItem(admin.db, orderId, 'the service lists another', NOW);
  expect(await metric('attention_items_open')).toEqual(['{kind="capture_unresolved"} 1']);
  const act = { actor: 'Grace', at: NOW, realAt: admin.clock.real };
  const word = { outcome: 'failed', evidence: 'made by hand', serviceId: null, ...act } as const;
  expect(await resolveOrder(admin.db, { orderId, ...word })).toEqual({ kind: 'resolved' });
  expect(await metric('attention_items_open')).toEqual([]);
});

test('a release that waits for an operator is counted until the payment has ended', async () => {
  const paymentId = await createAuthorized(admin);
  await openReleaseItem(admin.db, { paymentId, serviceState: 'successful', reason: 'DELETE: refused', at: NOW });
  expect(await metric('attention_items_open')).toEqual(['{kind="release_unresolved"} 1']);
  await applyPaymentChange(admin.db, { paymentId, at: NOW, patch: { expiredAt: NOW } });
  expect(await metric('attention_items_open')).toEqual([]);
  await openReleaseItem(admin.db, { paymentId, serviceState: null, reason: 'too late', at: NOW });
  expect(await metric('attention_items_open')).toEqual([]);
});

test('windows that close within 24 hours are counted: from 24 hours before their end, not a millisecond earlier, and no longer once closed', async () => {
  expect(await metric('windows_closing_within_a_day')).toEqual(['0']);
  await openCycle(5, NOW + DAY);
  expect(await metric('windows_closing_within_a_day')).toEqual(['1']);
  await openCycle(6, NOW + DAY + 1);
  await openCycle(7, NOW);
  expect(await metric('windows_closing_within_a_day')).toEqual(['1']);
});

test('a metric shows in how many seconds the next window closes, and is absent if none is open', async () => {
  // Of the windows that the previous test has opened, one closes now and the next in a day.
  expect(await metric('least_window_seconds')).toEqual(['86400']);
  await openCycle(8, NOW + HOUR);
  expect(await metric('least_window_seconds')).toEqual(['3600']);
  await admin.db.query(`update cycles set status = 'failed'`);
  expect(await metric('least_window_seconds')).toEqual([]);
});

/** Each way in which a pause or a cancellation stops a subscription. */
const STOPS = [
  ['active', 'pause'],
  ['active', 'cancel'],
  ['paused', null],
];
const stop = (status: string | null, by: string | null) =>
  admin.db.query('update subscriptions set status = $1, stopped_by = $2', [status, by]);

async function forEachStop(then: () => Promise<void>): Promise<void> {
  for (const [status = null, by = null] of STOPS) {
    await stop(status, by);
    await then();
  }
  await stop('active', null);
}

const windows = async () => [await metric('windows_closing_within_a_day'), await metric('least_window_seconds')];

test('while a pause or cancellation stops a subscription, the window of a retry is not counted, but that of an unknown outcome is', async () => {
  await openCycle(10, NOW + HOUR);
  await forEachStop(async () => expect(await windows()).toEqual([['0'], []]));
  expect(await windows()).toEqual([['1'], ['3600']]);
  await admin.db.query(
    `insert into attempts (subscription_id, cycle, attempt, send, payment_id, amount, due_at, state, at, sending_real_at, owner)
     values ($1, 10, 0, 0, 'pay', 1999, now(), 'sending', now(), now(), 'test')`,
    [ID],
  );
  await forEachStop(async () => expect(await windows()).toEqual([['1'], ['3600']]));
  await admin.db.query(`update attempts set state = 'not_sent', outcome_at = now() where cycle = 10`);
  await forEachStop(async () => expect(await windows()).toEqual([['0'], []]));
  await admin.db.query(`update cycles set status = 'unresolved' where cycle = 10`);
  await forEachStop(async () => expect(await windows()).toEqual([['1'], ['3600']]));
  await admin.db.query(`update cycles set status = 'failed' where cycle = 10`);
});

test('a due date is counted from its instant until its first attempt, unless the subscription is stopped or the attempt postponed', async () => {
  const due = (at: number) => change(`due ${at}`, { subscription: { status: 'active', nextDueAt: at } });
  await due(NOW + 1);
  expect([await metric('due_not_tried'), await metric('least_window_seconds')]).toEqual([['0'], []]);
  await due(NOW);
  expect([await metric('due_not_tried'), await metric('least_window_seconds')]).toEqual([['1'], ['432000']]);
  await forEachStop(async () => {
    expect([await metric('due_not_tried'), await metric('least_window_seconds')]).toEqual([['0'], []]);
  });
  const window = { cycle: 9, dueAt: NOW, collectBy: NOW + 5 * DAY, amount: euros(1999) };
  const postpone = (until: number) =>
    change(`until ${until}`, { cycle: { ...window, status: 'scheduled', postponedUntil: until } });
  await postpone(NOW + 1);
  expect([await metric('due_not_tried'), await metric('least_window_seconds')]).toEqual([['0'], ['432000']]);
  await postpone(NOW);
  expect(await metric('due_not_tried')).toEqual(['1']);
  await openCycle(9, NOW + 5 * DAY);
  expect(await metric('due_not_tried')).toEqual(['0']);
});

test('pending notices are counted, with the age of the oldest', async () => {
  expect([await metric('notices_pending'), await metric('oldest_notice_seconds')]).toEqual([['0'], []]);
  const order = (cycle: number) => ({ type: 'cycle.missed', cycle, attempt: null, data: {} }) as const;
  await change('newer', { at: NOW - HOUR, notices: [order(20)] });
  await change('older', { at: NOW - 3 * HOUR, notices: [order(21)] });
  expect([await metric('notices_pending'), await metric('oldest_notice_seconds')]).toEqual([['2'], ['10800']]);
  const given = { kind: 'undeliverable', at: NOW, error: 'no such address' } as const;
  const { rows } = await admin.db.query<{ notice_id: NoticeId }>('select notice_id from notices where cycle = 21');
  await recordDelivery(admin.db, rows[0]!.notice_id, given);
  expect([await metric('notices_pending'), await metric('oldest_notice_seconds')]).toEqual([['1'], ['3600']]);
});

test('unknown outcomes are counted, and separately after an hour of real time', async () => {
  const sentAt = admin.clock.real;
  await admin.db.query(
    `insert into attempts (subscription_id, cycle, attempt, send, payment_id, amount, due_at, state, at, sending_real_at, owner)
     values ($1, 5, 0, 0, 'pay', 1999, now(), 'sending', now(), $2, 'test')`,
    [ID, new Date(sentAt).toISOString()],
  );
  admin.clock.real = sentAt + HOUR;
  expect(await metric('unknown_outcomes_for_an_hour')).toEqual(['0']);
  expect(await metric('unknown_outcomes ')).toEqual(['1']);
  admin.clock.real = sentAt + HOUR + 1;
  expect(await metric('unknown_outcomes_for_an_hour')).toEqual(['1']);
});

test('differences are counted while they wait for an operator, whichever run found them', async () => {
  expect(await metric('ledger_differences')).toEqual(['0']);
  const item = (key: string) =>
    admin.db.query(
      `insert into attention_items (item_id, source, kind, payment_id, since) values ($1, 'difference', 'debit_unknown', 'pay', now())`,
      [key],
    );
  await item('one');
  await item('other');
  await admin.db.query(
    `insert into reconciliation_runs (run_id, period_from, period_to, actor, state, started_at, started_real_at, ended_real_at)
     values ('clean', now(), now() + interval '1 day', 'test', 'compared', now(), now(), now())`,
  );
  expect(await metric('ledger_differences')).toEqual(['2']);
  await admin.db.query(`update attention_items set closed_real_at = now() where item_id = 'one'`);
  expect(await metric('ledger_differences')).toEqual(['1']);
});

test('metrics show the longest wait for a comparison and the age of the daily checks', async () => {
  expect([await metric('oldest_uncompared_seconds'), await metric('daily_check_age_seconds')]).toEqual([[], []]);
  for (const [position, ago] of Object.entries({ a: HOUR, b: 3 * HOUR, c: 2 * HOUR })) {
    await admin.db.query(
      'insert into comparisons (position, payment_id, waits_since, newest_entry) values ($1, $1, $2, 1)',
      [position, new Date(NOW - ago).toISOString()],
    );
  }
  await recordCheckFinished(admin.db, 'consents', NOW - DAY);
  await recordCheckFinished(admin.db, 'consents', NOW - 2 * DAY);
  expect(await metric('oldest_uncompared_seconds')).toEqual(['10800']);
  expect(await metric('daily_check_age_seconds')).toEqual(['{check="consents"} 86400']);
});

test('while the ledger cannot be reached, the metrics that do not need it are still served', async () => {
  const isGone = () => Promise.reject(new Error('gone'));
  const gone = { query: isGone, connect: isGone } as unknown as typeof admin.db;
  const app = await admin.another({ db: gone, reading: gone });
  expect(await metric('ledger_up', app)).toEqual(['0']);
  expect(await metric('attention_items_open', app)).toEqual([]);
  expect(await metric('windows_closing_within_a_day', app)).toEqual([]);
  await app.close();
});
