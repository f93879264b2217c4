import type { ApplicationFailure } from '@temporalio/common';
import type { Activities, ConsentChecked, PaymentRef } from '../../src/contract/activities';
import type { Step, StepInput } from '../../src/contract/steps';
import { type ConsentResult, CONSENT_SESSION, isTerminal } from '../../src/domain/subscription/state';
import { HOUR, scaledTimeout } from '../../src/domain/time';
import { endBackOffs, getSubscription, recordCancelled, recordConsent, recordUnsettledConsent } from '../../src/ledger';
import type { Consent, ServiceResult } from '../../src/payment-service';
import { decide, notifyOther } from '../decide';
import type { Dependencies } from '../dependencies';
import { withHeartbeat, tryAgain, describe, retryAfter } from '../stops';
import { isGone, noteUnreadable, storeConsent, toConsentResult } from './answer';
import { type AwaitedConsent, cancelConsent, endSession } from './cancel';
import { requestConsent, waitInSession, UNSETTLED_AFTER } from './request';

type ConsentActivities = Pick<Activities, 'requestConsent' | 'awaitConsent' | 'checkConsent' | 'cancelConsent'>;

export function consentActivities(deps: Dependencies): ConsentActivities {
  return {
    requestConsent: (input) => withHeartbeat(() => requestConsent(deps, input)),
    awaitConsent: (input) => withHeartbeat(() => awaitConsentStep(deps, input)),
    checkConsent: (input) => withHeartbeat(() => checkConsent(deps, input)),
    cancelConsent: (input) => withHeartbeat(() => cancelConsentStep(deps, input)),
  };
}

/** Checks once and stores the answer with all its consequences. Attempts that are backing off are checked at once, too. */
async function checkConsent(deps: Dependencies, input: PaymentRef): Promise<ConsentChecked> {
  await endBackOffs(deps.ledger, input.subscriptionId);
  const askedAt = deps.clock.now();
  const answer = await deps.service.getConsent(input.paymentId);
  if (answer.kind !== 'accepted') {
    await noteUnreadable(deps, input, answer);
    return { changed: null, unavailable: describe(answer) };
  }
  await storeConsent(deps, input, answer.value, askedAt);
  if (answer.value.status === 'pending') await noteUnreadable(deps, input, answer);
  const result = await readResult(deps, input, answer.value);
  return { changed: result === null ? null : await recordAnswer(deps, input, result, { asker: 'caller' }) };
}

/**
 * Records the answer for a subscription in the ledger.
 * @param asker `workflow`: the subscription's workflow decides next from what is recorded; `caller`: it must be notified
 * @returns the row, if it has changed
 */
async function recordAnswer(
  deps: Dependencies,
  { subscriptionId }: Pick<PaymentRef, 'subscriptionId'>,
  result: ConsentResult,
  { asker }: { readonly asker: 'workflow' | 'caller' },
) {
  const { clock, ledger } = deps;
  const { changed, other } = await recordConsent(ledger, subscriptionId, result, clock.now(), asker === 'workflow');
  await notifyOther(deps, other);
  return changed;
}

async function awaitConsentStep(deps: Dependencies, input: StepInput): Promise<Step> {
  const subscription = await readSubscription(deps, input);
  if (subscription?.status === 'pending_consent') {
    const result = await awaitConsent(deps, subscription);
    await recordAnswer(deps, input, result, { asker: 'workflow' });
  }
  return decide(deps, input);
}

async function cancelConsentStep(deps: Dependencies, input: StepInput): Promise<Step> {
  const subscription = await readSubscription(deps, input);
  if (subscription?.isCancelling === true) {
    const { by } = await cancelConsent(deps, subscription);
    const { other } = await recordCancelled(deps.ledger, input.subscriptionId, by, deps.clock.now());
    await notifyOther(deps, other);
  }
  return decide(deps, input);
}

/** The subscription as far as its consent is concerned; null if the ledger has no payment of the service for it. */
async function readSubscription({ ledger }: Dependencies, { subscriptionId }: StepInput) {
  const subscription = await getSubscription(ledger, subscriptionId);
  const { paymentId = null, status, stoppedBy, consent } = subscription ?? {};
  if (paymentId === null || status === undefined) return null;
  const sessionEndsRealAt = (consent?.requestedRealAt ?? 0) + CONSENT_SESSION;
  const isCancelling = stoppedBy === 'cancel' && !isTerminal(status);
  return { subscriptionId, paymentId, status, isCancelling, sessionEndsRealAt };
}

/** Polls until the session has ended, and then until an answer is readable. If the consent is pending then, deletes it (rule 6). */
async function awaitConsent(deps: Dependencies, input: AwaitedConsent): Promise<ConsentResult> {
  const askedAt = deps.clock.now();
  const answer = await deps.service.getConsent(input.paymentId);
  // Negative during the session.
  const sinceSessionEnd = deps.clock.realNow() - input.sessionEndsRealAt;
  if (answer.kind !== 'accepted') {
    // A consent that was never granted and no longer exists ended with its session.
    if (sinceSessionEnd >= 0 && isGone(answer)) return endSession(deps, input, answer);
    throw await unreadable(deps, input, answer, sinceSessionEnd);
  }
  await storeConsent(deps, input, answer.value, askedAt);
  const result = await readResult(deps, input, answer.value);
  if (result !== null) return result;
  if (sinceSessionEnd >= 0) return endSession(deps, input, answer);
  const wait = Math.min(-sinceSessionEnd, waitInSession(CONSENT_SESSION + sinceSessionEnd));
  throw tryAgain('pending', 'the payer has not answered yet', wait);
}

/** The stop after an unreadable answer. From an hour after the session on, an operator is notified, and polling is hourly at most. */
async function unreadable(
  deps: Dependencies,
  { subscriptionId }: AwaitedConsent,
  answer: Exclude<ServiceResult<Consent>, { kind: 'accepted' }>,
  sinceSessionEnd: number,
): Promise<ApplicationFailure> {
  const { clock, ledger } = deps;
  const reason = describe(answer);
  const isUnsettled = sinceSessionEnd >= UNSETTLED_AFTER;
  if (isUnsettled)
    await recordUnsettledConsent(ledger, { subscriptionId, at: clock.now(), realAt: clock.realNow(), reason });
  const wait = isUnsettled ? scaledTimeout(clock.setting, HOUR) : waitInSession(CONSENT_SESSION + sinceSessionEnd);
  return tryAgain('service_unreadable', `the consent cannot be read: ${reason}`, Math.max(wait, retryAfter(answer)));
}

/**
 * Like {@link toConsentResult}, except that a consent that was deleted at the end of its session has failed, even if the answer to
 * the DELETE was lost (rule 6).
 */
async function readResult(deps: Dependencies, input: PaymentRef, consent: Consent): Promise<ConsentResult | null> {
  const result = await toConsentResult(deps, input, consent);
  if (result?.kind !== 'cancelled' || result.by !== 'merchant') return result;
  return (await wasSessionEnded(deps, input)) ? { kind: 'failed', reason: 'timeout' } : result;
}

/** Whether the consent was deleted because its session had ended. An operator who cancels sets `stoppedBy` before the DELETE. */
async function wasSessionEnded({ ledger }: Dependencies, { subscriptionId }: PaymentRef): Promise<boolean> {
  const subscription = await getSubscription(ledger, subscriptionId);
  if (subscription?.status !== 'pending_consent' || subscription.stoppedBy === 'cancel') return false;
  return subscription.consent.merchantDeleted;
}
