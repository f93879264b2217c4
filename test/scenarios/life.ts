import { DAY } from '../../src/domain/time';
import type { Debit, Sandbox } from '../../src/sandbox';
import { waitUntil } from '../support/wait-until';
import type { AdminApi, Answer, Cycle, ProblemBody, Subscription } from './admin-api';
import type { NoticeReceiver } from './notice-receiver';
import type { Order } from './order';

const WEEK = 7 * DAY;

const UNDER_WAY = ['pending', 'unknown'];

/** Faults without options. */
type SimpleFault = 'lost_answer' | 'swallowed' | 'huge' | 'gzip_bomb' | 'slow_body';

type Steer = 'restart' | 'pause' | 'resume' | 'cancel' | 'consent-check' | `cycles/${number}/skip`;

/** The other parties of a subscription. */
export interface Surroundings {
  readonly admin: AdminApi;
  readonly sandbox: Sandbox;
  readonly sandboxUrl: string;
  readonly receiver: NoticeReceiver;
}

/** One subscription as the merchant, the payer and the payment service see it. */
export class Life {
  readonly id: string;
  private readonly first: number;

  constructor(
    private readonly world: Surroundings,
    readonly order: Order,
    readonly paymentId: string,
  ) {
    this.id = order.subscriptionId;
    this.first = Date.parse(order.firstPaymentAt);
  }

  /** The due date of a cycle of a weekly subscription, epoch ms of business time. */
  due(cycle: number): number {
    return this.first + cycle * WEEK;
  }

