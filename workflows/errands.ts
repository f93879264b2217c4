import type { ConsentChecked, PaymentRef } from '../src/contract/activities';
import {
  type CaptureInput,
  type ChangedPayment,
  type PaymentChecked,
  type PaymentReference,
  paymentWorkflowId,
  type RefundInput,
  type RefundResult,
} from '../src/contract/payments';
import { subscriptionWorkflowId } from '../src/contract/workflows';
import { activities } from './activities';
import { signalChanged } from './runtime';

// Workflows that do one thing and end. When they end, any change is in the ledger (rule 31).

/** Checks a consent once. */
export async function consentCheck(reference: PaymentRef): Promise<ConsentChecked> {
  const checked = await activities.checkConsent(reference);
  const { changed } = checked;
  if (changed !== null) await signalChanged(subscriptionWorkflowId(changed.subscriptionId), changed.revision);
  return checked;
}

/** Checks a one-time payment once. */
export async function paymentCheck(reference: PaymentReference): Promise<PaymentChecked> {
  const checked = await activities.checkPayment(reference);
  await notifyPayment(checked.changed);
  return checked;
}

/** Executes one ordered capture, and polls until it is final; the ledger guards against double sending. */
export async function capture(input: CaptureInput): Promise<void> {
  const { changed } = await activities.capturePayment(input);
  await notifyPayment(changed);
}

/** Executes one ordered refund, as {@link capture} does. */
export async function refund(input: RefundInput): Promise<RefundResult> {
  return activities.refundPayment(input);
}

async function notifyPayment(changed: ChangedPayment | null): Promise<void> {
  if (changed !== null) await signalChanged(paymentWorkflowId(changed.requestId), changed.revision);
}
