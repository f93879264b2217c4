import { randomBytes, randomUUID } from 'node:crypto';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR } from '../../src/domain/time';
import {
  claimDeliveries,
  countRetries,
  countWaiting,
  claimNotices,
  createPool,
  type Db,
  decideApproval,
  erasePayer,
  lastEntryId,
  listCycles,
  listDeadlines,
  listEvents,
  listFailingPayers,
  listOpenOrders,
  listAttention,
  listPayments,
  listSubscriptions,
  listTransactions,
  nextNoticeTry,
  orderUpcomingNotices,
  purgeEvents,
  raiseAlerts,
  readAlarms,
  readChanged,
  readChanges,
  readDueConsents,
  readExpectedDays,
  readHalt,
  readLive,
  readMarkedAtEnd,
  readLongestWaiting,
  readMessageWork,
  readPayer,
  readRetriesMade,
  readToday,
  listUnacknowledged,
  recordUpcoming,
  requestApproval,
  sumCollections,
  sumRecoveries,
  type Pool,
  type TransactionPosition,
  findOverdue,
} from '../../src/ledger';
import { NOW, REAL_NOW, useLedger } from './ledger-fixture';
import { notingScans, notingScansOfPool, rowsRead } from './plan-fixture';
import { fillLedger } from './volume';

const ledger = useLedger();
jest.setTimeout(600_000);
beforeAll(async () => {
  await fillLedger(ledger.pool);
  await fillEvents();
});

/** Fills the feed with one event of each subscription and each one-time payment. */
async function fillEvents(): Promise<void> {
  const filling = createPool({ databaseUrl: ledger.url, statementTimeoutMs: 0, max: 1 });
  await filling.query(
    `insert into merchant_events (type, subscription_id, payment_id, at, data, position, sequence)
     select 'cycle.collected', subscription_id, payment_id, now(), '{}', row_number() over (), 1
     from (select subscription_id, null as payment_id from subscriptions union all select null, payment_id from payments) s`,
  );
  await filling.query('vacuum analyze merchant_events');
  await filling.end();
}

/**
 * Tables that grow with every subscription or payment. Orders are few beside them: where a report asks for many cycles, the
 * planner is right to read orders through.
 */
const LARGE = [
  'subscriptions',
  'payers',
  'cycles',
  'attempts',
  'events',
  'payments',
  'subscription_words',
  'payment_words',
  'merchant_events',
];

const isLarge = (table: string) => LARGE.includes(table);

const FIRST = { limit: 50, cursor: null };
const MONTH = { from: NOW - 30 * DAY, to: NOW };
const LONG_AGO = { from: NOW - 900 * DAY, to: NOW - 893 * DAY };

async function oneSubscription(): Promise<SubscriptionId> {
  const { items } = await listSubscriptions(ledger.pool, { q: 'customer-23123' }, FIRST);
  return items[0]!.subscriptionId;
}

const OVERDUE_TERMS = { now: NOW, realNow: NOW, settle: HOUR, callsPerSecond: 10, speed: 1 };

