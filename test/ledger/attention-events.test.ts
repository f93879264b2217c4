import { randomUUID } from 'node:crypto';
import { euros } from '../../src/domain/money';
import { differenceOf } from '../../src/domain/reconciliation/records';
import { DAY, MINUTE } from '../../src/domain/time';
import {
  actOnAttention,
  openOrderItem,
  beginReconciliation,
  envelopeOf,
  type FeedFilter,
  haltSending,
  liftHalt,
  listAttention,
  markOrphaned,
  type MerchantEvent,
  placeEvents,
  readFeed,
  recordCompared,
  resolveOrder,
  unmarkOrphaned,
} from '../../src/ledger';
import { NOW, REAL_NOW, useLedger } from './ledger-fixture';
import { authorizedPayment } from './payment-fixture';
import { createCollected, placeRefund } from './refund-fixture';

/** Items that do not affect a subscription's standing: an event reports each when it opens and when it is cleared. */

const ledger = useLedger();

async function eventsOf(filter: FeedFilter): Promise<readonly MerchantEvent[]> {
  await placeEvents(ledger.pool);
  const types = ['attention.opened', 'attention.cleared'];
  const read = await readFeed(ledger.pool, { ...filter, types }, { after: null, limit: 200 });
  if (read.kind === 'expired') throw new Error('expired');
  return read.events;
}

const reported = (events: readonly MerchantEvent[]) => events.map(({ type, data, at }) => [type, data['itemKey'], at]);

test('an order that needs an operator opens and clears an item', async () => {
  const subscribed = await createCollected(ledger.pool);
  const { subscriptionId } = subscribed;
  const { refundId: orderId } = await placeRefund(ledger.pool, subscribed, 500);
  for (const at of [NOW + 1, NOW + 2]) await openOrderItem(ledger.pool, orderId, 'the service lists another', at);
  const word = { outcome: 'failed', evidence: 'statement of 2 April', serviceId: null, actor: 'Grace' } as const;
  await resolveOrder(ledger.pool, { orderId, ...word, at: NOW + DAY, realAt: REAL_NOW + DAY });
  const events = await eventsOf({ subscriptionId });
  expect(reported(events)).toEqual([
    ['attention.opened', 'refund_unresolved:0', NOW + 1],
    ['attention.cleared', 'refund_unresolved:0', NOW + DAY],
  ]);
  expect(events.map(({ data }) => data)).toMatchObject([
    { cycle: 0, text: 'An operator is needed: refund unresolved (cycle 0).' },
    { cycle: 0, text: 'An operator is no longer needed: refund unresolved (cycle 0).' },
  ]);
});

test('an orphaned payment opens and clears an item', async () => {
  const { paymentId } = await authorizedPayment(ledger.pool);
  await markOrphaned(ledger.pool, { kind: 'payment', id: paymentId }, NOW + 1);
  await unmarkOrphaned(ledger.pool, { kind: 'payment', id: paymentId }, NOW + 2);
  expect(reported(await eventsOf({ paymentId }))).toEqual([
    ['attention.opened', 'orphaned', NOW + 1],
    ['attention.cleared', 'orphaned', NOW + 2],
  ]);
});

test('a difference that an operator closed is opened again once what the service lists has changed', async () => {
  const { subscriptionId, paymentId } = await createCollected(ledger.pool);
  const debit = (cents: number) =>
    differenceOf({
      kind: 'debit_unknown',
      captureId: 'foreign',
      service: { state: 'successful', amount: euros(cents), at: NOW - DAY },
    });
  const compare = async (at: number, ...cents: number[]) => {
    const runId = randomUUID();
    const period = { from: NOW - 7 * DAY, to: NOW };
    await beginReconciliation(ledger.pool, { runId, period, actor: 'till', at, realAt: REAL_NOW });
    await recordCompared(ledger.pool, runId, { subscriptionId, paymentId }, cents.map(debit), null);
  };
  await compare(NOW + 1, 700);
  await compare(NOW + 2, 700);
  const { items } = await listAttention(ledger.pool, { kind: 'debit_unknown' }, { limit: 50, cursor: null });
  const close = { kind: 'close', reason: 'the old till' } as const;
  await actOnAttention(ledger.pool, items[0]!.itemId, close, { actor: 'ada', at: NOW + 3 });
  await compare(NOW + 4, 700);
  await compare(NOW + 5, 800);
  await compare(NOW + 6);
  expect(reported(await eventsOf({ subscriptionId }))).toEqual([
    ['attention.opened', 'debit_unknown', NOW + 1],
    ['attention.cleared', 'debit_unknown', NOW + 3],
    ['attention.opened', 'debit_unknown', NOW + 5],
    ['attention.cleared', 'debit_unknown', NOW + 6],
  ]);
});

test('a halt opens and clears an item without subscription and payment', async () => {
  for (const actor of ['ada', 'bob']) await haltSending(ledger.pool, { actor, at: NOW, reason: 'wrong amounts' });
  await liftHalt(ledger.pool, { actor: 'bob', at: NOW + MINUTE, reason: null });
  const all = await eventsOf({});
  const events = all.filter(({ subscriptionId, paymentId }) => subscriptionId === null && paymentId === null);
  expect(reported(events)).toEqual([
    ['attention.opened', 'sending_halted', NOW],
    ['attention.cleared', 'sending_halted', NOW + MINUTE],
  ]);
  expect(envelopeOf(events[0]!)).not.toHaveProperty('sequence');
});
