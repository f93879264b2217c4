import { randomUUID } from 'node:crypto';
import type { Dependencies } from '../../activities';
import type { RefundInput, RefundResult } from '../../src/contract/payments';
import type { CaptureId, OrderId } from '../../src/domain/ids';
import type { Instant } from '../../src/domain/time';
import { euros, type Money } from '../../src/domain/money';
import { orderRefund, type OrderSendRecord } from '../../src/ledger';
import type { DriveOptions, DrivenRun } from './activity-driver';
import { activitiesOf, type Subscribed, type World } from './activity-world';
import { orderSends } from './payment-world';

/** Creates a subscription whose cycle 0 has collected 19.99 EUR. */
export async function createCollected(world: World, wallet?: string): Promise<Subscribed> {
  const subscribed = await world.due(wallet);
  const { result } = await world.collect(world.input(subscribed));
  if (result.kind !== 'collected') throw new Error(`not collected: ${result.kind}`);
  return subscribed;
}

/** The input of an activity, and what was ordered, which the activity does not get. */
export interface OrderedRefund extends RefundInput {
  readonly captureId: CaptureId;
  readonly amount: Money;
  readonly orderedAt: Instant;
}

/** Orders a refund of cycle 0. */
export async function placeRefund(world: World, { subscriptionId }: Subscribed, cents = 500): Promise<OrderedRefund> {
  const { clock, ledger } = world.deps;
  const result = await orderRefund(ledger, {
    refundId: `ref_${randomUUID()}` as OrderId,
    subscriptionId,
    cycle: 0,
    amount: euros(cents),
    captureId: null,
    reason: null,
    actor: 'till',
    at: clock.now(),
    realAt: clock.realNow(),
  });
  if (result.kind !== 'ordered') throw new Error(`not ordered: ${result.kind}`);
  const { refundId, paymentId, captureId, amount, createdAt } = result.refund;
  return { refundId, subscriptionId, paymentId, captureId, amount, orderedAt: createdAt };
}

function inputOf({ refundId, subscriptionId, paymentId }: RefundInput): RefundInput {
  return { refundId, subscriptionId, paymentId };
}

/** Runs `refundPayment` until it answers. */
export function refund(
  world: World,
  input: RefundInput,
  deps: Partial<Dependencies> = {},
  options: DriveOptions = {},
): Promise<DrivenRun<RefundResult>> {
  const activities = activitiesOf(world, deps);
  return world.driver.drive(() => activities.refundPayment(inputOf(input)), options);
}

/** Runs `refundPayment` once. */
export function refundOnce(world: World, input: RefundInput, deps: Partial<Dependencies> = {}) {
  const activities = activitiesOf(world, deps);
  return world.driver.once(() => activities.refundPayment(inputOf(input)));
}

/** Every send of a refund as the ledger has it, oldest first. */
export function refundSends(world: World, { refundId }: RefundInput): Promise<readonly OrderSendRecord[]> {
  return orderSends(world, refundId);
}

/** How many POSTs of a refund reached the service. */
export function refundPosts(world: World, { paymentId }: RefundInput): number {
  return world.requests.filter((each) => each === `POST /${paymentId}/refunds`).length;
}

/** The refunds of the payment that the service itself has, in any state. */
export function givenBack(world: World, { paymentId }: RefundInput) {
  return world.sandbox.payment(paymentId).refunds;
}

/** The types of audit entries about refunds, oldest first. */
export async function refundEntries(world: World, { subscriptionId }: RefundInput): Promise<string[]> {
  if (subscriptionId === null) throw new Error('the refund is of no subscription');
  return (await world.auditLog({ subscriptionId })).filter((type) => type.startsWith('refund'));
}
