import type { SubscriptionId } from '../domain/ids';
import type { SubscriptionStatus } from '../domain/subscription/state';
import type { PaymentRef } from './activities';

/** The types of the short workflows that ask once, so that no number of questions wears out a long one (rule 31). */
export const CONSENT_CHECK_WORKFLOW = 'consentCheck';
export const PAYMENT_CHECK_WORKFLOW = 'paymentCheck';

/** Whoever asks while it runs joins it. */
export function consentCheckWorkflowId(subscriptionId: SubscriptionId): string {
  return `consent-check/${subscriptionId}`;
}

/** @param requestId ours, as in the workflow id of the payment */
export function paymentCheckWorkflowId(requestId: string): string {
  return `payment-check/${requestId}`;
}

export interface ConsentCheckInput extends PaymentRef {
  /** As the ledger shows the subscription when it is asked. */
  readonly status: SubscriptionStatus;
}

export interface ConsentCheckResult {
  /** Whether the answer changes the subscription: its workflow has been told to look for itself. */
  readonly isNews: boolean;
}
