import { randomUUID } from 'node:crypto';
import type { NoticeId, SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR, MINUTE, toIso } from '../../src/domain/time';
import {
  acceptAsCopy,
  acceptMoved,
  applyChange,
  claimDeliveries,
  claimNotices,
  createPool,
  getNotice,
  insertEndpoint,
  insertEvent,
  isRestored,
  listEndpoints,
  listEvents,
  noticeRestore,
  type Pool,
  readHalt,
  readMessageWork,
  recordDelivery,
  registerSettings,
  reopenNotice,
} from '../../src/ledger';
import { NOW, REAL_NOW, subscribe } from '../ledger/ledger-fixture';
import { startWebhookReceiver, type WebhookReceiver } from '../notices/webhook-receiver';
import { copyDatabase, createTestDatabase, type TestDatabase } from '../support/database';
import { deliverEvents } from '../support/delivering';
import { waitUntil } from '../support/wait-until';

/** Row 48 of docs/explain/faults.md: a copy of the database is started elsewhere. */

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const act = { actor: 'ada', at: NOW };
const SETTINGS = [
  { name: 'PAYMENT_SERVICE_CLIENT_SECRET', value: 'of-the-original' },
  { name: 'SMTP_URL', value: 'smtp://mail.example:25' },
];
const OWN_SETTINGS = [
  { name: 'PAYMENT_SERVICE_CLIENT_SECRET', value: 'of-the-copy' },
  { name: 'SMTP_URL', value: 'smtp://localhost:1025' },
];
const NOT_PRODUCTION = { isProduction: false, at: NOW + HOUR };

let original: TestDatabase;
let shop: WebhookReceiver;
let ledger: Pool;
let subscriptionId: SubscriptionId;
let stops: (() => Promise<unknown>)[];

beforeEach(async () => {
  stops = [];
  original = await createTestDatabase();
  shop = await startWebhookReceiver();
  const pool = createPool({ databaseUrl: original.url, max: 4 });
  await registerSettings(pool, SETTINGS, NOT_PRODUCTION);
  const endpoint = { endpointId: `whe_${randomUUID().replaceAll('-', '')}`, url: shop.url, secret: SECRET };
  await insertEndpoint(pool, { ...endpoint, description: null, types: ['*'], enabled: true }, act);
  ({ subscriptionId } = await subscribe(pool));
  // The delivered event has a sequence number; those inserted later have none yet.
  const stop = deliver(pool);
  await insertMissed(pool, 1);
  await waitUntil('the first event has arrived', () => cyclesOf(shop).length === 1);
  await waitUntil('it is recorded', async () => (await pending(pool)) === 0);
  await stop();
  await insertMissed(pool, 2, 3);
  await pool.end();
  ledger = createPool({ databaseUrl: await copyDatabase(original.url), max: 4 });
});

afterEach(async () => {
  for (const stop of stops.toReversed()) await stop();
  await ledger.end();
  await shop.close();
  await original.drop();
});

/** @returns a function that stops the delivery */
function deliver(db: Pool): () => Promise<void> {
  const delivering = deliverEvents(db, [0.05]);
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= delivering.stop());
  stops.push(stop);
  return stop;
}

async function insertMissed(db: Pool, ...cycles: number[]): Promise<void> {
  for (const cycle of cycles)
    await insertEvent(db, { subscriptionId, at: NOW, actor: 'dueday', type: 'cycle.missed', data: { cycle } });
}

async function pending(db: Pool): Promise<number> {
  const { rowCount } = await db.query(`select from webhook_deliveries where state = 'pending'`);
  return rowCount ?? 0;
}

interface Posted {
  type: string;
  sequence: number;
  data: { cycle: number | null };
}

function cyclesOf({ received }: WebhookReceiver): [sequence: number, cycle: number | null][] {
  const posted = received.map(({ body }) => JSON.parse(body) as Posted);
  return posted.filter(({ type }) => type === 'cycle.missed').map(({ sequence, data }) => [sequence, data.cycle]);
}

/** Orders a notice to the payer that is not delivered. */
async function orderNotice(cycle: number, { retryAt, collectBy }: { retryAt: number | null; collectBy: number }) {
  const data = { retryAt: retryAt === null ? null : toIso(retryAt) };
  const notice = { type: 'payment.failed', cycle, attempt: 0, data } as const;
  await applyChange(ledger, {
    ...{ subscriptionId, key: `dunning/${cycle}/0`, at: NOW, actor: 'dueday', events: [], notices: [notice] },
    cycle: { cycle, dueAt: NOW + cycle, collectBy, amount: { value: 1999, currency: 'EUR' }, status: 'dunning' },
  });
  const { rows } = await ledger.query<{ notice_id: NoticeId }>(
    'select notice_id from notices where (subscription_id, cycle) = ($1, $2)',
    [subscriptionId, cycle],
  );
  return async () => (await getNotice(ledger, rows[0]!.notice_id))?.state;
}

