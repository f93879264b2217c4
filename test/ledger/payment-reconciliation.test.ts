import { randomUUID } from 'node:crypto';
import { DAY, HOUR, toIso } from '../../src/domain/time';
import { notCompared } from '../../src/domain/reconciliation/subscription';
import { euros } from '../../src/domain/money';
import {
  beginReconciliation,
  type ComparedPayment,
  blankPayers,
  insertPaymentDraft,
  listDifferences,
  listEvents,
  positionAfter,
  type Pool,
  readAlarms,
  readLedgerOneTimePayment,
  readPaymentDraft,
  readPaymentsTouched,
  recordCompared,
  sumCollections,
} from '../../src/ledger';
import { emptyLedger } from '../support/empty-ledger';
import { NOW, REAL_NOW, subscribe, useLedger } from './ledger-fixture';
import {
  askedPayment,
  authorizedPayment,
  startedOrder,
  recordBooking,
  sendOrder,
  orderedCapture,
  orderedRefund,
  patchPayment,
  paymentDraft,
  SINGLE,
} from './payment-fixture';

const ledger = useLedger();
beforeEach(() => emptyLedger(ledger.pool));

const EVER = { from: 0, to: NOW + 1000 * DAY };

async function touched(pool: Pool, period = EVER, after = '', atOnce = 2): Promise<ComparedPayment[]> {
  const found: ComparedPayment[] = [];
  for await (const each of readPaymentsTouched(pool, period, after, atOnce)) found.push(each);
  return found;
}

test('the one-time payments to compare follow the subscriptions, page by page, from any position, without drafts', async () => {
  const { subscriptionId, paymentId } = await subscribe(ledger.pool);
  const payments = [];
  for (let n = 0; n < 5; n += 1) payments.push(await askedPayment(ledger.pool));
  await insertPaymentDraft(ledger.pool, paymentDraft(), REAL_NOW);
  payments.sort((one, other) => (one.requestId < other.requestId ? -1 : 1));
  const all = [{ subscriptionId, paymentId }, ...payments];
  const longAfter = { from: NOW + 500 * DAY, to: NOW + 501 * DAY };
  expect(await touched(ledger.pool, longAfter)).toEqual(all);
  for (const [index, each] of all.entries()) {
    expect(await touched(ledger.pool, longAfter, positionAfter(each))).toEqual(all.slice(index + 1));
  }
});

test('a settled one-time payment is compared if it has an audit entry in the period or later, or an order within the period', async () => {
  const payment = await authorizedPayment(ledger.pool);
  const orderId = await orderedCapture(ledger.pool, payment, 10_000, NOW + DAY);
  await sendOrder(ledger.pool, orderId);
  const isTouched = async (from: number, to: number) => (await touched(ledger.pool, { from, to })).length === 1;
  const last = NOW + DAY;
  expect(await isTouched(last, last + 1)).toBe(true);
  expect(await isTouched(last + DAY, last + 2 * DAY)).toBe(false);
  await ledger.pool.query(
    `alter table events disable trigger user; delete from events; alter table events enable trigger user`,
  );
  expect(await isTouched(last, last + 1)).toBe(true);
  expect(await isTouched(last - 1, last)).toBe(false);
  expect(await isTouched(last + 1, last + DAY)).toBe(false);
});

test('a one-time payment is compared with its authorization and every capture and refund, as they were sent', async () => {
  const payment = await authorizedPayment(ledger.pool);
  const { paymentId, requestId } = payment;
  const first = await orderedCapture(ledger.pool, payment, 3_000, NOW + 1);
  const captureId = await sendOrder(ledger.pool, first);
  await orderedCapture(ledger.pool, payment, 2_000, NOW + 3);
  const refundId = await orderedRefund(ledger.pool, payment, captureId, 400);
  await startedOrder(ledger.pool, refundId);
  expect(await readLedgerOneTimePayment(ledger.pool, paymentId)).toEqual({
    subscriptionId: null,
    paymentId,
    plan: 'EVENT_DEPENDENT',
    status: 'partly_captured',
    amount: euros(10_000),
    knownSince: NOW - HOUR,
    requestedRealAt: REAL_NOW,
    authorization: {
      authorizationId: `aut-${requestId}`,
      state: 'successful',
      at: NOW,
      captureBy: NOW + 7 * DAY,
      isBeingReleased: false,
    },
    captures: [
      {
        cycle: null,
        state: 'successful',
        amount: euros(3_000),
        at: NOW + 2000,
        knownIds: ['old-1'],
        captureId,
        finalCapture: false,
      },
      {
        cycle: null,
        state: 'ordered',
        amount: euros(2_000),
        at: NOW + 3,
        knownIds: [],
        captureId: null,
        finalCapture: false,
      },
    ],
    refunds: [
      {
        cycle: null,
        state: 'sending',
        amount: euros(400),
        at: NOW + 2000,
        knownIds: ['old-1'],
        refundId,
        captureId,
        serviceRefundId: null,
      },
    ],
  });
});

