import { CYCLES_PER_RUN } from '../src/contract/messages';
import type { AttemptRef, Step, SubscriptionInput } from '../src/contract/steps';
import { SubscriptionRun } from '../src/contract/subscription-run';
import { activities, here } from './activities';
import { startFollowing } from './attempt';
import { type StepHandlers, Interpreter } from './interpreter';

/** The life of one subscription. */
export async function subscription(input: SubscriptionInput): Promise<void> {
  await new SubscriptionLife(input, new SubscriptionRun(input)).execute();
}

class SubscriptionLife extends Interpreter<SubscriptionInput, SubscriptionRun> {
  private cycles = 0;

  protected override readonly stepHandlers: StepHandlers = {
    request_consent: () => this.run(() => activities.requestConsent(this.state.reference())),
    await_consent: () => this.run(() => activities.awaitConsent(this.state.reference())),
    cancel_consent: () => this.run(() => activities.cancelConsent(this.state.reference())),
    collect: ({ attempt, summary }) => this.collect(attempt, summary),
    follow: ({ attempt }) => this.follow(attempt),
    wait: async (step) => ((await this.wait(step)) ? this.collect(step.then, step.summary) : null),
  };

  protected override decideHere(): Promise<Step> {
    return here.decide(this.state.reference());
  }

  protected override decide(): Promise<Step> {
    return activities.decide(this.state.reference());
  }

  protected override isEnough(): boolean {
    return this.cycles >= CYCLES_PER_RUN;
  }

  private async collect(attempt: AttemptRef | undefined, summary: string): Promise<Step | null> {
    if (attempt === undefined) return null;
    if (attempt.attempt === 0) this.cycles += 1;
    return this.run(() =>
      activities.collectPayment.executeWithOptions({ summary }, [{ ...this.state.reference(), ...attempt }]),
    );
  }

  private async follow(attempt: AttemptRef | undefined): Promise<null> {
    if (attempt === undefined) return null;
    const { subscriptionId, clock } = this.input;
    await startFollowing({ subscriptionId, clock, ...attempt, ...this.state.marked() });
    this.state.follow(attempt);
    return null;
  }
}
