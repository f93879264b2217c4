import { randomUUID } from 'node:crypto';
import { createActivities } from '../../activities';
import type { OrderId, PaymentId } from '../../src/domain/ids';
import { MINUTE, SECOND } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { applyChange, listDifferences, orderPaymentRefund, orderRefund } from '../../src/ledger';
import { AMOUNT, BOOKING, type Subscribed, useWorld, type World } from './activity-world';
import { createAuthorized, capture, onRecord, orderedCapture, orderedPaymentRefund, SINGLE } from './payment-world';
import { refund } from './refund-world';

const holder = useWorld({ eventDependentRefunds: true });

/** Closes a cycle as missed, and then makes a debit of this cycle at the service. */
async function lateDebit() {
  const { world } = holder;
  const subscribed = await world.due();
  const { subscriptionId, paymentId, dueAt, collectBy } = subscribed;
  const cycle = { cycle: 0, dueAt, collectBy, amount: AMOUNT, status: 'missed' } as const;
  await applyChange(world.deps.ledger, {
    subscriptionId,
    key: 'missed',
    at: world.clock.now(),
    actor: 'dueday',
    events: [],
    cycle,
  });
  await world.deps.service.initiate(paymentId, AMOUNT);
  world.clock.pass(10 * SECOND);
  const captureId = world.debits(subscribed)[0]?.captureId;
  if (captureId == null) throw new Error('nothing landed');
  return { world, subscribed, captureId };
}

function order(world: World, { subscriptionId }: Subscribed, captureId: string | null, cents: number, cycle = 0) {
  return orderRefund(world.deps.ledger, {
    refundId: `ref_${randomUUID()}` as OrderId,
    subscriptionId,
    cycle,
    amount: euros(cents),
    captureId,
    reason: 'landed late',
    actor: 'till',
    at: world.clock.now(),
    realAt: world.clock.realNow(),
  });
}

/** Compares ledger and service. @returns the kinds of difference */
async function reconcile(world: World): Promise<readonly string[]> {
  const period = { from: 0, to: world.clock.now() + 1 };
  const runId = randomUUID();
  const input = { runId, period, actor: 'till', timeout: 1, announce: true };
  await world.driver.drive(() => createActivities(world.deps).reconcileLedger(input));
  const { items } = await listDifferences(world.deps.ledger, runId, { limit: 100, cursor: null });
  return items.map(({ kind }) => kind);
}

it('a debit of a cycle that was closed as missed is written to the audit log as a difference', async () => {
  const { world, subscribed } = await lateDebit();
  await reconcile(world);
  expect(await world.auditLog(subscribed)).toContain('reconciliation.difference');
});

it('a debit of a cycle that was closed as missed can be refunded by its captureId, to the cent and no more', async () => {
  const { world, subscribed, captureId } = await lateDebit();
  await reconcile(world);
  expect(await order(world, subscribed, captureId, 2000)).toMatchObject({ rule: 'exceeds_captured' });
  const result = await order(world, subscribed, captureId, 1999);
  if (result.kind !== 'ordered') throw new Error(`not ordered: ${result.kind}`);
  const { refundId, subscriptionId, paymentId } = result.refund;
  expect((await refund(world, { refundId, subscriptionId, paymentId })).result.kind).toBe('successful');
  expect(world.debits(subscribed)).toMatchObject([{ refunded: 1999 }]);
  expect(await reconcile(world)).toEqual([]);
  expect(await order(world, subscribed, captureId, 1)).toMatchObject({ highestAllowed: euros(0) });
});

it('a debit of a cycle that was closed as missed cannot be refunded without its captureId, or before it was found', async () => {
  const { world, subscribed, captureId } = await lateDebit();
  expect((await order(world, subscribed, captureId, 1)).kind).toBe('refused');
  await reconcile(world);
  expect(await order(world, subscribed, null, 1)).toMatchObject({ rule: 'not_collected' });
  expect(await order(world, subscribed, 'another', 1)).toMatchObject({ kind: 'refused' });
  expect(await order(world, subscribed, captureId, 1, 7)).toMatchObject({ rule: 'not_collected' });
});

/** Makes a capture as another program with the same credentials would, beside a capture of dueday's own. */
async function strangeCapture() {
  const { world } = holder;
  const reference = await createAuthorized(world);
  await capture(world, await orderedCapture(world, reference, 3_000));
  const own = world.debits(reference)[0]?.captureId;
  await world.deps.service.capture(reference.paymentId, { amount: euros(700), finalCapture: false });
  world.clock.pass(2 * BOOKING);
  const strange = world.debits(reference).find(({ captureId }) => captureId !== own)?.captureId;
  if (own == null || strange == null) throw new Error('nothing landed');
  return { world, reference, own, strange };
}

function judged(world: World, paymentId: PaymentId, captureId: string | null, cents: number) {
  return orderPaymentRefund(world.deps.ledger, {
    refundId: `ref_${randomUUID()}` as OrderId,
    paymentId,
    captureId,
    amount: euros(cents),
    reason: null,
    actor: 'till',
    at: world.clock.now(),
    realAt: world.clock.realNow(),
    eventDependentRefunds: true,
  });
}