const READS: readonly [string, (db: Db) => Promise<unknown>][] = [
  ['the list of subscriptions', (db) => listSubscriptions(db, {}, FIRST)],
  [
    'the last page of the list of subscriptions',
    async (db) => listSubscriptions(db, {}, { limit: 50, cursor: await placeOf(40) }),
  ],
  ['subscriptions of one status', (db) => listSubscriptions(db, { status: 'paused' }, FIRST)],
  ['subscriptions of one repetition', (db) => listSubscriptions(db, { repetition: 'YEARLY' }, FIRST)],
  ['subscriptions due within an hour', (db) => listSubscriptions(db, { dueBefore: NOW + HOUR }, FIRST)],
  ['subscriptions that need attention', (db) => listSubscriptions(db, { standing: 'needs_attention' }, FIRST)],
  ['a search for one subscription', (db) => listSubscriptions(db, { q: 'customer-23123' }, FIRST)],
  ['a search that finds nothing', (db) => listSubscriptions(db, { q: 'nobody' }, FIRST)],
  ['a search for many subscriptions', (db) => listSubscriptions(db, { q: 'ä' }, FIRST)],
  ['a search for a few hundred subscriptions', (db) => listSubscriptions(db, { q: 'müller-17' }, FIRST)],
  ['a search for all subscriptions', (db) => listSubscriptions(db, { q: 'sub_' }, FIRST)],
  [
    'the last page of a search',
    async (db) => listSubscriptions(db, { q: 'sub' }, { limit: 50, cursor: await placeOf(40) }),
  ],
  [
    'a search for subscriptions of one status',
    (db) => listSubscriptions(db, { q: 'gül koch-12', status: 'paused' }, FIRST),
  ],
  [
    'subscriptions created in a week',
    (db) => listSubscriptions(db, { createdFrom: LONG_AGO.from, createdTo: LONG_AGO.to }, FIRST),
  ],
  ['subscriptions due in a week', (db) => listSubscriptions(db, { dueFrom: NOW, dueTo: NOW + 7 * DAY }, FIRST)],
  ['the oldest subscriptions', (db) => listSubscriptions(db, { sort: 'createdAt' }, FIRST)],
  ['subscriptions, the next due first', (db) => listSubscriptions(db, { sort: 'dueAt' }, FIRST)],
  ['subscriptions, the last due first', (db) => listSubscriptions(db, { sort: '-dueAt' }, FIRST)],
  [
    'subscriptions of one status, the next due first',
    (db) => listSubscriptions(db, { sort: 'dueAt', status: 'paused' }, FIRST),
  ],
  ['subscriptions with metadata that many have', (db) => listSubscriptions(db, { metadata: { shop: 'north' } }, FIRST)],
  ['subscriptions with metadata that few have', (db) => listSubscriptions(db, { metadata: { lot: '7' } }, FIRST)],
  ['subscriptions with metadata that none has', (db) => listSubscriptions(db, { metadata: { shop: 'moon' } }, FIRST)],
  [
    'subscriptions with metadata and a word',
    (db) => listSubscriptions(db, { metadata: { lot: '7' }, q: 'ada' }, FIRST),
  ],
  ['the list of payments', (db) => listPayments(db, {}, FIRST)],
  [
    'payments created in a week',
    (db) => listPayments(db, { createdFrom: LONG_AGO.from, createdTo: LONG_AGO.to }, FIRST),
  ],
  ['payments, the next to be captured first', (db) => listPayments(db, { sort: 'dueAt', dueFrom: NOW }, FIRST)],
  ['payments with metadata', (db) => listPayments(db, { metadata: { shop: 'moon' } }, FIRST)],
  ['payments of one status', (db) => listPayments(db, { status: 'failed' }, FIRST)],
  ['a search for one payment', (db) => listPayments(db, { q: 'once-1234' }, FIRST)],
  [
    'a search for many subscriptions without e-mails',
    (db) => listSubscriptions(db, { q: 'example', hidesEmail: true }, FIRST),
  ],
  ['a search for payments without e-mails', (db) => listPayments(db, { q: 'once-1234', hidesEmail: true }, FIRST)],
  ['a search for many payments', (db) => listPayments(db, { q: 'ada' }, FIRST)],
  ['cycles', async (db) => listCycles(db, await oneSubscription(), FIRST)],
  ['the audit log', (db) => listEvents(db, {}, FIRST)],
  ['the audit log of a subscription', async (db) => listEvents(db, { subscriptionId: await oneSubscription() }, FIRST)],
  ['the audit log of a payment', (db) => listEvents(db, { ofPayment: 'once-77' as PaymentId }, FIRST)],
  ['the audit log of one actor', (db) => listEvents(db, { actor: 'till' }, FIRST)],
  ['the audit log of a key', (db) => listEvents(db, { keyId: '0c9a7e5d-2b4f-4d60-8e3a-5f6a7b8c9d0e' }, FIRST)],
  ['the audit log of an unknown actor', (db) => listEvents(db, { actor: 'nobody' }, FIRST)],
  ['the audit log of one type', (db) => listEvents(db, { type: 'consent.requested' }, FIRST)],
  ['the audit log of a type without entries', (db) => listEvents(db, { type: 'payment.expired' }, FIRST)],
  ['the audit log of a week long ago', (db) => listEvents(db, LONG_AGO, FIRST)],
  ['the audit log of one actor in one week', (db) => listEvents(db, { ...LONG_AGO, actor: 'till' }, FIRST)],
  ['what was written last', async (db) => readChanges(db, (await lastEntryId(db)) - 200)],
  ['deadlines', (db) => listDeadlines(db, NOW, FIRST)],
  ['collections of a month', (db) => sumCollections(db, MONTH, NOW)],
  ['failing payers', (db) => listFailingPayers(db, NOW, FIRST)],
  ['today', (db) => readToday(db, NOW, { from: NOW - 10 * HOUR, to: NOW + 14 * HOUR })],
  ['the forecast of a month', (db) => readExpectedDays(db, { from: NOW, to: NOW + 30 * DAY })],
  ['the forecast of a week', (db) => readExpectedDays(db, { from: NOW, to: NOW + 7 * DAY })],
  ['the retries of the coming month', (db) => countRetries(db, { from: NOW, to: NOW + 30 * DAY }, NOW)],
  ['what waits to be sent', (db) => countWaiting(db, NOW, NOW)],
  ['open attention items', (db) => listAttention(db, {}, FIRST)],
  ['open attention items by deadline', (db) => listAttention(db, { sort: 'deadline' }, FIRST)],
  ['open attention items by amount', (db) => listAttention(db, { sort: '-amount', kind: 'orphaned' }, FIRST)],
  [
    'open attention items of one subscription',
    async (db) => listAttention(db, { subscriptionId: await oneSubscription() }, FIRST),
  ],
  ['live subscriptions, a page in the middle', async (db) => readLive(db, `0${await oneSubscription()}`, NOW, 20)],
  ['what is overdue', (db) => findOverdue(db, OVERDUE_TERMS, null)],
  ['what is still overdue', async (db) => findOverdue(db, OVERDUE_TERMS, [await oneSubscription()])],
  ['live one-time payments', (db) => readLive(db, '1', NOW, 20)],
  ['orphans that have ended', (db) => readMarkedAtEnd(db)],
  ['notices that are due', (db) => claimNotices(db, { realNow: REAL_NOW, lease: 45_000, limit: 50 })],
  ['when the next notice is due', (db) => nextNoticeTry(db)],
  [
    'orders that were never started',
    (db) => listOpenOrders(db, 'not_started', { before: NOW, after: null, limit: 100 }),
  ],
  ['started orders', (db) => listOpenOrders(db, 'started', { before: NOW, after: null, limit: 100 })],
  ['workflows to notify', (db) => listUnacknowledged(db, '', 100)],
  ['the halt', (db) => readHalt(db)],
  ['consents to check', (db) => readDueConsents(db, NOW + 7 * DAY, null, 100)],
  ['payments that have changed', (db) => readChanged(db, '', 100)],
  ['payments that wait longest', (db) => readLongestWaiting(db, NOW, { waitsSince: 0, position: '' }, 100)],
  ['movements of money', (db) => listTransactions(db, {}, null, 50)],
  ['movements of money in a month', (db) => listTransactions(db, MONTH, null, 50)],
  [
    'movements of money in a month, a batch in the middle',
    async (db) => listTransactions(db, MONTH, await movedBefore(), 1000),
  ],
  [
    'movements of money of a subscription',
    async (db) => {
      return listTransactions(db, { subscriptionId: await oneSubscription() }, null, 50);
    },
  ],
  ['movements of money of a payment', (db) => listTransactions(db, { paymentId: 'once-77' as PaymentId }, null, 50)],
  ['movements of money of a payer', (db) => listTransactions(db, { reference: 'customer-23123' }, null, 50)],
  ['movements of money that are pending', (db) => listTransactions(db, { status: 'pending' }, null, 50)],
  ['debits that were reversed elsewhere', (db) => listTransactions(db, { reversed: true }, null, 50)],
  ['refunds', (db) => listTransactions(db, { type: 'refund' }, null, 50)],
  ['recoveries of a month', (db) => sumRecoveries(db, MONTH, 'detail')],
  ['the retries of a month', (db) => readRetriesMade(db, MONTH)],
  ['a payer', (db) => readPayer(db, 'customer-23123', NOW)],
  ['alarms', (db) => readAlarms(db, NOW, NOW)],
  ['alerts', (db) => raiseAlerts(db, NOW, NOW)],
];

