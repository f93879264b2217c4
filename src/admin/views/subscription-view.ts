import { toIso } from '../../domain/time';
import type { SubscriptionRecord } from '../../ledger';
import type { SubscriptionOut } from '../schemas/subscription';
import { viewPendingChange } from './amount-change-view';
import { isoOrNull, named } from './fields';

/** The ledger's record as the wire shows it. */
export function viewSubscription(record: SubscriptionRecord): SubscriptionOut {
  return {
    subscriptionId: record.subscriptionId,
    paymentId: record.paymentId,
    status: record.status,
    standing: record.standing,
    repetition: record.repetition,
    amount: record.amount,
    consentAmount: record.consentAmount,
    startAt: toIso(record.startAt),
    firstPaymentAt: toIso(record.firstPaymentAt),
    endAt: isoOrNull(record.endAt),
    nextDueAt: isoOrNull(record.nextDueAt),
    cyclesCollected: record.cyclesCollected,
    consent: viewConsent(record),
    ...named('pausedUntil', isoOrNull(record.pausedUntil)),
    ...named('cancelledBy', record.cancelledBy),
    ...(record.pendingChange === null ? {} : { pendingAmountChange: viewPendingChange(record.pendingChange) }),
    ...named('replaces', record.replaces),
    ...named('replacedBy', record.replacedBy),
    payer: { ...named('email', record.payer.email), ...named('reference', record.payer.reference) },
    createdAt: toIso(record.createdAt),
    workflowId: record.workflowId,
    ...(record.warnings.length === 0 ? {} : { warnings: [...record.warnings] }),
  };
}

/** The redirect address is of use only while the payer can still approve. */
function viewConsent({ status, consent }: SubscriptionRecord): SubscriptionOut['consent'] {
  const redirectURL = status === 'pending_consent' ? consent.redirectURL : null;
  return { status: consent.status, ...named('redirectURL', redirectURL), checkedAt: isoOrNull(consent.checkedAt) };
}
