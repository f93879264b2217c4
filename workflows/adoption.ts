import { condition } from '@temporalio/workflow';
import type { AdoptInput, AdoptionResult } from '../src/contract/activities';
import { afterAdoption } from '../src/domain/subscription/adoption';
import { afterConsent } from '../src/domain/subscription/requests';
import type { Adoption } from '../src/domain/subscription/state';
import { adoptConsent, discardDraft } from './activity-options';
import type { SubscriptionContext } from './subscription-context';

/**
 * Takes over a consent that was granted elsewhere: one question to the service, before anything is scheduled. What it
 * refuses leaves nothing.
 */
export async function adopt(context: SubscriptionContext, adoption: Adoption): Promise<AdoptionResult> {
  const answer = await adoptConsent(inputOf(context, adoption));
  if (answer.kind === 'adopted') {
    // The activity has written these with the answer.
    context.recorder.assume({ status: 'active', lastIncreaseAt: answer.lastIncreaseAt });
    context.update(afterAdoption(context.state, answer));
    return answer;
  }
  context.update(afterConsent(context.state, { kind: 'failed', reason: answer.kind }));
  await condition(() => context.recorder.idle);
  await discardDraft({ subscriptionId: context.reference.subscriptionId });
  return answer;
}

function inputOf(context: SubscriptionContext, adoption: Adoption): AdoptInput {
  const { terms, current: amount, lastIncreaseAt } = context.state;
  return { ...context.reference, terms, amount, lastIncreaseAt, adoption };
}
