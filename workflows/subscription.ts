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
import {
  type AttemptRef,
  includesAttempt,
  type Step,
  type StepInput,
  type SubscriptionInput,
} from '../src/contract/steps';
import { DUEDAY_REPETITION, DUEDAY_STANDING, DUEDAY_STATUS } from '../src/contract/workflows';
import { HOUR, MINUTE, realDelay, SECOND } from '../src/domain/time';
import { awaitConsent, cancelConsent, collectPayment, decide, decideHere, requestConsent } from './activities';
import { startFollowing } from './attempt';
import { isFailure, realNow, sendNotice, showAttributes } from './runtime';

/** A run takes 10,000 signals. */
const SIGNALS_PER_RUN = 1_000;
/** Steps in a row without a second between them: more would starve the other workflows of the worker. */
const MOST_STEPS_AT_ONCE = 8;

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
    await life.show(step);
    if (step.kind === 'finish') return;
    await life.makeRoom(step);
    step = await life.carryOut(step);
  }
}

/** Carries out steps. Where one answers null, the ledger has to be asked what is next. */
class Life {
  private followed: readonly AttemptRef[];
  private mark;
  /** The newest revision that a signal named, and whether one came since the ledger was asked. */
  private revision: number;
  private isChanged = false;
  private signals = 0;
  private cycles = 0;
  private stepsAtOnce;

  constructor(private readonly input: SubscriptionInput) {
    this.followed = input.followed ?? [];
    this.mark = input.mark;
    this.revision = input.revision ?? 0;
    this.stepsAtOnce = input.stepsAtOnce ?? 0;
    setHandler(changedSignal, (revision) => {
      this.signals += 1;
      if (!Number.isSafeInteger(revision) || revision < 0) return;
      this.revision = Math.max(this.revision, revision);
      this.isChanged = true;
    });
  }

  async carryOut(step: Step): Promise<Step | null> {
    switch (step.kind) {
      case 'request_consent':
        return this.run(() => requestConsent(this.reference()));
      case 'await_consent':
        return this.run(() => awaitConsent(this.reference()));
      case 'cancel_consent':
        return this.run(() => cancelConsent(this.reference()));
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
        return await decideHere(this.reference());
      } catch (error) {
        if (!isFailure(error)) throw error;
        // Repeated until the ledger answers, where operators see it.
        return decide(this.reference());
      }
    });
  }

  async show({ details, show, notices = [] }: Step): Promise<void> {
    if (details !== '') setCurrentDetails(details);
    if (show !== undefined) {
      showAttributes([
        { key: DUEDAY_STATUS, value: show.status },
        { key: DUEDAY_STANDING, value: show.standing },
        { key: DUEDAY_REPETITION, value: show.repetition },
      ]);
    }
    await Promise.all(notices.map((id) => sendNotice(id)));
  }

  /** Ends the run between two steps if its history is long, or if it is on the queue of what people wait for without need. */
  async makeRoom(step: Step): Promise<void> {
    const { subscriptionId, clock, movesTo } = this.input;
    const isMoving = movesTo !== undefined && !step.kind.endsWith('_consent');
    const isLong =
      workflowInfo().continueAsNewSuggested || this.cycles >= CYCLES_PER_RUN || this.signals >= SIGNALS_PER_RUN;
    if (!isMoving && !isLong) return;
    const { revision, followed, stepsAtOnce } = this;
    const known = { revision, followed, stepsAtOnce, ...this.known() };
    const next: SubscriptionInput = { subscriptionId, clock, ...(this.isChanged ? {} : { step }), ...known };
    if (isMoving) await makeContinueAsNewFunc<typeof subscription>({ taskQueue: movesTo })(next);
    await continueAsNew<typeof subscription>(movesTo === undefined ? next : { ...next, movesTo });
  }

  private async collect(attempt: AttemptRef | undefined, summary: string): Promise<Step | null> {
    if (attempt === undefined) return null;
    if (attempt.attempt === 0) this.cycles += 1;
    return this.run(() => collectPayment.executeWithOptions({ summary }, [{ ...this.reference(), ...attempt }]));
  }

  private async follow(attempt: AttemptRef | undefined): Promise<null> {
    if (attempt === undefined) return null;
    const { subscriptionId, clock } = this.input;
    await startFollowing({ subscriptionId, clock, ...attempt, ...this.known() });
    this.followed = [...this.followed, attempt];
    return null;
  }

  private async wait({ until = null, then, summary }: Step): Promise<Step | null> {
    await this.sleep(until === null ? Infinity : realDelay(this.input.clock, realNow(), until), summary);
    return this.isChanged ? null : this.collect(then, summary);
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
    this.isChanged = false;
    const scope = new CancellationScope();
    const ended: { step: Step | null; isOver: boolean } = { step: null, isOver: false };
    void condition(() => this.isChanged || ended.isOver).then(() => {
      if (!ended.isOver) scope.cancel();
    });
    try {
      ended.step = await scope.run(work);
    } catch (error) {
      if (!isFailure(error) && !isCancellation(error)) throw error;
    } finally {
      ended.isOver = true;
    }
    return ended.step === null || this.isOutdated(ended.step) ? null : this.took(ended.step);
  }

  private isOutdated(step: Step): boolean {
    return this.isChanged && step.revision < this.revision;
  }

  private took(step: Step): Step {
    const { mark = this.mark, beside = [] } = step;
    this.mark = mark;
    this.isChanged = false;
    this.followed = this.followed.filter((each) => includesAttempt(beside, each));
    return step;
  }

  /** After so many steps at once it waits, longer each time: whatever the ledger answers, no loop is without a timer. */
  private async slowDown(): Promise<void> {
    this.stepsAtOnce += 1;
    const surplus = this.stepsAtOnce - MOST_STEPS_AT_ONCE;
    if (surplus <= 0) return;
    if (surplus === 1) log.error('the subscription takes step after step without waiting', { steps: this.stepsAtOnce });
    const pause = Math.min(MINUTE, SECOND * 2 ** (surplus - 1));
    await condition(() => false, pause, { summary: 'too many steps at once' });
  }

  private async sleep(delay: number, summary: string): Promise<void> {
    const since = realNow();
    if (delay === Infinity) await condition(() => this.isChanged);
    else if (delay > 0) await condition(() => this.isChanged, delay, { summary });
    if (realNow() - since >= SECOND) this.stepsAtOnce = 0;
  }

  private reference(): StepInput {
    const { revision, followed, input } = this;
    return { subscriptionId: input.subscriptionId, revision, followed, ...this.known() };
  }

  private known() {
    return this.mark === undefined ? {} : { mark: this.mark };
  }
}
