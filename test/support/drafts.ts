import { randomUUID } from 'node:crypto';
import type { Clock } from '../../src/platform/clock';
import { paymentWorkflowId } from '../../src/contract/payments';
import { subscriptionWorkflowId } from '../../src/contract/workflows';
import type { SubscriptionId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { DAY } from '../../src/domain/time';
import type { PaymentDraft, SubscriptionDraft } from '../../src/ledger';
import { address } from '../admin/order';

/** A draft as the API creates it, due in 30 days. */
export function draftOf(clock: Clock, changes: Partial<SubscriptionDraft> = {}): SubscriptionDraft {
  const subscriptionId = (changes.subscriptionId ?? `sub_${randomUUID()}`) as SubscriptionId;
  return {
    subscriptionId,
    workflowId: subscriptionWorkflowId(subscriptionId),
    repetition: 'MONTHLY',
    consentAmount: euros(1999),
    startAt: clock.now(),
    firstPaymentAt: clock.now() + 30 * DAY,
    endAt: null,
    onExhausted: 'continue',
    returnURL: 'https://shop.example/',
    payer: { email: null, reference: null },
    billingAddress: address() as unknown as SubscriptionDraft['billingAddress'],
    shippingAddress: null,
    replaces: null,
    warnings: [],
    createdAt: clock.now(),
    draftedRealAt: clock.realNow(),
    ...changes,
  };
}

/** A draft of an Event Dependent payment of 100.00 EUR, as the API creates it. */
export function paymentDraftOf(clock: Clock, changes: Partial<PaymentDraft> = {}): PaymentDraft {
  const requestId = `pay_${randomUUID()}`;
  return {
    requestId,
    workflowId: paymentWorkflowId(requestId),
    plan: 'EVENT_DEPENDENT',
    amount: euros(10_000),
    returnURL: 'https://shop.example/back',
    timeToCapture: 172_800,
    merchantCategoryCode: null,
    partialCapture: true,
    multipleCapture: true,
    shippingAddress: null,
    actor: 'till',
    billingAddress: { name: 'Ada Byron', street: 'Ring 1', postalCode: 'D-10115', city: 'Berlin', country: 'DE' },
    createdAt: clock.now(),
    draftedRealAt: clock.realNow(),
    ...changes,
  };
}
