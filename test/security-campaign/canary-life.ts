import type { ProcessStack } from '../processes/local-stack';
import { orderOf, PERSONAL } from '../scenarios/order';
import { waitUntil } from '../support/wait-until';
import { askJson, bodyOf, type Said } from './ask';

/** Real ms in which something must come to pass. */
const MAX_WAIT = 120_000;

/** Words that a caller types into fields in which they do not belong. */
export const MISPLACED = { key: 'dd_canary-key-that-nobody-has', email: 'canary.misplaced@payer.example' };

/** Calls the API with its bootstrap key, or another one; keeps each answer. */
export class Caller {
  readonly answers: Said[] = [];

  constructor(
    readonly url: string,
    private readonly bootstrap: string,
  ) {}

  async call(method: string, path: string, body?: unknown, key = this.bootstrap): Promise<Said> {
    const said = await askJson(this.url, key, method, path, body);
    this.answers.push(said);
    return said;
  }

  /** The body of an answer that succeeded. @throws Error if it did not */
  done<T>(method: string, path: string, body?: unknown): Promise<T> {
    return bodyOf<T>(this.call(method, path, body));
  }
}

export type Order = ReturnType<typeof orderOf>;

/** Plays a subscription: created, approved, refused, notified, collected, refunded, payer changed, cancelled; and a one-time payment. */
export async function liveOnce(stack: ProcessStack, caller: Caller): Promise<Order> {
  const order = orderOf({ name: 'canary', cents: 1999 }, stack.clock.now());
  const path = `/v1/subscriptions/${order.subscriptionId}`;
  const { paymentId } = await caller.done<{ paymentId: string }>('POST', '/v1/subscriptions', order);
  stack.sandbox.payer(paymentId).approve('insufficient-funds-once');
  await caller.done('POST', `${path}/consent-check`);
  const isCollected = async () => (await caller.done<{ cyclesCollected: number }>('GET', path)).cyclesCollected === 1;
  await waitUntil('the retry was collected', isCollected, MAX_WAIT);
  await caller.done('POST', `${path}/cycles/0/refunds`, { amount: { value: 100, currency: 'EUR' } });
  await caller.done('PATCH', `${path}/payer`, { email: order.payer.email.replace('@', '+new@') });
  const stored = await caller.call('GET', `/v1/payers/${encodeURIComponent(order.payer.reference)}`);
  if (!stored.text.includes(PERSONAL.name)) throw new Error('the payer is not in the ledger: there is nothing to find');
  await payOnce(stack, caller, order);
  await caller.done('POST', `${path}/cancel`, { reason: 'the end' });
  return order;
}

async function payOnce(stack: ProcessStack, caller: Caller, { billingAddress, returnURL }: Order): Promise<void> {
  const single = { plan: 'SINGLE', amount: { value: 999, currency: 'EUR' }, returnURL, billingAddress };
  const { paymentId } = await caller.done<{ paymentId: string }>('POST', '/v1/payments', single);
  stack.sandbox.payer(paymentId).approve();
  const status = async () => (await caller.done<{ status: string }>('GET', `/v1/payments/${paymentId}`)).status;
  await waitUntil('the single payment was captured', async () => (await status()) === 'captured', MAX_WAIT);
}

/**
 * Makes requests that are refused, with personal data and secrets in fields, paths and queries: no answer and no log may repeat them.
 * @param operator a key of that role
 */
export async function beRefused(caller: Caller, order: Order, operator: string): Promise<void> {
  const { name, street } = PERSONAL;
  const misplaced = encodeURIComponent(MISPLACED.email);
  // A log that does not encode this text would contain it as a separate line.
  const line = encodeURIComponent('\n{"level":60,"msg":"forged"}\n');
  const refund = { amount: { value: 10 ** 8, currency: 'EUR' } };
  const asked: readonly Parameters<Caller['call']>[] = [
    ['POST', '/v1/subscriptions', { ...order, amount: MISPLACED.email }],
    ['POST', '/v1/subscriptions', { ...order, repetition: name }],
    ['POST', '/v1/subscriptions', { ...order, subscriptionId: MISPLACED.email }],
    ['POST', '/v1/subscriptions', { ...order, billingAddress: { ...order.billingAddress, country: street } }],
    ['POST', '/v1/subscriptions', { ...order, repetition: 'MONTHLY' }],
    ['POST', '/v1/payments', { plan: 'SINGLE', billingAddress: order.billingAddress }],
    ['GET', `/v1/subscriptions/${misplaced}`],
    ['GET', `/v1/subscriptions?q=${encodeURIComponent(name)}&limit=0`],
    ['GET', `/v1/${misplaced}`],
    ['GET', `/v1/${line}`],
    ['GET', `/v1/keys?${misplaced}`, undefined, operator],
    ['GET', '/v1/subscriptions', undefined, MISPLACED.key],
    ['POST', `/v1/subscriptions/${order.subscriptionId}/cycles/0/refunds`, refund],
    ['POST', '/v1/webhook-endpoints', { url: `https://${MISPLACED.key}:secret@shop.example/`, types: ['*'] }],
  ];
  for (const each of asked) {
    const { status } = await caller.call(...each);
    if (status < 400) throw new Error(`expected a refusal of ${each[0]} ${each[1]}; got ${status}`);
  }
}
