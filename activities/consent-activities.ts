import { Context } from '@temporalio/activity';
import type { Activities, PaymentRef } from '../src/contract/activities';
import type { ConsentResult } from '../src/domain/subscription/state';
import { adoptConsent } from './adopt-consent';
import { awaitConsent } from './await-consent';
import { cancelConsent } from './cancel-consent';
import { remember, toConsentResult } from './consent';
import type { Dependencies } from './dependencies';
import { withHeartbeat } from './heartbeat';
import { requestConsent } from './request-consent';

type ConsentActivities = Pick<
  Activities,
  'requestConsent' | 'adoptConsent' | 'awaitConsent' | 'lookAtConsent' | 'cancelConsent'
>;

export function consentActivities(deps: Dependencies): ConsentActivities {
  return {
    requestConsent: ({ subscriptionId }) => withHeartbeat(() => requestConsent(deps, subscriptionId)),
    adoptConsent: (input) =>
      withHeartbeat(() => adoptConsent(deps, input, Context.current().info.scheduledTimestampMs)),
    awaitConsent: (input) => withHeartbeat(() => awaitConsent(deps, input)),
    lookAtConsent: (input) => withHeartbeat(() => lookAtConsent(deps, input)),
    cancelConsent: (input) => withHeartbeat(() => cancelConsent(deps, input)),
  };
}

/** One look, kept in the ledger; null where it is still pending or cannot be read. */
async function lookAtConsent(deps: Dependencies, input: PaymentRef): Promise<ConsentResult | null> {
  const answer = await deps.service.getConsent(input.paymentId);
  if (answer.kind !== 'accepted') return null;
  await remember(deps, input, answer.value);
  return toConsentResult(deps, input, answer.value);
}