/** A position in the list of transactions within the month. */
async function movedBefore(): Promise<TransactionPosition> {
  const { items } = await listTransactions(ledger.pool, { from: NOW - 15 * DAY }, null, 1);
  return items[0]!;
}

/** A position in the list of subscriptions after which only the oldest `left` follow. */
async function placeOf(left: number): Promise<string> {
  const { rows } = await ledger.pool.query<{ created_at: number; subscription_id: string }>(
    'select created_at, subscription_id from subscriptions order by created_at, subscription_id offset $1 limit 1',
    [left],
  );
  return Buffer.from(JSON.stringify([rows[0]!.created_at, rows[0]!.subscription_id])).toString('base64url');
}

test.each(READS)('fault 42: no large table is scanned for %s', async (_name, read) => {
  const scanned: string[] = [];
  await read(notingScans(scanned, ledger.pool));
  expect(scanned.filter(isLarge)).toEqual([]);
});

test('fault 42: more than ten thousand live subscriptions are estimated, and the estimate is close to their number', async () => {
  const { rows } = await ledger.pool.query<{ live: number }>(
    `select count(*) as live from subscriptions where status in ('pending_consent', 'active', 'paused')`,
  );
  const { liveSubscriptions } = await readAlarms(ledger.pool, NOW, NOW);
  expect(rows[0]!.live).toBeGreaterThan(20_000);
  expect(liveSubscriptions / rows[0]!.live).toBeCloseTo(1, 1);
});

