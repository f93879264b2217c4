/** Temporal's client side: starts and steers workflows, and returns the outcomes. */
export type { CreateOutcome, NotDone, ReplacedByAnother, SteerOutcome } from './outcomes';
export { attemptOfWorkflow, type ClosedWorkflow, listClosed, startAttempt } from './restart';
export { createPaymentGateway, type PaymentGateway, type PaymentTimeouts, type PaymentVerb } from './payments';
export {
  createReconciliationGateway,
  type OrderedReconciliation,
  type ReconciliationGateway,
  type ReconciliationTimeouts,
} from './reconciliation';
export { createRefundGateway, type OrderRun, type RefundGateway } from './orders';
export { startImported } from './imported-starts';
export { frozenFor, isRunning, notifyWorkflow, spreadOf } from './starts';
export { type AmountChangeRequest, type ChangeOutcome, createSteering, type Steered, type Steering } from './steering';
export { createTemporalGateway, type SubscriptionGateway } from './subscriptions';
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
