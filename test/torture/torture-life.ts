import { setTimeout as pause } from 'node:timers/promises';
import { realDelay } from '../../src/domain/business-clock';
import type { PaymentId } from '../../src/domain/ids';
import { HOUR, type Instant, toIso } from '../../src/domain/instant';
import type { FaultSpec } from '../../src/sandbox';
import type { ProcessHouse } from '../processes/house';
import type { Answer, ProblemBody, Subscription } from '../scenarios/admin-api';
import type { CyclePlan, LifePlan } from './plan';
import type { Fault } from './fault-deck';

/** Real ms between two requests for the same. */
const PAUSE = 500;
/** Real ms in which what is over by its calendar comes to its end. */
const PATIENCE = 60_000;
/** Before a due date: what is to befall it is made ready. */
const READY = 3 * HOUR;

/** One subscription: ordered over the API, approved by its wallet, met by the faults of its plan. */
export class TortureLife {
  paymentId: PaymentId | null = null;
  /** The status that it came to; null where it came to none in time. */
  ended: string | null = null;
  /** What the API answered other than 201. */
  readonly answers: string[] = [];

  constructor(
    private readonly house: ProcessHouse,
    readonly plan: LifePlan,
  ) {}

  async live(): Promise<void> {
    const { joinsAt, cycles, endAt } = this.plan;
    await this.until(joinsAt);
    await this.order();
    if (this.paymentId === null) return;
    for (const cycle of cycles) {
      await this.until(cycle.dueAt - READY);
      this.prepare(cycle);
    }
    await this.until(endAt);
    await this.end();
  }

  /** The same order again and again, until it is confirmed; for good it is refused once its first date is past. */
  private async order(): Promise<void> {
    const body = this.body();
    while (this.house.clock.now() < this.plan.firstPaymentAt) {
      const answer = await this.ask((admin) => admin.post<Subscription & ProblemBody>('/v1/subscriptions', body));
      // Its id taken: an order whose answer was lost has been carried out.
      const made = answer?.status === 409 ? await this.view() : answer;
      if (made !== null && (made.status === 200 || made.status === 201)) {
        this.paymentId = made.body.paymentId as PaymentId;
        return;
      }
      this.answers.push(answer === null ? 'none' : `${answer.status} ${answer.body.code}`);
      await pause(PAUSE);
    }
  }

  private view(): Promise<Answer<Subscription & ProblemBody> | null> {
    return this.ask((admin) => admin.get<Subscription & ProblemBody>(`/v1/subscriptions/${this.plan.name}`));
  }

  private async end(): Promise<void> {
    const patienceEnds = performance.now() + PATIENCE;
    while (performance.now() < patienceEnds) {
      const answer = await this.view();
      const status = answer?.status === 200 ? answer.body.status : 'unknown';
      if (['completed', 'cancelled', 'consent_failed'].includes(status)) {
        this.ended = status;
        return;
      }
      await pause(PAUSE);
    }
  }

  /** Null where the API gave no answer. */
  private async ask<T>(request: (admin: ProcessHouse['admin']) => Promise<T>): Promise<T | null> {
    try {
      return await request(this.house.admin);
    } catch (error) {
      if (error instanceof TypeError || error instanceof SyntaxError) return null;
      throw error;
    }
  }

  private prepare({ walletAnew, onDebit, onQuestion }: CyclePlan): void {
    const { paymentId } = this;
    if (paymentId === null) return;
    const { sandbox } = this.house;
    if (walletAnew) sandbox.setWallet(paymentId, this.plan.wallet);
    if (onDebit !== null) this.spoil(onDebit, 'POST', `^/${paymentId}/authorizations$`);
    if (onQuestion !== null) this.spoil(onQuestion, 'GET', '/(authorizations|consents|captures)$');
  }

  private spoil(fault: Fault, method: 'GET' | 'POST', path: string): void {
    const match = { method, path, paymentId: this.paymentId };
    this.house.sandbox.faults.add({ ...fault, match } as unknown as FaultSpec);
  }

  private body(): object {
    const { name, wallet, cents, repetition, firstPaymentAt, endAt } = this.plan;
    const [first, end] = [toIso(firstPaymentAt), toIso(endAt)];
    return {
      subscriptionId: name,
      ...{ amount: { value: cents, currency: 'EUR' }, repetition, startAt: first, firstPaymentAt: first, endAt: end },
      returnURL: 'https://shop.example/return',
      billingAddress: {
        ...{ name: 'Ada Byron', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' },
        email: `wallet+${wallet}+auto@example.test`,
      },
      payer: { email: `${name}@payer.example`, reference: name },
    };
  }

  private async until(at: Instant): Promise<void> {
    await reach(this.house, at);
  }
}

/** Waits for business time. */
export async function reach({ clock }: ProcessHouse, at: Instant): Promise<void> {
  for (let left = Infinity; left > 0;) {
    left = realDelay(clock.setting, clock.realNow(), at);
    if (left > 0) await pause(left);
  }
}
