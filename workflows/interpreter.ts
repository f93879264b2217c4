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

  constructor(
    protected readonly input: Input,
    protected readonly state: Run,
  ) {
    setHandler(changedSignal, (revision) => {
      this.signals += 1;
      this.state.handleChanged(revision);
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
      await this.endRunIfDue(step);
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

  private async ask(): Promise<Step | null> {
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
   */
  private async endRunIfDue(step: Step): Promise<void> {
    const { movesTo } = this.input;
    const isMoving = movesTo !== undefined && !step.kind.endsWith('_consent');
    const isLong = workflowInfo().continueAsNewSuggested || this.isEnough() || this.signals >= SIGNALS_PER_RUN;
    if (isMoving) await makeContinueAsNewFunc({ taskQueue: movesTo })(this.state.handOver(step));
    if (isLong) await this.continueWith(this.state.handOver(step));
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

  /** Pauses after too many steps without a wait. */
  private async slowDown(): Promise<void> {
    const wait = this.state.countStep();
    if (wait === 0) return;
    if (wait === FIRST_WAIT) log.error('the workflow is taking steps without waiting');
    await condition(() => false, wait, { summary: 'too many steps without a wait' });
  }

  private async sleep(delay: number, summary: string): Promise<void> {
    const since = realNow();
    if (delay === Infinity) await condition(() => this.state.isChanged);
    else if (delay > 0) await condition(() => this.state.isChanged, delay, { summary });
    this.state.noteWait(realNow() - since);
  }
}
