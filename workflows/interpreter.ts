import {
  CancellationScope,
  continueAsNew,
  isCancellation,
  log,
  makeContinueAsNewFunc,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { changedSignal } from '../src/contract/messages';
import { FIRST_WAIT, type StepRun } from '../src/contract/step-run';
import { type InterpreterInput, realDelay, type Step } from '../src/contract/steps';
import { DUEDAY_REPETITION, DUEDAY_STANDING, DUEDAY_STATUS } from '../src/contract/workflows';
import { isFailure, realNow, showAttributes } from './runtime';

/** A run ends after this many signals: Temporal accepts at most 10,000 for one run. */
const SIGNALS_PER_RUN = 1_000;

/** `finish` ends the workflow. A kind without a handler belongs to a newer release. */
export type StepHandlers = Readonly<Partial<Record<Step['kind'], (step: Step) => Promise<Step | null>>>>;

/**
 * Carries out the steps of a subscription or a one-time payment. Decides nothing: each activity returns the step that the
 * ledger has decided. A workflow that was lost, reset or restored is simply started again.
 */
export abstract class Interpreter<Input extends InterpreterInput, Run extends StepRun<Input>> {
  private signals = 0;
  /** The activity or wait in progress, which a change cancels. */
  private current: CancellationScope | null = null;

  constructor(
    protected readonly input: Input,
    protected readonly state: Run,
  ) {
    setHandler(changedSignal, (revision) => {
      this.signals += 1;
      this.state.handleChanged(revision);
      if (this.state.isChanged) this.current?.cancel();
    });
  }

  /** Runs to the end of the workflow. */
  async execute(): Promise<void> {
    let step = this.input.step ?? null;
    for (;;) {
      step ??= await this.ask();
      if (step === null) continue;
      this.show(step);
      if (step.kind === 'finish') return;
      const end = this.endRunIfDue(step);
      if (end !== null) await end;
      step = await (this.stepHandlers[step.kind] ?? this.waitForRelease)(step);
    }
  }

  /** The next step from the ledger, decided within the workflow task or on a queue. */
  protected abstract decideHere(): Promise<Step>;
  protected abstract decide(): Promise<Step>;
  /** How each kind of step is carried out. Null: the ledger must be asked for the next step. */
  protected abstract readonly stepHandlers: StepHandlers;

  /** Whether the run has done enough work and should end. */
  protected isEnough(): boolean {
    return false;
  }

  private ask(): Promise<Step | null> {
    return this.run(() => this.hereOrOnQueue(this.decideHere(), () => this.decide()));
  }

  /** Work that failed within the workflow task is repeated on a queue, where operators see it. */
  protected hereOrOnQueue(here: Promise<Step>, onQueue: () => Promise<Step>): Promise<Step> {
    return here.catch((error: unknown) => {
      if (!isFailure(error)) throw error;
      return onQueue();
    });
  }

  private show({ summary, details, show }: Step): void {
    if (details !== '') setCurrentDetails(`- Now: ${summary}\n${details}`);
    const { status, standing, repetition } = show ?? {};
    showAttributes([
      { key: DUEDAY_STATUS, value: status },
      { key: DUEDAY_STANDING, value: standing },
      { key: DUEDAY_REPETITION, value: repetition },
    ]);
  }

  /**
   * Ends the run between two steps if its history is long, or if the workflow, once past its consent, must leave the
   * queue for work that operators and payers wait for.
   * @returns null if the run continues
   */
  private endRunIfDue(step: Step): Promise<never> | null {
    const { movesTo } = this.input;
    const isMoving = movesTo !== undefined && !step.kind.endsWith('_consent');
    const isLong = workflowInfo().continueAsNewSuggested || this.isEnough() || this.signals >= SIGNALS_PER_RUN;
    if (isMoving) return makeContinueAsNewFunc({ taskQueue: movesTo })(this.state.handOver(step));
    return isLong ? this.continueWith(this.state.handOver(step)) : null;
  }

  /** Continues in a new run on the same queue. */
  private continueWith(input: Input): Promise<never> {
    const { movesTo } = this.input;
    return continueAsNew(movesTo === undefined ? input : { ...input, movesTo });
  }

  /** @returns whether the wait ran to its end; false if the workflow was notified of a change first */
  protected async wait({ until = null, summary }: Step): Promise<boolean> {
    const delay = until === null ? Infinity : realDelay(this.input.clock, realNow(), until);
    if (until !== null && delay <= 0) this.state.noteEarlyWait(until);
    await this.sleep(delay, summary);
    return !this.state.isChanged;
  }

  /**
   * A step of a newer release: another worker may know it. The ledger is asked in a separate run, because the newer release
   * could not replay a history in which this release continues after an unknown step.
   */
  private readonly waitForRelease = async ({ kind }: Step): Promise<never> => {
    log.error('this release does not know the kind of the next step', { kind });
    await this.sleep(this.state.pauseForRelease(), 'waiting for a newer release');
    return this.continueWith(this.state.handOverUnknown());
  };

  /**
   * Runs an activity to its end. If the workflow is notified of a change meanwhile, the activity is asked to stop; one with a
   * request on the wire ends with its result. A step that was decided before the change is dropped.
   */
  protected async run(work: () => Promise<Step>): Promise<Step | null> {
    const wait = this.state.countStep();
    if (wait > 0) await this.slowDown(wait);
    this.state.beginActivity();
    let step: Step | null = null;
    try {
      step = await this.untilChanged(work);
    } catch (error) {
      if (!isFailure(error) && !isCancellation(error)) throw error;
    }
    return this.state.take(step);
  }

  /** Pauses after too many steps without a wait. */
  private async slowDown(wait: number): Promise<void> {
    if (wait === FIRST_WAIT) log.error('the workflow is taking steps without waiting');
    await sleep(wait, { summary: 'too many steps without a wait' });
  }

  private async sleep(delay: number, summary: string): Promise<void> {
    const since = realNow();
    if (delay > 0 && !this.state.isChanged) {
      try {
        await this.untilChanged(() =>
          delay === Infinity ? CancellationScope.current().cancelRequested : sleep(delay, { summary }),
        );
      } catch (error) {
        if (!this.isCancelledByChange(error)) throw error;
      }
    }
    this.state.noteWait(realNow() - since);
  }

  /**
   * Runs work that a change cancels. The signal's handler cancels the scope: a `condition` would need a dozen more promises,
   * and the SDK records the stack of each promise.
   */
  private async untilChanged<T>(work: () => Promise<T>): Promise<T> {
    this.current = new CancellationScope();
    try {
      return await this.current.run(work);
    } finally {
      this.current = null;
    }
  }

  private isCancelledByChange(error: unknown): boolean {
    return isCancellation(error) && this.state.isChanged;
  }
}
