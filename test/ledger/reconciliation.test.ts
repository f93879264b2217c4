import { randomUUID } from 'node:crypto';
import type { AuthorizationId, CaptureId } from '../../src/domain/ids';
import { DAY } from '../../src/domain/time';
import { type Difference, notCompared } from '../../src/domain/reconciliation/subscription';
import { euros } from '../../src/domain/money';
import {
  applyChange,
  beginReconciliation,
  endReconciliation,
  listDifferences,
  listEvents,
  type Pool,
  purgeReconciliations,
  readLedgerPayment,
  readLedgerPayments,
  readPaymentsTouched,
  readReconciliation,
  recordCompared,
  recordOutcome,
  recordOrderOutcome,
  stopReconciliation,
  insertDraft,
} from '../../src/ledger';
import {
  askConsent,
  draft,
  DUE,
  NOW,
  REAL_NOW,
  sendOf,
  settle,
  startDebit,
  subscribe,
  useLedger,
} from './ledger-fixture';
import { startSend, createCollected, placeRefund } from './refund-fixture';
import { emptyLedger } from '../support/empty-ledger';

const ledger = useLedger();
const EVER = { from: 0, to: NOW + 1000 * DAY };

const idsTouched = async (pool: Pool, period = EVER, after = '', atOnce = 2) => {
  const ids: string[] = [];
  for await (const { subscriptionId } of readPaymentsTouched(pool, period, after, atOnce))
    ids.push(subscriptionId ?? '');
  return ids;
};

describe('readPaymentsTouched', () => {
  beforeEach(() => emptyLedger(ledger.pool));

  async function ended(at: number) {
    const subscribed = await subscribe(ledger.pool);
    await applyChange(ledger.pool, {
      subscriptionId: subscribed.subscriptionId,
      key: 'ended',
      at,
      actor: 'dueday',
      events: [{ type: 'subscription.cancelled', data: {} }],
      subscription: { status: 'cancelled' },
    });
    return subscribed.subscriptionId;
  }

  test('the payments to compare are those of all subscriptions that have not ended, page by page, without drafts', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) made.push((await subscribe(ledger.pool)).subscriptionId);
    made.push((await askConsent(ledger.pool)).subscriptionId);
    await insertDraft(ledger.pool, draft(), REAL_NOW);
    made.sort();
    const longAfter = { from: NOW + 500 * DAY, to: NOW + 501 * DAY };
    expect(await idsTouched(ledger.pool, longAfter)).toEqual(made);
    expect(await idsTouched(ledger.pool, longAfter, made[2])).toEqual(made.slice(3));
  });

  test('the payments to compare include those that ended at the beginning of the period, but not a millisecond before', async () => {
    const id = await ended(NOW + DAY);
    expect(await idsTouched(ledger.pool, { from: NOW + DAY, to: NOW + 2 * DAY })).toEqual([id]);
    expect(await idsTouched(ledger.pool, { from: NOW + DAY + 1, to: NOW + 2 * DAY })).toEqual([]);
  });

  test('the payments to compare include each with a send or a refund order in the period, even if the subscription has ended', async () => {
    const subscribed = await createCollected(ledger.pool);
    await placeRefund(ledger.pool, subscribed, 500);
    const { subscriptionId } = subscribed;
    await ledger.pool.query(`update subscriptions set status = 'completed' where subscription_id = $1`, [
      subscriptionId,
    ]);
    await ledger.pool.query(
      `alter table events disable trigger user; delete from events; alter table events enable trigger user`,
    );
    const touched = (from: number, to: number) => idsTouched(ledger.pool, { from, to });
    expect(await touched(NOW, NOW + 1)).toEqual([subscriptionId]);
    expect(await touched(NOW - 1, NOW)).toEqual([]);
    expect(await touched(NOW + 1, NOW + 1000)).toEqual([]);
    expect(await touched(NOW + 1000, NOW + 1001)).toEqual([subscriptionId]);
    expect(await touched(NOW + 1001, NOW + DAY)).toEqual([]);
  });
});

