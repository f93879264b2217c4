import { randomUUID } from 'node:crypto';
import type { SubscriptionId } from '../../src/domain/ids';
import { euros, type Money } from '../../src/domain/money';
import type { Terms } from '../../src/domain/subscription/state';
import { DAY, HOUR, type Instant, MINUTE, SECOND, toIso } from '../../src/domain/time';
import {
  createHold,
  type CycleRecord,
  getSubscription,
  liftHold,
  listCycles,
  type Pool,
  releaseHold,
  steer,
  type SteeringRequests,
  type SubscriptionRecord,
  createPool,
} from '../../src/ledger';
import type { FaultSpec } from '../../src/sandbox';
import { Conductor, deliveringFrom } from '../../src/simulation/conductor';
import { createSimulatedMessenger, type SimulatedMessenger } from '../../src/simulation/simulated-messenger';
import { debitedTwice } from '../lives/invariants';
import { emptyLedger } from '../support/empty-ledger';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { activitiesOf, type Subscribed, World } from './activity-world';

const START = Date.parse('2027-01-15T08:00:00Z');
/** The end of a subscription for which a test sets no end, so that no life goes on for longer than its test checks. */
const END = '2027-07-01T00:00:00Z';
const EVERYTHING = { limit: 500, cursor: null };
const POLICY = { offsets: [24 * HOUR, 48 * HOUR, 71 * HOUR], transit: MINUTE, gap: 6 * HOUR };
const BY = { actor: 'ops', reason: null };
const ANNOUNCE_AHEAD = 7 * DAY;

interface Wanted extends Partial<Pick<Terms, 'repetition' | 'onExhausted'>> {
  readonly firstPaymentAt?: string;
  readonly endAt?: string;
  readonly spread?: number;
  readonly replaces?: LivedSubscription;
  /** How the payer's wallet behaves from its consent on. */
  readonly wallet?: string;
}

type Script = (subscribeTo: (wanted?: Wanted) => Promise<LivedSubscription>) => Promise<void>;

/**
 * Tests that run whole lives of subscriptions: the ledger's decisions and the worker's activities, carried out on a clock that is
 * set by hand. The service takes every debit that it is asked for, so that a second one of the same date is seen.
 */
export function livesOfTests(): (title: string, script: Script) => void {
  let database: TestDatabase;
  let ledger: Pool;

  beforeAll(async () => {
    database = await createTestDatabase();
    ledger = createPool({ databaseUrl: database.url });
  });

  afterAll(async () => {
    await ledger.end();
    await database.drop();
  });

  return (title, script) => {
    test(title, async () => {
      const settings = {
        settle: MINUTE,
        requestTimeout: 10 * SECOND,
        reconcileEveryDays: 1,
      };
      const sandbox = { bookingDelayMs: 0, brokenRules: ['one-debit-per-date'] as const };
      await emptyLedger(ledger);
      const world = await World.open(ledger, { startAt: START, settings, sandbox });
      try {
        await new Life(world).live(script);
      } finally {
        await world.close();
      }
    });
  };
}

class Life {
  readonly messenger: SimulatedMessenger;
  readonly conductor: Conductor;
  private readonly subscriptions: LivedSubscription[] = [];

  constructor(readonly world: World) {
    this.messenger = createSimulatedMessenger(world.clock);
    const notify = async (id: SubscriptionId, revision: number) => this.conductor.changed(id, revision);
    const workflows = { ...world.deps.workflows, notify };
    const outbox = world.outbox({ notifier: this.messenger, noticeBackoff: [30, 600, 7200] });
    this.conductor = new Conductor(world.clock, activitiesOf(world, { workflows }), deliveringFrom(outbox));
  }

  async live(script: Script): Promise<void> {
    await script((wanted) => this.subscribe(wanted));
    const accounts = this.subscriptions.map(({ paymentId }) => this.world.sandbox.payment(paymentId));
    expect(accounts.flatMap(debitedTwice)).toEqual([]);
  }

  private async subscribe(wanted: Wanted = {}): Promise<LivedSubscription> {
    const { world, conductor, subscriptions } = this;
    const { firstPaymentAt = '2027-01-31T10:00:00Z', endAt = END, spread = 0, replaces, wallet = 'approves' } = wanted;
    const terms = {
      repetition: wanted.repetition ?? 'MONTHLY',
      onExhausted: wanted.onExhausted ?? 'continue',
      firstPaymentAt: Date.parse(firstPaymentAt),
      endAt: Date.parse(endAt),
      consentAmount: euros(1999),
      replaces: replaces?.id ?? null,
    } as const;
    const subscribed = await world.requested(terms, { policy: POLICY, spread });
    world.sandbox.payer(subscribed.paymentId).approve(wallet);
    conductor.start(subscribed.subscriptionId);
    await conductor.passUntil(world.clock.now() + MINUTE);
    const lived = new LivedSubscription(this, subscribed);
    subscriptions.push(lived);
    return lived;
  }
}

/** One subscription, and what is on record about it. */
export class LivedSubscription {
  constructor(
    private readonly life: Life,
    private readonly subscribed: Subscribed,
  ) {}

  get id(): SubscriptionId {
    return this.subscribed.subscriptionId;
  }

  get paymentId() {
    return this.subscribed.paymentId;
  }

  get payer() {
    return this.sandbox.payer(this.paymentId);
  }

