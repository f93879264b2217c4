import type { OrderId, SubscriptionId } from '../domain/ids';
import { HOUSEKEEPING_WORKFLOW, RECONCILIATION_WORKFLOW } from './housekeeping';

/** The ids of workflows that only clients start: no workflow starts or notifies them. */

/** One for each subscription: a caller who requests a check while one runs joins it. */
export function consentCheckWorkflowId(subscriptionId: SubscriptionId): string {
  return `consent-check/${subscriptionId}`;
}

/** @param requestId our id, as in the workflow id of the payment */
export function paymentCheckWorkflowId(requestId: string): string {
  return `payment-check/${requestId}`;
}

export function captureWorkflowId(orderId: OrderId): string {
  return `capture/${orderId}`;
}

export function refundWorkflowId(refundId: OrderId): string {
  return `refund/${refundId}`;
}

/** The default task queue. */
const DEFAULT_TASK_QUEUE = 'billing';

/** One for each task queue: several stacks, each with its own ledger and clock, may share a namespace. */
export function housekeepingWorkflowId(taskQueue: string): string {
  return taskQueue === DEFAULT_TASK_QUEUE ? HOUSEKEEPING_WORKFLOW : `${HOUSEKEEPING_WORKFLOW}/${taskQueue}`;
}

/** For comparisons that an operator starts, one at a time; the daily run has another id. */
export function reconciliationWorkflowId(taskQueue: string): string {
  return `${RECONCILIATION_WORKFLOW}/${taskQueue}`;
}
