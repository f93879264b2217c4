import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { PaymentInput } from '../src/contract/payments';
import { PaymentLife } from './payment-life';

/**
 * The life of one payment: request consent, follow the authorization; then, of Single Immediate, the booking, and of
 * Event Dependent the captures that are ordered, until the final one, the release, or the deadline.
 */
export async function payment(input: PaymentInput): Promise<void> {
  const life = new PaymentLife(input);
  await life.begin();
  while (await life.goOn()) {
    if (!workflowInfo().continueAsNewSuggested) continue;
    await condition(allHandlersFinished);
    await continueAsNew<typeof payment>({ state: life.state, clock: input.clock });
  }
  await condition(allHandlersFinished);
}
