import { randomUUID } from 'node:crypto';
import type { CollectInput } from '../../src/contract/activities';
import {
  acceptChange,
  frozenChange,
  judgeChange,
  refuseWithdrawal,
} from '../../src/domain/subscription/amount-request';
import { DAY, HOUR, type Instant, MINUTE } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { type Closing, nextStep } from '../../src/domain/subscription/next-step';
import { dueAt as dueAtOf, type Repetition } from '../../src/domain/subscription/schedule';
import {
  afterAnnouncing,
  dropChange,
  startAnnouncing,
  withdrawChange,
} from '../../src/domain/subscription/pending-change';
import {
  type CollectPlan,
  newSubscription,
  type PendingChange,
  type SubscriptionState,
  type Terms,
} from '../../src/domain/subscription/state';
import {
  afterClosing,
  afterCollect,
  afterNotice,
  afterPending,
  startAttempt,
  startDunning,
} from '../../src/domain/subscription/transitions';
import { applyChange } from '../../src/ledger';
import type { Subscribed, World } from './activity-world';
import { collectThrough, type Misfortune } from './misfortunes';
import { notified } from './notified';

/** What is agreed; the payer approves at once. */
export interface LifeTerms {
  readonly wallet: string;
  readonly cycles: number;
  readonly cents: number;
  /** Weekly where it is left out. */
  readonly repetition?: Repetition;
}

/** Something that is done at its time, between two steps. */
export interface ScheduledAction {
  readonly at: Instant;
  readonly act: () => Promise<void> | void;
}

/** How each cycle ended, in their order. */
export interface LivedCycle {
  readonly cycle: number;
  readonly ended: 'collected' | Closing['status'];
  readonly reason: string;
}

/** Nothing goes on until an operator has found out what was debited. */
export class OperatorNeeded extends Error {}

const MOST_STEPS = 500;
const ANNOUNCE_AHEAD = 7 * DAY;

/**
 * One subscription from its first due date to its end: the workflow's own decisions and the worker's own code, on a
 * clock set by hand, with misfortunes on the way.
 */
export class DecidedLife {
  readonly lived: LivedCycle[] = [];
  /** Increases that the payer was told of: from which cycle on, and when. */
  readonly told: { readonly cycle: number; readonly at: Instant }[] = [];
  private state: SubscriptionState;
  /** Cycles whose authorization an operator has as unlisted. */
  private readonly unlisted = new Set<number>();

  private constructor(
    private readonly world: World,
    readonly subscribed: Subscribed,
    agreed: LifeTerms,
    private readonly fates: Misfortune[],
  ) {
    const { subscriptionId, paymentId, dueAt } = subscribed;
    const { cents, repetition = 'WEEKLY' } = agreed;
    const terms: Terms = {
      subscriptionId,
      repetition,
      consentAmount: euros(cents),
      onExhausted: 'continue',
      startAt: dueAt,
      firstPaymentAt: dueAt,
      endAt: endOf(dueAt, agreed),
    };
    const policy = { offsets: [24 * HOUR, 48 * HOUR, 71 * HOUR], transit: MINUTE, gap: 6 * HOUR };
    const created = newSubscription({ terms, policy, spread: 0, replaces: null });
    this.state = { ...created, status: 'active', paymentId };
  }

  /** @param fates met in this order, one by each run of an activity; used up on the way */
  static async begin(world: World, terms: LifeTerms, fates: Misfortune[]): Promise<DecidedLife> {
    const dueAt = world.clock.now() + HOUR;
    const subscribed = await world.requested({
      firstPaymentAt: dueAt,
      repetition: terms.repetition ?? 'WEEKLY',
      endAt: endOf(dueAt, terms),
      consentAmount: euros(terms.cents),
    });
    world.sandbox.payer(subscribed.paymentId).approve(terms.wallet);
    await world.patch(subscribed, { status: 'active' });
    return new DecidedLife(world, subscribed, terms, fates);
  }