test('a one-time payment is compared with a booking that the service made by itself', async () => {
  const payment = await authorizedPayment(ledger.pool, SINGLE);
  const captureId = await recordBooking(ledger.pool, payment, 'successful', NOW + 5);
  expect(await readLedgerOneTimePayment(ledger.pool, payment.paymentId)).toMatchObject({
    plan: 'SINGLE',
    status: 'captured',
    authorization: { state: 'successful', captureBy: null },
    captures: [{ state: 'successful', amount: euros(10_000), at: NOW + 5, captureId, finalCapture: true }],
  });
});

test('a one-time payment is compared as released, being released, or expired', async () => {
  const authorizationOf = async (patch: Parameters<typeof patchPayment>[2]) => {
    const payment = await authorizedPayment(ledger.pool);
    await patchPayment(ledger.pool, payment, patch);
    return (await readLedgerOneTimePayment(ledger.pool, payment.paymentId)).authorization;
  };
  expect(await authorizationOf({ releaseOrderedAt: NOW })).toMatchObject({
    state: 'successful',
    isBeingReleased: true,
  });
  expect(await authorizationOf({ releasedAt: NOW })).toMatchObject({ state: 'released' });
  expect(await authorizationOf({ expiredAt: NOW })).toMatchObject({ state: 'expired' });
  const asked = await askedPayment(ledger.pool);
  expect((await readLedgerOneTimePayment(ledger.pool, asked.paymentId)).authorization).toBeNull();
});

test('comparing a one-time payment that the ledger lacks is an error', async () => {
  await expect(readLedgerOneTimePayment(ledger.pool, 'gone' as never)).rejects.toThrow('no payment gone');
});

test('a run keeps the differences of a one-time payment without a subscription, and writes one entry to the audit log of the payment', async () => {
  const subscribed = await subscribe(ledger.pool);
  const payment = await askedPayment(ledger.pool);
  const { paymentId } = payment;
  const found = { ...notCompared('HTTP 500'), kind: 'debit_unknown', captureId: 'cap-1' } as const;
  for (const day of [1, 2]) {
    const runId = randomUUID();
    const run = { runId, period: EVER, actor: 'till', at: NOW, realAt: REAL_NOW };
    await beginReconciliation(ledger.pool, run);
    await recordCompared(ledger.pool, runId, subscribed, [found], null);
    await recordCompared(ledger.pool, runId, payment, [found], NOW + day * DAY);
    await recordCompared(ledger.pool, runId, payment, [found], NOW + day * DAY);
    const { items } = await listDifferences(ledger.pool, runId, { limit: 10, cursor: null });
    expect(items.map((each) => [each.subscriptionId, each.paymentId])).toEqual([
      [subscribed.subscriptionId, subscribed.paymentId],
      [null, paymentId],
    ]);
    expect(await beginReconciliation(ledger.pool, run)).toMatchObject({
      position: `~${payment.requestId}`,
      payments: 2,
      differences: 2,
    });
  }
  const filter = { ofPayment: paymentId, type: 'reconciliation.difference' };
  const { items } = await listEvents(ledger.pool, filter, { limit: 10, cursor: null });
  expect(items).toMatchObject([{ at: NOW + DAY, subscriptionId: null, paymentId, data: { captureId: 'cap-1' } }]);
});

const SPAN = { from: NOW - 30 * DAY, to: NOW + 30 * DAY };
const collections = async (now = NOW + 30 * DAY, period = SPAN) => {
  const sums = await sumCollections(ledger.pool, period, now);
  return sums.map(({ day, status, count, amount }) => `${toIso(day).slice(0, 10)} ${status} ${count} ${amount.value}`);
};

