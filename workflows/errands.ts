import { setCurrentDetails } from '@temporalio/workflow';
import { type ConsentCheckInput, type ConsentCheckResult, lookAtConsentSignal } from '../src/contract/messages';
import type { PaymentLook, PaymentReference, RefundInput, RefundResult } from '../src/contract/payments';
import type { NoticeId } from '../src/domain/ids';
import { formatMoney } from '../src/domain/money';
import type { ConsentResult } from '../src/domain/subscription/state';
import { deliverNotice, lookAtConsent, lookAtPayment, refundPayment } from './activities';
import { signalSubscription } from './runtime';

/** Workflows of one errand each, which end once it is done. */

/** Asks for a consent once. Notifies the subscription only of a change; it then asks the service itself (rule 31). */
export async function consentCheck({ status, ...reference }: ConsentCheckInput): Promise<ConsentCheckResult> {
  const result = await lookAtConsent({ ...reference, tellsUnavailable: true });
  if (result?.kind === 'unavailable') return { isNews: false, unavailable: result.reason };
  const isNews = result !== null && changes(result, status);
  if (isNews) await signalSubscription(reference.subscriptionId, lookAtConsentSignal);
  return { isNews };
}

/** One look at a one-time payment, kept in the ledger, where its workflow finds it. */
export async function paymentCheck(reference: PaymentReference): Promise<PaymentLook> {
  return lookAtPayment(reference);
}

function changes(result: ConsentResult, status: ConsentCheckInput['status']): boolean {
  return result.kind !== 'granted' || status === 'pending_consent';
}

/**
 * Delivers one notice that nothing waits for. Outlives the workflow that ordered it.
 * @param again a person asks for it, delivered or not
 */
export async function notice(noticeId: NoticeId, again = false): Promise<void> {
  await deliverNotice(again ? { noticeId, again } : { noticeId });
}

/** Makes one refund that the ledger has ordered, and asks until it is final; money is guarded there, not here. */
export async function refund(input: RefundInput): Promise<RefundResult> {
  const { subscriptionId, paymentId, cycle, captureId, amount } = input;
  const whose = cycle === null ? `payment ${paymentId}` : `cycle ${cycle} of ${subscriptionId}`;
  setCurrentDetails(`- ${formatMoney(amount)} of ${whose}\n- Capture ${captureId}`);
  return refundPayment(input);
}
