import type { ConsentRequestResult } from '../src/contract/activities';
import { getPaymentOfRequest, openPayment, type PaymentDraft, readPaymentDraft } from '../src/ledger';
import type { PaymentRequest } from '../src/payment-service';
import { openSession } from './consent-session';
import type { Dependencies } from './dependencies';

/**
 * Asks for the consent of a one-time payment's draft. Where the ledger already has it, run by a worker whose answer was
 * lost or before a reset, the same is answered and nothing is sent.
 */
export async function requestPayment(deps: Dependencies, requestId: string): Promise<ConsentRequestResult> {
  const draft = await readPaymentDraft(deps.ledger, requestId);
  if (draft === null) return paymentRequested(deps, requestId);
  return openSession(deps, {
    ...{ request: paymentRequest(draft), personal: draft },
    open: (opened) => openPayment(deps.ledger, { requestId, draftedRealAt: draft.draftedRealAt, ...opened }),
    onRecord: () => paymentRequested(deps, requestId),
  });
}

function paymentRequest(draft: PaymentDraft): PaymentRequest {
  const common = {
    amount: draft.amount,
    returnURL: draft.returnURL,
    billingAddress: draft.billingAddress,
    ...(draft.shippingAddress === null ? {} : { shippingAddress: draft.shippingAddress }),
  };
  if (draft.plan === 'SINGLE') return { useCase: 'SINGLE', ...common };
  const { partialCapture, multipleCapture } = draft;
  const timeToCapture = draft.timeToCapture ?? undefined;
  return { useCase: 'EVENT_DEPENDENT', ...common, timeToCapture, partialCapture, multipleCapture };
}

async function paymentRequested({ ledger }: Dependencies, requestId: string): Promise<ConsentRequestResult> {
  const payment = await getPaymentOfRequest(ledger, requestId);
  if (payment === null) return { kind: 'unavailable', reason: 'the draft of the payment is gone from the ledger' };
  return { kind: 'requested', paymentId: payment.paymentId, requestedRealAt: payment.consent.requestedRealAt };
}
