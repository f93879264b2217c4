import type { Activities, AwaitConsentInput, ConsentRequestResult, PaymentRef } from '../src/contract/activities';
import { consentEndedBy, type ConsentResult } from '../src/domain/consent';
import type { SubscriptionId } from '../src/domain/ids';
import {
  getSubscription,
  hasSendOnWire,
  markConsentDeleted,
  openConsent,
  readDraft,
  recordConsentAnswer,
} from '../src/ledger';
import type { Consent, ServiceResult } from '../src/payment-service';
import type { Dependencies } from './dependencies';
import { growingPause, tryAgain } from './failures';
import { withHeartbeat } from './heartbeat';

type ConsentActivities = Pick<Activities, 'requestConsent' | 'awaitConsent' | 'lookAtConsent' | 'cancelConsent'>;

export function consentActivities(deps: Dependencies): ConsentActivities {
  return {
    requestConsent: ({ subscriptionId }) => withHeartbeat(() => requestConsent(deps, subscriptionId)),
    awaitConsent: (input) => withHeartbeat(() => awaitConsent(deps, input)),
    lookAtConsent: (input) => lookAtConsent(deps, input),
    cancelConsent: (input) => withHeartbeat(() => cancelConsent(deps, input)),
  };
}

async function requestConsent(deps: Dependencies, subscriptionId: SubscriptionId): Promise<ConsentRequestResult> {
  const draft = await readDraft(deps.ledger, subscriptionId);
  if (draft === null) return { kind: 'unavailable', reason: 'the draft of the subscription is gone from the ledger' };
  const requestedRealAt = deps.clock.realNow();
  const result = await deps.service.requestPayment({
    useCase: 'SUBSCRIPTION',
    amount: draft.consentAmount,
    returnURL: draft.returnURL,
    billingAddress: draft.billingAddress,
    ...(draft.shippingAddress === null ? {} : { shippingAddress: draft.shippingAddress }),
    repetition: draft.repetition,
    startAt: draft.startAt,
    firstPaymentAt: draft.firstPaymentAt,
    ...(draft.endAt === null ? {} : { endAt: draft.endAt }),
  });
  if (result.kind === 'rejected') return { kind: 'refused', ...result.failure };
  if (result.kind !== 'accepted') return { kind: 'unavailable', reason: result.reason };
  const { paymentId, redirectURL } = result.value;
  if (redirectURL === undefined) return { kind: 'unavailable', reason: 'the service named no redirectURL' };
  await openConsent(deps.ledger, { subscriptionId, paymentId, redirectURL, requestedRealAt, at: deps.clock.now() });
  return { kind: 'requested', paymentId, requestedRealAt };
}

/** Polled to the end of the session and on until one answer is readable; pending still: deleted (decisions 6). */
async function awaitConsent(deps: Dependencies, input: AwaitConsentInput): Promise<ConsentResult> {
  const result = await lookAtConsent(deps, input);
  if (result !== null) return result;
  const left = input.sessionEndsRealAt - deps.clock.realNow();
  if (left > 0) throw tryAgain('pending', 'the payer has not answered yet', Math.min(left, consentPause(left)));
  return endSession(deps, input);
}

const SESSION = 600_000;

/** Quick at first, when most payers answer. */
function consentPause(left: number): number {
  return Math.min(5_000, growingPause(SESSION - left));
}

async function endSession(deps: Dependencies, input: PaymentRef): Promise<ConsentResult> {
  const pause = growingPause(0);
  const current = await deps.service.getConsent(input.paymentId);
  if (current.kind !== 'accepted')
    throw tryAgain('service_unreadable', `consent cannot be read: ${describe(current)}`, 5_000);
  if (current.value.status !== 'pending') throw tryAgain('pending', 'the consent was answered just now', pause);
  await markConsentDeleted(deps.ledger, input.subscriptionId);
  const deleted = await deps.service.cancelConsent(input.paymentId);
  if (deleted.kind !== 'accepted')
    throw tryAgain('service_unreadable', `consent cannot be deleted: ${describe(deleted)}`, 5_000);
  await remember(deps, input, deleted.value);
  return { kind: 'failed', reason: 'timeout' };
}

/** One look, kept in the ledger; null where it is still pending or cannot be read. */
async function lookAtConsent(deps: Dependencies, input: PaymentRef): Promise<ConsentResult | null> {
  const result = await deps.service.getConsent(input.paymentId);
  if (result.kind !== 'accepted') return null;
  await remember(deps, input, result.value);
  return toConsentResult(deps, input, result.value);
}

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

export async function remember(deps: Dependencies, input: PaymentRef, consent: Consent): Promise<void> {
  await recordConsentAnswer(deps.ledger, {
    subscriptionId: input.subscriptionId,
    status: consent.status,
    at: deps.clock.now(),
    reason: consent.reason ?? null,
  });
}

/** Waits until no POST is on the wire, deletes, and asks until the service says so (decisions 24). */
async function cancelConsent(deps: Dependencies, input: PaymentRef): Promise<void> {
  const oldestOnWire = deps.clock.realNow() - 2 * deps.settings.requestTimeout;
  if (await hasSendOnWire(deps.ledger, input.subscriptionId, oldestOnWire)) {
    throw tryAgain('blocked', 'an authorization is on the wire', growingPause(0));
  }
  await markConsentDeleted(deps.ledger, input.subscriptionId);
  const deleted = await deps.service.cancelConsent(input.paymentId);
  const consent = await deps.service.getConsent(input.paymentId);
  if (consent.kind === 'accepted') await remember(deps, input, consent.value);
  if (consent.kind === 'accepted' && (consent.value.status === 'cancelled' || consent.value.status === 'failed'))
    return;
  const seen = consent.kind === 'accepted' ? consent.value.status : describe(consent);
  throw tryAgain('service_unreadable', `DELETE: ${describe(deleted)}; the consent reads: ${seen}`, 2_000);
}

/** A result in words, without secrets: the client's reasons hold none. */
export function describe(result: ServiceResult<unknown>): string {
  switch (result.kind) {
    case 'accepted':
      return 'accepted';
    case 'rejected':
      return `refused with ${result.failure.detail}`;
    case 'not_sent':
    case 'unknown':
      return result.reason;
  }
}
