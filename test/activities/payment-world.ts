import { randomUUID } from 'node:crypto';
import type { Dependencies } from '../../activities';
import type {
  CaptureInput,
  CaptureResult,
  OrderActivities,
  PaymentActivities,
  PaymentReference,
  RefundInput,
} from '../../src/contract/payments';
import type { PaymentStepInput, Step } from '../../src/contract/steps';
import type { PaymentStatus } from '../../src/domain/payment/payment';
import type { OrderId, PaymentId } from '../../src/domain/ids';
import { type Instant, MINUTE } from '../../src/domain/time';
import { euros, type Money } from '../../src/domain/money';
import {
  getPayment,
  getPaymentOfRequest,
  insertPaymentDraft,
  listAttention,
  listEvents,
  orderCapture,
  orderPaymentRefund,
  type OrderSendRecord,
  type PaymentDraft,
  type PaymentRecord,
  readOrderSend,
  resolveOrder,
} from '../../src/ledger';
import type { DriveOptions, DrivenRun } from './activity-driver';
import { activitiesOf, PERSON, type World } from './activity-world';

export const TRANSIT = MINUTE;

export function paymentActivities(world: World, deps: Partial<Dependencies> = {}): PaymentActivities & OrderActivities {
  return activitiesOf(world, deps);
}

/** Drafts a payment of 100.00 EUR, Event Dependent with both flags unless set otherwise. */
export async function draftPayment(world: World, changes: Partial<PaymentDraft> = {}): Promise<string> {
  const requestId = `pay_${randomUUID()}`;
  const { clock, ledger } = world.deps;
  await insertPaymentDraft(
    ledger,
    {
      requestId,
      workflowId: `payment/${requestId}`,
      plan: 'EVENT_DEPENDENT',
      amount: euros(10_000),
      timeToCapture: 604_800,
      partialCapture: true,
      multipleCapture: true,
      merchantCategoryCode: null,
      returnURL: 'https://shop.example/back',
      billingAddress: PERSON,
      shippingAddress: null,
      actor: 'till',
      createdAt: clock.now(),
      draftedRealAt: clock.realNow(),
      ...changes,
    },
    clock.realNow(),
    TRANSIT,
  );
  return requestId;
}

export const SINGLE: Partial<PaymentDraft> = {
  plan: 'SINGLE',
  timeToCapture: null,
  partialCapture: false,
  multipleCapture: false,
};

/** A payment by both of its ids. */
export interface Payment extends PaymentReference, Pick<PaymentStepInput, 'requestId'> {}

/** The input that its workflow gives to activities. */
export function stepOf({ requestId }: Pick<Payment, 'requestId'>): PaymentStepInput {
  return { requestId, revision: 0 };
}

/** Creates a payment in `pending_consent`. */
export async function createRequested(world: World, changes: Partial<PaymentDraft> = {}): Promise<Payment> {
  const requestId = await draftPayment(world, changes);
  const { result } = await world.driver.drive(() => paymentActivities(world).requestPayment(stepOf({ requestId })));
  const payment = await getPaymentOfRequest(world.deps.ledger, requestId);
  if (payment === null) throw new Error(`the payment was not requested: ${result.summary}`);
  return { requestId, paymentId: payment.paymentId };
}

/** Creates a payment whose payer has approved, and follows it as far as it comes without the merchant. */
export async function createAuthorized(
  world: World,
  changes: Partial<PaymentDraft> = {},
  wallet = 'approves',
): Promise<Payment> {
  const reference = await createRequested(world, changes);
  world.sandbox.payer(reference.paymentId).approve(wallet);
  await follow(world, reference);
  return reference;
}

export function follow(world: World, payment: Payment, options: DriveOptions = {}) {
  return world.driver.drive(() => paymentActivities(world).followPayment(stepOf(payment)), options);
}

/** The next step, as the ledger decides it at this moment. */
export async function decide(world: World, payment: Payment): Promise<Step> {
  return (await world.driver.drive(() => paymentActivities(world).decidePayment(stepOf(payment)))).result;
}

/** Runs `releasePayment` until it answers. */
export function release(world: World, payment: Payment, deps: Partial<Dependencies> = {}, options: DriveOptions = {}) {
  return world.driver.drive(() => paymentActivities(world, deps).releasePayment(stepOf(payment)), options);
}

