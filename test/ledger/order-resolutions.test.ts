import { randomUUID } from 'node:crypto';
import type { OrderId } from '../../src/domain/ids';
import { DAY } from '../../src/domain/time';
import {
  openOrderItem,
  beginOrderSend,
  closeItemsOfFinalOrders,
  updateOverdueItem,
  latestOrderSend,
  listAttention,
  listEvents,
  type OrderOutcome,
  type OrderResolution,
  recordOrderOutcome,
  resolveOrder,
} from '../../src/ledger';
import { NOW, REAL_NOW, useLedger } from './ledger-fixture';
import { authorizedPayment, startedOrder, sendOrder, orderedCapture } from './payment-fixture';
import { beginning, createCollected, placeRefund, refundOutcomes } from './refund-fixture';

const ledger = useLedger();
const REASON = 'the service lists srf_9, which the ledger lacks';

function word(orderId: OrderId, changes: Partial<OrderResolution> = {}): OrderResolution {
  const said = { outcome: 'failed', evidence: 'statement of 2 April', serviceId: null } as const;
  return { orderId, ...said, actor: 'Grace', at: NOW + DAY, realAt: REAL_NOW + DAY, ...changes };
}

/** A refund of a subscription that was sent, with an outcome in this state. */
async function refundThatIs(state: OrderOutcome['state']) {
  const subscribed = await createCollected(ledger.pool);
  const { refundId: orderId, subscriptionId } = await placeRefund(ledger.pool, subscribed, 500);
  const sent = await beginOrderSend(ledger.pool, beginning(orderId));
  if (sent.kind !== 'started') throw new Error('not started');
  await recordOrderOutcome(ledger.pool, sent.send, refundOutcomes()[state], NOW + 3000);
  return { orderId, subscribed, subscriptionId: subscriptionId! };
}

/** A capture that was not sent because the service lists one that may be the same. */
async function stoppedCapture() {
  const payment = await authorizedPayment(ledger.pool);
  const orderId = await orderedCapture(ledger.pool, payment, 700, NOW);
  await openOrderItem(ledger.pool, orderId, REASON, NOW + 1000);
  return { orderId, payment };
}

async function waiting(orderId: OrderId) {
  const { items } = await listAttention(ledger.pool, {}, { limit: 200, cursor: null });
  return items.filter((item) => item.orderId === orderId);
}

async function resolvedEvents(of: Parameters<typeof listEvents>[1]) {
  const { items } = await listEvents(ledger.pool, of, { limit: 200, cursor: null });
  return items.filter(({ type }) => type.endsWith('.resolved'));
}

test('an unresolved refund that an operator resolves as never made fails, with the evidence in the audit log, and another refund may be ordered', async () => {
  const { orderId, subscribed, subscriptionId } = await refundThatIs('unresolved');
  expect(await waiting(orderId)).toMatchObject([{ kind: 'refund_unresolved' }]);
  const other = await placeRefund(ledger.pool, subscribed, 100);
  expect((await beginOrderSend(ledger.pool, beginning(other.refundId))).kind).toBe('blocked');

  expect(await resolveOrder(ledger.pool, word(orderId))).toEqual({ kind: 'resolved' });

  expect(await latestOrderSend(ledger.pool, orderId)).toMatchObject({
    send: 0,
    state: 'failed',
    detail: 'RESOLVED_AS_FAILED',
    description: '',
  });
  const data = { refundId: orderId, cycle: 0, send: 0, outcome: 'failed', evidence: 'statement of 2 April' };
  expect(await resolvedEvents({ subscriptionId })).toMatchObject([{ type: 'refund.resolved', actor: 'Grace', data }]);
  expect(await waiting(orderId)).toEqual([]);
  expect((await beginOrderSend(ledger.pool, beginning(other.refundId))).kind).toBe('started');
});

