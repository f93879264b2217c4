import { randomUUID } from 'node:crypto';
import type { CaptureId, OrderId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import {
  beginOrderSend,
  type NewRefund,
  orderRefund,
  type Pool,
  type OrderOutcome,
  type RefundRecord,
  type OrderSendRef,
  readSend,
  recordOutcome,
} from '../../src/ledger';
import {
  authorizationId,
  NOW,
  REAL_NOW,
  sendOf,
  settle,
  startDebit,
  type Subscribed,
  subscribe,
} from './ledger-fixture';

export interface Collected extends Subscribed {
  captureId: CaptureId;
}

/** Creates a subscription whose cycle 0 has collected 19.99 EUR. */
export async function createCollected(pool: Pool): Promise<Collected> {
  const subscribed = await subscribe(pool);
  const ref = await startDebit(pool, sendOf(subscribed));
  await settle(pool, ref, 'successful');
  const captureId = (await readSend(pool, ref))?.captureId;
  if (captureId == null) throw new Error('nothing was captured');
  return { ...subscribed, captureId };
}

/** Collects one more cycle of the subscription, for the same amount. */
export async function collectAgain(pool: Pool, subscribed: Subscribed, cycle: number): Promise<CaptureId> {
  const ref = await startDebit(pool, sendOf(subscribed, { cycle }));
  const captureId = randomUUID() as CaptureId;
  const outcome = { state: 'successful', authorizationId: authorizationId(randomUUID()), captureId } as const;
  await recordOutcome(pool, ref, { ...outcome, createdAt: NOW + 1 }, NOW + 1, { type: 'attempt.successful', data: {} });
  return captureId;
}

export function orderOf({ subscriptionId }: Subscribed, cents: number, changes: Partial<NewRefund> = {}): NewRefund {
  return {
    refundId: `ref_${randomUUID()}` as OrderId,
    subscriptionId,
    cycle: 0,
    amount: euros(cents),
    captureId: null,
    reason: 'damaged on arrival',
    actor: 'till',
    at: NOW + 1000,
    realAt: REAL_NOW + 1000,
    ...changes,
  };
}

/** Orders a refund that nothing prevents. */
export async function placeRefund(pool: Pool, subscribed: Subscribed, cents: number, cycle = 0): Promise<RefundRecord> {
  const result = await orderRefund(pool, orderOf(subscribed, cents, { cycle }));
  if (result.kind !== 'ordered') throw new Error(`not ordered: ${JSON.stringify(result)}`);
  return result.refund;
}

export function beginning(refundId: OrderId): Parameters<typeof beginOrderSend>[1] {
  return { orderId: refundId, at: NOW + 2000, realAt: REAL_NOW + 2000, knownIds: ['old-refund'], owner: 'worker-1' };
}

/** Starts a send that nothing prevents. */
export async function startSend(pool: Pool, { refundId }: RefundRecord): Promise<OrderSendRef> {
  const result = await beginOrderSend(pool, beginning(refundId));
  if (result.kind !== 'started') throw new Error(`not started: ${JSON.stringify(result)}`);
  return { orderId: refundId, send: result.send.send };
}

/** Outcomes with ids that no other send has. */
export function refundOutcomes(): Record<OrderOutcome['state'], OrderOutcome> {
  const known = { serviceId: `service-${randomUUID()}`, createdAt: NOW + 2001 };
  return {
    pending: { state: 'pending', ...known },
    successful: { state: 'successful', ...known },
    failed: { state: 'failed', detail: 'STATE_CONFLICT', description: 'no' },
    not_sent: { state: 'not_sent', reason: 'connection refused' },
    unknown: { state: 'unknown', reason: 'time-out', sinceReal: REAL_NOW + 2001 },
    unresolved: { state: 'unresolved', reason: 'two refunds fit' },
  };
}
