import {
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  log,
  makeContinueAsNewFunc,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { changedSignal, CYCLES_PER_RUN } from '../src/contract/messages';
import type { AttemptRef, Step, SubscriptionInput } from '../src/contract/steps';
import { FIRST_PAUSE, SubscriptionRun } from '../src/contract/subscription-run';
import { DUEDAY_REPETITION, DUEDAY_STANDING, DUEDAY_STATUS } from '../src/contract/workflows';
import { HOUR, MINUTE, realDelay } from '../src/domain/time';
import { awaitConsent, cancelConsent, collectPayment, decide, decideHere, requestConsent } from './activities';
import { startFollowing } from './attempt';
import { isFailure, realNow, showAttributes } from './runtime';

/** A run takes 10,000 signals. */
const SIGNALS_PER_RUN = 1_000;

/**
 * The life of one subscription. It decides nothing: each activity ends with the step that the ledger has decided, and this carries
 * it out. One that was lost, reset or restored is simply started again.
 */
export async function subscription(input: SubscriptionInput): Promise<void> {
  const life = new Life(input);
  let step = input.step ?? null;
  for (;;) {
    step ??= await life.ask();
    if (step === null) continue;
    life.show(step);
    if (step.kind === 'finish') return;
    await life.makeRoom(step);
    step = await life.carryOut(step);
  }
}

/** Carries out steps. Where one answers null, the ledger has to be asked what is next. */
class Life {
  private readonly state;
  private signals = 0;
  private cycles = 0;

  constructor(private readonly input: SubscriptionInput) {
    this.state = new SubscriptionRun(input);
    setHandler(changedSignal, (revision) => {
      this.signals += 1;
      this.state.handleChanged(revision);
    });
  }

  async carryOut(step: Step): Promise<Step | null> {
    switch (step.kind) {
      case 'request_consent':
        return this.run(() => requestConsent(this.state.reference()));
      case 'await_consent':
        return this.run(() => awaitConsent(this.state.reference()));
      case 'cancel_consent':
        return this.run(() => cancelConsent(this.state.reference()));
      case 'collect':
        return this.collect(step.attempt, step.summary);
      case 'follow':
        return this.follow(step.attempt);
      case 'wait':
        return this.wait(step);
      // The loop has ended.
      case 'finish':
        return null;
      default:
        return this.waitForRelease(step);
    }
  }

  /** What is next, by the ledger. */
  async ask(): Promise<Step | null> {
    return this.run(async () => {
      try {
        return await decideHere(this.state.reference());
      } catch (error) {
        if (!isFailure(error)) throw error;
        // Repeated until the ledger answers, where operators see it.
        return decide(this.state.reference());
      }
    });
  }

  show({ details, show }: Step): void {
    if (details !== '') setCurrentDetails(details);
    if (show !== undefined) {
      showAttributes([
        { key: DUEDAY_STATUS, value: show.status },
        { key: DUEDAY_STANDING, value: show.standing },
        { key: DUEDAY_REPETITION, value: show.repetition },
      ]);
    }
  }

  /** Ends the run between two steps if its history is long, or if it is on the queue of what people wait for without need. */
  async makeRoom(step: Step): Promise<void> {
    const { movesTo } = this.input;
    const isMoving = movesTo !== undefined && !step.kind.endsWith('_consent');
    const isLong =
      workflowInfo().continueAsNewSuggested || this.cycles >= CYCLES_PER_RUN || this.signals >= SIGNALS_PER_RUN;
    if (!isMoving && !isLong) return;
    const next = this.state.handOver(step);
    if (isMoving) await makeContinueAsNewFunc<typeof subscription>({ taskQueue: movesTo })(next);
    await continueAsNew<typeof subscription>(movesTo === undefined ? next : { ...next, movesTo });
  }

  private async collect(attempt: AttemptRef | undefined, summary: string): Promise<Step | null> {
    if (attempt === undefined) return null;
    if (attempt.attempt === 0) this.cycles += 1;
    return this.run(() => collectPayment.executeWithOptions({ summary }, [{ ...this.state.reference(), ...attempt }]));
  }

  private async follow(attempt: AttemptRef | undefined): Promise<null> {
    if (attempt === undefined) return null;
    const { subscriptionId, clock } = this.input;
    await startFollowing({ subscriptionId, clock, ...attempt, ...this.state.known() });
    this.state.follow(attempt);
    return null;
  }

  private async wait({ until = null, then, summary }: Step): Promise<Step | null> {
    await this.sleep(until === null ? Infinity : realDelay(this.input.clock, realNow(), until), summary);
    return this.state.isChanged ? null : this.collect(then, summary);
  }

  /** A step of a newer release: another worker may know it. */
  private async waitForRelease({ kind }: Step): Promise<Step | null> {
    log.error('the next step is of a kind that this release does not know', { kind });
    for (let pause = MINUTE; ; pause = Math.min(2 * pause, HOUR)) {
      await this.sleep(pause, 'a newer release has to go on');
      const next = await this.ask();
      if (next?.kind !== kind) return next;
    }
  }

  /**
   * Runs an activity to its end. If the workflow is notified of a change meanwhile, the activity is asked to stop: one with a
   * request on the wire ends with its result. A step that was decided before the change is dropped.
   */
  private async run(work: () => Promise<Step>): Promise<Step | null> {
    await this.slowDown();
    this.state.beginActivity();
    const scope = new CancellationScope();
    const ended: { step: Step | null; isOver: boolean } = { step: null, isOver: false };
    void condition(() => this.state.isChanged || ended.isOver).then(() => {
      if (!ended.isOver) scope.cancel();
    });
    try {
      ended.step = await scope.run(work);
    } catch (error) {
      if (!isFailure(error) && !isCancellation(error)) throw error;
    } finally {
      ended.isOver = true;
    }
    return this.state.take(ended.step);
  }

  /** After so many steps at once it waits. */
  private async slowDown(): Promise<void> {
    const pause = this.state.countStep();
    if (pause === 0) return;
    if (pause === FIRST_PAUSE) log.error('the subscription takes step after step without waiting');
    await condition(() => false, pause, { summary: 'too many steps at once' });
  }

  private async sleep(delay: number, summary: string): Promise<void> {
    const since = realNow();
    if (delay === Infinity) await condition(() => this.state.isChanged);
    else if (delay > 0) await condition(() => this.state.isChanged, delay, { summary });
    this.state.rested(realNow() - since);
  }
}
