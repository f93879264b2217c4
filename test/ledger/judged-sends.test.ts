import type { PaymentId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import {
  applyChange,
  beginSendIfUnchanged,
  haltSending,
  latestSend,
  liftHalt,
  type Pool,
  readCurrent,
} from '../../src/ledger';
import { accept, createAccepted, book, BOOKED_AT, survey } from './judged';
import {
  count,
  NOW,
  notify,
  orderPaymentFailedNotice,
  sendOf,
  settle,
  startDebit,
  type Subscribed,
  subscribe,
  useLedger,
} from './ledger-fixture';

const ledger = useLedger();

/** Facts read without a lock are judged; a write succeeds only if the ledger still shows them under the lock. */

function change({ subscriptionId }: Subscribed, more: Partial<Parameters<typeof applyChange>[1]>): Promise<number> {
  return applyChange(ledger.pool, { subscriptionId, key: 'steered', at: NOW, actor: 'ada', events: [], ...more });
}

const CHANGES: readonly [string, (given: Subscribed) => Promise<unknown>][] = [
  ['a pause', (given) => change(given, { subscription: { stoppedBy: 'pause' } })],
  ['a newer revision', (given) => change(given, { raisesRevision: true })],
  ['the end of the subscription', (given) => change(given, { subscription: { status: 'cancelled' } })],
  ['a halt', () => haltSending(ledger.pool, { at: NOW, actor: 'ada', reason: 'drill' })],
  ['a send of another worker', (given) => startDebit(ledger.pool, sendOf(given, { owner: 'worker-2' }))],
  [
    'a send that was settled as never made',
    async (given) => settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'not_sent'),
  ],
  [
    'another amount of the cycle',
    ({ subscriptionId }) =>
      ledger.pool.query(
        `insert into cycles (subscription_id, cycle, due_at, collect_by, amount, status)
         values ($1, 0, now(), now() + interval '1 day', 1, 'scheduled')`,
        [subscriptionId],
      ),
  ],
];

afterEach(() => liftHalt(ledger.pool, { at: NOW, actor: 'ada', reason: null }));

test.each(CHANGES)('the ledger writes no send if %s occurred since it was judged', async (_what, happen) => {
  const given = await subscribe(ledger.pool);
  const judged = await survey(ledger.pool, given);
  await happen(given);
  const sends = await count(ledger.pool, 'attempts', given.subscriptionId);
  expect(await beginSendIfUnchanged(ledger.pool, sendOf(given), judged)).toBeNull();
  expect(await count(ledger.pool, 'attempts', given.subscriptionId)).toBe(sends);
});

test('the ledger writes a send once for one judgement', async () => {
  const given = await subscribe(ledger.pool);
  const judged = await survey(ledger.pool, given);
  const row = await beginSendIfUnchanged(ledger.pool, sendOf(given, { knownIds: ['a', 'a', 'b'] }), judged);
  expect(row).toMatchObject({ state: 'sending', send: 0, knownIds: ['a', 'b'] });
  expect(row).toEqual(await latestSend(ledger.pool, given.subscriptionId, 0, 0));
  expect(await beginSendIfUnchanged(ledger.pool, sendOf(given), judged)).toBeNull();
});

test('of callers with the same judgement, one writes its send', async () => {
  const given = await subscribe(ledger.pool);
  const judged = await survey(ledger.pool, given);
  const begin = () => beginSendIfUnchanged(ledger.pool, sendOf(given), judged);
  const results = await Promise.all([begin(), begin(), begin()]);
  expect(results.filter((each) => each !== null)).toHaveLength(1);
  expect(await count(ledger.pool, 'attempts', given.subscriptionId)).toBe(1);
});

test('the ledger writes no retry until the notice about the failure just before the retry has been delivered', async () => {
  const given = await subscribe(ledger.pool);
  const first = await startDebit(ledger.pool, sendOf(given));
  await settle(ledger.pool, first, 'rejected_retryable');
  await orderPaymentFailedNotice(ledger.pool, { ...given, cycle: 0, attempt: 0, data: {}, createdAt: NOW });
  const retry = sendOf(given, { attempt: 1 });
  expect(await beginSendIfUnchanged(ledger.pool, retry, await survey(ledger.pool, given, 1))).toBeNull();
  await notify(ledger.pool, given);
  expect(await beginSendIfUnchanged(ledger.pool, retry, await survey(ledger.pool, given, 1))).toMatchObject({
    attempt: 1,
  });
});

test('the ledger writes no send at another isolation level than read committed', async () => {
  const given = await subscribe(ledger.pool);
  const judged = await survey(ledger.pool, given);
  const client = await ledger.pool.connect();
  await client.query(`set default_transaction_isolation = 'repeatable read'`);
  const elsewhere = Object.assign(Object.create(ledger.pool) as Pool, { query: client.query.bind(client) });
  await expect(beginSendIfUnchanged(elsewhere, sendOf(given), judged)).rejects.toThrow(
    'isolation level read committed',
  );
  client.release(true);
});

test('a debit is written with its cycle, and the facts for the next step are returned', async () => {
  const given = await subscribe(ledger.pool);
  const booked = await book(ledger.pool, await createAccepted(ledger.pool, given));
  expect(booked?.send).toEqual(await latestSend(ledger.pool, given.subscriptionId, 0, 0));
  expect(booked?.current).toEqual(await readCurrent(ledger.pool, given.subscriptionId, BOOKED_AT));
  expect(booked?.current.state).toMatchObject({ cycle: 1, open: null, collectedOnce: true });
});

test('a debit that ends dunning is written with the standing that it clears', async () => {
  const given = await subscribe(ledger.pool);
  await change(given, { subscription: { dunning: true, pastDue: true } });
  const booked = await book(ledger.pool, await createAccepted(ledger.pool, given));
  expect(booked?.current).toEqual(await readCurrent(ledger.pool, given.subscriptionId, BOOKED_AT));
  expect(booked?.current.state.standing).toMatchObject({ dunning: false, pastDue: false });
});

test('a debit judged before the subscription changed is not written', async () => {
  const given = await subscribe(ledger.pool);
  const judged = await createAccepted(ledger.pool, given);
  await change(given, { raisesRevision: true });
  expect(await book(ledger.pool, judged)).toBeNull();
  expect(await latestSend(ledger.pool, given.subscriptionId, 0, 0)).toMatchObject({ state: 'pending' });
});

test('an accepted answer whose authorization the ledger already has is not recorded', async () => {
  const given = await subscribe(ledger.pool);
  const { row } = await createAccepted(ledger.pool, given);
  expect(await accept(ledger.pool, row)).toBeNull();
});

test('a debit of another payment may have the same authorization', async () => {
  const [one, other] = [await subscribe(ledger.pool), await subscribe(ledger.pool)];
  expect(one.paymentId).not.toBe(other.paymentId satisfies PaymentId);
  await createAccepted(ledger.pool, one);
  expect((await createAccepted(ledger.pool, other)).row).toMatchObject({ state: 'pending', amount: euros(1999) });
});
