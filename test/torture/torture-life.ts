import { setTimeout as pause } from 'node:timers/promises';
import type { PaymentId } from '../../src/domain/ids';
import { HOUR, type Instant, toIso } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { FaultSpec } from '../../src/sandbox';
import type { ProcessStack } from '../processes/local-stack';
import type { Answer, ProblemBody, Subscription } from '../scenarios/admin-api';
import type { AmountRequest } from '../lives/owed';
import type { AskedOrder } from '../lives/orders';
import { type Answered, askUntil, orNone } from './asking';
import type { Fault } from './fault-deck';
import type { CyclePlan, LifePlan } from './plan';
import { reach } from './reach';
import { TorturePayment } from './torture-payment';

/** Real ms between two tries of a request. */
const PAUSE = 500;
/** Real ms within which a subscription ends after the end of its calendar. */
const TIMEOUT = 90_000;
/** How long before a due date its faults are prepared. */
const READY = 3 * HOUR;
/** How long before a due date its amount is changed and the previous cycle is refunded. */
const STEERED = 48 * HOUR;

/** One subscription: created over the API, approved by its wallet, exposed to the faults of its plan. */
export class TortureLife {
  paymentId: PaymentId | null = null;
  /** Its final status; null if it had none in time. */
  ended: string | null = null;
  /** The answers to the creation that did not confirm it. */
  readonly answers: string[] = [];
  readonly requests: AmountRequest[] = [];
  readonly refunds: AskedOrder[] = [];
  readonly payment: TorturePayment | null;

  constructor(
    private readonly stack: ProcessStack,
    readonly plan: LifePlan,
  ) {
    this.payment = plan.payment === null ? null : new TorturePayment(stack, plan.payment);
  }

  async live(): Promise<void> {
    await Promise.all([this.subscribe(), this.payment?.live(this.plan.joinsAt)]);
  }

  private async subscribe(): Promise<void> {
    const { joinsAt, cycles, endAt } = this.plan;
    await this.until(joinsAt);
    await this.order();
    if (this.paymentId === null) return;
    for (const [number, cycle] of cycles.entries()) {
      await this.until(cycle.dueAt - STEERED);
      await Promise.all([this.change(number, cycle), this.refund(number - 1, cycle.dueAt - READY)]);
      await this.until(cycle.dueAt - READY);
      this.prepare(cycle);
    }
    await this.until(endAt);
    await this.refund(cycles.length - 1, Infinity);
    await this.end();
  }

  /** Repeats the creation until it is confirmed, or until its first date, after which the API refuses it. */
  private async order(): Promise<void> {
    const body = this.body();
    while (this.stack.clock.now() < this.plan.firstPaymentAt) {
      const answer = await this.ask((admin) => admin.post<Subscription & ProblemBody>('/v1/subscriptions', body));
      // 409: the id is taken, because a creation whose answer was lost was carried out.
      const made = answer?.status === 409 ? await this.view() : answer;
      if (made !== null && (made.status === 200 || made.status === 201)) {
        this.paymentId = made.body.paymentId as PaymentId;
        return;
      }
      this.answers.push(answer === null ? 'none' : `${answer.status} ${answer.body.code}`);
      await pause(PAUSE);
    }
  }

  /** Whether all accepted refunds were made. A job of the API starts those of a killed process a minute later. */
  private isGivenBack(): boolean {
    if (this.paymentId === null) return true;
    const made = this.stack.sandbox.payment(this.paymentId).refunds.filter(({ result }) => result === 'successful');
    return made.length >= this.refunds.filter(({ isSure }) => isSure).length;
  }

  private async change(fromCycle: number, { changeTo: cents, dueAt }: CyclePlan): Promise<void> {
    if (cents === null) return;
    const answered = await this.asks('amount-changes', { amount: euros(cents), fromCycle }, dueAt - READY);
    if (answered.kind === 'refused') return;
    const latest = answered.kind === 'done' ? answered.to : Infinity;
    this.requests.push({ moment: { earliest: answered.from, latest }, change: { fromCycle, cents } });
  }

  /** Refunds the cycle's debit as planned; called once nothing of the cycle is under way. */
  private async refund(cycle: number, until: Instant): Promise<void> {
    const part = this.plan.cycles[cycle]?.refund ?? null;
    const { paymentId } = this;
    if (part === null || paymentId === null) return;
    const { debits } = this.stack.sandbox.payment(paymentId);
    const debit = debits.find((each) => each.cycle === cycle && each.status === 'successful');
    if (debit === undefined) return;
    const fault = this.plan.cycles[cycle]?.onRefund ?? null;
    if (fault !== null) this.spoil(fault, 'POST', `^/${paymentId}/refunds$`);
    const cents = Math.max(1, Math.round(debit.amount.value * part));
    const answered = await this.asks(`cycles/${cycle}/refunds`, { amount: euros(cents) }, until);
    if (answered.kind === 'refused') return;
    this.refunds.push({ captureId: debit.captureId, cents, isSure: answered.kind === 'done' });
  }

  private asks(what: string, body: object, until: Instant): Promise<Answered<unknown>> {
    return askUntil(this.stack, `/v1/subscriptions/${this.plan.name}/${what}`, body, until);
  }

  private view(): Promise<Answer<Subscription & ProblemBody> | null> {
    return this.ask((admin) => admin.get<Subscription & ProblemBody>(`/v1/subscriptions/${this.plan.name}`));
  }

  private async end(): Promise<void> {
    const timesOutAt = performance.now() + TIMEOUT;
    while (performance.now() < timesOutAt) {
      const answer = await this.view();
      const status = answer?.status === 200 ? answer.body.status : 'unknown';
      if (['completed', 'cancelled', 'consent_failed'].includes(status)) this.ended = status;
      if (this.ended !== null && this.isGivenBack()) return;
      await pause(PAUSE);
    }
  }

  private ask<T>(request: (admin: ProcessStack['admin']) => Promise<T>): Promise<T | null> {
    return orNone(() => request(this.stack.admin));
  }

  private prepare({ walletAgain, onDebit, onQuestion }: CyclePlan): void {
    const { paymentId } = this;
    if (paymentId === null) return;
    const { sandbox } = this.stack;
    if (walletAgain) sandbox.setWallet(paymentId, this.plan.wallet);
    if (onDebit !== null) this.spoil(onDebit, 'POST', `^/${paymentId}/authorizations$`);
    if (onQuestion !== null) this.spoil(onQuestion, 'GET', '/(authorizations|consents|captures)$');
  }

  private spoil(fault: Fault, method: 'GET' | 'POST', path: string): void {
    const match = { method, path, paymentId: this.paymentId };
    this.stack.sandbox.faults.add({ ...fault, match } as unknown as FaultSpec);
  }

  private body(): object {
    const { name, wallet, cents, repetition, firstPaymentAt, endAt } = this.plan;
    const [first, end] = [toIso(firstPaymentAt), toIso(endAt)];
    return {
      subscriptionId: name,
      amount: { value: cents, currency: 'EUR' },
      repetition,
      startAt: first,
      firstPaymentAt: first,
      endAt: end,
      returnURL: 'https://shop.example/return',
      billingAddress: {
        name: 'Ada Byron',
        street: 'Ring 1',
        postalCode: '10115',
        city: 'Berlin',
        country: 'DE',
        email: `wallet+${wallet}+auto@example.test`,
      },
      payer: { email: `${name}@payer.example`, reference: name },
    };
  }

  private async until(at: Instant): Promise<void> {
    await reach(this.stack, at);
  }
}