it('an unexplained debit of a one-time payment can be refunded by its captureId, to the cent and no more; then ledger and service agree', async () => {
  const { world, reference, strange } = await strangeCapture();
  expect(await reconcile(world)).toEqual(['debit_unknown']);
  expect(await judged(world, reference.paymentId, strange, 701)).toMatchObject({ rule: 'exceeds_captured' });
  expect((await refund(world, await orderedPaymentRefund(world, reference, 300, strange))).result.kind).toBe(
    'successful',
  );
  expect(await reconcile(world)).toEqual(['debit_unknown']);
  expect((await refund(world, await orderedPaymentRefund(world, reference, 400, strange))).result.kind).toBe(
    'successful',
  );
  expect(await reconcile(world)).toEqual([]);
  expect(await judged(world, reference.paymentId, strange, 1)).toMatchObject({ highestAllowed: euros(0) });
  expect(world.debits(reference)).toMatchObject([{ refunded: 0 }, { refunded: 700 }]);
});

it('an unexplained debit of a one-time payment can be refunded although the ledger has the payment as failed', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world, SINGLE);
  const { paymentId } = reference;
  const strange = world.debits(reference)[0]?.captureId;
  if (strange == null) throw new Error('nothing was booked');
  const { ledger } = world.deps;
  await ledger.query(
    `update payments set status = 'failed', booking_id = null, booking_state = null, booking_created_at = null,
         authorization_state = 'failed' where payment_id = $1`,
    [paymentId],
  );
  expect(await reconcile(world)).toContain('debit_unknown');
  expect((await refund(world, await orderedPaymentRefund(world, reference, 10_000, strange))).result.kind).toBe(
    'successful',
  );
  expect(world.debits(reference)).toMatchObject([{ refunded: 10_000 }]);
  expect((await onRecord(world, paymentId)).status).toBe('failed');
  expect(await reconcile(world)).not.toContain('debit_unknown');
});

it('an unexplained debit of a one-time payment is refunded separately from our own capture, which stays captured until its own refund', async () => {
  const { world, reference, own, strange } = await strangeCapture();
  await reconcile(world);
  world.clock.pass(2 * MINUTE);
  await capture(world, await orderedCapture(world, reference, 1, true));
  await refund(world, await orderedPaymentRefund(world, reference, 700, strange));
  expect((await onRecord(world, reference.paymentId)).status).toBe('captured');
  const [first, last] = (await onRecord(world, reference.paymentId)).captures;
  expect(first?.captureId).toBe(own);
  await refund(world, await orderedPaymentRefund(world, reference, 3_000, own));
  expect((await onRecord(world, reference.paymentId)).status).toBe('captured');
  await refund(world, await orderedPaymentRefund(world, reference, 1, last?.captureId ?? null));
  expect((await onRecord(world, reference.paymentId)).status).toBe('refunded');
});

it('an unexplained debit of a one-time payment cannot be refunded without its captureId, before it was found, or with refunds switched off', async () => {
  const { world, reference, own, strange } = await strangeCapture();
  const { paymentId } = reference;
  expect(await judged(world, paymentId, strange, 1)).toMatchObject({ rule: 'unknown_capture' });
  await reconcile(world);
  expect(await judged(world, paymentId, 'another', 1)).toMatchObject({ rule: 'unknown_capture' });
  expect(await judged(world, paymentId, null, 1)).toMatchObject({ kind: 'ordered', refund: { captureId: own } });
  const off = { eventDependentRefunds: false, actor: 'till', at: world.clock.now(), realAt: world.clock.realNow() };
  const order = { refundId: `ref_${randomUUID()}` as OrderId, paymentId, captureId: strange, amount: euros(1) };
  expect(await orderPaymentRefund(world.deps.ledger, { ...order, ...off, reason: null })).toMatchObject({
    rule: 'event_dependent',
  });
  const elsewhere = await createAuthorized(world);
  expect(await judged(world, elsewhere.paymentId, strange, 1)).toMatchObject({ kind: 'refused' });
});

it('an unexplained debit of a one-time payment: the database itself refuses refunds before it was found, or above its amount', async () => {
  const { world, reference, strange } = await strangeCapture();
  const insert = (id: string, cents: number) =>
    world.deps.ledger.query(
      `insert into orders (kind, order_id, payment_id, capture_id, amount, actor, created_at, created_real_at)
         values ('refund', $1, $2, $3, $4, 'sql', now(), now())`,
      [`ref_${id}${reference.paymentId}`, reference.paymentId, strange, cents],
    );
  await expect(insert('early', 1)).rejects.toThrow('debited nothing');
  await reconcile(world);
  await expect(insert('more', 701)).rejects.toThrow('more than is left');
  await insert('all', 700);
  await expect(insert('again', 1)).rejects.toThrow('more than is left');
});