test("an order that is resolved as made has the service's id", async () => {
  const { orderId, subscriptionId } = await refundThatIs('unresolved');
  const said = word(orderId, { outcome: 'successful', serviceId: `srf-${orderId}` });
  expect(await resolveOrder(ledger.pool, said)).toEqual({ kind: 'resolved' });
  const send = { state: 'successful', serviceId: said.serviceId, serviceCreatedAt: null, outcomeAt: said.at };
  expect(await latestOrderSend(ledger.pool, orderId)).toMatchObject(send);
  expect(await resolvedEvents({ subscriptionId })).toMatchObject([{ data: { serviceRefundId: said.serviceId } }]);
});

test('repeating the resolution of an order changes nothing, and a different one is refused', async () => {
  const { orderId, subscriptionId } = await refundThatIs('unresolved');
  for (let n = 0; n < 2; n += 1) expect(await resolveOrder(ledger.pool, word(orderId))).toEqual({ kind: 'resolved' });
  expect(await resolvedEvents({ subscriptionId })).toHaveLength(1);
  const other = word(orderId, { outcome: 'successful', serviceId: 'srf-late' });
  expect(await resolveOrder(ledger.pool, other)).toEqual({ kind: 'not_resolvable', state: 'failed' });
});

test.each(['pending', 'unknown', 'not_sent', 'successful', 'failed'] as const)(
  'an order that is %s does not wait for an operator',
  async (state) => {
    const { orderId } = await refundThatIs(state);
    const [said, other] = [word(orderId), word(orderId, { outcome: 'successful', serviceId: 'another' })];
    expect(await resolveOrder(ledger.pool, said)).toEqual({ kind: 'not_resolvable', state });
    expect(await resolveOrder(ledger.pool, other)).toEqual({ kind: 'not_resolvable', state });
  },
);

test('an order that was never started does not wait for an operator', async () => {
  const payment = await authorizedPayment(ledger.pool);
  const orderId = await orderedCapture(ledger.pool, payment, 700, NOW);
  expect(await resolveOrder(ledger.pool, word(orderId))).toEqual({ kind: 'not_resolvable', state: 'ordered' });
});

test('an order whose POST may be on the wire cannot be resolved, even after an operator was notified', async () => {
  const { orderId } = await stoppedCapture();
  const send = await startedOrder(ledger.pool, orderId);
  expect(await resolveOrder(ledger.pool, word(orderId))).toEqual({ kind: 'not_resolvable', state: 'sending' });
  const pending = { state: 'pending', serviceId: `srv-${orderId}`, createdAt: NOW + 2001 } as const;
  await recordOrderOutcome(ledger.pool, send, pending, NOW + 3000);
  expect(await waiting(orderId)).toEqual([]);
  await openOrderItem(ledger.pool, orderId, REASON, NOW + 4000);
  expect(await waiting(orderId)).toEqual([]);
  expect(await resolveOrder(ledger.pool, word(orderId))).toEqual({ kind: 'not_resolvable', state: 'pending' });
});

test('an order that waits for an operator still waits after a send that did not arrive, with the latest reason', async () => {
  const { orderId } = await stoppedCapture();
  const send = await startedOrder(ledger.pool, orderId);
  await recordOrderOutcome(ledger.pool, send, { state: 'not_sent', reason: 'HTTP 403' }, NOW + 3000);
  expect(await waiting(orderId)).toMatchObject([
    { since: NOW + 1000, ledger: { state: 'not_sent', id: orderId, detail: 'HTTP 403' } },
  ]);
  expect(await resolveOrder(ledger.pool, word(orderId))).toEqual({ kind: 'resolved' });
  expect(await latestOrderSend(ledger.pool, orderId)).toMatchObject({ send: 1, state: 'failed', owner: 'Grace' });
  expect(await waiting(orderId)).toEqual([]);
});