test('fault 48: nothing is sent from a copy of the database, noticed or not, and none of its events gets a sequence number', async () => {
  deliver(ledger);
  await orderNotice(2, { retryAt: null, collectBy: NOW + DAY });
  for (const notice of [async () => null, () => noticeRestore(ledger, { at: NOW, realAt: REAL_NOW })]) {
    await notice();
    expect(await isRestored(ledger)).toBe(true);
    expect(await readMessageWork(ledger, REAL_NOW)).toEqual({
      ...{
        areNoticesDue: false,
        isUnplaced: false,
        isUnsummed: false,
        isLagging: false,
        isReplaying: false,
        endpointIds: [],
      },
    });
    const [endpoint] = (await listEndpoints(ledger)).filter(({ endpointId }) => endpointId !== 'env');
    const claim = {
      endpointId: endpoint!.endpointId,
      claimId: randomUUID(),
      lease: MINUTE,
      limit: 10,
      probeEvery: 60_000,
    };
    expect(await claimDeliveries(ledger, claim)).toEqual([]);
    expect(await claimNotices(ledger, { realNow: REAL_NOW, lease: MINUTE, limit: 10 })).toEqual([]);
  }
  expect(cyclesOf(shop)).toHaveLength(1);
});

test('fault 48: once a copy is accepted as the ledger, its events are sent in order, with sequence numbers 1,000 above the last', async () => {
  await noticeRestore(ledger, { at: NOW, realAt: REAL_NOW });
  const before = cyclesOf(shop)[0]![0];
  deliver(ledger);
  await acceptMoved(ledger, { ...act, reason: 'moved to another server' });
  await insertMissed(ledger, 4);
  await waitUntil('all have arrived', () => cyclesOf(shop).length === 4);
  expect(cyclesOf(shop)).toEqual([
    [before, 1],
    [before + 1_001, 2],
    [before + 1_002, 3],
    [before + 1_003, 4],
  ]);
});

test.each([
  ['its retry time has come', { retryAt: NOW + HOUR, collectBy: NOW + DAY }, 'undeliverable'],
  ['its retry is a millisecond away', { retryAt: NOW + HOUR + 1, collectBy: NOW + DAY }, 'pending'],
  ['its window has closed', { retryAt: null, collectBy: NOW + HOUR }, 'undeliverable'],
  ['its window closes a millisecond later', { retryAt: null, collectBy: NOW + HOUR + 1 }, 'pending'],
])('accepting a copy as the ledger closes a notice only if it is too late: %s', async (_what, terms, expected) => {
  await noticeRestore(ledger, { at: NOW, realAt: REAL_NOW });
  const state = await orderNotice(2, terms);
  await acceptMoved(ledger, { ...act, at: NOW + HOUR, reason: 'moved to another server' });
  expect(await state()).toBe(expected);
  const { items } = await listEvents(ledger, { type: 'notice.undeliverable' }, { limit: 10, cursor: null });
  expect(items).toHaveLength(expected === 'pending' ? 0 : 1);
});

test('when a restored ledger is accepted, a notice about a cycle that it has lost is closed with that reason', async () => {
  const state = await orderNotice(2, { retryAt: NOW + 5 * HOUR, collectBy: NOW + DAY });
  const kept = await orderNotice(3, { retryAt: NOW + 5 * HOUR, collectBy: NOW + DAY });
  await ledger.query('delete from cycles where (subscription_id, cycle) = ($1, 2)', [subscriptionId]);
  await noticeRestore(ledger, { at: NOW, realAt: REAL_NOW });
  await acceptMoved(ledger, { ...act, at: NOW + HOUR, reason: 'moved to another server' });
  expect([await state(), await kept()]).toEqual(['undeliverable', 'pending']);
  const { items } = await listEvents(ledger, { type: 'notice.undeliverable' }, { limit: 10, cursor: null });
  expect(items).toMatchObject([{ subscriptionId, data: { error: expect.stringContaining('cycle') as string } }]);
});

const declare = () => acceptAsCopy(ledger, { actor: 'command line', at: NOW, reason: 'a copy for tests' });

