import type { AttemptRef, Step } from '../../src/contract/steps';
import type { NoticeId } from '../../src/domain/ids';
import { DAY, HOUR, type Instant, MINUTE } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { dueAt as dueAtOf, type Repetition } from '../../src/domain/subscription/schedule';
import type { CollectResult } from '../../src/domain/subscription/state';
import { getCycle, getNotice, listCycles, recordDelivery, steer, type SteeringRequests } from '../../src/ledger';
import { FROZEN, type Subscribed, type World } from './activity-world';
import { collectThrough, type Misfortune } from './misfortunes';

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
  readonly ended: (typeof ENDS)[number];
  readonly reason: string;
}

/** Nothing goes on until an operator has found out what was debited. */
export class OperatorNeeded extends Error {}

const MOST_STEPS = 500;
const ANNOUNCE_AHEAD = 7 * DAY;
const AGREED = { ...FROZEN, policy: { ...FROZEN.policy, transit: MINUTE } };

/**
 * One subscription from its first due date to its end: the ledger's own decisions and the worker's own code, on a
 * clock set by hand, with misfortunes on the way.
 */
export class DecidedLife {
  /** Up to where it has been lived. */
  lived: readonly LivedCycle[] = [];
  /** Increases of which the payer was notified: from which cycle on, and when. */
  readonly told: { readonly cycle: number; readonly at: Instant }[] = [];
  /** Attempts that are followed beside it. */
  private followed: readonly AttemptRef[] = [];

  private constructor(
    private readonly world: World,
    readonly subscribed: Subscribed,
    private readonly fates: Misfortune[],
  ) {}

  /** @param fates met in this order, one by each run of an activity; used up on the way */
  static async begin(world: World, terms: LifeTerms, fates: Misfortune[]): Promise<DecidedLife> {
    const dueAt = world.clock.now() + HOUR;
    const subscribed = await world.requested(
      {
        firstPaymentAt: dueAt,
        repetition: terms.repetition ?? 'WEEKLY',
        endAt: endOf(dueAt, terms),
        consentAmount: euros(terms.cents),
      },
      AGREED,
    );
    world.sandbox.payer(subscribed.paymentId).approve(terms.wallet);
    await world.patch(subscribed, { status: 'active' });
    return new DecidedLife(world, subscribed, fates);
  }

  /**
   * @param actions by their time
   * @returns those whose time had not come when it was over.
   * @throws Error where the story does not come to its end; OperatorNeeded where that is for an operator to bring about
   */
  async live(actions: readonly ScheduledAction[]): Promise<readonly ScheduledAction[]> {
    try {
      return await this.liveOn([...actions]);
    } finally {
      await this.readLived();
    }
  }

