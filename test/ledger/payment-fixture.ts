import { randomUUID } from 'node:crypto';
import type { AuthorizationId, CaptureId, OrderId, PaymentId } from '../../src/domain/ids';
import { DAY, HOUR, type Instant } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import {
  applyPaymentChange,
  beginOrderSend,
  insertPaymentDraft,
  type OneTimeRef,
  openPayment,
  orderCapture,
  orderPaymentRefund,
  type OrderSendRef,
  type PaymentDraft,
  type PaymentPatch,
  type Pool,
  recordOrderOutcome,
} from '../../src/ledger';
import { NOW, REAL_NOW } from './ledger-fixture';

export function paymentDraft(changes: Partial<PaymentDraft> = {}): PaymentDraft {
  const requestId = changes.requestId ?? `pay_${randomUUID()}`;
  return {
    requestId,
    workflowId: `payment/${requestId}`,
    plan: 'EVENT_DEPENDENT',
    amount: euros(10_000),
    timeToCapture: 604_800,
    partialCapture: true,
    multipleCapture: true,
    merchantCategoryCode: null,
    billingAddress: { name: 'Ada Example', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' },
    returnURL: 'https://shop.example/back',
    shippingAddress: null,
    actor: 'till',
    createdAt: NOW - HOUR,
    draftedRealAt: REAL_NOW,
    ...changes,
  };
}

export const SINGLE = { plan: 'SINGLE', timeToCapture: null, partialCapture: false, multipleCapture: false } as const;

/** A payment in `pending_consent`, of 100.00 EUR, Event Dependent with both flags unless set otherwise. */
export async function askedPayment(pool: Pool, changes: Partial<PaymentDraft> = {}): Promise<OneTimeRef> {
  const wanted = paymentDraft(changes);
  const { requestId } = wanted;
  const paymentId = `service-${requestId}` as PaymentId;
  await insertPaymentDraft(pool, wanted, REAL_NOW);
  const redirectURL = 'https://bank.example/approve';
  const { draftedRealAt } = wanted;
  const opened = { paymentId, redirectURL, requestedRealAt: REAL_NOW, at: NOW - HOUR };
  await openPayment(pool, { requestId, draftedRealAt, ...opened });
  return { subscriptionId: null, requestId, paymentId };
}

/** A payment that was authorized at `at`. */
export async function authorizedPayment(
  pool: Pool,
  changes: Partial<PaymentDraft> = {},
  at: Instant = NOW,
): Promise<OneTimeRef> {
  const asked = await askedPayment(pool, changes);
  await patchPayment(pool, asked, {
    consent: { status: 'successful', reason: null },
    authorization: {
      authorizationId: `aut-${asked.requestId}` as AuthorizationId,
      state: 'successful',
      createdAt: at,
      detail: null,
      description: null,
    },
    ...(changes.plan === 'SINGLE' ? {} : { captureBy: at + 7 * DAY }),
  });
  return asked;
}

export async function patchPayment(pool: Pool, { paymentId }: OneTimeRef, patch: PaymentPatch): Promise<void> {
  await applyPaymentChange(pool, { paymentId, at: NOW, patch });
}

/** Records that the service has booked the payment by itself, or has failed to. */
export async function recordBooking(
  pool: Pool,
  payment: OneTimeRef,
  state: 'successful' | 'failed',
  at: Instant,
): Promise<CaptureId> {
  const captureId = `cap-${payment.requestId}` as CaptureId;
  await patchPayment(pool, payment, { booking: { captureId, state, createdAt: at } });
  return captureId;
}

/** A capture that was ordered at `at`. */
export async function orderedCapture(
  pool: Pool,
  { paymentId }: OneTimeRef,
  cents: number,
  at: Instant,
  finalCapture = false,
): Promise<OrderId> {
  const orderId = `cap_${randomUUID()}` as OrderId;
  const order = { orderId, paymentId, amount: euros(cents), finalCapture, actor: 'till', at, realAt: REAL_NOW };
  const result = await orderCapture(pool, { ...order, transit: 0 });
  if (result.kind !== 'ordered') throw new Error(`not ordered: ${JSON.stringify(result)}`);
  return orderId;
}

export async function startedOrder(pool: Pool, orderId: OrderId, realAt = REAL_NOW): Promise<OrderSendRef> {
  const input = { orderId, at: NOW + 2000, realAt, knownIds: ['old-1'], owner: 'worker-1' };
  const result = await beginOrderSend(pool, input);
  if (result.kind !== 'started') throw new Error(`not started: ${JSON.stringify(result)}`);
  return { orderId, send: result.send.send };
}

/** Sends an order, which the service carries out. @returns the service's id */
export async function sendOrder(pool: Pool, orderId: OrderId): Promise<CaptureId> {
  const serviceId = `service-${orderId}` as CaptureId;
  const outcome = { state: 'successful', serviceId, createdAt: NOW + 2001 } as const;
  await recordOrderOutcome(pool, await startedOrder(pool, orderId), outcome, NOW + 2002);
  return serviceId;
}

export async function orderedRefund(
  pool: Pool,
  { paymentId }: OneTimeRef,
  captureId: CaptureId,
  cents: number,
): Promise<OrderId> {
  const refundId = `ref_${randomUUID()}` as OrderId;
  const result = await orderPaymentRefund(pool, {
    refundId,
    paymentId,
    captureId,
    amount: euros(cents),
    reason: null,
    actor: 'till',
    at: NOW + 3 * DAY,
    realAt: REAL_NOW,
    eventDependentRefunds: true,
  });
  if (result.kind !== 'ordered') throw new Error(`not ordered: ${JSON.stringify(result)}`);
  return refundId;
}
