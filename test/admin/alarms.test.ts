import { DAY, HOUR } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { NoticeId, SubscriptionId } from '../../src/domain/ids';
import {
  applyChange,
  applyPaymentChange,
  awaitPerson,
  awaitRelease,
  markOrphaned,
  recordDelivery,
  recordLookFinished,
  resolveOrder,
  unmarkOrphaned,
} from '../../src/ledger';
import { orderedCapture } from '../ledger/payment-fixture';
import { type AdminUnderTest, NOW, startAdmin } from './admin-under-test';
import { order } from './order';
import { authorized } from './payment-order';

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

test('matters that wait for a person are counted by kind, and no longer once they are seen to', async () => {
  expect(await metric('attention_matters')).toEqual([]);
  await change('a', { subscription: { attention: ['unresolved:3', 'notice_undeliverable:4', 'unresolved:5'] } });
  expect((await metric('attention_matters')).sort()).toEqual([
    '{kind="notice_undeliverable"} 1',
    '{kind="unresolved"} 2',
  ]);
  await change('b', { subscription: { attention: [] } });
  expect(await metric('attention_matters')).toEqual([]);
});

test('one-time payments that no workflow runs for are counted as orphaned', async () => {
  const payment = { kind: 'payment', id: await authorized(admin) } as const;
  await markOrphaned(admin.db, payment, NOW);
  expect(await metric('attention_matters')).toEqual(['{kind="orphaned"} 1']);
  await unmarkOrphaned(admin.db, payment, NOW);
  expect(await metric('attention_matters')).toEqual([]);
});

test('an order that waits for a person is counted, and no longer once it is settled', async () => {
  const paymentId = await authorized(admin);
  const orderId = await orderedCapture(admin.db, { subscriptionId: null, requestId: '', paymentId }, 10_000, NOW);
  await awaitPerson(admin.db, orderId, 'the service lists another', NOW);
  expect(await metric('attention_matters')).toEqual(['{kind="capture_unresolved"} 1']);
  const act = { actor: 'Grace', at: NOW, realAt: admin.clock.real };
  const word = { outcome: 'failed', evidence: 'made by hand', serviceId: null, ...act } as const;
  expect(await resolveOrder(admin.db, { orderId, ...word })).toEqual({ kind: 'resolved' });
  expect(await metric('attention_matters')).toEqual([]);
});

test('a release that the service does not make is counted until the payment has ended', async () => {
  const paymentId = await authorized(admin);
  await awaitRelease(admin.db, { paymentId, reads: 'successful', reason: 'DELETE: refused', at: NOW });
  expect(await metric('attention_matters')).toEqual(['{kind="release_unresolved"} 1']);
  await applyPaymentChange(admin.db, { paymentId, at: NOW, patch: { expiredAt: NOW } });
  expect(await metric('attention_matters')).toEqual([]);
  await awaitRelease(admin.db, { paymentId, reads: null, reason: 'too late', at: NOW });
  expect(await metric('attention_matters')).toEqual([]);
});

test('windows that close within 24 hours are counted: at 24 hours, not a millisecond later, and not once closed', async () => {
  expect(await metric('windows_closing_within_a_day')).toEqual(['0']);
  await openCycle(5, NOW + DAY);
  expect(await metric('windows_closing_within_a_day')).toEqual(['1']);
  await openCycle(6, NOW + DAY + 1);
  await openCycle(7, NOW);
  expect(await metric('windows_closing_within_a_day')).toEqual(['1']);
});

test('the next window that closes is told, and nothing where none is open', async () => {
  // Those of the test before: one closes now, the next in a day.
  expect(await metric('least_window_seconds')).toEqual(['86400']);
  await openCycle(8, NOW + HOUR);
  expect(await metric('least_window_seconds')).toEqual(['3600']);
  await admin.db.query(`update cycles set status = 'failed'`);
  expect(await metric('least_window_seconds')).toEqual([]);
});

/** Each way in which a pause or a cancellation holds a subscription. */
const HOLDS = [
  ['active', 'pause'],
  ['active', 'cancel'],
  ['paused', null],
];
const hold = (status: string | null, by: string | null) =>
  admin.db.query('update subscriptions set status = $1, hold = $2', [status, by]);

async function held(then: () => Promise<void>): Promise<void> {
  for (const [status = null, by = null] of HOLDS) {
    await hold(status, by);
    await then();
  }
  await hold('active', null);
}

