import { DAY, HOUR, type Instant, MINUTE } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { dueAt as dueAtOf, type Repetition } from '../../src/domain/subscription/schedule';
import { listCycles, steer, type SteeringRequests } from '../../src/ledger';
import { Conductor, deliveringFrom } from '../../src/simulation/conductor';
import { createSimulatedMessenger, type SimulatedMessenger } from '../../src/simulation/simulated-messenger';
import { toStop } from './activity-driver';
import { activitiesOf, FROZEN, type Subscribed, type World } from './activity-world';
import { busyPool } from './crash-points';
import { HandSlots } from './hand-slots';
import { furtherWait, type Misfortune, unluckyAttempts } from './misfortunes';

/** What is agreed; the payer approves at once. */
export interface LifeTerms {
  readonly wallet: string;
  readonly cycles: number;
  readonly cents: number;
  /** Weekly by default. */
  readonly repetition?: Repetition;
  /** Whether its workers make attempts within workflow tasks; false by default. */
  readonly inPlace?: boolean;
  /** Whether steps of collections wait for a connection and are written together, as on a busy ledger; false by default. */
  readonly busyLedger?: boolean;
}

/** Something that is done at its time, between two steps. */
export interface ScheduledAction {
  readonly at: Instant;
  readonly act: () => Promise<void> | void;
}

/** How a cycle ended. */
export interface LivedCycle {
  readonly cycle: number;
  readonly ended: (typeof ENDS)[number];
  readonly reason: string;
}

/** The life cannot continue before an operator has found out what was debited. */
export class OperatorNeeded extends Error {}

const ANNOUNCE_AHEAD = 7 * DAY;
const INCREASE = 'payment.increase_announced';
const AGREED = { ...FROZEN, policy: { ...FROZEN.policy, transit: MINUTE } };
/** The time after the end within which the last window closes and everything pending is settled. */
const AFTER_END = 30 * DAY;

/**
 * One subscription from its first due date to its end: the ledger's own decisions and the worker's own code, conducted on a
 * clock set by hand, with misfortunes on the way.
 */
export class DecidedLife {
  /** The cycles that had ended, in their order, when `live` returned or failed. */
  lived: readonly LivedCycle[] = [];
  private readonly conductor: Conductor;
  private readonly messenger: SimulatedMessenger;

  private constructor(
    private readonly world: World,
    readonly subscribed: Subscribed,
    private readonly endAt: Instant,
    fates: Misfortune[],
    { inPlace = false, busyLedger = false }: LifeTerms,
  ) {
    this.messenger = createSimulatedMessenger(world.clock);
    const offered = {
      ...(inPlace ? { inPlace: new HandSlots(world.clock) } : {}),
      ...(busyLedger ? { ledger: busyPool(world.deps.ledger) } : {}),
    };
    const conducted = {
      ...activitiesOf(world, offered),
      ...unluckyAttempts(world, subscribed, fates, { offered, onceRun: () => this.refuseUnresolved() }),
    };
    const outbox = world.outbox({ notifier: this.messenger });
    this.conductor = new Conductor(world.clock, conducted, deliveringFrom(outbox), waitAfterFault);
  }

  /** Increases of which the payer was notified: from which cycle on, and when. */
  get told(): readonly { readonly cycle: number; readonly at: Instant }[] {
    const { received } = this.messenger;
    return received
      .filter(({ type, subscriptionId }) => type === INCREASE && subscriptionId === this.subscribed.subscriptionId)
      .map(({ cycle, at }) => ({ cycle: cycle ?? -1, at }));
  }

  static async begin(world: World, terms: LifeTerms, fates: Misfortune[]): Promise<DecidedLife> {
    const dueAt = world.clock.now() + HOUR;
    const endAt = endOf(dueAt, terms);
    const subscribed = await world.requested(
      {
        firstPaymentAt: dueAt,
        repetition: terms.repetition ?? 'WEEKLY',
        endAt,
        consentAmount: euros(terms.cents),
      },
      AGREED,
    );
    world.sandbox.payer(subscribed.paymentId).approve(terms.wallet);
    await world.patch(subscribed, { status: 'active' });
    return new DecidedLife(world, subscribed, endAt, fates, terms);
  }