/** Orders a capture. @returns the input of its activity, and what was ordered */
export async function orderedCapture(
  world: World,
  { paymentId }: PaymentReference,
  cents: number,
  finalCapture = false,
): Promise<CaptureInput & { readonly amount: Money; readonly captureBy: Instant }> {
  const { clock, ledger } = world.deps;
  const result = await orderCapture(ledger, {
    orderId: `cap_${randomUUID()}` as OrderId,
    paymentId,
    amount: euros(cents),
    finalCapture,
    actor: 'till',
    at: clock.now(),
    realAt: clock.realNow(),
    transit: TRANSIT,
  });
  if (result.kind !== 'ordered') throw new Error(`not ordered: ${JSON.stringify(result)}`);
  const { captureBy } = await onRecord(world, paymentId);
  if (captureBy === null) throw new Error('no deadline');
  const { orderId, amount } = result.capture;
  return { orderId, paymentId, amount, captureBy };
}

/** Orders a refund of one of the payment's captures; the captureId may be omitted if there is only one. */
export async function orderedPaymentRefund(
  world: World,
  { paymentId }: PaymentReference,
  cents: number,
  captureId: string | null = null,
): Promise<RefundInput & { readonly amount: Money }> {
  const { clock, ledger } = world.deps;
  const result = await orderPaymentRefund(ledger, {
    refundId: `ref_${randomUUID()}` as OrderId,
    paymentId,
    captureId,
    amount: euros(cents),
    reason: null,
    actor: 'till',
    at: clock.now(),
    realAt: clock.realNow(),
    eventDependentRefunds: true,
  });
  if (result.kind !== 'ordered') throw new Error(`not ordered: ${JSON.stringify(result)}`);
  const { refundId, amount } = result.refund;
  return { refundId, subscriptionId: null, paymentId, amount };
}

/** How an order for a capture ended, and the payment's status after it. */
export interface Captured {
  readonly kind: CaptureResult['kind'];
  readonly status: PaymentStatus;
}

/** Runs `capturePayment` until it answers. */
export async function capture(
  world: World,
  { orderId, paymentId }: CaptureInput,
  deps: Partial<Dependencies> = {},
  options: DriveOptions = {},
): Promise<DrivenRun<Captured>> {
  const make = () => paymentActivities(world, deps).capturePayment({ orderId, paymentId });
  const run = await world.driver.drive(make, options);
  const { status } = await onRecord(world, paymentId);
  return { ...run, result: { kind: run.result.kind, status } };
}

export async function onRecord(world: World, paymentId: PaymentId): Promise<PaymentRecord> {
  const payment = await getPayment(world.deps.ledger, paymentId);
  if (payment === null) throw new Error(`no payment ${paymentId}`);
  return payment;
}

/** Every send of an order as the ledger has it, oldest first. */
export async function orderSends({ deps }: World, orderId: OrderId): Promise<readonly OrderSendRecord[]> {
  const sends: OrderSendRecord[] = [];
  for (let send = 0; ; send += 1) {
    const found = await readOrderSend(deps.ledger, { orderId, send });
    if (found === null) return sends;
    sends.push(found);
  }
}

/** The open attention items of an order or a payment. */
export async function waitingFor({ deps }: World, id: OrderId | PaymentId) {
  const { items } = await listAttention(deps.ledger, {}, { limit: 200, cursor: null });
  return items.filter(({ orderId, paymentId }) => orderId === id || paymentId === id);
}

/** Resolves an order as never made, as an operator would. */
export function resolveAsFailed({ deps: { clock, ledger } }: World, orderId: OrderId) {
  const said = { outcome: 'failed', evidence: 'the operator has none', serviceId: null, actor: 'Grace' } as const;
  return resolveOrder(ledger, { orderId, ...said, at: clock.now(), realAt: clock.realNow() });
}

/** How many POSTs of a capture reached the service, over all payments. */
export function capturePosts(world: World): number {
  return world.requests.filter((each) => each === 'POST /captures').length;
}

/** The types of the payment's notices, oldest first. */
export async function noticesOf({ deps }: World, { paymentId }: PaymentReference): Promise<string[]> {
  const { rows } = await deps.ledger.query<{ type: string }>(
    'select type from notices where payment_id = $1 order by created_at',
    [paymentId],
  );
  return rows.map(({ type }) => type);
}

/** The types of the payment's audit entries, oldest first. */
export async function auditEntriesOf({ deps }: World, { paymentId }: PaymentReference): Promise<string[]> {
  const { items } = await listEvents(deps.ledger, { ofPayment: paymentId }, { limit: 1000, cursor: null });
  return items.map(({ type }) => type).reverse();
}