  /** The payer acts: on the payer page, or at the payer's bank. */
  async payer(action: 'approve' | 'decline' | 'cancel', wallet?: string): Promise<void> {
    const answer = await fetch(`${this.world.sandboxUrl}/_sandbox/payments/${this.paymentId}/payer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action, ...(wallet === undefined ? {} : { wallet }) }),
    });
    expect(answer.status).toBe(200);
  }

  /**
   * The payer approves and comes back to the shop, which has the consent checked. The subscription is then active, or has already
   * changed further.
   */
  async approvedWith(wallet = 'approves'): Promise<this> {
    await this.payer('approve', wallet);
    expect(await this.steer('consent-check')).toMatchObject({ status: 200 });
    await this.until('granted', ({ status }) => status !== 'pending_consent');
    return this;
  }

  /** Adds a fault to the next request that would debit this payer. */
  spoilNextDebit(kind: SimpleFault): { readonly taken: number } {
    const path = `^/${this.paymentId}/authorizations$`;
    const { faultId } = this.world.sandbox.faults.add({ kind, match: { method: 'POST', path } });
    const faults = () => this.world.sandbox.faults.list();
    return {
      get taken() {
        return faults().find((fault) => fault.faultId === faultId)?.taken ?? 0;
      },
    };
  }

  steer(what: Steer, body: object = {}): Promise<Answer<Subscription & ProblemBody>> {
    return this.world.admin.post(`/v1/subscriptions/${this.id}/${what}`, body);
  }

  /** The merchant cancels; 202 if the service takes longer to confirm than the response waits. */
  async cancelled(reason = 'no longer wanted'): Promise<Subscription> {
    const { status } = await this.steer('cancel', { reason });
    expect([200, 202]).toContain(status);
    return this.until('cancelled', (subscription) => subscription.status === 'cancelled');
  }

  async view(): Promise<Subscription> {
    return (await this.world.admin.get<Subscription>(`/v1/subscriptions/${this.id}`)).body;
  }

  /** Oldest first. */
  async cycles(): Promise<Cycle[]> {
    const answer = await this.world.admin.get<{ items: Cycle[] }>(`/v1/subscriptions/${this.id}/cycles?limit=200`);
    expect(answer).toMatchObject({ status: 200 });
    const { body } = answer;
    return body.items.toReversed();
  }

  /** Types of the audit entries with their business times, oldest first. */
  async auditLog(): Promise<readonly { readonly type: string; readonly at: number }[]> {
    const { body } = await this.world.admin.get<{ items: { type: string; at: string }[] }>(
      `/v1/subscriptions/${this.id}/events?limit=200`,
    );
    return body.items.toReversed().map(({ type, at }) => ({ type, at: Date.parse(at) }));
  }

  /** Status of each cycle so far, oldest first. */
  async statuses(): Promise<string[]> {
    return (await this.cycles()).map(({ status }) => status);
  }

  /** Waits until the cycles have these statuses: the last cycle may be closed a moment after the subscription. */
  async cyclesEnd(...statuses: string[]): Promise<void> {
    const seen = async () => JSON.stringify(await this.statuses());
    await waitUntil(
      `${this.id}: cycles ${statuses.join(', ')}`,
      async () => (await seen()) === JSON.stringify(statuses),
    );
  }

  async until(what: string, isSo: (subscription: Subscription) => boolean): Promise<Subscription> {
    let seen: Subscription | null = null;
    await waitUntil(`${this.id}: ${what}`, async () => isSo((seen = await this.view()))).catch((error: unknown) => {
      throw new Error(`${(error as Error).message}; it is ${JSON.stringify(seen)}`);
    });
    return seen!;
  }

  collected(times: number): Promise<Subscription> {
    return this.until(`collected ${times} times`, ({ cyclesCollected }) => cyclesCollected === times);
  }

  /** Waits until the payer or the merchant has been notified, `times` times or more, and returns how often. */
  async told(type: string, times = 1): Promise<number> {
    const told = () => this.world.receiver.told(this.id, type).length;
    await waitUntil(`${this.id}: notified ${times} times of ${type}`, () => told() >= times);
    return told();
  }

  /** Consent, authorizations and debits as the service itself has them. */
  get atService() {
    return this.world.sandbox.payment(this.paymentId);
  }

  /** When the service received each authorization of a cycle, epoch ms of business time. */
  sentFor(cycle: number): number[] {
    const { authorizations } = this.atService;
    return authorizations.filter((each) => each.cycle === cycle).map(({ createdAt }) => Date.parse(createdAt));
  }

  /** Expects the ledger to agree with the service's own record, as in every scenario. */
  async agrees(): Promise<void> {
    const { debits, cycles } = await this.atRest();
    const { authorizations } = this.atService;
    const collected = cycles.flatMap(({ cycle, amount, attempts }) =>
      attempts
        .filter(({ outcome }) => outcome === 'successful')
        .map(({ authorizationId, captureId }) => [cycle, authorizationId, captureId, amount.value]),
    );
    expect(collected).toEqual(
      debits.map(({ cycle, authorizationId, captureId, amount }) => [cycle, authorizationId, captureId, amount.value]),
    );
    expect(new Set(debits.map(({ cycle }) => cycle)).size).toBe(debits.length);
    // "At most 3 attempts" after the first, and nothing outside a window of 120 h after the due date.
    for (const { createdAt, scheduledAt } of authorizations) {
      const late = Date.parse(createdAt) - Date.parse(scheduledAt!);
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThan(5 * DAY);
    }
    expect(await this.refusals()).toEqual([]);
  }

  /** Both records at a moment without a send in progress: time continues, and the next cycle may fall due meanwhile. */
  private async atRest(): Promise<{ debits: readonly Debit[]; cycles: readonly Cycle[] }> {
    const made = () => this.atService.debits.filter(({ status }) => status === 'successful');
    let debits = made();
    let cycles: readonly Cycle[] = [];
    await waitUntil(`${this.id}: nothing is on its way`, async () => {
      debits = made();
      cycles = await this.cycles();
      const outcomes = cycles.flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome));
      // The row of a debit is written before the debit: here no row is open, and no debit was made meanwhile.
      return !outcomes.some((each) => UNDER_WAY.includes(each)) && made().length === debits.length;
    });
    return { debits, cycles };
  }

  /** Refusals by a rule of the service, which dueday should have respected; rejections by a bank do not count. */
  private async refusals(): Promise<unknown[]> {
    const answer = await fetch(`${this.world.sandboxUrl}/_sandbox/refusals`);
    const { items } = (await answer.json()) as { items: { paymentId: string | null; detail: string }[] };
    const isBanks = (detail: string) => detail.startsWith('AUTHORIZATION_REJECTION_');
    return items.filter(({ paymentId, detail }) => paymentId === this.paymentId && !isBanks(detail));
  }
}
