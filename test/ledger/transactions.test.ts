import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR, type Instant } from '../../src/domain/time';
import {
  findTransactionPosition,
  listTransactions,
  transactionCursor,
  readTransactions,
  type TransactionFilter,
  type TransactionRecord,
} from '../../src/ledger';
import { NOW, sendOf, settle, startDebit, subscribe, type Subscribed, useLedger } from './ledger-fixture';
import {
  authorizedPayment,
  startedOrder,
  recordBooking,
  sendOrder,
  orderedCapture,
  orderedRefund,
  SINGLE,
} from './payment-fixture';
import { createCollected, placeRefund } from './refund-fixture';

const ledger = useLedger();
beforeEach(async () => {
  await ledger.pool.query(
    'alter table attempts disable trigger user; alter table orders disable trigger user; alter table order_sends disable trigger user',
  );
  await ledger.pool.query('truncate subscriptions, payments, payers, orders, open_orders, attempts cascade');
  await ledger.pool.query(
    'alter table attempts enable trigger user; alter table orders enable trigger user; alter table order_sends enable trigger user',
  );
});

/** All transactions that match the filter, read in pages of `limit`. */
async function every(filter: TransactionFilter = {}, limit = 50): Promise<TransactionRecord[]> {
  const all: TransactionRecord[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listTransactions>> = await listTransactions(
      ...[ledger.pool, filter, transactionCursor.read(cursor), limit],
    );
    all.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all;
}

const summary = ({ type, status, amount, plan }: TransactionRecord) => `${plan} ${type} ${status} ${amount.value}`;

async function sendAt(subscribed: Subscribed, at: Instant, attempt = 0) {
  return startDebit(ledger.pool, sendOf(subscribed, { at, attempt }));
}

test('each movement of money of every plan is one transaction, with the ids that exist', async () => {
  const given = await createCollected(ledger.pool);
  await placeRefund(ledger.pool, given, 500);
  const single = await authorizedPayment(ledger.pool, SINGLE, NOW + HOUR);
  await recordBooking(ledger.pool, single, 'successful', NOW + 2 * HOUR);
  const reserved = await authorizedPayment(ledger.pool);
  const order = await orderedCapture(ledger.pool, reserved, 3000, NOW + 3 * HOUR);
  const captureId = await sendOrder(ledger.pool, order);
  await startedOrder(ledger.pool, await orderedRefund(ledger.pool, reserved, captureId, 1000));

  const all = await every();
  expect(all.map(summary).toSorted()).toEqual([
    'EVENT_DEPENDENT capture successful 3000',
    'EVENT_DEPENDENT refund pending 1000',
    'SINGLE debit successful 10000',
    'SUBSCRIPTION debit successful 1999',
    'SUBSCRIPTION refund pending 500',
  ]);
  const { subscriptionId, paymentId } = given;
  const find = (plan: string, type: string) => all.find((each) => each.plan === plan && each.type === type)!;
  const debit = find('SUBSCRIPTION', 'debit');
  expect(debit).toMatchObject({
    transactionId: `attempt.${subscriptionId}.0.0.0`,
    subscriptionId,
    paymentId,
    cycle: 0,
    attempt: 0,
    createdAt: NOW,
    bookedAt: NOW + 1000,
    captureId: given.captureId,
    reference: 'customer-7',
    metadata: {},
  });
  expect(find('SUBSCRIPTION', 'refund')).toMatchObject({
    subscriptionId,
    paymentId,
    cycle: 0,
    captureId: given.captureId,
    bookedAt: null,
    authorizationId: debit.authorizationId,
    refundId: expect.stringMatching(/^ref_/),
    attempt: null,
  });
  expect(find('SINGLE', 'debit')).toMatchObject({
    transactionId: `payment.${single.requestId}`,
    createdAt: NOW + HOUR,
    bookedAt: NOW + 2 * HOUR,
    authorizationId: `aut-${single.requestId}`,
    subscriptionId: null,
    cycle: null,
  });
  expect(find('EVENT_DEPENDENT', 'capture')).toMatchObject({
    transactionId: `order.${order}`,
    orderId: order,
    captureId,
    serviceRefundId: null,
  });
});

test.each([
  ['rejected_retryable', 'failed'],
  ['rejected', 'failed'],
  ['capture_failed', 'failed'],
  ['pending', 'pending'],
  ['unknown', 'pending'],
  ['unresolved', 'pending'],
  ['successful', 'successful'],
] as const)('a debit whose send is %s is listed as %s', async (state, status) => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await sendAt(given, NOW), state);
  expect(await every()).toMatchObject([{ status, bookedAt: status === 'successful' ? NOW + 1000 : null }]);
});

test('a send that never arrived at the service is not in the list of transactions', async () => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await sendAt(given, NOW), 'not_sent');
  expect(await every()).toEqual([]);
});

test.each([
  ['failed', 'failed'],
  ['successful', 'successful'],
] as const)('a Single Immediate payment whose booking is %s is listed as a debit that is %s', async (state, status) => {
  const single = await authorizedPayment(ledger.pool, SINGLE);
  expect(await every()).toMatchObject([{ type: 'debit', status: 'pending' }]);
  await recordBooking(ledger.pool, single, state, NOW + HOUR);
  expect(await every()).toMatchObject([{ status }]);
});

