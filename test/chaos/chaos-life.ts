import { randomUUID } from 'node:crypto';
import type { OrderId, PaymentId } from '../../src/domain/ids';
import { HOUR, MINUTE } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { orderRefund } from '../../src/ledger';
import type { World } from '../activities/activity-world';
import { DecidedLife, OperatorNeeded, type ScheduledAction } from '../activities/decided-life';
import { type Misfortune, refundThrough } from '../activities/misfortunes';
import { amountAnswers, type AmountTerms, authorizedOf } from '../lives/amounts';
import { DAY } from '../lives/calendar';
import type { AmountRequest } from '../lives/owed';
import type { PlannedContradiction } from './chaos-contradictions';
import type { ChaosPlan, PlannedChange, PlannedRefund } from './chaos-plan';
import type { MoneyOrder } from '../lives/orders';
import { payFirstByLink } from './chaos-link';

/** The subscription of one seed, with the changes and refunds that were accepted for it. */
export class ChaosLife {
  readonly requests: AmountRequest[] = [];
  readonly refunds: MoneyOrder[] = [];
  /** Unexpected answers, as texts. */
  readonly strange: string[] = [];
  /** Why the subscription cannot continue without an operator; null if it can. */
  operatorNeeded: string | null = null;
  /** The payment of a link for the first cycle; null if there was none. */
  link: PaymentId | null = null;

  private constructor(
    private readonly world: World,
    private readonly plan: ChaosPlan,
    readonly life: DecidedLife,
    private readonly fates: Misfortune[],
    private readonly contradiction: PlannedContradiction | null,
  ) {}

  static async begin(world: World, plan: ChaosPlan, contradiction: PlannedContradiction | null): Promise<ChaosLife> {
    const fates = [...plan.misfortunes];
    return new ChaosLife(world, plan, await DecidedLife.begin(world, plan, fates), fates, contradiction);
  }

  get terms(): AmountTerms {
    const { dueAt } = this.life.subscribed;
    const { cents, cycles } = this.plan;
    return { repetition: 'WEEKLY', first: dueAt, end: dueAt + cycles * 7 * DAY - HOUR, cents };
  }

  /** @throws Error if the subscription's life does not end, unless a contradiction leaves it to an operator. */
  async live(): Promise<void> {
    try {
      await this.liveOn();
    } catch (error) {
      if (!(error instanceof OperatorNeeded) || this.contradiction === null) throw error;
      this.operatorNeeded = error.message;
    }
  }

  private async liveOn(): Promise<void> {
    const { contradiction } = this;
    if (contradiction?.fromCycle === 0) this.contradict(contradiction);
    const { plan } = this;
    // The amount is changed an hour before a due date. The previous cycle is refunded two days before, when its retries are over.
    const changes = plan.changes.map((each, index): ScheduledAction => {
      const at = this.dueOf(each.before) - HOUR + index * MINUTE;
      return { at, act: () => this.change(each) };
    });
    const refunds = plan.refunds.map((each): ScheduledAction => {
      return { at: this.dueOf(each.after + 1) - 2 * DAY, act: () => this.refund(each) };
    });
    const left = await this.life.live(
      [...changes, ...refunds, ...this.contradictions(), ...this.links()].sort((one, other) => one.at - other.at),
    );
    // After the last cycle refunds are still possible, changes are not.
    for (const action of left.filter((each) => refunds.includes(each))) await action.act();
  }

  private contradictions(): ScheduledAction[] {
    const { contradiction } = this;
    if (contradiction === null || contradiction.fromCycle === 0) return [];
    const at = this.dueOf(contradiction.fromCycle) - (contradiction.elsewhere === null ? 2 : 40) * HOUR;
    return [{ at, act: () => this.contradict(contradiction) }];
  }

  private links(): ScheduledAction[] {
    const { contradiction, world, life, terms } = this;
    if (contradiction?.link == null) return [];
    const act = async () => {
      this.link = await payFirstByLink(world, life.subscribed, terms.cents);
    };
    return [{ at: this.dueOf(0) + contradiction.link, act }];
  }

  private contradict({ order, elsewhere, fromCycle }: PlannedContradiction): void {
    const { world, terms } = this;
    const { paymentId } = this.life.subscribed;
    if (order !== null) world.sandbox.faults.contradict({ ...order, match: { ...order.match, paymentId } });
    if (elsewhere === null) return;
    const amount = Math.max(1, Math.round(terms.cents * elsewhere));
    const made = { amount, createdAt: world.clock.now(), cycle: fromCycle, result: 'successful' } as const;
    world.sandbox.authorizeElsewhere(paymentId, made);
  }

  private dueOf(cycle: number): number {
    return this.terms.first + cycle * 7 * DAY;
  }

  private async change({ share }: PlannedChange): Promise<void> {
    const { life, world, terms } = this;
    const now = world.clock.now();
    const moment = { earliest: now, latest: now };
    if (share === null) {
      if (await life.withdrawChange()) this.requests.push({ moment, change: null });
      return;
    }
    const fromCycle = Math.max(0, Math.floor((now - terms.first) / (7 * DAY)) + 1);
    const cents = Math.max(1, Math.round(terms.cents * share));
    const account = world.sandbox.payment(life.subscribed.paymentId);
    const permitted = amountAnswers(terms, authorizedOf(account), fromCycle, cents);
    const answer = (await life.changeAmount(fromCycle, cents)) ? 'accepted' : 'refused';
    if (!permitted.includes(answer)) this.strange.push(`${cents} cents from cycle ${fromCycle} on was ${answer}`);
    if (answer === 'accepted') this.requests.push({ moment, change: { fromCycle, cents } });
  }

  private async refund({ after, share }: PlannedRefund): Promise<void> {
    const { world, life } = this;
    const { subscriptionId, paymentId } = life.subscribed;
    const { clock, ledger } = world.deps;
    const { debits } = world.sandbox.payment(paymentId);
    const debit = debits.find((each) => each.cycle === after && each.status === 'successful');
    const left = (debit?.amount.value ?? 0) - (debit?.refunded ?? 0);
    const cents = Math.max(1, Math.round(left * share));
    const result = await orderRefund(ledger, {
      refundId: `ref_${randomUUID()}` as OrderId,
      subscriptionId,
      cycle: after,
      amount: euros(cents),
      captureId: null,
      reason: null,
      actor: 'chaos',
      at: clock.now(),
      realAt: clock.realNow(),
    });
    const isOrdered = result.kind === 'ordered';
    if (isOrdered !== cents <= left) this.strange.push(`a refund of ${cents} of ${left} cents was ${result.kind}`);
    if (!isOrdered) return;
    const { refundId, captureId, amount, createdAt: orderedAt } = result.refund;
    this.refunds.push({ captureId, cents });
    const input = { refundId, subscriptionId, paymentId, cycle: after, captureId, amount, orderedAt };
    const { kind } = await refundThrough(world, input, this.fates);
    if (kind !== 'successful') this.strange.push(`a refund of ${cents} cents came to ${kind}`);
  }
}
