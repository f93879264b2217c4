import { randomUUID } from 'node:crypto';
import type { CollectInput } from '../../src/contract/activities';
import { DAY, HOUR, type Instant, MINUTE } from '../../src/domain/instant';
import { type Closing, nextStep } from '../../src/domain/next-step';
import { type CollectPlan, newSubscription, type SubscriptionState, type Terms } from '../../src/domain/subscription';
import {
  afterClosing,
  afterCollect,
  afterNotice,
  afterPending,
  startAttempt,
  startDunning,
} from '../../src/domain/transitions';
import { applyChange } from '../../src/ledger';
import { AMOUNT, type Subscribed, type World } from '../activities/activity-world';
import { collectThrough, type Misfortune } from '../activities/misfortunes';
import type { ChaosPlan } from './chaos-plan';

/** How each cycle ended, in their order. */
export interface LivedCycle {
  readonly cycle: number;
  readonly ended: 'collected' | Closing['status'];
  readonly reason: string;
}

const MOST_STEPS = 500;

/**
 * One weekly subscription from its first due date to its end: the workflow's own decisions and the worker's own code, on a
 * clock set by hand, with misfortunes on the way.
 */
export class ChaosLife {
  readonly lived: LivedCycle[] = [];
  private state: SubscriptionState;
  private readonly fates: Misfortune[];

  private constructor(
    private readonly world: World,
    readonly subscribed: Subscribed,
    plan: ChaosPlan,
  ) {
    const { subscriptionId, paymentId, dueAt } = subscribed;
    const terms: Terms = {
      ...{ subscriptionId, repetition: 'WEEKLY', consentAmount: AMOUNT, onExhausted: 'continue' },
      ...{ startAt: dueAt, firstPaymentAt: dueAt, endAt: endOf(dueAt, plan) },
    };
    const policy = { offsets: [24 * HOUR, 48 * HOUR, 71 * HOUR], transit: MINUTE };
    const created = newSubscription({ terms, policy, spread: 0, replaces: null });
    this.state = { ...created, status: 'active', paymentId };
    this.fates = [...plan.misfortunes];
  }

  static async begin(world: World, plan: ChaosPlan): Promise<ChaosLife> {
    const dueAt = world.clock.now() + HOUR;
    const order = { firstPaymentAt: dueAt, repetition: 'WEEKLY', endAt: endOf(dueAt, plan) } as const;
    const subscribed = await world.requested(order);
    world.sandbox.payer(subscribed.paymentId).approve(plan.wallet);
    await world.patch(subscribed, { status: 'active' });
    return new ChaosLife(world, subscribed, plan);
  }

  /** @throws Error where the story does not come to its end. */
  async live(): Promise<void> {
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      const { clock } = this.world;
      const step = nextStep(this.state, clock.now());
      switch (step.kind) {
        case 'wait':
          if (step.until === null) await this.settlePending();
          else clock.passUntil(step.until);
          break;
        case 'collect':
          await this.collect(step.plan);
          break;
        case 'notify':
          this.state = afterNotice(startDunning(this.state), { kind: 'delivered', at: clock.now() });
          break;
        case 'close':
          await this.close(step);
          break;
        case 'complete':
        case 'finish':
          return;
        case 'resume':
        case 'announce':
        case 'drop_change':
          throw new Error(`nobody asked for ${step.kind}`);
      }
    }
    throw new Error(`no end after ${MOST_STEPS} steps`);
  }

  private async collect(plan: CollectPlan): Promise<void> {
    this.state = startAttempt(this.state, plan);
    const result = await collectThrough(this.world, this.inputOf(plan), this.fates);
    this.state = afterCollect(this.state, plan, result);
    if (result.kind === 'collected') this.lived.push({ cycle: plan.cycle, ended: 'collected', reason: '' });
  }

  /** What was pending past its window, once nothing else is left to do. */
  private async settlePending(): Promise<void> {
    const [attempt] = this.state.pending;
    if (attempt === undefined) throw new Error('waits for nothing');
    const result = await collectThrough(this.world, this.inputOf(attempt), this.fates);
    this.state = afterPending(this.state, attempt, result);
    const ended = result.kind === 'collected' ? 'collected' : 'failed';
    this.lived.push({ cycle: attempt.cycle, ended, reason: `pending past its window, then ${result.kind}` });
  }

  private async close(step: Closing): Promise<void> {
    const { cycle, window, status, reason } = step;
    this.state = afterClosing(this.state, step);
    this.lived.push({ cycle, ended: status, reason });
    await applyChange(this.world.deps.ledger, {
      ...{ subscriptionId: this.subscribed.subscriptionId, key: randomUUID(), at: this.world.clock.now() },
      ...{ actor: 'dueday', events: [], cycle: { cycle, ...window, amount: AMOUNT, status, reason, retriesLeft: 0 } },
    });
  }

  private inputOf(plan: CollectPlan): CollectInput {
    const { subscriptionId, paymentId } = this.subscribed;
    return { subscriptionId, paymentId, ...plan };
  }
}

/** An hour before the due date after the last. */
function endOf(dueAt: Instant, { cycles }: ChaosPlan): Instant {
  return dueAt + cycles * 7 * DAY - HOUR;
}