describe('readTransactions', () => {
  const given: Subscribed[] = [];
  beforeEach(async () => {
    given.length = 0;
    for (let n = 0; n < 7; n += 1) {
      const each = await subscribe(ledger.pool);
      given.push(each);
      await settle(ledger.pool, await sendAt(each, NOW), 'pending');
      const single = await authorizedPayment(ledger.pool, SINGLE, NOW);
      if (n % 2 === 0) await recordBooking(ledger.pool, single, 'successful', NOW + n * HOUR);
      const reserved = await authorizedPayment(ledger.pool);
      await orderedCapture(ledger.pool, reserved, 100 + n, NOW);
    }
  });

  test.each([1, 2, 3, 20, 21, 50])('pages of %i list each movement of one instant once, in order', async (limit) => {
    const all = (await every({}, 200)).map(({ transactionId }) => transactionId);
    expect(new Set(all).size).toBe(21);
    expect((await every({}, limit)).map(({ transactionId }) => transactionId)).toEqual(all);
  });

  test('each of many transactions that began at one instant is found again by its id, and the list continues after it, whatever was booked meanwhile', async () => {
    const all = (await every({}, 200)).map(({ transactionId }) => transactionId);
    for (const each of given) {
      const ref = { subscriptionId: each.subscriptionId, cycle: 0, attempt: 0, send: 0 };
      await settle(ledger.pool, ref, 'successful', NOW + 4 * DAY);
    }
    for (const [index, transactionId] of all.entries()) {
      const place = await findTransactionPosition(ledger.pool, transactionId);
      const behind = await readTransactions(ledger.pool, {}, place, 100);
      expect(behind.map((each) => each.transactionId)).toEqual(all.slice(index + 1));
    }
  });
});

const idsOf = (records: readonly TransactionRecord[]) => records.map(({ subscriptionId }) => subscriptionId);
const debited = async (sentAt: Instant, state: 'successful' | 'pending' | 'rejected', outcomeAt: Instant) => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await sendAt(given, sentAt), state, outcomeAt);
  return given.subscriptionId;
};

test('a period lists the transactions that were booked in it, to the millisecond, however long before they were sent', async () => {
  const [from, to] = [NOW + 2 * DAY, NOW + 3 * DAY];
  await debited(NOW, 'successful', from - 1);
  const first = await debited(NOW, 'successful', from);
  const last = await debited(NOW + DAY, 'successful', to - 1);
  await debited(NOW + DAY, 'successful', to);
  expect(idsOf(await every({ from, to })).toSorted()).toEqual([first, last].toSorted());
  expect(idsOf(await every({ from, to }, 1)).toSorted()).toEqual([first, last].toSorted());
});

test('a period lists a transaction that is not booked by the time at which it was sent', async () => {
  const [from, to] = [NOW + HOUR, NOW + 2 * HOUR];
  await debited(from - 1, 'pending', NOW);
  const waiting = await debited(from, 'pending', NOW);
  const refused = await debited(to - 1, 'rejected', NOW + DAY);
  await debited(to, 'rejected', NOW + DAY);
  expect(idsOf(await every({ from, to }))).toEqual([waiting, refused]);
});

test('a period lists a transaction booked in it, even if it was sent later by a clock that was set back since', async () => {
  const early = await debited(NOW + 3 * DAY, 'successful', NOW);
  expect(idsOf(await every({ from: NOW, to: NOW + HOUR }))).toEqual([early]);
});

test('a period of transactions without an end, or without a beginning, is open there', async () => {
  const id = await debited(NOW, 'successful', NOW + 1);
  expect(idsOf(await every({ from: NOW }))).toEqual([id]);
  expect(idsOf(await every({ to: NOW + 2 }))).toEqual([id]);
  expect(idsOf(await every({ from: NOW + 2 }))).toEqual([]);
  expect(idsOf(await every({ to: NOW + 1 }))).toEqual([]);
});

test('filters of transactions may be combined', async () => {
  const given = await createCollected(ledger.pool);
  await placeRefund(ledger.pool, given, 1);
  const other = await subscribe(ledger.pool, { payer: { email: null, reference: 'other' } });
  await settle(ledger.pool, await sendAt(other, NOW), 'rejected');
  const single = await authorizedPayment(ledger.pool, SINGLE);
  const of = async (filter: TransactionFilter) => (await every(filter)).map(summary);

  expect(await of({ subscriptionId: given.subscriptionId })).toHaveLength(2);
  expect(await of({ subscriptionId: given.subscriptionId, type: 'refund' })).toEqual(['SUBSCRIPTION refund pending 1']);
  expect(await of({ paymentId: single.paymentId })).toEqual(['SINGLE debit pending 10000']);
  expect(await of({ reference: 'other' })).toEqual(['SUBSCRIPTION debit failed 1999']);
  expect(await of({ reference: 'other', paymentId: given.paymentId })).toEqual([]);
  expect(await of({ reference: 'nobody' })).toEqual([]);
  expect(await of({ status: 'failed' })).toEqual(['SUBSCRIPTION debit failed 1999']);
  expect(await of({ type: 'capture' })).toEqual([]);
  expect(await of({ subscriptionId: 'nobody' as SubscriptionId })).toEqual([]);
  expect(await of({ paymentId: 'nobody' as PaymentId })).toEqual([]);
});

test.each([
  'attempt.sub_unknown.0.0.0',
  'payment.pay_unknown',
  'order.ref_unknown',
  'order.sub_unknown',
  'nothing',
  '',
])('no transaction is found by the id %j', async (id) => {
  expect(await findTransactionPosition(ledger.pool, id)).toBeNull();
});
