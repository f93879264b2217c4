import { getExternalWorkflowHandle, setCurrentDetails } from '@temporalio/workflow';
import type { Changed } from '../src/contract/activities';
import { changedSignal, type ConsentCheckInput, type ConsentCheckResult } from '../src/contract/messages';
import type { PaymentLook, PaymentReference, RefundInput, RefundResult } from '../src/contract/payments';
import { subscriptionWorkflowId } from '../src/contract/workflows';
import { formatMoney } from '../src/domain/money';
import { checkConsent, lookAtPayment, refundPayment } from './activities';
import { isFailure } from './runtime';

/** Workflows of one errand each, which end once it is done. */

/** Asks for a consent once. What that changes is in the ledger, and the subscription is notified (rule 31). */
export async function consentCheck(reference: ConsentCheckInput): Promise<ConsentCheckResult> {
  const { changed, unavailable } = await checkConsent(reference);
  if (changed !== null) await notifySubscription(changed);
  return { isNews: changed !== null, ...(unavailable === undefined ? {} : { unavailable }) };
}

/** One look at a one-time payment, kept in the ledger, where its workflow finds it. */
export async function paymentCheck(reference: PaymentReference): Promise<PaymentLook> {
  return lookAtPayment(reference);
}

/** Makes one refund that the ledger has ordered, and asks until it is final; money is guarded there, not here. */
export async function refund(input: RefundInput): Promise<RefundResult> {
  const { subscriptionId, paymentId, cycle, captureId, amount } = input;
  const whose = cycle === null ? `payment ${paymentId}` : `cycle ${cycle} of ${subscriptionId}`;
  setCurrentDetails(`- ${formatMoney(amount)} of ${whose}\n- Capture ${captureId}`);
  return refundPayment(input);
}

/** Notifies the workflow of a subscription of its row's revision; one that has ended needs no signal. */
export async function notifySubscription({ subscriptionId, revision }: Changed): Promise<void> {
  try {
    await getExternalWorkflowHandle(subscriptionWorkflowId(subscriptionId)).signal(changedSignal, revision);
  } catch (error) {
    if (!isFailure(error)) throw error;
  }
}
