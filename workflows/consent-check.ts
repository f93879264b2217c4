import { TemporalFailure } from '@temporalio/common';
import { getExternalWorkflowHandle, isCancellation } from '@temporalio/workflow';
import { type ConsentCheckInput, type ConsentCheckResult, lookAtConsentSignal } from '../src/contract/messages';
import type { PaymentReference } from '../src/contract/payments';
import { subscriptionWorkflowId } from '../src/contract/workflows';
import type { ConsentResult } from '../src/domain/subscription/state';
import { lookAtConsent, lookAtPayment } from './activities';

/** Asks for a consent once. Only what changes something is told to the subscription, which looks for itself (rule 31). */
export async function consentCheck({ status, ...reference }: ConsentCheckInput): Promise<ConsentCheckResult> {
  const result = await lookAtConsent(reference);
  const isNews = result !== null && changes(result, status);
  if (isNews) await tell(reference.subscriptionId);
  return { isNews };
}

/** One look at a one-time payment, kept in the ledger, where its workflow finds it. */
export async function paymentCheck(reference: PaymentReference): Promise<void> {
  await lookAtPayment(reference);
}

function changes(result: ConsentResult, status: ConsentCheckInput['status']): boolean {
  return result.kind !== 'granted' || status === 'pending_consent';
}

async function tell(subscriptionId: ConsentCheckInput['subscriptionId']): Promise<void> {
  try {
    await getExternalWorkflowHandle(subscriptionWorkflowId(subscriptionId)).signal(lookAtConsentSignal);
  } catch (error) {
    // It has ended: there is nobody to tell.
    if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
  }
}
