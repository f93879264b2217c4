import { StepRun } from './step-run';
import { type AttemptRef, includesAttempt, type Step, type StepInput, type SubscriptionInput } from './steps';

/** What a run of a subscription's workflow remembers in addition to the ledger. */
export class SubscriptionRun extends StepRun<SubscriptionInput> {
  private attempts: readonly AttemptRef[];
  private mark;

  constructor(input: SubscriptionInput) {
    super(input);
    this.attempts = input.followed ?? [];
    this.mark = input.mark;
  }

  override take(step: Step | null): Step | null {
    const taken = super.take(step);
    if (taken === null) return null;
    const { mark = this.mark, beside = [] } = taken;
    this.mark = mark;
    this.attempts = this.attempts.filter((each) => includesAttempt(beside, each));
    return taken;
  }

  /** Records that the attempt has its own workflow. */
  follow(attempt: AttemptRef): void {
    this.attempts = [...this.attempts, attempt];
  }

  /** The input of an activity. */
  reference(): StepInput {
    const { revision, attempts: followed, input } = this;
    return { subscriptionId: input.subscriptionId, revision, followed, ...this.marked() };
  }

  marked(): Pick<StepInput, 'mark'> {
    return this.mark === undefined ? {} : { mark: this.mark };
  }

  protected override known(): SubscriptionInput {
    return { ...super.known(), followed: this.attempts, ...this.marked() };
  }
}
