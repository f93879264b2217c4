import type { OrderId } from '../../src/domain/ids';
import {
  openOrderItem,
  beginOrderSend,
  failUnsent,
  latestOrderSend,
  type OrderOutcome,
  recordOrderOutcome,
  resolveOrder,
} from '../../src/ledger';
import { NOW, REAL_NOW, useLedger } from './ledger-fixture';
import { authorizedPayment, startedOrder, orderedCapture } from './payment-fixture';
import { beginning, refundOutcomes } from './refund-fixture';

/** A final capture releases the remainder at the service: captures ordered before it are sent before it. */

const ledger = useLedger();

/** Orders two captures at the same instant, so that their times do not show which came first. */
async function orderBoth(): Promise<{ readonly earlier: OrderId; readonly final: OrderId }> {
  const payment = await authorizedPayment(ledger.pool);
  const earlier = await orderedCapture(ledger.pool, payment, 3_000, NOW);
  return { earlier, final: await orderedCapture(ledger.pool, payment, 2_000, NOW, true) };
}

async function settle(orderId: OrderId, state: OrderOutcome['state']): Promise<void> {
  await recordOrderOutcome(ledger.pool, await startedOrder(ledger.pool, orderId), refundOutcomes()[state], NOW + 3000);
}

const begin = (orderId: OrderId) => beginOrderSend(ledger.pool, beginning(orderId));

test('a final capture is not sent before one that was ordered before it', async () => {
  const { earlier, final } = await orderBoth();
  expect(await begin(final)).toEqual({ kind: 'blocked', by: { orderId: earlier } });
  expect(await latestOrderSend(ledger.pool, final)).toBeNull();
  expect((await begin(earlier)).kind).toBe('started');
});

test.each([
  ['not_sent', 'blocked'],
  ['unknown', 'blocked'],
  ['unresolved', 'blocked'],
  ['pending', 'started'],
  ['successful', 'started'],
  ['failed', 'started'],
] as const)('a final capture after one that is %s is %s', async (state, kind) => {
  const { earlier, final } = await orderBoth();
  await settle(earlier, state);
  expect(await begin(final)).toMatchObject(kind === 'blocked' ? { kind, by: { orderId: earlier } } : { kind });
});

test('a capture that is not final does not wait for captures that are not sent yet', async () => {
  const payment = await authorizedPayment(ledger.pool);
  await orderedCapture(ledger.pool, payment, 3_000, NOW);
  expect((await begin(await orderedCapture(ledger.pool, payment, 2_000, NOW))).kind).toBe('started');
});

test("a final capture can fail without a POST, or by an operator's resolution, although an earlier capture is not sent yet", async () => {
  const [late, handedOver] = [await orderBoth(), await orderBoth()];
  const unsent = { orderId: late.final, at: NOW, realAt: REAL_NOW, owner: 'worker-1' };
  const why = { detail: 'TOO_LATE', description: 'it is too late' };
  expect(await failUnsent(ledger.pool, { ...unsent, ...why })).toEqual({ kind: 'failed' });
  await openOrderItem(ledger.pool, handedOver.final, 'HTTP 403', NOW);
  const word = { outcome: 'failed', evidence: 'never made', serviceId: null, actor: 'Grace' } as const;
  expect(await resolveOrder(ledger.pool, { orderId: handedOver.final, ...word, at: NOW, realAt: REAL_NOW })).toEqual({
    kind: 'resolved',
  });
});
