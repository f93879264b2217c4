import type { OrderId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import {
  applyChange,
  beginOrderSend,
  getCycle,
  getRefund,
  takenRecordIds,
  judgeRefundOrder,
  knownOrders,
  listCycles,
  listEvents,
  orderRefund,
  orderPaymentRefund,
  type OrderOutcome,
  readLedgerPayment,
  recordOrderOutcome,
} from '../../src/ledger';
import {
  count,
  NOW,
  REAL_NOW,
  sendOf,
  settle,
  startDebit,
  subscribe,
  useLedger,
  waitForLock,
  resolveAttempt,
} from './ledger-fixture';
import { authorizedPayment, recordBooking, orderedRefund, SINGLE } from './payment-fixture';
import {
  beginning,
  startSend,
  collectAgain,
  createCollected,
  placeRefund,
  orderOf,
  refundOutcomes,
} from './refund-fixture';

const ledger = useLedger();

async function events(subscriptionId: Parameters<typeof count>[2] | null) {
  if (subscriptionId === null) throw new Error('no subscription');
  const { items } = await listEvents(ledger.pool, { subscriptionId }, { limit: 100, cursor: null });
  return items.filter(({ type }) => type.startsWith('refund')).reverse();
}

async function settleRefund(refund: { refundId: OrderId }, state: OrderOutcome['state']): Promise<void> {
  const sent = await beginOrderSend(ledger.pool, beginning(refund.refundId));
  if (sent.kind !== 'started') throw new Error('not started');
  await recordOrderOutcome(ledger.pool, sent.send, refundOutcomes()[state], NOW + 3000);
}

it('ordering a refund binds it to the capture of the cycle, and writes to the audit log who ordered it, what for and why', async () => {
  const subscribed = await createCollected(ledger.pool);
  const order = orderOf(subscribed, 500);
  const result = await orderRefund(ledger.pool, order);
  const { realAt: createdRealAt, at: createdAt, ...asked } = order;
  const { paymentId, captureId } = subscribed;
  const nothing = { state: null, serviceRefundId: null, detail: null, description: null };
  const refund = { ...asked, paymentId, captureId, createdAt, createdRealAt, ...nothing };
  expect(result).toEqual({ kind: 'ordered', refund });
  expect(await getRefund(ledger.pool, order.refundId)).toEqual(refund);
  expect(await events(subscribed.subscriptionId)).toMatchObject([
    {
      type: 'refund.requested',
      actor: 'till',
      at: NOW + 1000,
      data: { refundId: order.refundId, cycle: 0, captureId, amount: euros(500), reason: 'damaged on arrival' },
    },
  ]);
});

it('ordering a refund of all that was captured is accepted; one cent more is refused, and the audit log says why', async () => {
  const subscribed = await createCollected(ledger.pool);
  const refused = await orderRefund(ledger.pool, orderOf(subscribed, 2000));
  expect(refused).toMatchObject({ kind: 'refused', rule: 'exceeds_captured', highestAllowed: euros(1999) });
  expect((await orderRefund(ledger.pool, orderOf(subscribed, 1999))).kind).toBe('ordered');
  expect(await orderRefund(ledger.pool, orderOf(subscribed, 1))).toMatchObject({ highestAllowed: euros(0) });
  expect((await events(subscribed.subscriptionId)).map(({ type }) => type)).toEqual([
    'refund.refused',
    'refund.requested',
    'refund.refused',
  ]);
  expect(await count(ledger.pool, 'orders', subscribed.subscriptionId)).toBe(1);
});

it('a check of a refund gives the same verdict as ordering the refund, and orders nothing', async () => {
  const subscribed = await createCollected(ledger.pool);
  const { captureId, subscriptionId } = subscribed;
  const whole = orderOf(subscribed, 1999);
  expect(await judgeRefundOrder(ledger.pool, whole)).toEqual({ kind: 'allowed', captureId });
  expect(await judgeRefundOrder(ledger.pool, orderOf(subscribed, 2000))).toMatchObject({ rule: 'exceeds_captured' });
  expect((await events(subscriptionId)).map(({ type }) => type)).toEqual(['refund.refused']);
  expect(await count(ledger.pool, 'orders', subscriptionId)).toBe(0);
  await orderRefund(ledger.pool, whole);
  expect(await judgeRefundOrder(ledger.pool, whole)).toMatchObject({ kind: 'exists' });
});

it.each(['pending', 'unknown', 'unresolved', 'successful', 'not_sent'] as const)(
  'ordering a refund counts an earlier refund that is %s',
  async (state) => {
    const subscribed = await createCollected(ledger.pool);
    await settleRefund(await placeRefund(ledger.pool, subscribed, 1000), state);
    expect(await orderRefund(ledger.pool, orderOf(subscribed, 1000))).toMatchObject({ highestAllowed: euros(999) });
    expect((await orderRefund(ledger.pool, orderOf(subscribed, 999))).kind).toBe('ordered');
  },
);

it.each([null, 'cap-of-portal'])(
  'ordering a refund of a cycle resolved as collected without ids is refused, whichever captureId it names: %s',
  async (captureId) => {
    const subscribed = await subscribe(ledger.pool);
    const send = sendOf(subscribed);
    const ref = await startDebit(ledger.pool, send);
    await settle(ledger.pool, ref, 'unresolved');
    const word = { outcome: 'collected', actor: 'ada', evidence: 'statement', nextDueAt: null } as const;
    await resolveAttempt(ledger.pool, { ...send, ...word, authorizationId: null, captureId: null });
    expect(await orderRefund(ledger.pool, orderOf(subscribed, 1000, { captureId }))).toMatchObject({
      kind: 'refused',
      rule: 'capture_unknown',
    });
  },
);

it('ordering a refund does not count one that failed', async () => {
  const subscribed = await createCollected(ledger.pool);
  await settleRefund(await placeRefund(ledger.pool, subscribed, 1999), 'failed');
  expect((await orderRefund(ledger.pool, orderOf(subscribed, 1999))).kind).toBe('ordered');
});

it('ordering a refund counts the refunds of each cycle separately, and refuses the capture of another cycle', async () => {
  const subscribed = await createCollected(ledger.pool);
  const captureId = await collectAgain(ledger.pool, subscribed, 1);
  await placeRefund(ledger.pool, subscribed, 1999);
  const other = orderOf(subscribed, 1, { cycle: 1, captureId: subscribed.captureId });
  expect(await orderRefund(ledger.pool, other)).toMatchObject({ kind: 'refused', rule: 'other_capture' });
  const own = await orderRefund(ledger.pool, orderOf(subscribed, 1999, { cycle: 1, captureId }));
  expect(own).toMatchObject({ kind: 'ordered', refund: { captureId } });
});

it('ordering a refund is refused for a cycle that is not collected yet, and for a cycle that does not exist', async () => {
  const subscribed = await subscribe(ledger.pool);
  await startDebit(ledger.pool, sendOf(subscribed));
  expect(await orderRefund(ledger.pool, orderOf(subscribed, 1))).toMatchObject({ rule: 'not_collected' });
  expect(await orderRefund(ledger.pool, orderOf(subscribed, 1, { cycle: 7 }))).toMatchObject({
    rule: 'not_collected',
  });
});

it('ordering a refund is possible for a cancelled subscription', async () => {
  const subscribed = await createCollected(ledger.pool);
  await applyChange(ledger.pool, {
    subscriptionId: subscribed.subscriptionId,
    key: 'end',
    at: NOW,
    actor: 'till',
    events: [],
    subscription: { status: 'cancelled', stoppedBy: 'cancel', cancelledBy: 'payer' },
  });
  expect((await orderRefund(ledger.pool, orderOf(subscribed, 1999))).kind).toBe('ordered');
});

it('ordering a refund again by the same request returns the first order; another refund with the same id is refused', async () => {
  const subscribed = await createCollected(ledger.pool);
  const order = orderOf(subscribed, 1999);
  await orderRefund(ledger.pool, order);
  expect(await orderRefund(ledger.pool, { ...order, at: NOW + 9000 })).toMatchObject({ kind: 'exists' });
  expect(await orderRefund(ledger.pool, { ...order, captureId: subscribed.captureId })).toMatchObject({
    kind: 'exists',
    refund: { createdAt: NOW + 1000 },
  });
  const others = [{ amount: euros(1998) }, { cycle: 1 }, { reason: 'other' }, { captureId: 'cap_other' }];
  for (const other of others) {
    expect(await orderRefund(ledger.pool, { ...order, ...other })).toEqual({ kind: 'reused' });
  }
  expect(await count(ledger.pool, 'orders', subscribed.subscriptionId)).toBe(1);
});

it('of two refunds ordered at once, only one is accepted if they exceed the capture together, otherwise both', async () => {
  const tight = await createCollected(ledger.pool);
  const two = await Promise.all([1000, 1000].map((cents) => orderRefund(ledger.pool, orderOf(tight, cents))));
  expect(two.map(({ kind }) => kind).sort()).toEqual(['ordered', 'refused']);
  const wide = await createCollected(ledger.pool);
  const both = await Promise.all([1000, 999].map((cents) => orderRefund(ledger.pool, orderOf(wide, cents))));
  expect(both.map(({ kind }) => kind)).toEqual(['ordered', 'ordered']);
});

it('ordering a refund waits for the lock of the subscription and is judged after that, so that an earlier refund counts', async () => {
  const subscribed = await createCollected(ledger.pool);
  const { subscriptionId, paymentId, captureId } = subscribed;
  const first = await ledger.pool.connect();
  await first.query('begin');
  await first.query('select from subscriptions where subscription_id = $1 for update', [subscriptionId]);
  await first.query(INSERT, [`ref_first_${subscriptionId}`, subscriptionId, 0, paymentId, captureId, 1000]);
  const second = orderRefund(ledger.pool, orderOf(subscribed, 1000));
  const refused = expect(second).resolves.toMatchObject({ kind: 'refused', highestAllowed: euros(999) });
  await waitForLock(ledger.pool);
  await first.query('commit');
  first.release();
  await refused;
});

it('a refund ordered by a key with a daily limit is judged after a concurrent refund by the same key, of another subscription', async () => {
  const limited = { actor: 'desk', perDay: euros(1000) };
  const [one, other] = [await createCollected(ledger.pool), await createCollected(ledger.pool)];
  const blocker = await ledger.pool.connect();
  await blocker.query('begin; lock table orders in share mode');
  const first = orderRefund(ledger.pool, orderOf(one, 600, limited));
  await waitForLock(ledger.pool);
  const second = orderRefund(ledger.pool, orderOf(other, 600, limited));
  await waitForLock(ledger.pool, 2);
  await blocker.query('commit');
  blocker.release();
  expect(await first).toMatchObject({ kind: 'ordered' });
  expect(await second).toMatchObject({ kind: 'beyond_limit', actor: 'desk', asked: euros(1200) });
});

it('ordering a refund of a one-time payment waits for the lock of the payment and is judged after that, so that an earlier refund counts', async () => {
  const { paymentId, captureId } = await bookedPayment();
  const first = await ledger.pool.connect();
  await first.query('begin');
  await first.query('select from payments where payment_id = $1 for update', [paymentId]);
  await first.query(INSERT, [`ref_first_${paymentId}`, null, null, paymentId, captureId, 6000]);
  const terms = { amount: euros(6000), captureId: null, reason: null, actor: 'till', at: NOW, realAt: REAL_NOW };
  const order = { ...terms, refundId: `ref_second_${paymentId}` as OrderId, paymentId, eventDependentRefunds: false };
  const refused = expect(orderPaymentRefund(ledger.pool, order)).resolves.toMatchObject({
    kind: 'refused',
    highestAllowed: euros(4000),
  });
  await waitForLock(ledger.pool);
  await first.query('commit');
  first.release();
  await refused;
});

/** A Single Immediate payment that has debited 100.00 EUR. */
async function bookedPayment() {
  const payment = await authorizedPayment(ledger.pool, SINGLE);
  return { ...payment, captureId: await recordBooking(ledger.pool, payment, 'successful', NOW) };
}

/** Inserts a refund without the rules of the program: id, subscription and cycle, payment, capture, cents. */
const INSERT = `insert into orders (kind, order_id, subscription_id, cycle, payment_id, capture_id, amount, actor, created_at, created_real_at)
  values ('refund', $1, $2, $3, $4, $5, $6, 'sql', now(), now())`;

it('the database itself refuses one cent more than was captured, and a capture that collected nothing', async () => {
  const { subscriptionId, paymentId, captureId } = await createCollected(ledger.pool);
  const values = (id: string, cents: number, capture: string = captureId) => [
    `ref_${id}_${subscriptionId}`,
    ...[subscriptionId, 0, paymentId, capture, cents],
  ];
  await expect(ledger.pool.query(INSERT, values('more', 2000))).rejects.toThrow('more than is left');
  await expect(ledger.pool.query(INSERT, values('other', 1, 'cap_other'))).rejects.toThrow('collected nothing');
  await ledger.pool.query(INSERT, values('all', 1999));
  await expect(ledger.pool.query(INSERT, values('again', 1))).rejects.toThrow('more than is left');
});

it.each([
  ['a cycle', async () => ({ ...(await createCollected(ledger.pool)), cycle: 0, cents: 1000 })],
  ['a one-time payment', async () => ({ ...(await bookedPayment()), cycle: null, cents: 6000 })],
])(
  'the database itself makes the second of two concurrent refunds of %s wait, and refuses it if the first leaves too little',
  async (_of, debited) => {
    const { subscriptionId, cycle, paymentId, captureId, cents } = await debited();
    const first = await ledger.pool.connect();
    await first.query('begin');
    const values = (id: string) => [`ref_${id}_${paymentId}`, subscriptionId, cycle, paymentId, captureId, cents];
    await first.query(INSERT, values('first'));
    const second = ledger.pool.query(INSERT, values('second'));
    const refused = expect(second).rejects.toThrow('more than is left');
    await waitForLock(ledger.pool);
    await first.query('commit');
    first.release();
    await refused;
  },
);

it('the database itself refuses to change or delete refunds that were ordered and their sends', async () => {
  const refund = await placeRefund(ledger.pool, await createCollected(ledger.pool), 500);
  await startSend(ledger.pool, refund);
  const of = [refund.refundId];
  const run = (text: string) => ledger.pool.query(text, of);
  await expect(run('update orders set amount = 1 where order_id = $1')).rejects.toThrow('update on orders');
  await expect(run('delete from orders where order_id = $1')).rejects.toThrow('delete on orders');
  await expect(run('delete from order_sends where order_id = $1')).rejects.toThrow('delete on order_sends');
  await expect(ledger.pool.query('truncate orders cascade')).rejects.toThrow('truncate on order');
  for (const change of ["known_ids = '{}'", "owner = 'other'", 'at = now()', 'sending_real_at = now()']) {
    await expect(run(`update order_sends set ${change} where order_id = $1`)).rejects.toThrow('does not change');
  }
});

it('beginning a send of a refund stores the listed ids, without those that another refund of the payment has stored or created', async () => {
  const subscribed = await createCollected(ledger.pool);
  const send = async (refundId: OrderId, knownIds: string[], made: string | null) => {
    const result = await beginOrderSend(ledger.pool, { ...beginning(refundId), knownIds });
    if (result.kind !== 'started') throw new Error(`not started: ${result.kind}`);
    const outcome =
      made === null
        ? ({ state: 'not_sent', reason: 'connection refused' } as const)
        : ({ state: 'pending', serviceId: made, createdAt: NOW } as const);
    await recordOrderOutcome(ledger.pool, result.send, outcome, NOW);
    return result.send.knownIds;
  };
  const [one, two] = [await placeRefund(ledger.pool, subscribed, 500), await placeRefund(ledger.pool, subscribed, 300)];
  expect(await send(one.refundId, ['a', 'a'], null)).toEqual(['a']);
  expect(await send(one.refundId, ['a', 'b'], 'c')).toEqual(['b']);
  expect(await send(two.refundId, ['a', 'b', 'c', 'd'], null)).toEqual(['d']);
  expect([...(await takenRecordIds(ledger.pool, two.refundId))].sort()).toEqual(['a', 'b', 'c', 'd']);
  const { refunds } = await readLedgerPayment(ledger.pool, subscribed);
  expect(refunds.flatMap(({ knownIds }) => knownIds).sort()).toEqual(['a', 'b', 'd']);
});

it('beginning a send of a refund commits the row, what was known, and the audit entry', async () => {
  const refund = await placeRefund(ledger.pool, await createCollected(ledger.pool), 500);
  const result = await beginOrderSend(ledger.pool, beginning(refund.refundId));
  expect(result).toMatchObject({
    kind: 'started',
    send: {
      send: 0,
      state: 'sending',
      knownIds: ['old-refund'],
      amount: euros(500),
      at: NOW + 2000,
      owner: 'worker-1',
    },
  });
  expect((await events(refund.subscriptionId)).at(-1)).toMatchObject({
    type: 'refund.sending',
    data: { refundId: refund.refundId, send: 0, owner: 'worker-1' },
  });
});

it.each(['unknown', 'unresolved', 'pending', 'successful', 'failed'] as const)(
  'beginning a send of a refund is blocked by its own send that is %s',
  async (state) => {
    const refund = await placeRefund(ledger.pool, await createCollected(ledger.pool), 500);
    await settleRefund(refund, state);
    const again = await beginOrderSend(ledger.pool, beginning(refund.refundId));
    expect(again).toMatchObject({ kind: 'blocked', by: { send: 0, state } });
  },
);

it('beginning a send of a refund after one that never arrived creates a fresh send with the next number', async () => {
  const refund = await placeRefund(ledger.pool, await createCollected(ledger.pool), 500);
  await settleRefund(refund, 'not_sent');
  expect(await startSend(ledger.pool, refund)).toMatchObject({ send: 1 });
});

it.each([
  ['sending', 'blocked'],
  ['unknown', 'blocked'],
  ['unresolved', 'blocked'],
  ['pending', 'started'],
  ['successful', 'started'],
  ['failed', 'started'],
  ['not_sent', 'started'],
] as const)('a send of a refund beside another refund of the payment that is %s is %s', async (state, kind) => {
  const subscribed = await createCollected(ledger.pool);
  const other = await placeRefund(ledger.pool, subscribed, 500);
  const refund = await placeRefund(ledger.pool, subscribed, 500);
  if (state === 'sending') await startSend(ledger.pool, other);
  else await settleRefund(other, state);
  expect((await beginOrderSend(ledger.pool, beginning(refund.refundId))).kind).toBe(kind);
});

it('of two callers that begin a send of a refund one starts it', async () => {
  const refund = await placeRefund(ledger.pool, await createCollected(ledger.pool), 500);
  const both = await Promise.all([1, 2].map(() => beginOrderSend(ledger.pool, beginning(refund.refundId))));
  expect(both.map(({ kind }) => kind).sort()).toEqual(['blocked', 'started']);
});

it.each<[string, () => Promise<[OrderId, OrderId]>]>([
  ['a subscription', twoOfSubscription],
  ['a one-time payment', twoOfPayment],
])('a send of one of two refunds of %s waits for the other to start, and is blocked by it', async (_of, order) => {
  const [one, other] = await order();
  const holder = await ledger.pool.connect();
  await holder.query('begin; lock table order_sends in share mode');
  const first = beginOrderSend(ledger.pool, beginning(one));
  await waitForLock(ledger.pool);
  const second = beginOrderSend(ledger.pool, beginning(other));
  await waitForLock(ledger.pool, 2);
  await holder.query('commit');
  holder.release();
  expect(await first).toMatchObject({ kind: 'started' });
  expect(await second).toMatchObject({ kind: 'blocked', by: { orderId: one } });
});

async function twoOfSubscription(): Promise<[OrderId, OrderId]> {
  const subscribed = await createCollected(ledger.pool);
  const refund = async () => (await placeRefund(ledger.pool, subscribed, 500)).refundId;
  return [await refund(), await refund()];
}

async function twoOfPayment(): Promise<[OrderId, OrderId]> {
  const payment = await bookedPayment();
  const refund = () => orderedRefund(ledger.pool, payment, payment.captureId, 500);
  return [await refund(), await refund()];
}

it('beginning a send of a refund that was never ordered throws', async () => {
  await expect(beginOrderSend(ledger.pool, beginning('ref_none' as OrderId))).rejects.toThrow('has no order');
});

it('the outcome of a refund is recorded with an audit entry, and the id that the service gave the refund counts as known', async () => {
  const subscribed = await createCollected(ledger.pool);
  const refund = await placeRefund(ledger.pool, subscribed, 500);
  const other = await placeRefund(ledger.pool, subscribed, 500);
  const sent = await startSend(ledger.pool, refund);
  const known = () => knownOrders(ledger.pool, refund.paymentId, other.refundId);
  expect(await known()).toEqual({ records: [], isOtherUnknown: true });
  expect(await knownOrders(ledger.pool, refund.paymentId, refund.refundId)).toMatchObject({ isOtherUnknown: false });
  const { pending } = refundOutcomes();
  await recordOrderOutcome(ledger.pool, sent, pending, NOW + 3000);
  const serviceRefundId = (await getRefund(ledger.pool, refund.refundId))?.serviceRefundId;
  expect(await known()).toMatchObject({
    records: [{ id: serviceRefundId, state: 'pending' }],
    isOtherUnknown: false,
  });
  expect((await events(refund.subscriptionId)).at(-1)).toMatchObject({
    type: 'refund.pending',
    data: { refundId: refund.refundId, serviceRefundId, send: 0 },
  });
});

it('the outcome of a refund that is final remains; what contradicts it is only an audit entry', async () => {
  const refund = await placeRefund(ledger.pool, await createCollected(ledger.pool), 500);
  await settleRefund(refund, 'not_sent');
  const sent = { orderId: refund.refundId, send: 0 };
  for (const state of ['unknown', 'pending', 'pending'] as const) {
    const late = await recordOrderOutcome(ledger.pool, sent, refundOutcomes()[state], NOW + 4000);
    expect(late).toMatchObject({ kind: 'unchanged', send: { state: 'not_sent' } });
  }
  const auditLog = (await events(refund.subscriptionId)).filter(({ type }) => type === 'refund.contradicted');
  expect(auditLog).toHaveLength(2);
});

it("recording an outcome of a refund with the service's id of another refund throws", async () => {
  const subscribed = await createCollected(ledger.pool);
  const { pending } = refundOutcomes();
  const first = await startSend(ledger.pool, await placeRefund(ledger.pool, subscribed, 1));
  await recordOrderOutcome(ledger.pool, first, pending, NOW + 3000);
  const second = await startSend(ledger.pool, await placeRefund(ledger.pool, subscribed, 1));
  const recording = recordOrderOutcome(ledger.pool, second, pending, NOW + 3000);
  await expect(recording).rejects.toThrow('order_sends_service_id');
});

it('a cycle shows its refunds in the sequence in which they were ordered', async () => {
  const subscribed = await createCollected(ledger.pool);
  await collectAgain(ledger.pool, subscribed, 1);
  const first = await orderRefund(ledger.pool, orderOf(subscribed, 1, { realAt: REAL_NOW }));
  const second = await orderRefund(ledger.pool, orderOf(subscribed, 2, { realAt: REAL_NOW + 1 }));
  if (first.kind !== 'ordered' || second.kind !== 'ordered') throw new Error('not ordered');
  await settleRefund(first.refund, 'not_sent');
  await settleRefund(first.refund, 'successful');
  const { items } = await listCycles(ledger.pool, subscribed.subscriptionId, { limit: 10, cursor: null });
  expect(items.map(({ cycle, refunds }) => [cycle, refunds.map(({ amount, state }) => [amount.value, state])])).toEqual(
    [
      [1, []],
      [
        0,
        [
          [1, 'successful'],
          [2, null],
        ],
      ],
    ],
  );
  expect((await getCycle(ledger.pool, subscribed.subscriptionId, 0))?.refunds).toHaveLength(2);
});