test("the ledger's side of a comparison is every send and every refund of the payment, as they were sent", async () => {
  const subscribed = await createCollected(ledger.pool);
  const { subscriptionId, paymentId, captureId } = subscribed;
  const ref = await startDebit(ledger.pool, sendOf(subscribed, { cycle: 1, at: NOW + DAY, amount: euros(500) }));
  const again = { cycle: 1, amount: euros(500), knownIds: ['old-1', 'new-1'] };
  await settle(ledger.pool, ref, 'not_sent');
  await startDebit(ledger.pool, sendOf(subscribed, { ...again, at: NOW + 2 * DAY }));
  const [one, other] = [
    await placeRefund(ledger.pool, subscribed, 300),
    await placeRefund(ledger.pool, subscribed, 200),
  ];
  const send = await startSend(ledger.pool, one);
  const serviceRefundId = randomUUID();
  await recordOrderOutcome(
    ledger.pool,
    send,
    { state: 'successful', serviceId: serviceRefundId, createdAt: NOW + 5 },
    NOW + 6,
  );

  const found = await readLedgerPayment(ledger.pool, { subscriptionId, paymentId });

  expect(found).toMatchObject({ subscriptionId, paymentId, knownSince: draft().createdAt });
  expect(found.attempts).toEqual([
    {
      cycle: 0,
      state: 'successful',
      amount: euros(1999),
      at: NOW,
      dueAt: DUE,
      knownIds: ['old-1'],
      authorizationId: expect.any(String),
      captureId,
    },
    {
      cycle: 1,
      state: 'not_sent',
      amount: euros(500),
      at: NOW + DAY,
      dueAt: DUE,
      knownIds: [],
      authorizationId: null,
      captureId: null,
    },
    {
      cycle: 1,
      state: 'sending',
      amount: euros(500),
      at: NOW + 2 * DAY,
      dueAt: DUE,
      knownIds: ['new-1'],
      authorizationId: null,
      captureId: null,
    },
  ]);
  const made = {
    cycle: 0,
    state: 'successful',
    amount: euros(300),
    at: NOW + 2000,
    knownIds: ['old-refund'],
    refundId: one.refundId,
    captureId,
    serviceRefundId,
  };
  const waiting = {
    cycle: 0,
    state: 'ordered',
    amount: euros(200),
    at: NOW + 1000,
    knownIds: [],
    refundId: other.refundId,
    captureId,
    serviceRefundId: null,
  };
  expect(found.refunds).toHaveLength(2);
  expect(found.refunds).toEqual(expect.arrayContaining([made, waiting]));
});

test("the ledger's side of an imported payment begins when dueday starts to collect it, or with its creation if that is later", async () => {
  const subscribed = await subscribe(ledger.pool);
  const since = async (collectFrom: number) => {
    await ledger.pool.query(
      'update subscriptions set collect_from = $2, collected_elsewhere = true where subscription_id = $1',
      [subscribed.subscriptionId, new Date(collectFrom)],
    );
    return (await readLedgerPayment(ledger.pool, subscribed)).knownSince;
  };
  const { createdAt } = draft();
  expect(await since(createdAt + 1)).toBe(createdAt + 1);
  expect(await since(createdAt - 1)).toBe(createdAt);
});

test('reading several payments to compare returns the same as reading each alone, without any whose subscription is missing', async () => {
  const paid = await createCollected(ledger.pool);
  await placeRefund(ledger.pool, paid, 300);
  const [other, unpaid] = [await createCollected(ledger.pool), await subscribe(ledger.pool)];
  const gone = { ...unpaid, subscriptionId: 'sub_gone' as typeof unpaid.subscriptionId };
  const alone = [paid, unpaid, other].map((each) => readLedgerPayment(ledger.pool, each));
  const together = await readLedgerPayments(ledger.pool, [paid, gone, unpaid, other]);
  expect(together).toEqual(await Promise.all(alone));
  expect(together.map(({ attempts, refunds }) => [attempts.length, refunds.length])).toEqual([
    [1, 1],
    [0, 0],
    [1, 0],
  ]);
});