test('a ledger declared a copy keeps no endpoint and no message of the original', async () => {
  const state = await orderNotice(2, { retryAt: NOW + HOUR, collectBy: NOW + DAY });
  expect(await declare()).toEqual({ endpoints: 1, notices: 1 });
  expect((await listEndpoints(ledger)).map(({ endpointId }) => endpointId)).toEqual(['env']);
  expect(await state()).toBe('undeliverable');
  const { items } = await listEvents(ledger, { type: 'ledger.copied' }, { limit: 10, cursor: null });
  expect(items).toMatchObject([{ actor: 'command line', data: { reason: 'a copy for tests', notices: 1 } }]);
});

test('a ledger declared a copy sends no notice again that the original was asked to resend', async () => {
  await orderNotice(2, { retryAt: NOW + HOUR, collectBy: NOW + DAY });
  const { rows } = await ledger.query<{ notice_id: NoticeId }>('select notice_id from notices');
  const { notice_id: noticeId } = rows[0]!;
  const delivered = { kind: 'delivered', at: NOW, realAt: REAL_NOW, channel: 'email', evidence: {} } as const;
  await recordDelivery(ledger, noticeId, delivered);
  await reopenNotice(ledger, noticeId, act);
  await declare();
  await registerSettings(ledger, OWN_SETTINGS, NOT_PRODUCTION);
  expect(await isRestored(ledger)).toBe(false);
  expect(await claimNotices(ledger, { realNow: REAL_NOW, lease: MINUTE, limit: 10 })).toEqual([]);
});

test('a ledger declared a copy sends nothing before a process has started with settings of its own, and refuses those of the original', async () => {
  await declare();
  expect(await readHalt(ledger)).toMatchObject({ reason: expect.stringContaining('it is a copy') as string });
  expect(await registerSettings(ledger, SETTINGS, NOT_PRODUCTION)).toEqual({
    kind: 'refused',
    names: ['PAYMENT_SERVICE_CLIENT_SECRET', 'SMTP_URL'],
  });
  const half = [OWN_SETTINGS[0]!, SETTINGS[1]!];
  expect(await registerSettings(ledger, half, NOT_PRODUCTION)).toEqual({ kind: 'refused', names: ['SMTP_URL'] });
  expect(await registerSettings(ledger, OWN_SETTINGS, { isProduction: true, at: NOW })).toEqual({
    kind: 'production',
  });
  expect(await isRestored(ledger)).toBe(true);

  expect(await registerSettings(ledger, OWN_SETTINGS, NOT_PRODUCTION)).toEqual({ kind: 'registered' });
  expect(await isRestored(ledger)).toBe(false);
  expect(await readHalt(ledger)).toBeNull();
  // A later start with the settings of the original is refused, too.
  expect(await registerSettings(ledger, SETTINGS, NOT_PRODUCTION)).toMatchObject({ kind: 'refused' });
  expect(await registerSettings(ledger, OWN_SETTINGS, NOT_PRODUCTION)).toEqual({ kind: 'registered' });
});

test('a process that starts with the settings of the original while the ledger is declared a copy does not end the halt of the copy', async () => {
  let isDeclared = false;
  const connect = async () => {
    if (!isDeclared) {
      isDeclared = true;
      await declare();
    }
    return ledger.connect();
  };
  const declaredMeanwhile = Object.assign(Object.create(ledger) as Pool, { connect, query: ledger.query.bind(ledger) });
  expect(await registerSettings(declaredMeanwhile, SETTINGS, NOT_PRODUCTION)).toMatchObject({ kind: 'refused' });
  expect(await isRestored(ledger)).toBe(true);
});

test('an endpoint that is created in a copy of the ledger gets nothing of the original', async () => {
  await declare();
  await registerSettings(ledger, OWN_SETTINGS, NOT_PRODUCTION);
  const own = await startWebhookReceiver();
  stops.push(() => own.close());
  const endpoint = {
    endpointId: 'whe_of_the_copy',
    url: own.url,
    secret: SECRET,
    description: null,
    types: ['cycle.*'],
  };
  await insertEndpoint(ledger, { ...endpoint, enabled: true }, act);
  await insertMissed(ledger, 4);
  deliver(ledger);
  await waitUntil('it has arrived', () => own.received.length === 1);
  expect(cyclesOf(own).map(([, cycle]) => cycle)).toEqual([4]);
  expect(cyclesOf(shop)).toHaveLength(1);
});

test('no setting is stored in plain text', async () => {
  const { rows } = await ledger.query<{ hash: string }>('select hash from used_settings');
  expect(rows).toHaveLength(SETTINGS.length);
  for (const { hash } of rows) expect(hash).toMatch(/^[\da-f]{64}$/);
});
