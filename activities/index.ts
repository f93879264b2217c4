import { Context } from '@temporalio/activity';
import type { Activities } from '../src/contract/activities';
import type { HousekeepingActivities } from '../src/contract/housekeeping';
import type { PaymentActivities } from '../src/contract/payments';
import type { RefundActivities } from '../src/contract/refunds';
import { collectPayment } from './collect-payment';
import { consentActivities } from './consent-activities';
import type { Dependencies } from './dependencies';
import { housekeepingActivities } from './housekeeping';
import { noticeActivities } from './notices';
import { paymentActivities } from './payment-activities';
import { recordActivities } from './record';
import { resolveAttempt } from './resolve-attempt';
import { refundPayment } from './refund-payment';

export type { ActivitySettings, Dependencies, WorkflowDirectory } from './dependencies';
export { isStop } from './failures';

/** The activities of one worker, with what they work with handed in. */
export function createActivities(
  deps: Dependencies,
): Activities & RefundActivities & PaymentActivities & HousekeepingActivities {
  return {
    ...consentActivities(deps),
    ...noticeActivities(deps),
    ...recordActivities(deps),
    ...housekeepingActivities(deps),
    ...paymentActivities(deps),
    collectPayment: (input) => collectPayment(deps, input, Context.current().info.scheduledTimestampMs),
    resolveAttempt: (input) => resolveAttempt(deps, input),
    refundPayment: (input) => refundPayment(deps, input, Context.current().info.scheduledTimestampMs),
  };
}
