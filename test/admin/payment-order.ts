import type { LightMyRequestResponse } from 'fastify';
import type { AuthorizationId, CaptureId, OrderId, PaymentId } from '../../src/domain/ids';
import type { Instant } from '../../src/domain/time';
import { captureDeadline } from '../../src/domain/payment/payment';
import {
  applyPaymentChange,
  beginOrderSend,
  getPayment,
  type PaymentRecord,
  recordOrderOutcome,
} from '../../src/ledger';
import { type AdminUnderTest, NOW } from './admin-under-test';
import { address } from './order';

export const eur = (value: number) => ({ value, currency: 'EUR' as const });

/** A valid body of `POST /v1/payments`. */
export function payment(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    plan: 'EVENT_DEPENDENT',
    amount: eur(10_000),
    returnURL: 'https://shop.example/back',
    billingAddress: address(),
    ...changes,
  };
}

export const BOTH_FLAGS = { partialCapture: true, multipleCapture: true };

/** Creates a payment that the service has authorized, at the instant NOW by default. */
export async function createAuthorized(
  admin: AdminUnderTest,
  changes: Record<string, unknown> = {},
  at: Instant = NOW,
): Promise<PaymentId> {
  const { paymentId, timeToCapture } = await createOpened(admin, changes);
  const authorizationId = `auth-${paymentId}` as AuthorizationId;
  await applyPaymentChange(admin.db, {
    paymentId,
    at,
    patch: {
      consent: { status: 'successful', reason: null },
      authorization: { authorizationId, state: 'successful', createdAt: at, detail: null, description: null },
      ...(timeToCapture === null ? {} : { captureBy: captureDeadline(at, timeToCapture) }),
    },
  });
  return paymentId;
}

/** Creates a payment that waits for the payer's consent. */
export async function createOpened(
  admin: AdminUnderTest,
  changes: Record<string, unknown> = {},
): Promise<PaymentRecord> {
  const answer = await admin.call('POST', '/v1/payments', { body: payment(changes) });
  const { paymentId } = created(answer);
  return recordOf(admin, paymentId);
}

/** Creates a Single Immediate payment that the service has booked. */
export async function createBooked(admin: AdminUnderTest, value: number): Promise<PaymentId> {
  const paymentId = await createAuthorized(admin, { plan: 'SINGLE', amount: eur(value) });
  const booking = { captureId: `booked-${paymentId}` as CaptureId, state: 'successful', createdAt: NOW } as const;
  await applyPaymentChange(admin.db, { paymentId, at: NOW, patch: { booking } });
  return paymentId;
}

/** Records that a capture or refund was sent, and its state. */
export async function settle(
  admin: AdminUnderTest,
  orderId: string,
  state: 'pending' | 'successful' | 'failed',
): Promise<void> {
  const sent = await beginOrderSend(admin.db, {
    orderId: orderId as OrderId,
    at: NOW,
    realAt: NOW,
    knownIds: [],
    owner: 'w',
  });
  if (sent.kind !== 'started') throw new Error(`not started: ${sent.kind}`);
  const known = { serviceId: `at-service:${orderId}`, createdAt: NOW };
  const failed = { state: 'failed', detail: 'STATE_CONFLICT', description: 'no' } as const;
  await recordOrderOutcome(admin.db, sent.send, state === 'failed' ? failed : { state, ...known }, NOW);
}

export async function recordOf({ db }: AdminUnderTest, paymentId: PaymentId): Promise<PaymentRecord> {
  const record = await getPayment(db, paymentId);
  if (record === null) throw new Error(`no payment ${paymentId}`);
  return record;
}

/** The body of a 201 response with a payment or a capture. */
export function created(answer: LightMyRequestResponse): { readonly paymentId: PaymentId; readonly orderId: string } {
  if (answer.statusCode !== 201) throw new Error(`not created, but ${answer.statusCode}: ${answer.body}`);
  return answer.json();
}

export const pathOf = (paymentId: string) => `/v1/payments/${encodeURIComponent(paymentId)}`;
