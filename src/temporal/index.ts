/** Temporal's client side: starts and steers workflows, and returns the outcomes. */
export type { CreateOutcome, NotDone, ReplacedByAnother, RequestOutcome } from './outcomes';
export { attemptOfWorkflow, type ClosedWorkflow, listClosed, startAttempt } from './restart';
export { createPaymentWorkflows, type PaymentWorkflows, type PaymentTimeouts, type PaymentVerb } from './payments';
export {
  createReconciliationWorkflows,
  type OrderedReconciliation,
  type ReconciliationWorkflows,
  type ReconciliationTimeouts,
} from './reconciliation';
export { createRefundWorkflows, type OrderRun, type RefundWorkflows } from './orders';
export { startImported } from './imported-starts';
export { frozenFor, isRunning, notifyWorkflow, spreadOf } from './starts';
export { type AmountChangeRequest, type ChangeOutcome, createSteering, type Steered, type Steering } from './steering';
export { createSubscriptionWorkflows, type SubscriptionWorkflows } from './subscriptions';
export { hasWorker, isNotReady, onTaskQueue, quoted } from './temporal';
export {
  heldRuns,
  hold,
  unpin,
  releaseStrays,
  makeCurrent,
  movedBy,
  readVersions,
  type Version,
  type VersionAccess,
  type Versions,
  type WorkflowRun,
} from './versions';