test('fault 42: erasing a payer scans no large table', async () => {
  const scanned: string[] = [];
  const erasure = { reference: 'customer-20', reason: 'asked for by letter', actor: 'ada', at: NOW, realAt: NOW };
  expect(await erasePayer(notingScansOfPool(scanned, ledger.pool), erasure)).toMatchObject({
    kind: 'erased',
    subscriptions: 1,
    events: 1,
  });
  expect(scanned.filter(isLarge)).toEqual([]);
});

test('fault 42: approving, which looks up who created the key, scans no large table', async () => {
  const approvalId = randomUUID();
  const times = { at: NOW, realAt: NOW };
  await requestApproval(ledger.pool, {
    ...{ ...times, approvalId, actor: 'till', holder: 'Tom Kilburn', expiresRealAt: NOW + DAY },
    ...{ firstKeyId: randomUUID(), fingerprint: randomBytes(32), partHashes: null },
    ...{ operation: 'refundPayment', call: 'POST /v1/payments/once-77/refunds', facts: {} },
    ...{ subscriptionId: null, paymentId: 'once-77' as PaymentId, amount: null },
  });
  const scanned: string[] = [];
  const decision = { approvalId, decision: 'approved', holder: 'Ada Byron', actor: 'ada', reason: 'seen' } as const;
  expect(await decideApproval(notingScansOfPool(scanned, ledger.pool), { ...times, ...decision })).toMatchObject({
    kind: 'decided',
  });
  expect(scanned.filter(isLarge)).toEqual([]);
});

test('fault 42: a search for deliveries that are due reads none that waits for its next try', async () => {
  const [endpointId, claimId] = ['busy', randomUUID()];
  await ledger.pool.query(
    `insert into webhook_endpoints (endpoint_id, url, types, secret) values ($1, 'https://shop.example/', '{*}', 'whsec_x')`,
    [endpointId],
  );
  await ledger.pool.query(
    `insert into webhook_queues (endpoint_id, subject, rank, next_try_real_at, since_real_at)
     select $1, 'subscription/' || n, n % 3, now() + interval '1 hour', now() from generate_series(1, 30000) n`,
    [endpointId],
  );
  await ledger.pool.query('vacuum analyze webhook_queues');
  expect(await rowsRead(ledger.pool, 'webhook_queues', (db) => readMessageWork(db, REAL_NOW))).toBe(0);
  const claim = { endpointId, claimId, lease: 45_000, limit: 20, probeEvery: 60_000 };
  expect(await rowsRead(ledger.pool, 'webhook_queues', (db) => claimDeliveries(db, claim))).toBe(0);
});

test('fault 42: a purge that finds no expired event reads only the oldest events', async () => {
  const purge = (db: Pool) => purgeEvents(db, Date.now() - DAY, 500);
  expect(await rowsRead(ledger.pool, 'merchant_events', purge)).toBe(500);
});

test('fault 42: a cycle that was announced to the merchant is not read again', async () => {
  const announce = (db: Db) => recordUpcoming(db, NOW, NOW + 7 * DAY);
  expect(await announce(ledger.pool)).toBe(500);
  while ((await announce(ledger.pool)) > 0);
  expect(await rowsRead(ledger.pool, 'subscriptions', announce)).toBe(0);
});

test('fault 42: a cycle whose payer was notified of the coming debit is not read again', async () => {
  const order = (db: Db) => orderUpcomingNotices(db, NOW, { repetition: 'MONTHLY', ahead: 7 * DAY });
  expect(await order(ledger.pool)).toBeGreaterThan(100);
  while ((await order(ledger.pool)) > 0);
  expect(await rowsRead(ledger.pool, 'subscriptions', order)).toBe(0);
});
