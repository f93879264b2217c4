import { setTimeout as pause } from 'node:timers/promises';
import { DAY, type Instant, SECOND } from '../../src/domain/time';
import type { Answer, ProblemBody, Subscription } from '../scenarios/admin-api';
import { Life, type Surroundings } from '../scenarios/life';
import { type Order, orderOf } from '../scenarios/order';
import { waitUntil } from '../support/wait-until';

/** Real ms after which the client gives up a call and repeats it. */
const GIVEN_UP = 4_000;

/** What was created, as the admin API answers. */
export interface Made {
  readonly paymentId: string;
  readonly status: string;
  readonly workflowId: string;
  readonly consent: { readonly redirectURL?: string };
}

type PaymentOrder = Pick<Order, 'amount' | 'returnURL' | 'billingAddress'> & { readonly plan: string };

interface Orders {
  readonly subscription: Order;
  readonly single: PaymentOrder;
  readonly dependent: PaymentOrder;
}

type MadeOfEach = Readonly<Record<keyof Orders, Made>>;

interface Listed extends Made {
  readonly amount: { readonly value: number };
}

/** One request for each plan, each with its own amount, by which the payment is recognized if an answer is lost. */
export function ordersOfEach(name: string, subscriptionId: string, cents: number, now: Instant): Orders {
  const subscription = orderOf({ name, subscriptionId, cents, lead: 4 * DAY }, now);
  const { returnURL, billingAddress } = subscription;
  const payment = (plan: string, value: number): PaymentOrder => {
    return { plan, amount: { value, currency: 'EUR' }, returnURL, billingAddress };
  };
  return { subscription, single: payment('SINGLE', cents + 1), dependent: payment('EVENT_DEPENDENT', cents + 2) };
}

/** The client at a checkout, which repeats its calls until they are answered, and its payers. */
export class Checkout {
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** The service's payments for this request, which are recognized by the amount. */
  atService({ amount }: { readonly amount: { readonly value: number } }) {
    return this.#around.sandbox.payments().filter((each) => each.amount.value === amount.value);
  }

  /** Repeats the call, with the same key and body, and gives up each try soon, until the answer has what was created. */
  async callUntilMade(path: string, order: Order | PaymentOrder): Promise<Made> {
    const key = `checkout-${order.amount.value}`;
    const call = () => this.#around.admin.post<Made & ProblemBody>(path, order, key);
    let answer: Answer<Made & ProblemBody> | null = null;
    const isMade = async () => {
      answer = (await Promise.race([call(), pause(GIVEN_UP, null)])) ?? answer;
      if (answer?.status === 201) return true;
      if (answer !== null) expect(answer.body.code).toMatch(/^(idempotency_in_progress|not_ready)$/);
      await pause(SECOND / 2);
      return false;
    };
    await waitUntil(`${key} is made`, isMade);
    const made = answer!.body;
    expect(made).toMatchObject({ status: 'pending_consent', consent: { redirectURL: expect.stringMatching(/^http/) } });
    // The same call answers with what is known by then: the consent may have been checked meanwhile.
    const consent = { redirectURL: made.consent.redirectURL, status: 'pending' };
    expect((await call()).body).toMatchObject({ paymentId: made.paymentId, consent });
    expect(this.atService(order)).toMatchObject([{ paymentId: made.paymentId }]);
    return made;
  }

  async makeEach({ subscription, single, dependent }: Orders): Promise<MadeOfEach> {
    const made = await Promise.all([
      this.callUntilMade('/v1/subscriptions', subscription),
      this.callUntilMade('/v1/payments', single),
      this.callUntilMade('/v1/payments', dependent),
    ]);
    return { subscription: made[0], single: made[1], dependent: made[2] };
  }

  /** Waits until the ledger has the subscription or payment. @returns it as the admin API lists it */
  async recorded(path: string, { amount }: Order | PaymentOrder): Promise<Made> {
    let found: Made | undefined;
    await waitUntil(`${amount.value} is on record`, async () => {
      const { items } = (await this.#around.admin.get<{ items: Listed[] }>(`${path}?limit=20`)).body;
      found = items.find((each) => each.amount.value === amount.value);
      return found !== undefined;
    });
    return found!;
  }

  /** Has the payer approve each, and expects each to be collected; then cancels the subscription. */
  async expectEachToGoOn(made: MadeOfEach, orders: Orders): Promise<void> {
    await Promise.all([
      this.#expectCollectedAndCancelled(made.subscription, orders.subscription),
      this.#expectCaptured(made.single),
      this.#expectCapturedByOrder(made.dependent, orders.dependent),
    ]);
  }

  async #becomes({ paymentId }: Made, status: string): Promise<void> {
    const view = async () => (await this.#around.admin.get<Made>(`/v1/payments/${paymentId}`)).body;
    await waitUntil(`${paymentId} is ${status}`, async () => (await view()).status === status);
  }

  /** Has the payer approve the payment, and expects the ledger to have the service's booking. */
  async #expectCaptured(single: Made): Promise<void> {
    this.#around.sandbox.payer(single.paymentId).approve();
    await this.#becomes(single, 'captured');
  }

  /** Has the payer approve the payment, orders a capture, and expects it to be made. */
  async #expectCapturedByOrder(dependent: Made, { amount }: PaymentOrder): Promise<void> {
    const { admin, sandbox } = this.#around;
    sandbox.payer(dependent.paymentId).approve();
    await this.#becomes(dependent, 'authorized');
    const { status } = await admin.post(`/v1/payments/${dependent.paymentId}/captures`, { amount, finalCapture: true });
    expect([200, 201, 202]).toContain(status);
    await this.#becomes(dependent, 'captured');
  }

  /** Has the payer approve the subscription, expects one collection when it is due, and cancels it. */
  async #expectCollectedAndCancelled({ paymentId }: Made, order: Order): Promise<void> {
    const life = new Life(this.#around, order, paymentId);
    await life.approvedWith();
    await life.collected(1);
    expect(life.atService.debits).toHaveLength(1);
    await life.agrees();
    const { status } = await life.steer('cancel');
    expect([200, 202]).toContain(status);
    await life.until('cancelled', (subscription: Subscription) => subscription.status === 'cancelled');
  }
}
