import { StepRun } from '../src/contract/step-run';
import type { PaymentInput, PaymentStepInput, Step } from '../src/contract/steps';
import { activities, localActivities } from './activities';
import { type StepHandlers, Interpreter } from './interpreter';

/** One Single Immediate or Event Dependent payment, from its request to its end. Its captures and refunds have their own workflows. */
export async function payment(input: PaymentInput): Promise<void> {
  await new PaymentLife(input, new StepRun(input)).execute();
}

class PaymentLife extends Interpreter<PaymentInput, StepRun<PaymentInput>> {
  protected override readonly stepHandlers: StepHandlers = {
    request_consent: () => this.run(() => activities.requestPayment(this.reference())),
    follow_payment: () => this.run(() => activities.followPayment(this.reference())),
    release: () => this.run(() => activities.releasePayment(this.reference())),
    wait: async (step) => {
      await this.wait(step);
      return null;
    },
  };

  protected override decideHere(): Promise<Step> {
    return localActivities.decidePayment(this.reference());
  }

  protected override decide(): Promise<Step> {
    return activities.decidePayment(this.reference());
  }

  private reference(): PaymentStepInput {
    return { requestId: this.input.requestId, revision: this.state.revision };
  }
}
