import type { ConsentRequestResult } from '../src/contract/activities';
import type { SubscriptionId } from '../src/domain/ids';
import { getSubscription, openConsent, readDraft, type SubscriptionDraft } from '../src/ledger';
import type { PaymentRequest } from '../src/payment-service';
import { openSession } from './consent-session';
import type { Dependencies } from './dependencies';

/**
 * Asks for the consent of a draft. Where the ledger already has it, run by a worker whose answer was lost or before a
 * reset, the same is answered and nothing is sent.
 */
export async function requestConsent(
  deps: Dependencies,
  subscriptionId: SubscriptionId,
): Promise<ConsentRequestResult> {
  const draft = await readDraft(deps.ledger, subscriptionId);
  if (draft === null) return consentOnRecord(deps, subscriptionId);
  return openSession(deps, {
    ...{ request: paymentRequest(draft), personal: draft },
    open: (opened) => openConsent(deps.ledger, { subscriptionId, draftedRealAt: draft.draftedRealAt, ...opened }),
    onRecord: () => consentOnRecord(deps, subscriptionId),
  });
}

function paymentRequest(draft: SubscriptionDraft): PaymentRequest {
  return {
    useCase: 'SUBSCRIPTION',
    amount: draft.consentAmount,
    returnURL: draft.returnURL,
    billingAddress: draft.billingAddress,
    ...(draft.shippingAddress === null ? {} : { shippingAddress: draft.shippingAddress }),
    repetition: draft.repetition,
    startAt: draft.startAt,
    firstPaymentAt: draft.firstPaymentAt,
    ...(draft.endAt === null ? {} : { endAt: draft.endAt }),
  };
}

async function consentOnRecord(deps: Dependencies, subscriptionId: SubscriptionId): Promise<ConsentRequestResult> {
  const subscription = await getSubscription(deps.ledger, subscriptionId);
  const requestedRealAt = subscription?.consent.requestedRealAt ?? null;
  const paymentId = subscription?.paymentId ?? null;
  return paymentId === null || requestedRealAt === null
    ? { kind: 'unavailable', reason: 'the draft of the subscription is gone from the ledger' }
    : { kind: 'requested', paymentId, requestedRealAt };
}