  /**
   * @param actions by their time
   * @returns those whose time had not come when it was over.
   * @throws Error where the story does not come to its end; OperatorNeeded where that is for an operator to bring about
   */
  async live(actions: readonly ScheduledAction[]): Promise<readonly ScheduledAction[]> {
    const coming = [...actions];
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      const { clock } = this.world;
      const step = nextStep(this.state, clock.now());
      switch (step.kind) {
        case 'wait': {
          const action = coming[0];
          if (action !== undefined && (step.until === null || action.at <= step.until)) {
            coming.shift();
            clock.passUntil(action.at);
            await action.act();
          } else if (step.until === null) await this.settlePending();
          else clock.passUntil(step.until);
          break;
        }
        case 'collect':
          await this.collect(step.plan);
          break;
        case 'notify':
          await notified(this.world, this.subscribed, step.rejection.attempt, this.state.cycle);
          this.state = afterNotice(startDunning(this.state), { kind: 'delivered', at: clock.now() });
          break;
        case 'announce':
          this.announce(step.change);
          break;
        case 'drop_change':
          this.state = dropChange(this.state);
          break;
        case 'close':
          await this.close(step);
          break;
        case 'complete':
        case 'finish':
          return coming;
        case 'resume':
          throw new Error('a resume without a pause');
      }
    }
    throw new Error(`no end after ${MOST_STEPS} steps`);
  }

  /** Asks for another amount; false where it is refused. */
  changeAmount(fromCycle: number, cents: number): boolean {
    const request = { amount: euros(cents), fromCycle, announceAhead: ANNOUNCE_AHEAD };
    const judgement = judgeChange(this.state, request);
    if (judgement.kind !== 'allowed') return false;
    const frozen = frozenChange(this.state);
    this.state = acceptChange(this.state, judgement.change, ANNOUNCE_AHEAD, this.world.clock.now(), frozen);
    return true;
  }

  /** Takes back what is pending; false where that is refused. */
  withdrawChange(): boolean {
    if (refuseWithdrawal(this.state) !== null) return false;
    this.state = withdrawChange(this.state);
    return true;
  }

  private announce(change: PendingChange): void {
    const at = this.world.clock.now();
    this.state = afterAnnouncing(startAnnouncing(this.state), change, { kind: 'delivered', at });
    this.told.push({ cycle: change.fromCycle, at });
  }

  private async collect(plan: CollectPlan): Promise<void> {
    this.state = startAttempt(this.state, plan);
    const result = await collectThrough(this.world, this.inputOf(plan), this.fates);
    this.state = afterCollect(this.state, plan, result);
    if (result.kind === 'unresolved') throw new OperatorNeeded(`cycle ${plan.cycle} is unresolved: ${result.reason}`);
    if (result.kind === 'unlisted') this.unlisted.add(plan.cycle);
    if (result.kind === 'collected') this.lived.push({ cycle: plan.cycle, ended: 'collected', reason: '' });
  }

  /** What was pending past its window, once nothing else is left to do. */
  private async settlePending(): Promise<void> {
    const [attempt] = this.state.pending;
    if (attempt === undefined) throw new Error('waits for nothing');
    if (this.unlisted.has(attempt.cycle)) throw new OperatorNeeded(`cycle ${attempt.cycle} is no longer listed`);
    const result = await collectThrough(this.world, this.inputOf(attempt), this.fates);
    this.state = afterPending(this.state, attempt, result);
    const ended = result.kind === 'collected' ? 'collected' : 'failed';
    this.lived.push({ cycle: attempt.cycle, ended, reason: `pending past its window, then ${result.kind}` });
  }

  private async close(step: Closing): Promise<void> {
    const { cycle, window, status, reason } = step;
    const amount = this.state.open?.amount ?? this.state.current;
    this.state = afterClosing(this.state, step);
    this.lived.push({ cycle, ended: status, reason });
    await applyChange(this.world.deps.ledger, {
      subscriptionId: this.subscribed.subscriptionId,
      key: randomUUID(),
      at: this.world.clock.now(),
      actor: 'dueday',
      events: [],
      cycle: { cycle, ...window, amount, status, reason, retriesLeft: 0 },
    });
  }

  private inputOf(plan: CollectPlan): CollectInput {
    const { subscriptionId, paymentId } = this.subscribed;
    return { subscriptionId, paymentId, ...plan };
  }
}

/** An hour before the due date after the last. */
function endOf(dueAt: Instant, { cycles, repetition = 'WEEKLY' }: LifeTerms): Instant {
  return dueAtOf({ firstPaymentAt: dueAt, repetition, endAt: null }, cycles) - HOUR;
}