test('reading a payment to compare whose subscription is missing throws', async () => {
  const { paymentId } = await subscribe(ledger.pool);
  const gone = { subscriptionId: 'sub_gone', paymentId } as Parameters<typeof readLedgerPayment>[1];
  await expect(readLedgerPayment(ledger.pool, gone)).rejects.toThrow('no subscription sub_gone');
});

const SPAN = { from: NOW - DAY, to: NOW + DAY };
const begin = (runId: string, realAt = REAL_NOW) =>
  beginReconciliation(ledger.pool, { runId, period: SPAN, actor: 'till', at: NOW, realAt });
const stolen: Difference = {
  ...notCompared(''),
  kind: 'debit_unknown',
  authorizationId: 'aut-1',
  captureId: 'cap-1',
  service: { state: 'successful', amount: euros(777), at: NOW },
  reason: null,
};
const differing: Difference = {
  kind: 'refund_amount',
  cycle: 4,
  authorizationId: null,
  captureId: 'cap-2',
  refundId: 'ref_1',
  serviceRefundId: 'back-1',
  reason: null,
  ledger: { state: 'successful', amount: euros(100), at: DUE },
  service: { state: 'successful', amount: euros(101), at: DUE + 1 },
};

async function two() {
  const [a, b] = [await subscribe(ledger.pool), await subscribe(ledger.pool)];
  return [a, b].sort((one, other) => (one.subscriptionId < other.subscriptionId ? -1 : 1)) as [typeof a, typeof b];
}

test('a run of a reconciliation continues from its position, and counts each payment once', async () => {
  const [first, second] = await two();
  const runId = randomUUID();
  expect(await begin(runId)).toEqual({
    runId,
    period: SPAN,
    actor: 'till',
    state: 'running',
    position: '',
    payments: 0,
    differences: 0,
    notCompared: 0,
    reason: null,
    startedAt: NOW,
  });
  expect(await recordCompared(ledger.pool, runId, first, [], null)).toBe(true);
  await recordCompared(ledger.pool, runId, second, [stolen, differing], null);
  expect(await recordCompared(ledger.pool, runId, second, [stolen], null)).toBe(true);
  await recordCompared(ledger.pool, runId, first, [notCompared('HTTP 500')], null);
  expect(await begin(runId)).toMatchObject({ position: second.subscriptionId, payments: 2, differences: 2 });
  await endReconciliation(ledger.pool, runId, null, REAL_NOW + 1);
  expect(await readReconciliation(ledger.pool, runId)).toMatchObject({ state: 'compared', reason: null });
  await endReconciliation(ledger.pool, runId, 'too late', REAL_NOW + 2);
  expect(await begin(runId)).toMatchObject({ state: 'compared', reason: null });
  await recordCompared(
    ledger.pool,
    runId,
    { ...second, subscriptionId: `${second.subscriptionId}z` as never },
    [],
    null,
  );
  expect(await begin(runId)).toMatchObject({ payments: 2 });
});

test('a run of a reconciliation that is stopped records nothing more, and keeps what it has found', async () => {
  const [first, second] = await two();
  const runId = randomUUID();
  await begin(runId);
  await recordCompared(ledger.pool, runId, first, [stolen], null);
  const act = { actor: 'till', at: NOW, realAt: REAL_NOW };
  expect(await stopReconciliation(ledger.pool, runId, act)).toMatchObject({ state: 'stopped', payments: 1 });
  expect(await recordCompared(ledger.pool, runId, second, [differing], null)).toBe(false);
  await endReconciliation(ledger.pool, runId, null, REAL_NOW + 1);
  expect(await begin(runId)).toMatchObject({ state: 'stopped', payments: 1, differences: 1 });
  expect(await stopReconciliation(ledger.pool, randomUUID(), act)).toBeNull();
});

