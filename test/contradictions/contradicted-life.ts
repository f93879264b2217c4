import { HOUR, type Instant } from '../../src/domain/time';
import { plusMonths } from '../lives/calendar';
import type { ProcessStack } from '../processes/local-stack';
import type { Subscription } from '../scenarios/admin-api';
import { orderOf } from '../scenarios/order';
import { importAll } from '../support/import-call';
import { grantMandate } from '../support/mandate';
import { waitUntil } from '../support/wait-until';
import { orNone } from '../torture/asking';
import { reach } from '../torture/reach';
import type { Installation } from './installation';
import type { Play } from './plays';
import type { Preparation } from './kind';

const CENTS = 1999;
const WEEK = 168 * HOUR;
const WINDOW = 120 * HOUR;
/** How long before a due date its faults are prepared. The window of the previous date has closed by then. */
const READY = 20 * HOUR;
/** Real ms after which something that is waited for counts as missing. */
const TIMEOUT = 240_000;

/** One subscription of a play: created or imported over the API, approved, and exposed to the contradiction of its kind. */
export class ContradictedLife {
  paymentId = '';

  constructor(
    private readonly stack: ProcessStack,
    private readonly installation: Installation,
    readonly play: Play,
    /** The first date that dueday collects. */
    readonly firstDue: Instant,
  ) {}

  /** The number of the first cycle that dueday has. */
  get firstCycle(): number {
    return this.play.kind.imported?.pastCycles ?? 0;
  }

  get count(): number {
    return this.play.expected.cycles.length;
  }

  /** When its last cycle is over by its calendar. */
  get endsAt(): Instant {
    return this.dueOf(this.count - 1) + WINDOW;
  }

  dueOf(index: number): Instant {
    return this.isMonthly ? plusMonths(this.anchor, this.firstCycle + index) : this.firstDue + index * WEEK;
  }

  /** Creates the subscription. A mandate granted elsewhere is imported later, once the old system has collected. */
  async begin(): Promise<void> {
    if (!this.isMonthly) await this.order();
  }

  async live(): Promise<void> {
    const { play, stack } = this;
    if (this.isMonthly) await this.import();
    for (let index = 0; index < this.count; index += 1) {
      await reach(stack, this.dueOf(index) - READY);
      if (play.kind.wallet !== undefined) stack.sandbox.setWallet(this.paymentId, play.kind.wallet);
      for (const each of play.kind.prepared.filter(({ beforeCycle }) => beforeCycle === index && !this.isMonthly)) {
        await this.prepare(each, index);
      }
      if (play.lostAnswerIn === index) {
        const match = {
          method: 'POST',
          path: `^/${this.paymentId}/authorizations$`,
          paymentId: this.paymentId,
        } as const;
        stack.sandbox.faults.add({ kind: 'lost_answer', match });
      }
    }
    await reach(stack, this.endsAt);
  }

  private get isMonthly(): boolean {
    return this.play.kind.imported !== undefined;
  }

  private get anchor(): Instant {
    return plusMonths(this.firstDue, -this.firstCycle);
  }

  private async order(): Promise<void> {
    const { installation, play, firstDue, stack } = this;
    const { subscriptionId } = play;
    // The agreement ends before the next date, so that no date falls due while the subscription is judged.
    const lasts = this.count * WEEK - HOUR;
    const order = orderOf(
      { name: subscriptionId, subscriptionId, cents: CENTS, firstPaymentAt: firstDue, lasts },
      stack.clock.now(),
    );
    const { status, body } = await installation.admin.post<Subscription>('/v1/subscriptions', order);
    if (status !== 201) throw new Error(`${subscriptionId} was answered with ${status}: ${JSON.stringify(body)}`);
    this.paymentId = body.paymentId;
    stack.sandbox.payer(body.paymentId).approve('approves');
    const path = `/v1/subscriptions/${subscriptionId}`;
    await waitUntil(
      `${subscriptionId} is active`,
      async () => (await orNone(() => installation.admin.get<Subscription>(path)))?.body.status === 'active',
      TIMEOUT,
    );
  }

  /** What the old system has collected is there before the mandate is taken over. */
  private async import(): Promise<void> {
    const { installation, play, stack, anchor } = this;
    const { subscriptionId, kind } = play;
    const { paymentId, line } = grantMandate(stack, {
      subscriptionId,
      cents: CENTS,
      firstPaymentAt: anchor,
      grantedAt: anchor - HOUR,
      clientId: installation.clientId,
    });
    this.paymentId = paymentId;
    for (let cycle = 0; cycle < this.firstCycle; cycle += 1) {
      const createdAt = plusMonths(anchor, cycle);
      stack.sandbox.authorizeElsewhere(paymentId, { amount: CENTS, createdAt, cycle, result: 'successful' });
    }
    for (const each of kind.prepared) await this.prepare(each, 0);
    await importAll(installation.url, installation.key, [line]);
  }

  private async prepare(preparation: Preparation, index: number): Promise<void> {
    const { stack, paymentId, play, installation } = this;
    const path = `/v1/subscriptions/${play.subscriptionId}`;
    if ('contradict' in preparation) {
      const { contradict } = preparation;
      stack.sandbox.faults.contradict({ ...contradict, match: { ...contradict.match, paymentId } });
    } else if ('elsewhere' in preparation) {
      const { hoursBefore, cents } = preparation.elsewhere;
      const createdAt = this.dueOf(index) - hoursBefore * HOUR;
      await reach(stack, createdAt);
      const cycle = this.firstCycle + index;
      stack.sandbox.authorizeElsewhere(paymentId, { amount: cents, createdAt, cycle, result: 'successful' });
    } else if ('cancel' in preparation) {
      await this.answered(() => installation.admin.post(`${path}/cancel`, { reason: 'test' }));
    } else {
      const amount = { value: preparation.refundCents, currency: 'EUR' };
      await this.answered(() => installation.admin.post(`${path}/cycles/${index - 1}/refunds`, { amount }));
    }
  }

  private async answered(ask: () => Promise<{ readonly status: number; readonly body: unknown }>): Promise<void> {
    const answer = await ask();
    if (answer.status >= 300) {
      throw new Error(`${this.play.subscriptionId} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
  }
}