test('an order whose send has an unknown outcome, or was settled as never made, no longer waits for an operator', async () => {
  const { orderId } = await stoppedCapture();
  const send = await startedOrder(ledger.pool, orderId);
  const unknown = { state: 'unknown', reason: 'time-out', sinceReal: REAL_NOW } as const;
  await recordOrderOutcome(ledger.pool, send, unknown, NOW + 3000);
  expect(await waiting(orderId)).toEqual([]);
  await openOrderItem(ledger.pool, orderId, 'the service cannot be asked', NOW + 4000);
  await recordOrderOutcome(ledger.pool, send, { state: 'not_sent', reason: 'absent' }, NOW + 5000);
  expect(await waiting(orderId)).toEqual([]);
});

const REASON_TO_ASK = 'the service still says pending';
const call = (orderId: OrderId, reason: string | null = REASON_TO_ASK) =>
  updateOverdueItem(ledger.pool, orderId, reason, NOW + DAY);

test('a pending order waits for an operator while it is overdue', async () => {
  const { orderId } = await refundThatIs('pending');
  await call(orderId, null);
  expect(await waiting(orderId)).toEqual([]);
  await call(orderId);
  expect(await waiting(orderId)).toMatchObject([
    {
      kind: 'refund_unresolved',
      since: NOW + DAY,
      deadline: null,
      ledger: { state: 'pending', detail: REASON_TO_ASK },
    },
  ]);
  await call(orderId, null);
  expect(await waiting(orderId)).toEqual([]);
  expect(await resolveOrder(ledger.pool, word(orderId))).toEqual({ kind: 'not_resolvable', state: 'pending' });
});

test.each(['failed', 'successful'] as const)('an operator can settle a pending order as %s', async (outcome) => {
  const { orderId } = await refundThatIs('pending');
  await call(orderId);
  const serviceId = outcome === 'failed' ? null : `srf-${orderId}`;
  expect(await resolveOrder(ledger.pool, word(orderId, { outcome, serviceId }))).toEqual({ kind: 'resolved' });
  expect(await latestOrderSend(ledger.pool, orderId)).toMatchObject({ send: 0, state: outcome });
  expect(await waiting(orderId)).toEqual([]);
});

test('a pending order that becomes final no longer waits for an operator, and no late alert opens its item again', async () => {
  const { orderId } = await refundThatIs('pending');
  await call(orderId);
  const successful = { state: 'successful', serviceId: `srf-${orderId}` } as const;
  await recordOrderOutcome(ledger.pool, { orderId, send: 0 }, successful, NOW + 2 * DAY);
  expect(await waiting(orderId)).toEqual([]);
  await call(orderId);
  expect(await waiting(orderId)).toEqual([]);
});

test('an item that an older release left open although its order has ended is closed by the daily check', async () => {
  const { orderId } = await refundThatIs('unresolved');
  const other = await refundThatIs('unresolved');
  await ledger.pool.query(
    `update order_sends set state = 'failed', detail = 'NO', description = '', outcome_at = now() where order_id = $1`,
    [orderId],
  );
  expect(await resolveOrder(ledger.pool, word(orderId, { outcome: 'successful', serviceId: 'another' }))).toEqual({
    kind: 'not_resolvable',
    state: 'failed',
  });
  expect(await waiting(orderId)).toHaveLength(1);
  await closeItemsOfFinalOrders(ledger.pool);
  expect([await waiting(orderId), await waiting(other.orderId)]).toMatchObject([[], [{ kind: 'refund_unresolved' }]]);
});

test.each([
  [-1, 'not_resolvable'],
  [0, 'resolved'],
  [1, 'resolved'],
] as const)('resolving an order %i ms after its POST can last have been on the wire: %s', async (ms, kind) => {
  const payment = await authorizedPayment(ledger.pool);
  const orderId = await orderedCapture(ledger.pool, payment, 700, NOW);
  const send = await startedOrder(ledger.pool, orderId);
  const sinceReal = REAL_NOW + 15_000;
  await recordOrderOutcome(
    ledger.pool,
    send,
    { state: 'unknown', reason: 'its worker is gone', sinceReal },
    NOW + 3000,
  );
  await openOrderItem(ledger.pool, orderId, REASON, NOW + 3000);
  expect(await resolveOrder(ledger.pool, word(orderId, { realAt: sinceReal + ms }))).toMatchObject({ kind });
});