test('a run of a reconciliation keeps its differences with both sides, in pages', async () => {
  const [first, second] = await two();
  const [runId, other] = [randomUUID(), randomUUID()];
  await begin(runId);
  await begin(other);
  await recordCompared(ledger.pool, runId, first, [stolen, differing], null);
  await recordCompared(ledger.pool, runId, second, [notCompared('HTTP 500')], null);
  await recordCompared(ledger.pool, other, first, [stolen], null);
  const page = await listDifferences(ledger.pool, runId, { limit: 2, cursor: null });
  const number = expect.any(Number) as number;
  const whose = ({ subscriptionId, paymentId }: typeof first) => ({ subscriptionId, paymentId, number });
  expect(page.items).toEqual([
    { ...whose(first), ...stolen },
    { ...whose(first), ...differing },
  ]);
  const last = await listDifferences(ledger.pool, runId, { limit: 2, cursor: page.nextCursor });
  expect(last).toEqual({ items: [{ ...whose(second), ...notCompared('HTTP 500') }], nextCursor: null });
  expect(await begin(runId)).toMatchObject({ differences: 3, notCompared: 1 });
});

test('a difference has one audit entry, however many runs of a reconciliation find it', async () => {
  const [{ subscriptionId, paymentId }] = await two();
  const found = async () => {
    const filter = { subscriptionId, type: 'reconciliation.difference' };
    return (await listEvents(ledger.pool, filter, { limit: 10, cursor: null })).items;
  };
  for (const [day, differences] of [[stolen], [stolen, differing], [differing]].entries()) {
    const runId = randomUUID();
    await begin(runId);
    await recordCompared(ledger.pool, runId, { subscriptionId, paymentId }, differences, NOW + day * DAY);
  }
  const events = await found();
  expect(events.map(({ at, data }) => [at, data['kind']])).toEqual([
    [NOW + DAY, 'refund_amount'],
    [NOW, 'debit_unknown'],
  ]);
  expect(events[1]).toMatchObject({
    actor: 'dueday',
    data: {
      paymentId,
      captureId: 'cap-1',
      ledger: null,
      service: { state: 'successful', amount: euros(777), at: '2027-01-31T10:00:00.123Z' },
    },
  });
  expect(events[1]?.data['text']).toContain('matches nothing in the ledger');
  const quiet = randomUUID();
  await begin(quiet);
  await recordCompared(ledger.pool, quiet, { subscriptionId, paymentId }, [notCompared('HTTP 500')], null);
  expect(await found()).toHaveLength(2);
});

test('a run of a reconciliation that is given up keeps the reason, and is removed with its differences when it is old', async () => {
  const [first] = await two();
  const [old, young] = [randomUUID(), randomUUID()];
  await begin(old, REAL_NOW - 10_000);
  await recordCompared(ledger.pool, old, first, [stolen], null);
  await endReconciliation(ledger.pool, old, 'HTTP 503', REAL_NOW);
  expect(await readReconciliation(ledger.pool, old)).toMatchObject({
    state: 'service_unavailable',
    reason: 'HTTP 503',
  });
  await begin(young, REAL_NOW - 9_999);
  expect(await purgeReconciliations(ledger.pool, REAL_NOW - 9_999, 1_000)).toBe(1);
  expect(await readReconciliation(ledger.pool, old)).toBeNull();
  expect((await listDifferences(ledger.pool, old, { limit: 5, cursor: null })).items).toEqual([]);
  expect(await readReconciliation(ledger.pool, young)).not.toBeNull();
});

test('a successful send is compared with the service by the ids in its outcome', async () => {
  const subscribed = await subscribe(ledger.pool);
  const ref = await startDebit(ledger.pool, sendOf(subscribed));
  const named = { authorizationId: randomUUID() as AuthorizationId, captureId: randomUUID() as CaptureId };
  const outcome = { state: 'successful', ...named, createdAt: NOW + 1 } as const;
  await recordOutcome(ledger.pool, ref, outcome, NOW + 2, { type: 'attempt.successful', data: {} });
  expect((await readLedgerPayment(ledger.pool, subscribed)).attempts).toMatchObject([named]);
});
