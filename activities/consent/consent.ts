import type { ApplicationFailure } from '@temporalio/common';
import type { Activities, AwaitConsentInput, ConsentLookInput, Unavailable } from '../../src/contract/activities';
import { type ConsentResult, CONSENT_SESSION } from '../../src/domain/subscription/state';
import { HOUR, scaledTimeout } from '../../src/domain/time';
import { getSubscription, recordUnsettledConsent } from '../../src/ledger';
import type { Consent, ServiceResult } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import { withHeartbeat, tryAgain, describe, retryAfter } from '../stops';
import { adoptConsent } from './adopt';
import { isGone, noteUnreadable, remember, toConsentResult } from './answer';
import { cancelConsent, endSession } from './cancel';
import { requestConsent, pauseInSession, UNSETTLED_AFTER } from './request';

type ConsentActivities = Pick<
  Activities,
  'requestConsent' | 'adoptConsent' | 'awaitConsent' | 'lookAtConsent' | 'cancelConsent'
>;

export function consentActivities(deps: Dependencies): ConsentActivities {
  return {
    requestConsent: ({ subscriptionId }) => withHeartbeat(() => requestConsent(deps, subscriptionId)),
    adoptConsent: (input) => withHeartbeat(() => adoptConsent(deps, input)),
    awaitConsent: (input) => withHeartbeat(() => awaitConsent(deps, input)),
    lookAtConsent: (input) => withHeartbeat(() => lookAtConsent(deps, input)),
    cancelConsent: (input) => withHeartbeat(() => cancelConsent(deps, input)),
  };
}

/** One look, kept in the ledger; null where it is still pending, or cannot be read and nobody asked to be told. */
async function lookAtConsent(deps: Dependencies, input: ConsentLookInput): Promise<ConsentResult | Unavailable | null> {
  const answer = await deps.service.getConsent(input.paymentId);
  if (answer.kind !== 'accepted') {
    await noteUnreadable(deps, input, answer);
    return input.tellsUnavailable === true ? { kind: 'unavailable', reason: describe(answer) } : null;
  }
  await remember(deps, input, answer.value);
  if (answer.value.status === 'pending') await noteUnreadable(deps, input, answer);
  return toConsentResult(deps, input, answer.value);
}

/** Polled to the end of the session and on until one answer is readable; pending still: deleted (rule 6). */
export async function awaitConsent(deps: Dependencies, input: AwaitConsentInput): Promise<ConsentResult> {
  const answer = await deps.service.getConsent(input.paymentId);
  const overdue = deps.clock.realNow() - input.sessionEndsRealAt;
  if (answer.kind !== 'accepted') {
    // A consent that was never granted and is gone needs no other end than the session's.
    if (overdue >= 0 && isGone(answer)) return endSession(deps, input, answer);
    throw await unreadable(deps, input, answer, overdue);
  }
  await remember(deps, input, answer.value);
  const result = await toConsentResult(deps, input, answer.value);
  if (result !== null)
    return (await endedBySession(deps, input, result)) ? { kind: 'failed', reason: 'timeout' } : result;
  if (overdue >= 0) return endSession(deps, input, answer);
  const pause = Math.min(-overdue, pauseInSession(CONSENT_SESSION + overdue));
  throw tryAgain('pending', 'the payer has not answered yet', pause);
}

/** An hour after the session it is for an operator, and asked for no more than hourly. */
async function unreadable(
  deps: Dependencies,
  { subscriptionId }: AwaitConsentInput,
  answer: Exclude<ServiceResult<Consent>, { kind: 'accepted' }>,
  overdue: number,
): Promise<ApplicationFailure> {
  const { clock, ledger } = deps;
  const reason = describe(answer);
  const isUnsettled = overdue >= UNSETTLED_AFTER;
  if (isUnsettled)
    await recordUnsettledConsent(ledger, { subscriptionId, at: clock.now(), realAt: clock.realNow(), reason });
  const pause = isUnsettled ? scaledTimeout(clock.setting, HOUR) : pauseInSession(CONSENT_SESSION + overdue);
  return tryAgain('service_unreadable', `the consent cannot be read: ${reason}`, Math.max(pause, retryAfter(answer)));
}

/** The end of a session that we deleted, its answer lost; unless a person cancelled, who sets the hold first. */
async function endedBySession(deps: Dependencies, input: AwaitConsentInput, result: ConsentResult): Promise<boolean> {
  if (result.kind !== 'cancelled' || result.by !== 'merchant') return false;
  const subscription = await getSubscription(deps.ledger, input.subscriptionId);
  return subscription?.consent.merchantDeleted === true && subscription.hold !== 'cancel';
}