  private async liveOn(coming: ScheduledAction[]): Promise<readonly ScheduledAction[]> {
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      const step = await this.decide();
      switch (step.kind) {
        case 'wait':
          await this.wait(step, coming);
          break;
        case 'collect':
          await this.collect(attemptOf(step), false);
          break;
        case 'follow':
          this.followed = [...this.followed, attemptOf(step)];
          break;
        case 'finish':
          return coming;
        case 'request_consent':
        case 'await_consent':
        case 'cancel_consent':
          throw new Error(`a life without ${step.kind}`);
      }
    }
    throw new Error(`no end after ${MOST_STEPS} steps`);
  }

  /** Asks for another amount; false where it is refused. */
  changeAmount(fromCycle: number, cents: number): Promise<boolean> {
    return this.steer('change_amount', { ...BY, amount: euros(cents), fromCycle, announceAhead: ANNOUNCE_AHEAD });
  }

  /** Takes back what is pending; false where that is refused. */
  withdrawChange(): Promise<boolean> {
    return this.steer('withdraw_change', BY);
  }

  private async steer<V extends keyof SteeringRequests>(verb: V, request: SteeringRequests[V]): Promise<boolean> {
    const { clock, deps } = this.world;
    const moment = { at: clock.now(), realAt: clock.realNow() };
    const result = await steer(deps.ledger, verb, this.subscribed.subscriptionId, request, moment);
    return result.kind === 'steered';
  }

  /** What is next, once the notices that were ordered are delivered. */
  private async decide(): Promise<Step> {
    for (;;) {
      const step = await this.world.decide(this.subscribed, this.followed);
      if (step.notices === undefined) return step;
      for (const noticeId of step.notices) await this.deliver(noticeId);
    }
  }

  private async deliver(noticeId: NoticeId): Promise<void> {
    const { ledger, clock } = this.world.deps;
    const at = clock.now();
    const notice = await getNotice(ledger, noticeId);
    if (notice?.type === 'payment.increase_announced') this.told.push({ cycle: notice.cycle ?? -1, at });
    const delivered = { kind: 'delivered', at, realAt: clock.realNow(), channel: 'webhook', evidence: {} } as const;
    await recordDelivery(ledger, noticeId, delivered);
  }

  private async wait({ until = null }: Step, coming: ScheduledAction[]): Promise<void> {
    const { clock } = this.world;
    const [action] = coming;
    if (action !== undefined && (until === null || action.at <= until)) {
      coming.shift();
      clock.passUntil(action.at);
      await action.act();
    } else if (until === null) await this.settlePending();
    else clock.passUntil(until);
  }

  private async collect(attempt: AttemptRef, isBeside: boolean): Promise<CollectResult> {
    const { world, subscribed, fates, followed } = this;
    const input = world.input(subscribed, { ...attempt, isBeside, followed });
    const { cycle } = attempt;
    // A worker may have died, or another one have been quicker, once it was written that the cycle is unresolved.
    const result = await collectThrough(world, subscribed, input, fates, () => this.refuseUnresolved(cycle));
    if (result.kind === 'unresolved') throw new OperatorNeeded(`cycle ${cycle} is unresolved: ${result.reason}`);
    return result;
  }

  private async refuseUnresolved(cycle: number): Promise<void> {
    const { ledger } = this.world.deps;
    const { status } = (await getCycle(ledger, this.subscribed.subscriptionId, cycle)) ?? {};
    if (status === 'unresolved') throw new OperatorNeeded(`cycle ${cycle} is unresolved in the ledger`);
  }

  /** What was pending past its window, once nothing else is left to do. */
  private async settlePending(): Promise<void> {
    const [attempt, ...others] = this.followed;
    if (attempt === undefined) throw new Error('waits for nothing');
    const isUnlisted = await this.isUnlisted(attempt.cycle);
    if (isUnlisted) throw new OperatorNeeded(`cycle ${attempt.cycle} is no longer listed`);
    await this.collect(attempt, true);
    this.followed = others;
  }

  private async isUnlisted(cycle: number): Promise<boolean> {
    const unlisted = await this.world.events(this.subscribed, 'attempt.unlisted');
    return unlisted.some(({ data }) => data['cycle'] === cycle);
  }

  private async readLived(): Promise<void> {
    const { ledger } = this.world.deps;
    const { items } = await listCycles(ledger, this.subscribed.subscriptionId, { limit: 500, cursor: null });
    this.lived = items.toReversed().flatMap(({ cycle, status, reason }): LivedCycle[] => {
      const ended = ENDS.find((end) => end === status);
      return ended === undefined ? [] : [{ cycle, ended, reason: reason ?? '' }];
    });
  }
}

const ENDS = ['collected', 'skipped', 'missed', 'failed'] as const;

const BY = { actor: 'till', reason: null };

function attemptOf({ kind, attempt }: Step): AttemptRef {
  if (attempt === undefined) throw new Error(`a step to ${kind} without an attempt`);
  return attempt;
}

/** An hour before the due date after the last. */
function endOf(dueAt: Instant, { cycles, repetition = 'WEEKLY' }: LifeTerms): Instant {
  return dueAtOf({ firstPaymentAt: dueAt, repetition, endAt: null }, cycles) - HOUR;
}
