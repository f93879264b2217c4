/** Temporal's client side: starts workflows, steers them, and says what came of it. */
export type { CreateOutcome, NotDone, ReplacedByAnother, SteerOutcome, WorkflowOutcome } from './outcomes';
export { attemptOfWorkflow, type ClosedWorkflow, listClosed, startAttempt } from './restart';
export {
  createPaymentGateway,
  type OrderRun,
  type PaymentGateway,
  type PaymentPatience,
  type PaymentVerb,
} from './payments';
export {
  createReconciliationGateway,
  type OrderedReconciliation,
  type ReconciliationGateway,
  type ReconciliationPatience,
} from './reconciliation';
export { createRefundGateway, type RefundGateway, type RefundRun } from './refunds';
export { startImported } from './imported-starts';
export { isRunning, notifyWorkflow } from './starts';
export { frozenFor, spreadOf } from './subscription-start';
export { type ChangeOrder, type ChangeOutcome, createSteering, type Steered, type Steering } from './steering';
export { createTemporalGateway, type SubscriptionGateway } from './subscriptions';
export { hasWorker, isNotReady, onTaskQueue, quoted, readSteerError } from './temporal';
export {
  heldRuns,
  hold,
  letGo,
  letStraysGo,
  makeCurrent,
  movedBy,
  readVersions,
  type Version,
  type VersionAccess,
  type Versions,
  type WorkflowRun,
} from './versions';
