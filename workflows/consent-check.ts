import { TemporalFailure } from '@temporalio/common';
import { getExternalWorkflowHandle, isCancellation } from '@temporalio/workflow';
import { type ConsentCheckInput, type ConsentCheckResult, lookAtConsentSignal } from '../src/contract/messages';
import type { PaymentReference } from '../src/contract/payments';
import { subscriptionWorkflowId } from '../src/contract/workflows';
import type { ConsentResult } from '../src/domain/subscription/state';
import { lookAtConsent, lookAtPayment } from './activities';

/** Asks for a consent once. Notifies the subscription only of a change; it then asks the service itself (rule 31). */
export async function consentCheck({ status, ...reference }: ConsentCheckInput): Promise<ConsentCheckResult> {
  const result = await lookAtConsent(reference);
  const isNews = result !== null && changes(result, status);
  if (isNews) await notify(reference.subscriptionId);
  return { isNews };
}

/** One look at a one-time payment, kept in the ledger, where its workflow finds it. */
export async function paymentCheck(reference: PaymentReference): Promise<void> {
  await lookAtPayment(reference);
}

function changes(result: ConsentResult, status: ConsentCheckInput['status']): boolean {
  return result.kind !== 'granted' || status === 'pending_consent';
}

async function notify(subscriptionId: ConsentCheckInput['subscriptionId']): Promise<void> {
  try {
    await getExternalWorkflowHandle(subscriptionWorkflowId(subscriptionId)).signal(lookAtConsentSignal);
  } catch (error) {
    // It has ended: there is nothing to notify.
    if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
  }
}
