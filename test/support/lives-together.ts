import type { SubscriptionId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import type { Terms } from '../../src/domain/subscription/state';
import { HOUR, type Instant, MINUTE, toIso } from '../../src/domain/time';
import { type CycleRecord, getSubscription, listCycles, listEvents, type SubscriptionRecord } from '../../src/ledger';
import type { FaultSpec } from '../../src/sandbox';
import { openSimulatedStack, type SimulatedStack } from '../../src/simulation/simulated-stack';
import { type SimulatedSubscription, subscribe } from '../../src/simulation/simulated-subscription';
import { debitedTwice } from '../lives/invariants';
import { SharedTime } from '../lives/shared-time';
import { quietRuntime } from './quiet-runtime.cjs';
import { silentLog } from './silent-log';

const START = Date.parse('2027-01-15T08:00:00Z');
/** Of a subscription whose order names no end: one that is played for longer than its test takes time from all others. */
const END = '2027-07-01T00:00:00Z';
const EVERYTHING = { limit: 500, cursor: null };

interface Order extends Partial<Pick<Terms, 'repetition' | 'onExhausted'>> {
  readonly firstPaymentAt?: string;
  readonly endAt?: string;
  readonly spread?: number;
  readonly replaces?: LivedSubscription;
  /** How the payer's wallet behaves from its consent on. */
  readonly wallet?: string;
}

type Script = (subscribeTo: (order?: Order) => Promise<LivedSubscription>) => Promise<void>;

/**
 * Whole lives of subscriptions, beside each other on one simulated stack of the test file. The service takes every debit that it is
 * asked for, so that a second one of the same date is seen, which fails its test.
 */
export function livesTogether(): (title: string, script: Script) => void {
  const scripts: Script[] = [];
  let stack: SimulatedStack;
  let outcomes: readonly Promise<void>[] = [];

  beforeAll(async () => {
    quietRuntime();
    stack = await openSimulatedStack({
      startAt: START,
      log: silentLog(),
      progress: silentLog(),
      brokenRules: ['one-debit-per-date'],
      retryPolicy: { offsets: [24 * HOUR, 48 * HOUR, 71 * HOUR], transit: MINUTE, gap: 6 * HOUR },
    });
    const time = new SharedTime(stack.time);
    outcomes = scripts.map((script, number) => new Life(stack, time, number).live(script));
    // Each is awaited by its test.
    for (const outcome of outcomes) outcome.catch(() => undefined);
  });

  afterAll(async () => {
    await Promise.allSettled(outcomes);
    await stack.stop();
  });

  return (title, script) => {
    const number = scripts.push(script) - 1;
    test(title, async () => outcomes[number]);
  };
}

/** The time-skipping server takes one thing at a time: all that happens in a life is some minutes later than in the one before. */
class Life {
  readonly name: string;
  readonly shift: number;
  private readonly subscriptions: LivedSubscription[] = [];

  constructor(
    readonly stack: SimulatedStack,
    private readonly time: SharedTime,
    number: number,
  ) {
    this.name = `life-${number}`;
    this.shift = number * MINUTE;
  }

  live(script: Script): Promise<void> {
    return this.time.live(this.name, async () => {
      await script((order) => this.subscribe(order));
      const accounts = this.subscriptions.map(({ paymentId }) => this.stack.sandbox.payment(paymentId));
      expect(accounts.flatMap(debitedTwice)).toEqual([]);
    });
  }

  passUntil(at: Instant): Promise<void> {
    return this.time.passUntil(this.name, at);
  }

  at(iso: string): Instant {
    return Date.parse(iso) + this.shift;
  }

  /** As it would be without the shift, to the minute. */
  minuteOf(at: Instant): string {
    return toIso(at - this.shift)
      .slice(0, 16)
      .replace('T', ' ');
  }

  private async subscribe(order: Order = {}): Promise<LivedSubscription> {
    const { stack, subscriptions } = this;
    const { firstPaymentAt = '2027-01-31T10:00:00Z', endAt = END, spread = 0, replaces, wallet = 'approves' } = order;
    await stack.time.synchronise();
    const terms: Terms = {
      subscriptionId: `${this.name}-${subscriptions.length}` as SubscriptionId,
      repetition: order.repetition ?? 'MONTHLY',
      onExhausted: order.onExhausted ?? 'continue',
      startAt: stack.clock.now(),
      firstPaymentAt: this.at(firstPaymentAt),
      endAt: this.at(endAt),
      consentAmount: euros(1999),
    };
    const subscription = await subscribe(stack, terms, { spread, replaces: replaces?.id ?? null });
    stack.sandbox.payer(subscription.paymentId).approve(wallet);
    // By then the payer's answer has been seen, see `playScript`.
    await this.passUntil(stack.clock.now() + MINUTE);
    const lived = new LivedSubscription(this, subscription);
    subscriptions.push(lived);
    return lived;
  }
}

/** One subscription, and what is on record of it. Times are ISO texts without the shift of its life. */
export class LivedSubscription {
  constructor(
    private readonly life: Life,
    readonly asked: SimulatedSubscription,
  ) {}

  get id(): SubscriptionId {
    return this.asked.terms.subscriptionId;
  }

  get paymentId(): string {
    return this.asked.paymentId;
  }

  get payer() {
    return this.life.stack.sandbox.payer(this.paymentId);
  }

  get messenger() {
    return this.life.stack.messenger;
  }

  at(iso: string): Instant {
    return this.life.at(iso);
  }

  until(iso: string): Promise<void> {
    return this.life.passUntil(this.at(iso));
  }

  setWallet(wallet: string): void {
    this.life.stack.sandbox.setWallet(this.paymentId, wallet);
  }

  /** The answer to its next authorization is lost. */
  loseNextAnswer(): void {
    this.faults.add({ kind: 'lost_answer', match: { method: 'POST', path: `^/${this.paymentId}/authorizations$` } });
  }

  /** No question about it is answered. @returns ends the outage */
  breakQuestions(): () => void {
    return this.refuse({ method: 'GET', paymentId: this.paymentId });
  }

  /** Its authorizations are listed once more, before the next is sent, and then no longer. @returns ends the outage */
  breakListsOnceSent(): () => void {
    const match = { method: 'GET', path: '^/authorizations$', paymentId: this.paymentId } as const;
    this.faults.add({ kind: 'delay', delayMs: 0, match });
    return this.refuse(match);
  }

  private get faults() {
    return this.life.stack.sandbox.faults;
  }

  /** To be asked again in six hours, so that an outage of days is a few questions. */
  private refuse(match: FaultSpec['match']): () => void {
    const { faultId } = this.faults.add({ kind: 'rate_limit', retryAfter: 6 * 3600, times: 1_000_000, match });
    return () => this.faults.remove(faultId);
  }

  /** Oldest first. */
  async cycles(): Promise<CycleRecord[]> {
    const { items } = await listCycles(this.life.stack.ledger, this.id, EVERYTHING);
    return [...items].reverse();
  }

  /** `0 collected`, `1 failed retries_used`. */
  async ends(): Promise<string[]> {
    const cycles = await this.cycles();
    return cycles.map(({ cycle, status, reason }) => [cycle, status, ...(reason === null ? [] : [reason])].join(' '));
  }

  /** `0/1 2027-02-01 10:00 successful`: each attempt, when it was sent, and what became of it. */
  async sent(): Promise<string[]> {
    const attempts = (await this.cycles()).flatMap((cycle) => cycle.attempts);
    return attempts.map(({ cycle, attempt, at, state }) => `${cycle}/${attempt} ${this.life.minuteOf(at)} ${state}`);
  }

  /** Cents that were debited, oldest first, by the service's record. */
  debited(): number[] {
    return this.life.stack.sandbox
      .debits()
      .filter(({ paymentId, status }) => paymentId === this.paymentId && status === 'successful')
      .map(({ amount }) => amount.value);
  }

  /** As the service has it. */
  consent(): string {
    return this.life.stack.sandbox.payment(this.paymentId).consent.result;
  }

  /** When notices of this type reached the payer: `2027-01-31 10:00`. */
  notified(type: string): string[] {
    return this.messenger.taken
      .filter((message) => message.subscriptionId === this.id && message.type === type)
      .map(({ at }) => this.life.minuteOf(at));
  }

  /** The types of the audit log's entries about it, oldest first. */
  async trail(): Promise<string[]> {
    const { items } = await listEvents(this.life.stack.ledger, { subscriptionId: this.id }, EVERYTHING);
    return items.map(({ type }) => type).reverse();
  }

  async row(): Promise<SubscriptionRecord> {
    const row = await getSubscription(this.life.stack.ledger, this.id);
    if (row === null) throw new Error(`the ledger has no subscription ${this.id}`);
    return row;
  }

  /** Of its workflow. */
  async workflowStatus(): Promise<string> {
    const { status } = await this.life.stack.client.workflow.getHandle(`subscription/${this.id}`).describe();
    return status.name;
  }
}