const windows = async () => [await metric('windows_closing_within_a_day'), await metric('least_window_seconds')];

test('the window of a retry that is held is not told, of an outcome that is not known or not settled it is', async () => {
  await openCycle(10, NOW + HOUR);
  await held(async () => expect(await windows()).toEqual([['0'], []]));
  expect(await windows()).toEqual([['1'], ['3600']]);
  await admin.db.query(
    `insert into attempts (subscription_id, cycle, attempt, send, payment_id, amount, due_at, state, at, sending_real_at, owner)
     values ($1, 10, 0, 0, 'pay', 1999, now(), 'sending', now(), now(), 'test')`,
    [ID],
  );
  await held(async () => expect(await windows()).toEqual([['1'], ['3600']]));
  await admin.db.query(`update attempts set state = 'not_sent', outcome_at = now() where cycle = 10`);
  await held(async () => expect(await windows()).toEqual([['0'], []]));
  await admin.db.query(`update cycles set status = 'unresolved' where cycle = 10`);
  await held(async () => expect(await windows()).toEqual([['1'], ['3600']]));
  await admin.db.query(`update cycles set status = 'failed' where cycle = 10`);
});

test('a due date is counted from its instant on until it is tried, unless it is held', async () => {
  const due = (at: number) => change(`due ${at}`, { subscription: { status: 'active', nextDueAt: at } });
  await due(NOW + 1);
  expect([await metric('due_not_tried'), await metric('least_window_seconds')]).toEqual([['0'], []]);
  await due(NOW);
  expect([await metric('due_not_tried'), await metric('least_window_seconds')]).toEqual([['1'], ['432000']]);
  await held(async () => {
    expect([await metric('due_not_tried'), await metric('least_window_seconds')]).toEqual([['0'], []]);
  });
  await openCycle(9, NOW + 5 * DAY);
  expect(await metric('due_not_tried')).toEqual(['0']);
});

test('notices are counted while they wait, and the age of the oldest is told', async () => {
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

test('outcomes that are not known are counted, and once more after an hour, by real time', async () => {
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

test('differences are counted while they wait for a person, whatever run has found them', async () => {
  expect(await metric('ledger_differences')).toEqual(['0']);
  const item = (key: string) =>
    admin.db.query(
      `insert into attention_items (item_id, source, kind, payment_id, since) values ($1, 'difference', 'debit_unknown', 'pay', now())`,
      [key],
    );
  await item('one');
  await item('other');
  await admin.db.query(
    `insert into reconciliation_runs (run_id, span_from, span_to, actor, state, begun_at, begun_real_at, ended_real_at)
     values ('clean', now(), now() + interval '1 day', 'test', 'compared', now(), now(), now())`,
  );
  expect(await metric('ledger_differences')).toEqual(['2']);
  await admin.db.query(`update attention_items set closed_real_at = now() where item_id = 'one'`);
  expect(await metric('ledger_differences')).toEqual(['1']);
});

test('how long the payment has waited that waits longest is told, and how old the daily looks are', async () => {
  expect([await metric('oldest_uncompared_seconds'), await metric('daily_look_age_seconds')]).toEqual([[], []]);
  for (const [place, ago] of Object.entries({ a: HOUR, b: 3 * HOUR, c: 2 * HOUR })) {
    await admin.db.query(
      'insert into comparisons (place, payment_id, waits_since, newest_entry) values ($1, $1, $2, 1)',
      [place, new Date(NOW - ago).toISOString()],
    );
  }
  await recordLookFinished(admin.db, 'consents', NOW - DAY);
  await recordLookFinished(admin.db, 'consents', NOW - 2 * DAY);
  expect(await metric('oldest_uncompared_seconds')).toEqual(['10800']);
  expect(await metric('daily_look_age_seconds')).toEqual(['{look="consents"} 86400']);
});

test('without the ledger the other metrics are still told', async () => {
  const isGone = () => Promise.reject(new Error('gone'));
  const gone = { query: isGone, connect: isGone } as unknown as typeof admin.db;
  const app = await admin.another({ db: gone, reading: gone });
  expect(await metric('ledger_up', app)).toEqual(['0']);
  expect(await metric('attention_matters', app)).toEqual([]);
  expect(await metric('windows_closing_within_a_day', app)).toEqual([]);
  await app.close();
});