test('a capture that was not sent because it may have been made already waits for an operator, with one item', async () => {
  const { orderId } = await stoppedCapture();
  await openOrderItem(ledger.pool, orderId, REASON, NOW + 2000);
  expect(await waiting(orderId)).toMatchObject([
    {
      kind: 'capture_unresolved',
      since: NOW + 1000,
      deadline: NOW + 7 * DAY,
      ledger: { state: 'ordered', id: orderId, detail: REASON },
    },
  ]);
});

test('a capture that was not sent because it may have been made already can be resolved as failed, and is then never sent', async () => {
  const { orderId, payment } = await stoppedCapture();
  expect(await resolveOrder(ledger.pool, word(orderId))).toEqual({ kind: 'resolved' });
  expect(await latestOrderSend(ledger.pool, orderId)).toMatchObject({ send: 0, state: 'failed', owner: 'Grace' });
  const late = { orderId, at: NOW + DAY, realAt: REAL_NOW + DAY, knownIds: [], owner: 'worker-1' };
  expect(await beginOrderSend(ledger.pool, late)).toMatchObject({ kind: 'blocked', by: { orderId } });
  expect(await waiting(orderId)).toEqual([]);
  expect(await resolvedEvents({ ofPayment: payment.paymentId })).toHaveLength(1);
});

test('a capture that was not sent because it may have been made already can be resolved as the one that the service lists', async () => {
  const { orderId } = await stoppedCapture();
  const said = word(orderId, { outcome: 'successful', serviceId: 'cpt_9' });
  expect(await resolveOrder(ledger.pool, said)).toEqual({ kind: 'resolved' });
  expect(await latestOrderSend(ledger.pool, orderId)).toMatchObject({ state: 'successful', serviceId: 'cpt_9' });
});

test('a capture that was not sent because it may have been made already cannot be resolved as one that another order made', async () => {
  const { orderId, payment } = await stoppedCapture();
  const by = await orderedCapture(ledger.pool, payment, 100, NOW);
  const said = word(orderId, { outcome: 'successful', serviceId: await sendOrder(ledger.pool, by) });
  expect(await resolveOrder(ledger.pool, said)).toEqual({ kind: 'taken', by });
  expect(await latestOrderSend(ledger.pool, orderId)).toBeNull();
});

test('a capture that was not sent because it may have been made already is resolved only after another one with an unknown outcome', async () => {
  const { orderId, payment } = await stoppedCapture();
  const by = await orderedCapture(ledger.pool, payment, 100, NOW);
  await startedOrder(ledger.pool, by);
  expect(await resolveOrder(ledger.pool, word(orderId))).toEqual({ kind: 'blocked', by });
});

test('the audit log does not report a capture as sent if it was resolved without a send', async () => {
  const { orderId, payment } = await stoppedCapture();
  await resolveOrder(ledger.pool, word(orderId));
  const { items } = await listEvents(ledger.pool, { ofPayment: payment.paymentId }, { limit: 200, cursor: null });
  expect(items.map(({ type }) => type)).not.toContain('capture.sending');
});

test('a capture that was not sent because it may have been made already no longer waits for an operator once it was sent and made', async () => {
  const { orderId } = await stoppedCapture();
  await sendOrder(ledger.pool, orderId);
  expect(await waiting(orderId)).toEqual([]);
  await openOrderItem(ledger.pool, orderId, REASON, NOW + 9000);
  expect(await waiting(orderId)).toEqual([]);
});

test('resolving an order that the ledger lacks is an error', async () => {
  await expect(resolveOrder(ledger.pool, word(`cap_${randomUUID()}` as OrderId))).rejects.toThrow(
    'the ledger has no order',
  );
});
