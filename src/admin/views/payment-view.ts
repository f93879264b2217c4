import { toIso } from '../../domain/time';
import { remainingOf } from '../../domain/payment/payment';
import { capturableOf, type PaymentRecord } from '../../ledger';
import type { AuthorizationOut, PaymentOut } from '../schemas/payment';
import { viewCapture } from './capture-view';
import { isoOrNull, named } from './fields';
import { viewRefund } from './refund-view';

/** The ledger's record of a one-time payment as the wire shows it. */
export function viewPayment(record: PaymentRecord): PaymentOut {
  return {
    paymentId: record.paymentId,
    plan: record.plan,
    amount: record.amount,
    status: record.status,
    consent: viewConsent(record),
    authorizations: viewAuthorizations(record),
    captures: record.captures.map(viewCapture),
    refunds: record.refunds.map(viewRefund),
    ...named('captureBy', isoOrNull(record.captureBy)),
    remaining: remainingOf(capturableOf(record)),
    partialCapture: record.partialCapture,
    multipleCapture: record.multipleCapture,
    timeToCapture: record.timeToCapture,
    ...named('merchantCategoryCode', record.merchantCategoryCode),
    ...named('releaseRequestedAt', isoOrNull(record.releaseOrderedAt)),
    ...named('releasedAt', isoOrNull(record.releasedAt)),
    ...named('expiredAt', isoOrNull(record.expiredAt)),
    createdAt: toIso(record.createdAt),
    workflowId: record.workflowId,
  };
}

/** The redirect address is of use only while the payer can still approve. */
function viewConsent({ consent }: PaymentRecord): PaymentOut['consent'] {
  const redirectURL = consent.status === 'pending' ? consent.redirectURL : null;
  return { status: consent.status, ...named('redirectURL', redirectURL), checkedAt: isoOrNull(consent.checkedAt) };
}

/** One at most: the payer's bank is asked once, for the whole amount. */
function viewAuthorizations({ authorization, amount }: PaymentRecord): AuthorizationOut[] {
  if (authorization === null) return [];
  const { authorizationId, state, createdAt, detail, description } = authorization;
  return [
    {
      ...{ authorizationId, amount, status: state, createdAt: toIso(createdAt) },
      ...named('detail', detail),
      ...named('description', description),
    },
  ];
}
