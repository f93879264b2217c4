import type { PaymentRef } from '../src/contract/activities';
import { consentEndedBy, type ConsentResult, type CollectResult } from '../src/domain/subscription/state';
import { getSubscription, recordConsentAnswer } from '../src/ledger';
import type { Consent } from '../src/payment-service';
import type { Dependencies } from './dependencies';

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

/** What the service said, kept in the ledger. */
export async function remember(deps: Dependencies, input: PaymentRef, consent: Consent): Promise<void> {
  await recordConsentAnswer(deps.ledger, {
    subscriptionId: input.subscriptionId,
    status: consent.status,
    at: deps.clock.now(),
    reason: consent.reason ?? null,
  });
}

/** `cancelled` or `failed` ends the subscription (decisions 7). */
export function endOfConsent(
  result: Exclude<ConsentResult, { kind: 'granted' }>,
): Extract<CollectResult, { kind: 'consent_ended' }> {
  return { kind: 'consent_ended', by: result.kind === 'cancelled' ? result.by : 'payer', reason: result.reason };
}
