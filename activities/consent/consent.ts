import type {
  PaymentRef,
  Activities,
  AwaitConsentInput,
  ConsentLookInput,
  Unavailable,
} from '../../src/contract/activities';
import {
  consentEndedBy,
  type ConsentResult,
  type CollectResult,
  CONSENT_SESSION,
} from '../../src/domain/subscription/state';
import type { Instant } from '../../src/domain/time';
import {
  type ConsentAnswer,
  getSubscription,
  recordConsentAnswer,
  markConsentDeleted,
  hasSendOnWire,
} from '../../src/ledger';
import type { Consent } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import { longestOnWire } from '../send-limits';
import { refuseWhileRestored } from '../guards';
import { activityAge, withHeartbeat, growingPause, tryAgain, describe, retryAfter } from '../stops';
import { adoptConsent } from './adopt';
import { requestConsent, pauseInSession } from './request';

/** The consent's end, or its grant; null while it is pending. */
export async function toConsentResult(
  deps: Dependencies,
  input: PaymentRef,
  consent: Consent,
): Promise<ConsentResult | null> {
  const reason = consent.reason ?? null;
  switch (consent.status) {
    case 'pending':
      return null;
    case 'successful':
      return { kind: 'granted' };
    case 'failed':
      return { kind: 'failed', reason: reason ?? 'unknown' };
    case 'cancelled': {
      const subscription = await getSubscription(deps.ledger, input.subscriptionId);
      return { kind: 'cancelled', by: consentEndedBy(reason, subscription?.consent.merchantDeleted === true), reason };
    }
  }
}

/**
 * What the service said, kept in the ledger.
 * @param lookedFor the due date for which the daily look has asked and need not ask again
 */
export async function remember(
  deps: Dependencies,
  input: PaymentRef,
  consent: Consent,
  lookedFor: Instant | null = null,
): Promise<void> {
  await recordConsentAnswer(deps.ledger, { ...consentAnswer(deps, input, consent), lookedFor });
}

/** What the service has said this moment. */
export function consentAnswer(
  { clock }: Dependencies,
  { subscriptionId }: PaymentRef,
  consent: Consent,
): ConsentAnswer {
  return { subscriptionId, status: consent.status, at: clock.now(), reason: consent.reason ?? null };
}

/** `cancelled` or `failed` ends the subscription (rule 7). */
export function endOfConsent(
  result: Exclude<ConsentResult, { kind: 'granted' }>,
): Extract<CollectResult, { kind: 'consent_ended' }> {
  return { kind: 'consent_ended', by: result.kind === 'cancelled' ? result.by : 'payer', reason: result.reason };
}

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
  if (answer.kind !== 'accepted')
    return input.tellsUnavailable === true ? { kind: 'unavailable', reason: describe(answer) } : null;
  await remember(deps, input, answer.value);
  return toConsentResult(deps, input, answer.value);
}

/** Polled to the end of the session and on until one answer is readable; pending still: deleted (rule 6). */
export async function awaitConsent(deps: Dependencies, input: AwaitConsentInput): Promise<ConsentResult> {
  const answer = await deps.service.getConsent(input.paymentId);
  const overdue = deps.clock.realNow() - input.sessionEndsRealAt;
  const pause = pauseInSession(CONSENT_SESSION + overdue);
  if (answer.kind !== 'accepted') {
    const atLeast = Math.max(pause, retryAfter(answer));
    throw tryAgain('service_unreadable', `the consent cannot be read: ${describe(answer)}`, atLeast);
  }
  await remember(deps, input, answer.value);
  const result = await toConsentResult(deps, input, answer.value);
  if (result !== null)
    return (await endedBySession(deps, input, result)) ? { kind: 'failed', reason: 'timeout' } : result;
  if (overdue < 0) throw tryAgain('pending', 'the payer has not answered yet', Math.min(-overdue, pause));
  return endSession(deps, input, overdue);
}

/** So that no orphan can be approved. Marked first: the end that the DELETE brings is our doing. */
async function endSession(deps: Dependencies, input: AwaitConsentInput, overdue: number): Promise<ConsentResult> {
  await refuseWhileRestored(deps);
  await markConsentDeleted(deps.ledger, input.subscriptionId);
  const deleted = await deps.service.cancelConsent(input.paymentId);
  if (deleted.kind === 'accepted') {
    await remember(deps, input, deleted.value);
    if (deleted.value.status === 'cancelled' || deleted.value.status === 'failed') {
      return { kind: 'failed', reason: 'timeout' };
    }
  }
  const seen = deleted.kind === 'accepted' ? `it still reads ${deleted.value.status}` : describe(deleted);
  const pause = Math.max(growingPause(overdue), retryAfter(deleted));
  throw tryAgain('service_unreadable', `the consent cannot be deleted: ${seen}`, pause);
}

/** The end of a session that we deleted, its answer lost; unless a person cancelled, who sets the hold first. */
async function endedBySession(deps: Dependencies, input: AwaitConsentInput, result: ConsentResult): Promise<boolean> {
  if (result.kind !== 'cancelled') return false;
  const subscription = await getSubscription(deps.ledger, input.subscriptionId);
  return subscription?.consent.merchantDeleted === true && subscription.hold !== 'cancel';
}

/** Waits until no POST is on the wire, deletes, and asks until the service says so (rule 24). */
export async function cancelConsent(deps: Dependencies, input: PaymentRef): Promise<void> {
  const { clock, service, settings } = deps;
  const pause = growingPause(activityAge(clock));
  if (await hasSendOnWire(deps.ledger, input.subscriptionId, clock.realNow() - longestOnWire(settings))) {
    throw tryAgain('blocked', 'an authorization is on the wire', pause);
  }
  await refuseWhileRestored(deps);
  await markConsentDeleted(deps.ledger, input.subscriptionId);
  const deleted = await service.cancelConsent(input.paymentId);
  const consent = await service.getConsent(input.paymentId);
  if (consent.kind === 'accepted') {
    await remember(deps, input, consent.value);
    if (consent.value.status === 'cancelled' || consent.value.status === 'failed') return;
  }
  const seen = consent.kind === 'accepted' ? consent.value.status : describe(consent);
  const message = `DELETE: ${describe(deleted)}; the consent reads: ${seen}`;
  throw tryAgain('service_unreadable', message, Math.max(pause, retryAfter(deleted), retryAfter(consent)));
}
