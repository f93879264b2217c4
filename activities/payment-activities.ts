import { Context } from '@temporalio/activity';
import type { PaymentActivities } from '../src/contract/payments';
import { deletePaymentDraft } from '../src/ledger';
import { capturePayment } from './capture-payment';
import type { Dependencies } from './dependencies';
import { announceDeadline, expirePayment, releasePayment } from './end-payment';
import { followPayment, lookAtPayment } from './follow-payment';
import { withHeartbeat } from './heartbeat';
import { requestPayment } from './request-payment';

/** What concerns Single Immediate and Event Dependent payments. */
export function paymentActivities(deps: Dependencies): PaymentActivities {
  const scheduledAt = () => Context.current().info.scheduledTimestampMs;
  return {
    requestPayment: ({ requestId }) => withHeartbeat(() => requestPayment(deps, requestId)),
    discardPayment: ({ requestId }) => deletePaymentDraft(deps.ledger, requestId),
    followPayment: (input) => withHeartbeat(() => followPayment(deps, input)),
    lookAtPayment: (input) => withHeartbeat(() => lookAtPayment(deps, input)),
    capturePayment: (input) => capturePayment(deps, input, scheduledAt()),
    releasePayment: (input) => withHeartbeat(() => releasePayment(deps, input, scheduledAt())),
    announceDeadline: (input) => announceDeadline(deps, input),
    expirePayment: (input) => expirePayment(deps, input, input.transit, scheduledAt()),
  };
}
