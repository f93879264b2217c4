import { HOUR, type Instant, MINUTE, SECOND } from '../domain/time';
import type { InterpreterInput, Step } from './steps';

/** Maximum number of consecutive steps without a wait of a second: more would starve the worker's other workflows. */
const MAX_STEPS_AT_ONCE = 8;
/** The first wait after too many steps; each further one is twice as long, up to a minute. Real ms. */
export const FIRST_WAIT = SECOND;

/** Fields of a run's input that are not passed on to the next run. */
const RUN_ONLY_FIELDS = ['step', 'unknownSteps', 'movesTo'];

/**
 * What a run of a workflow that carries out steps remembers in addition to the ledger, and whether a step is still valid. Pure:
 * shared by the workflows and the simulation.
 */
export class StepRun<Input extends InterpreterInput> {
  private newest: number;
  private changed = false;
  private stepsAtOnce: number;
  /** The `until` of the last wait that was already over when it started. */
  private passedEnd: Instant | null = null;

  constructor(protected readonly input: Input) {
    this.newest = input.revision ?? 0;
    this.stepsAtOnce = input.stepsAtOnce ?? 0;
  }

  /** Whether a change was signalled since the last activity started, or since its step was taken. */
  get isChanged(): boolean {
    return this.changed;
  }

  /** The newest revision that the workflow was notified of. */
  get revision(): number {
    return this.newest;
  }

  /** Handles the signal `changed`. An invalid revision is ignored. */
  handleChanged(revision: number): void {
    if (!Number.isSafeInteger(revision) || revision < 0) return;
    this.newest = Math.max(this.newest, revision);
    this.changed = true;
  }

  /**
   * Counts the next activity, so that whatever the ledger returns, no loop runs without a timer.
   * @returns real ms to wait before it; longer each time after too many steps without a wait
   */
  countStep(): number {
    this.stepsAtOnce += 1;
    const surplus = this.stepsAtOnce - MAX_STEPS_AT_ONCE;
    return surplus <= 0 ? 0 : Math.min(MINUTE, FIRST_WAIT * 2 ** (surplus - 1));
  }

  beginActivity(): void {
    this.changed = false;
  }

  /**
   * Takes the step that the run carries out next.
   * @param step as an activity returned it; null if it returned none
   * @returns null if the ledger must be asked: there is no step, or it was decided before a change that was signalled since
   */
  take(step: Step | null): Step | null {
    if (step === null || (this.changed && step.revision < this.newest)) return null;
    this.changed = false;
    return step;
  }

  /**
   * A wait was already over when it started. If that happens once, a worker was busy or a test clock is fast. If the ledger returns
   * the same `until` again, the clock of the deciding worker is behind: the waits before the next activities then grow immediately.
   */
  noteEarlyWait(until: Instant): void {
    if (until === this.passedEnd) this.stepsAtOnce = Math.max(this.stepsAtOnce, MAX_STEPS_AT_ONCE);
    this.passedEnd = until;
  }

  /** @param ms real ms waited between two steps */
  noteWait(ms: number): void {
    if (ms >= SECOND) this.stepsAtOnce = 0;
  }

  /** How long to wait on a step of a newer release before asking the ledger again. Real ms. */
  pauseForRelease(): number {
    return Math.min(HOUR, MINUTE * 2 ** (this.input.unknownSteps ?? 0));
  }

  /** The input of the next run, which starts with this step unless the ledger must be asked first. */
  handOver(step: Step): Input {
    return { ...this.known(), ...(this.changed ? {} : { step }) };
  }

  /** The input of the next run after a step of a newer release. */
  handOverUnknown(): Input {
    return { ...this.known(), unknownSteps: (this.input.unknownSteps ?? 0) + 1 };
  }

  /** What every next run is given, whatever its first step. */
  protected known(): Input {
    const same = Object.entries(this.input).filter(([name]) => !RUN_ONLY_FIELDS.includes(name));
    return { ...(Object.fromEntries(same) as unknown as Input), revision: this.newest, stepsAtOnce: this.stepsAtOnce };
  }
}