  /**
   * Runs the subscription to its end.
   * @param actions in the order of their times
   * @returns the actions whose time had not come when the workflow ended
   * @throws Error if the life does not end; OperatorNeeded if only an operator can end it
   */
  async live(actions: readonly ScheduledAction[]): Promise<readonly ScheduledAction[]> {
    try {
      return await this.liveOn([...actions]);
    } finally {
      await this.readLived();
    }
  }

  private async liveOn(coming: ScheduledAction[]): Promise<readonly ScheduledAction[]> {
    const { conductor, subscribed } = this;
    conductor.start(subscribed.subscriptionId);
    for (let action = coming[0]; action !== undefined; action = coming[0]) {
      await conductor.passUntil(action.at);
      if (!this.isRunning()) return coming;
      coming.shift();
      await action.act();
    }
    await this.liveToItsEnd();
    return [];
  }

  private async liveToItsEnd(): Promise<void> {
    const { clock } = this.world;
    while (this.isRunning() && clock.now() < this.endAt + AFTER_END) await this.conductor.passUntil(clock.now() + DAY);
    if (!this.isRunning()) return;
    const [unlisted] = await this.world.events(this.subscribed, 'attempt.unlisted');
    if (unlisted !== undefined) throw new OperatorNeeded(`cycle ${String(unlisted.data['cycle'])} is no longer listed`);
    throw new Error(`no end ${AFTER_END / DAY} days after the last due date`);
  }

  private isRunning(): boolean {
    return this.conductor.isRunning(this.subscribed.subscriptionId);
  }

  /** Asks for another amount. @returns false if the request is refused */
  changeAmount(fromCycle: number, cents: number): Promise<boolean> {
    return this.steer('change_amount', { ...BY, amount: euros(cents), fromCycle, announceAhead: ANNOUNCE_AHEAD });
  }

  /** Withdraws the pending change of the amount. @returns false if the request is refused */
  withdrawChange(): Promise<boolean> {
    return this.steer('withdraw_change', BY);
  }

  private async steer<V extends keyof SteeringRequests>(verb: V, request: SteeringRequests[V]): Promise<boolean> {
    const { clock, deps } = this.world;
    const moment = { at: clock.now(), realAt: clock.realNow() };
    const { subscriptionId } = this.subscribed;
    const result = await steer(deps.ledger, verb, subscriptionId, request, moment);
    if (result.kind === 'steered') this.conductor.changed(subscriptionId, result.revision);
    return result.kind === 'steered';
  }

  /** @throws OperatorNeeded if a cycle is unresolved */
  private async refuseUnresolved(): Promise<void> {
    const unresolved = (await this.cycles()).find(({ status }) => status === 'unresolved');
    if (unresolved !== undefined) throw new OperatorNeeded(`cycle ${unresolved.cycle} is unresolved in the ledger`);
  }

  private async cycles() {
    const everything = { limit: 500, cursor: null };
    return (await listCycles(this.world.deps.ledger, this.subscribed.subscriptionId, everything)).items;
  }

  private async readLived(): Promise<void> {
    const cycles = await this.cycles();
    this.lived = cycles.toReversed().flatMap(({ cycle, status, reason }): LivedCycle[] => {
      const ended = ENDS.find((end) => end === status);
      return ended === undefined ? [] : [{ cycle, ended, reason: reason ?? '' }];
    });
  }
}

const ENDS = ['collected', 'skipped', 'missed', 'failed'] as const;

const BY = { actor: 'till', reason: null };

/** Real ms before another worker continues, after one has died or failed. @throws OperatorNeeded if that was the fault */
function waitAfterFault(fault: unknown, runs: number): number {
  if (fault instanceof OperatorNeeded) throw fault;
  return toStop(fault, runs).wait + furtherWait(runs);
}

/** The end of the subscription: an hour before the due date that would follow the last one. */
function endOf(dueAt: Instant, { cycles, repetition = 'WEEKLY' }: LifeTerms): Instant {
  return dueAtOf({ firstPaymentAt: dueAt, repetition, endAt: null }, cycles) - HOUR;
}
