import { randomBytes } from 'node:crypto';
import { DAY, type Instant, toIso } from '../../domain/time';
import { type Access, ask } from '../api/call';

/** A subscription that demonstrates one case, and the simulated payer who causes it. */
export interface Sample {
  readonly subscriptionId: string;
  readonly story: string;
  /** The simulator's wallet for it. */
  readonly wallet: string;
  readonly repetition: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY';
  readonly cents: number;
  readonly answer: 'approve' | 'decline';
  /** How long it lasts from its first payment; null: no end. */
  readonly lasts: number | null;
}

/** The part of a subscription's JSON that commands show. */
export interface SubscriptionView {
  readonly subscriptionId: string;
  readonly paymentId: string;
  readonly status: string;
  readonly standing: string;
  readonly nextDueAt: string | null;
  readonly cyclesCollected: number;
  readonly cancelledBy?: string;
}

/** Time to create it and for the payer to answer before the first payment is due: in the demo six real seconds. */
const BEFORE_FIRST_PAYMENT = DAY;

/** Creates the sample over the admin API and lets its payer answer at the payment service. */
export async function orderSample(
  admin: Access,
  sandboxUrl: string,
  sample: Sample,
  now: Instant,
): Promise<SubscriptionView> {
  const firstPaymentAt = now + BEFORE_FIRST_PAYMENT;
  const body = {
    subscriptionId: sample.subscriptionId,
    amount: { value: sample.cents, currency: 'EUR' },
    repetition: sample.repetition,
    startAt: toIso(firstPaymentAt),
    firstPaymentAt: toIso(firstPaymentAt),
    ...(sample.lasts === null ? {} : { endAt: toIso(firstPaymentAt + sample.lasts) }),
    returnURL: 'https://shop.example/return',
    billingAddress: { name: 'Ada Payer', street: 'Main Street 1', postalCode: '10115', city: 'Berlin', country: 'DE' },
    payer: { reference: sample.story },
  };
  const created = await ask<SubscriptionView>(admin, 'createSubscription', { body });
  await answerAsPayer(sandboxUrl, created.paymentId, { action: sample.answer, wallet: sample.wallet });
  await ask(admin, 'checkConsent', { path: { id: sample.subscriptionId } });
  return created;
}

/** Acts as the payer in the wallet, through the simulator. */
export async function answerAsPayer(
  sandboxUrl: string,
  paymentId: string,
  body: { readonly action: string; readonly wallet?: string },
): Promise<void> {
  await callSandbox(sandboxUrl, `/_sandbox/payments/${paymentId}/payer`, body);
}

/** @throws Error if the simulator does not execute the request. */
export async function callSandbox(sandboxUrl: string, path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${sandboxUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the simulator answered ${answer.status} to ${path}: ${await answer.text()}`);
}

/** A random tag that keeps the ids of different runs apart. */
export function runTag(): string {
  return randomBytes(3).toString('hex');
}

/** Three weekly cycles, the last with its full collection window. */
export const THREE_WEEKS = 20 * DAY;
