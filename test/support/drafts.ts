import { randomUUID } from 'node:crypto';
import type { Clock } from '../../src/platform/clock';
import { subscriptionWorkflowId } from '../../src/contract/workflows';
import type { SubscriptionId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { DAY } from '../../src/domain/time';
import type { SubscriptionDraft } from '../../src/ledger';
import { address } from '../admin/order';

/** A draft as the API makes it, due in a month. */
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
