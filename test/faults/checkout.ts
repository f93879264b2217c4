import { setTimeout as pause } from 'node:timers/promises';
import { DAY, type Instant, SECOND } from '../../src/domain/time';
import type { Answer, ProblemBody, Subscription } from '../scenarios/admin-api';
import { Life, type Surroundings } from '../scenarios/life';
import { type Order, orderOf } from '../scenarios/order';
import { waitUntil } from '../support/wait-until';

/** Real ms after which the client gives a call up, and makes it again. */
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

/** One order of each plan, each with its own amount, by which it is recognized if an answer is lost. */
export function ordersOfEach(name: string, subscriptionId: string, cents: number, now: Instant): Orders {
  const subscription = orderOf({ name, subscriptionId, cents, lead: 4 * DAY }, now);
  const { returnURL, billingAddress } = subscription;
  const payment = (plan: string, value: number): PaymentOrder => {
    return { plan, amount: { value, currency: 'EUR' }, returnURL, billingAddress };
  };
  return { subscription, single: payment('SINGLE', cents + 1), dependent: payment('EVENT_DEPENDENT', cents + 2) };
}

/** The client at a checkout, which calls until it is answered, and its payers. */
export class Checkout {
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** What the service has of the order. */
  atService({ amount }: { readonly amount: { readonly value: number } }) {
    return this.#around.sandbox.payments().filter((each) => each.amount.value === amount.value);
  }

  /** Calls again and again, with one key and one body, and gives each call up soon: at last it is answered with what was created. */
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

  /** Waits until the ledger has the order; as the admin API lists it. */
  async recorded(path: string, { amount }: Order | PaymentOrder): Promise<Made> {
    let found: Made | undefined;
    await waitUntil(`${amount.value} is on record`, async () => {
      const { items } = (await this.#around.admin.get<{ items: Listed[] }>(`${path}?limit=20`)).body;
      found = items.find((each) => each.amount.value === amount.value);
      return found !== undefined;
    });
    return found!;
  }

  /** Each is approved by its payer and collected; the subscription is cancelled after that. */
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

  /** Approved by the payer and booked by the service: the ledger has it. */
  async #expectCaptured(single: Made): Promise<void> {
    this.#around.sandbox.payer(single.paymentId).approve();
    await this.#becomes(single, 'captured');
  }

  /** Approved by the payer, and captured as ordered. */
  async #expectCapturedByOrder(dependent: Made, { amount }: PaymentOrder): Promise<void> {
    const { admin, sandbox } = this.#around;
    sandbox.payer(dependent.paymentId).approve();
    await this.#becomes(dependent, 'authorized');
    const { status } = await admin.post(`/v1/payments/${dependent.paymentId}/captures`, { amount, finalCapture: true });
    expect([200, 201, 202]).toContain(status);
    await this.#becomes(dependent, 'captured');
  }

  /** Approved by the payer, collected when due, once; then cancelled. */
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
