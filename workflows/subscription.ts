import { CYCLES_PER_RUN } from '../src/contract/messages';
import type { AttemptRef, Step, SubscriptionInput } from '../src/contract/steps';
import { SubscriptionRun } from '../src/contract/subscription-run';
import { activities, localActivities, localCollecting } from './activities';
import { startFollowing } from './attempt';
import { type StepHandlers, Interpreter } from './interpreter';

/** One subscription, from its consent to its end. */
export async function subscription(input: SubscriptionInput): Promise<void> {
  await new SubscriptionLife(input, new SubscriptionRun(input)).execute();
}

class SubscriptionLife extends Interpreter<SubscriptionInput, SubscriptionRun> {
  private cycles = 0;

  protected override readonly stepHandlers: StepHandlers = {
    request_consent: () => this.run(() => activities.requestConsent(this.state.reference())),
    await_consent: () => this.run(() => activities.awaitConsent(this.state.reference())),
    cancel_consent: () => this.run(() => activities.cancelConsent(this.state.reference())),
    collect: (step) => this.collect(step, step.attempt),
    follow: ({ attempt }) => this.follow(attempt),
    wait: async (step) => ((await this.wait(step)) ? this.collect(step, step.then) : null),
  };

  protected override decideHere(): Promise<Step> {
    return localActivities.decide(this.state.reference());
  }

  protected override decide(): Promise<Step> {
    return activities.decide(this.state.reference());
  }

  protected override isEnough(): boolean {
    return this.cycles >= CYCLES_PER_RUN;
  }

  private collect({ on, summary }: Step, attempt: AttemptRef | undefined): Promise<Step | null> {
    if (attempt === undefined) return Promise.resolve(null);
    // An attempt that was handed over to the queue has already been counted.
    if (attempt.attempt === 0 && on !== 'queue') this.cycles += 1;
    const input = () => ({ ...this.state.reference(), ...attempt });
    const onQueue = () => activities.collectPayment.executeWithOptions({ summary }, [input()]);
    return this.run(() =>
      on === 'here' ? this.hereOrOnQueue(localCollecting.collectPayment(input()), onQueue) : onQueue(),
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
