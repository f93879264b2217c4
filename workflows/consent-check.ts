import { type ConsentCheckInput, type ConsentCheckResult, lookAtConsentSignal } from '../src/contract/messages';
import type { PaymentReference } from '../src/contract/payments';
import type { ConsentResult } from '../src/domain/subscription/state';
import { lookAtConsent, lookAtPayment } from './activities';
import { signalSubscription } from './runtime';

/** Asks for a consent once. Notifies the subscription only of a change; it then asks the service itself (rule 31). */
export async function consentCheck({ status, ...reference }: ConsentCheckInput): Promise<ConsentCheckResult> {
  const result = await lookAtConsent(reference);
  const isNews = result !== null && changes(result, status);
  if (isNews) await signalSubscription(reference.subscriptionId, lookAtConsentSignal);
  return { isNews };
}

/** One look at a one-time payment, kept in the ledger, where its workflow finds it. */
export async function paymentCheck(reference: PaymentReference): Promise<void> {
  await lookAtPayment(reference);
}

function changes(result: ConsentResult, status: ConsentCheckInput['status']): boolean {
  return result.kind !== 'granted' || status === 'pending_consent';
}
