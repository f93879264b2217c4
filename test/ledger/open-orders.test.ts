import type { OrderId } from '../../src/domain/ids';
import {
  beginOrderSend,
  createPool,
  listOpenOrders,
  type OpenOrder,
  type OpenOrderPage,
  type OrderOutcome,
  recordOrderOutcome,
} from '../../src/ledger';
import { NOW, REAL_NOW, useLedger } from './ledger-fixture';
import { authorizedPayment, orderedCapture } from './payment-fixture';
import { costOf } from './plan-fixture';
import { beginning, startSend, createCollected, placeRefund, refundOutcomes } from './refund-fixture';

const ledger = useLedger();
const EVER: OpenOrderPage = { before: Date.UTC(2099, 0), after: null, limit: 1_000_000 };

const idsOf = (orders: readonly OpenOrder[]) => orders.map(({ orderId }) => orderId);
const open = async (page: Partial<OpenOrderPage> = {}) => listOpenOrders(ledger.pool, 'all', { ...EVER, ...page });
const notStarted = async (page: Partial<OpenOrderPage> = {}) =>
  listOpenOrders(ledger.pool, 'not_started', { ...EVER, ...page });

async function send(orderId: OrderId, state: OrderOutcome['state']): Promise<void> {
  const sent = await beginOrderSend(ledger.pool, beginning(orderId));
  if (sent.kind !== 'started') throw new Error('not started');
  await recordOrderOutcome(ledger.pool, sent.send, refundOutcomes()[state], NOW + 3000);
}

async function fresh(): Promise<OrderId> {
  return (await placeRefund(ledger.pool, await createCollected(ledger.pool), 500)).refundId;
}

test('a capture or a refund is listed as open from the moment it is ordered, with its payment and that time', async () => {
  const refund = await placeRefund(ledger.pool, await createCollected(ledger.pool), 500);
  const { refundId: orderId, subscriptionId, paymentId, createdRealAt } = refund;
  const payment = await authorizedPayment(ledger.pool);
  const captureId = await orderedCapture(ledger.pool, payment, 700, NOW);
  const found = await open();
  expect(found).toContainEqual({
    kind: 'refund',
    orderId,
    subscriptionId,
    paymentId,
    createdRealAt,
    isStarted: false,
  });
  expect(found).toContainEqual({
    kind: 'capture',
    orderId: captureId,
    subscriptionId: null,
    paymentId: payment.paymentId,
    createdRealAt: REAL_NOW,
    isStarted: false,
  });
});

test.each(['sending', 'pending', 'unknown', 'unresolved', 'not_sent'] as const)(
  'an order is open while it is %s',
  async (state) => {
    const orderId = await fresh();
    if (state === 'sending') await beginOrderSend(ledger.pool, beginning(orderId));
    else await send(orderId, state);
    expect(await open()).toContainEqual(expect.objectContaining({ orderId, isStarted: true }));
    expect(idsOf(await notStarted())).not.toContain(orderId);
  },
);

test.each(['successful', 'failed'] as const)(
  'an order is no longer open once it is %s after a send that never arrived',
  async (state) => {
    const orderId = await fresh();
    await send(orderId, 'not_sent');
    await send(orderId, state);
    expect(idsOf(await open())).not.toContain(orderId);
  },
);

test('an order is open whichever program wrote it', async () => {
  const { subscriptionId, paymentId, captureId } = await createCollected(ledger.pool);
  const orderId = `ref_of_another_program_${subscriptionId}`;
  await ledger.pool.query(
    `insert into orders (kind, order_id, subscription_id, cycle, payment_id, capture_id, amount, actor, created_at, created_real_at)
       values ('refund', $1, $2, 0, $3, $4, 1, 'other', now(), now())`,
    [orderId, subscriptionId, paymentId, captureId],
  );
  expect(idsOf(await notStarted())).toContain(orderId);
  await ledger.pool.query(
    `insert into order_sends (order_id, send, payment_id, state, at, sending_real_at, owner)
       values ($1, 0, $2, 'sending', now(), now(), 'other')`,
    [orderId, paymentId],
  );
  expect(idsOf(await notStarted())).not.toContain(orderId);
  const outcome = `update order_sends set state = 'failed', outcome_at = now() where order_id = $1`;
  await ledger.pool.query(outcome, [orderId]);
  expect(idsOf(await open())).not.toContain(orderId);
});

test('open orders are listed oldest first, in pages, without those created at the given instant or later', async () => {
  for (let n = 0; n < 5; n += 1) await fresh();
  const all = await open();
  const places = all.map(({ createdRealAt, orderId }) => `${createdRealAt} ${orderId}`);
  expect(places).toEqual([...places].sort());
  const paged: OpenOrder[] = [];
  for (;;) {
    const page = await open({ after: paged.at(-1) ?? null, limit: 2 });
    paged.push(...page);
    if (page.length < 2) break;
  }
  expect(paged).toEqual(all);
  const { createdRealAt, orderId } = (await notStarted()).at(-1)!;
  expect(idsOf(await notStarted({ before: createdRealAt }))).not.toContain(orderId);
  expect(idsOf(await notStarted({ before: createdRealAt + 1 }))).toContain(orderId);
});

describe('listOpenOrders', () => {
  beforeAll(async () => {
    const { subscriptionId, paymentId } = await createCollected(ledger.pool);
    const filling = createPool({ databaseUrl: ledger.url, statementTimeoutMs: 0, max: 1 });
    // Without triggers and foreign keys, which would take long: these rows represent years of orders.
    await filling.query(
      `set session_replication_role = replica;
       insert into orders (kind, order_id, subscription_id, cycle, payment_id, capture_id, amount, actor, created_at, created_real_at)
         select 'refund', 'ref_closed_' || (1000000 + n), '${subscriptionId}', 0, '${paymentId}', 'cap_' || n, 1, 'till', at, at
         from generate_series(1, 200000) n, lateral (select timestamptz '2020-01-01' + n * interval '1 minute' as at) t;
       insert into order_sends (order_id, send, payment_id, state, at, sending_real_at, service_id, owner, outcome_at)
         select 'ref_closed_' || (1000000 + n), 0, '${paymentId}', 'successful', now(), now(), 'closed-' || n, 'w', now()
         from generate_series(1, 200000) n;
       analyze orders, order_sends, open_orders`,
    );
    await filling.end();
  });

  test.each([
    ['what is open', 'all'],
    ['what was never started', 'not_started'],
  ] as const)('among 200,000 closed orders %s is read without reading the closed ones', async (_what, which) => {
    await startSend(ledger.pool, await placeRefund(ledger.pool, await createCollected(ledger.pool), 500));
    const { blocks, scanned } = await costOf(ledger.pool, (db) => listOpenOrders(db, which, { ...EVER, limit: 100 }));
    expect(scanned.filter((table) => table !== 'open_orders')).toEqual([]);
    expect(blocks).toBeLessThan(500);
    expect((await listOpenOrders(ledger.pool, which, EVER)).length).toBeLessThan(100);
  });
});