test('collections count each capture of a one-time payment on its own day, and count its refunds on that day', async () => {
  const payment = await authorizedPayment(ledger.pool);
  const first = await sendOrder(ledger.pool, await orderedCapture(ledger.pool, payment, 3_000, NOW));
  await sendOrder(ledger.pool, await orderedCapture(ledger.pool, payment, 2_000, NOW + DAY));
  await orderedCapture(ledger.pool, payment, 1_000, NOW + DAY);
  await sendOrder(ledger.pool, await orderedRefund(ledger.pool, payment, first, 500));
  await startedOrder(ledger.pool, await orderedRefund(ledger.pool, payment, first, 70));
  expect(await collections()).toEqual([
    '2027-01-31 collected 1 3000',
    '2027-01-31 refunded 1 500',
    '2027-02-01 collected 1 2000',
  ]);
  expect(await collections(NOW)).toEqual(['2027-01-31 collected 1 3000', '2027-01-31 refunded 1 500']);
  expect(await collections(NOW + DAY, { from: NOW + 1, to: NOW + DAY })).toEqual([]);
});

test('collections count the booking of a one-time payment and its refunds on the day of the booking', async () => {
  const payment = await authorizedPayment(ledger.pool, SINGLE);
  const captureId = await recordBooking(ledger.pool, payment, 'successful', NOW + DAY);
  await sendOrder(ledger.pool, await orderedRefund(ledger.pool, payment, captureId, 10_000));
  expect(await collections()).toEqual(['2027-02-01 collected 1 10000', '2027-02-01 refunded 1 10000']);
});

test('collections count a failed booking on the day of its authorization, and do not count refused or open payments', async () => {
  await recordBooking(ledger.pool, await authorizedPayment(ledger.pool, SINGLE), 'failed', NOW + DAY);
  await authorizedPayment(ledger.pool, SINGLE);
  await askedPayment(ledger.pool, SINGLE);
  const refused = await authorizedPayment(ledger.pool, SINGLE);
  await ledger.pool.query(
    `update payments set authorization_state = 'failed', status = 'failed' where request_id = $1`,
    [refused.requestId],
  );
  expect(await collections()).toEqual(['2027-01-31 failed 1 10000']);
});

test('captures and refunds are counted as unknown once their outcome has been unknown for an hour of real time', async () => {
  const payment = await authorizedPayment(ledger.pool);
  const other = await authorizedPayment(ledger.pool);
  const captureId = await sendOrder(ledger.pool, await orderedCapture(ledger.pool, other, 3_000, NOW));
  await startedOrder(ledger.pool, await orderedCapture(ledger.pool, payment, 3_000, NOW));
  await startedOrder(ledger.pool, await orderedRefund(ledger.pool, other, captureId, 500), REAL_NOW + 1);
  const unknown = async (realNow: number) => (await readAlarms(ledger.pool, NOW, realNow)).unknownForAnHour;
  expect(await unknown(REAL_NOW + HOUR)).toBe(0);
  expect(await unknown(REAL_NOW + HOUR + 1)).toBe(1);
  expect(await unknown(REAL_NOW + HOUR + 2)).toBe(2);
});

test('erasing the payer of a one-time payment leaves nothing personal, and every row about money', async () => {
  const personal = {
    billingAddress: { name: 'Erika Muster', street: 'Heimweg 5', postalCode: '80331', city: 'München', country: 'DE' },
    shippingAddress: { name: 'Erik Muster', street: 'Lieferweg 6', postalCode: '80332', city: 'Ulm', country: 'DE' },
  };
  const payment = await authorizedPayment(ledger.pool, personal);
  await sendOrder(ledger.pool, await orderedCapture(ledger.pool, payment, 3_000, NOW));
  const wanted = paymentDraft(personal);
  await insertPaymentDraft(ledger.pool, wanted, REAL_NOW);
  const before = await readLedgerOneTimePayment(ledger.pool, payment.paymentId);
  const { rows } = await ledger.pool.query<{ payer_id: string }>('select payer_id from payments');
  expect(rows).toHaveLength(2);
  for (const { payer_id: payerId } of rows) await blankPayers(ledger.pool, [payerId], NOW);
  for (const table of ['payments', 'payers', 'orders', 'order_sends', 'events', 'notices']) {
    const { rows: left } = await ledger.pool.query<{ text: string }>(
      `select row_to_json(t)::text as text from ${table} t`,
    );
    expect(left.map(({ text }) => text).join('\n')).not.toMatch(/Muster|Heimweg|Lieferweg|\b8033[12]\b/);
  }
  expect(await readLedgerOneTimePayment(ledger.pool, payment.paymentId)).toEqual(before);
  expect(await readPaymentDraft(ledger.pool, wanted.requestId)).toBeNull();
});
