import { MINUTE, SECOND } from '../domain/time';
import { type AttemptRef, includesAttempt, type Step, type StepInput, type SubscriptionInput } from './steps';

/** Steps in a row without a second between them: more would starve the other workflows of the worker. */
const MOST_STEPS_AT_ONCE = 8;
/** The first pause after that; each further one is twice as long, up to a minute. Real ms. */
export const FIRST_PAUSE = SECOND;

/**
 * What a run of a subscription's workflow knows beside the ledger, and whether a step is still the one to carry out. Pure: the
 * workflow and the simulation, which carry the steps out, share it.
 */
export class SubscriptionRun {
  private attempts: readonly AttemptRef[];
  private mark;
  private newest: number;
  private changed = false;
  private stepsAtOnce;

  constructor(private readonly input: SubscriptionInput) {
    this.attempts = input.followed ?? [];
    this.mark = input.mark;
    this.newest = input.revision ?? 0;
    this.stepsAtOnce = input.stepsAtOnce ?? 0;
  }

  /** Whether a change was signalled since the last activity began, or its step was taken. */
  get isChanged(): boolean {
    return this.changed;
  }

  /** The signal `changed`. What is no revision is ignored. */
  handleChanged(revision: number): void {
    if (!Number.isSafeInteger(revision) || revision < 0) return;
    this.newest = Math.max(this.newest, revision);
    this.changed = true;
  }

  /**
   * Counts the activity that comes next: whatever the ledger answers, no loop is without a timer.
   * @returns real ms to wait before it; longer each time after too many steps at once
   */
  countStep(): number {
    this.stepsAtOnce += 1;
    const surplus = this.stepsAtOnce - MOST_STEPS_AT_ONCE;
    return surplus <= 0 ? 0 : Math.min(MINUTE, FIRST_PAUSE * 2 ** (surplus - 1));
  }

  beginActivity(): void {
    this.changed = false;
  }

  /**
   * The step that an activity ended with; null if it ended without one.
   * @returns null if the ledger has to be asked: there is none, or it was decided before a change that was signalled since
   */
  take(step: Step | null): Step | null {
    if (step === null || (this.changed && step.revision < this.newest)) return null;
    const { mark = this.mark, beside = [] } = step;
    this.mark = mark;
    this.changed = false;
    this.attempts = this.attempts.filter((each) => includesAttempt(beside, each));
    return step;
  }

  /** The attempt has a workflow of its own. */
  follow(attempt: AttemptRef): void {
    this.attempts = [...this.attempts, attempt];
  }

  /** @param ms real ms that were waited between two steps */
  rested(ms: number): void {
    if (ms >= SECOND) this.stepsAtOnce = 0;
  }

  /** What an activity is given. */
  reference(): StepInput {
    const { newest: revision, attempts: followed, input } = this;
    return { subscriptionId: input.subscriptionId, revision, followed, ...this.known() };
  }

  known(): Pick<StepInput, 'mark'> {
    return this.mark === undefined ? {} : { mark: this.mark };
  }

  /** What the next run is given, which begins with this step unless the ledger has to be asked first. */
  handOver(step: Step): SubscriptionInput {
    const { subscriptionId, clock } = this.input;
    const { newest: revision, attempts: followed, stepsAtOnce } = this;
    return {
      subscriptionId,
      clock,
      ...(this.changed ? {} : { step }),
      revision,
      followed,
      stepsAtOnce,
      ...this.known(),
    };
  }
}