  get messenger() {
    return this.life.messenger;
  }

  private get sandbox() {
    return this.life.world.sandbox;
  }

  private get ledger() {
    return this.life.world.deps.ledger;
  }

  /** Lets time pass, and all that is due until then happen. */
  until(iso: string): Promise<void> {
    return this.life.conductor.passUntil(Date.parse(iso));
  }

  pause(until: Instant | null): Promise<void> {
    return this.ask('pause', { ...BY, until });
  }

  resume(): Promise<void> {
    return this.ask('resume', BY);
  }

  cancel(): Promise<void> {
    return this.ask('cancel', BY);
  }

  retry(cycle: number, at: Instant | null = null): Promise<void> {
    return this.ask('retry', { ...BY, cycle, retryAt: at });
  }

  postpone(cycle: number, until: Instant): Promise<void> {
    return this.ask('postpone', { ...BY, cycle, until });
  }

  /** Puts only this subscription on hold. @returns a function that lifts the hold, as the admin API does */
  async hold(until: Instant): Promise<() => Promise<void>> {
    const { clock } = this.life.world;
    const holdId = `hold_${randomUUID()}`;
    const hold = { ...BY, reason: 'outage', at: clock.now(), holdId, filter: { q: this.id }, until };
    const result = await createHold(this.ledger, hold);
    if (result.kind !== 'created' || result.hold.matched !== 1) throw new Error(`hold: ${JSON.stringify(result)}`);
    return async () => {
      await liftHold(this.ledger, { ...BY, at: clock.now(), holdId });
      for (const { revision } of await releaseHold(this.ledger, holdId, clock.now()))
        this.life.conductor.changed(this.id, revision);
    };
  }

  changeAmount(fromCycle: number, amount: Money): Promise<void> {
    return this.ask('change_amount', { ...BY, fromCycle, amount, announceAhead: ANNOUNCE_AHEAD });
  }

  withdrawChange(): Promise<void> {
    return this.ask('withdraw_change', BY);
  }

  /** Makes a steering request as the admin API does. */
  private async ask<V extends keyof SteeringRequests>(verb: V, request: SteeringRequests[V]): Promise<void> {
    const { clock } = this.life.world;
    const result = await steer(this.ledger, verb, this.id, request, { at: clock.now(), realAt: clock.realNow() });
    if (result.kind !== 'steered') throw new Error(`${verb}: ${JSON.stringify(result)}`);
    this.life.conductor.changed(this.id, result.revision);
  }

  setWallet(wallet: string): void {
    this.sandbox.setWallet(this.paymentId, wallet);
  }

  /** Loses the answer to its next POST of an authorization. */
  loseNextAnswer(): void {
    this.faults.add({ kind: 'lost_answer', match: { method: 'POST', path: `^/${this.paymentId}/authorizations$` } });
  }

  /** Answers no GET about its payment. @returns a function that ends the outage */
  breakQuestions(): () => void {
    return this.refuse({ method: 'GET', paymentId: this.paymentId });
  }

  /** Lists its authorizations once more, before the next send, and then not again. @returns a function that ends the outage */
  breakListsOnceSent(): () => void {
    const match = { method: 'GET', path: '^/authorizations$', paymentId: this.paymentId } as const;
    this.faults.add({ kind: 'delay', delayMs: 0, match });
    return this.refuse(match);
  }

  private get faults() {
    return this.sandbox.faults;
  }

  /** Refuses requests with a Retry-After of six hours, so that an outage of days takes only a few of them. */
  private refuse(match: FaultSpec['match']): () => void {
    const { faultId } = this.faults.add({ kind: 'rate_limit', retryAfter: 6 * 3600, times: 1_000_000, match });
    return () => this.faults.remove(faultId);
  }

  /** Its cycles, oldest first. */
  async cycles(): Promise<CycleRecord[]> {
    const { items } = await listCycles(this.ledger, this.id, EVERYTHING);
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
    return attempts.map(({ cycle, attempt, at, state }) => `${cycle}/${attempt} ${minuteOf(at)} ${state}`);
  }

  /** Cents that were debited, oldest first, by the service's record. */
  debited(): number[] {
    return this.life.world.debits(this).map(({ amount }) => amount.value);
  }

  /** The result of the consent at the service. */
  consent(): string {
    return this.sandbox.payment(this.paymentId).consent.result;
  }

  /** When notices of this type reached the payer: `2027-01-31 10:00`. */
  notified(type: string): string[] {
    return this.messenger.received
      .filter((message) => message.subscriptionId === this.id && message.type === type)
      .map(({ at }) => minuteOf(at));
  }

  /** The types of the audit log's entries about it, oldest first. */
  auditLog(): Promise<string[]> {
    return this.life.world.auditLog({ subscriptionId: this.id });
  }

  async row(): Promise<SubscriptionRecord> {
    const row = await getSubscription(this.ledger, this.id);
    if (row === null) throw new Error(`the ledger has no subscription ${this.id}`);
    return row;
  }

  /** Whether there is nothing left to do for it: its workflow has ended. */
  isOver(): boolean {
    return !this.life.conductor.isRunning(this.id);
  }
}

/** `2027-01-31 10:00` */
function minuteOf(at: Instant): string {
  return toIso(at).slice(0, 16).replace('T', ' ');
}
