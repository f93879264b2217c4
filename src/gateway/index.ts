/** Temporal's client side: starts workflows, steers them, and says what came of it. */
export type {
  AdoptOutcome,
  ChangeOrder,
  ChangeOutcome,
  CreateOutcome,
  ImportOrder,
  OrderedReconciliation,
  OrderRun,
  PaymentGateway,
  ReconciliationGateway,
  RefundGateway,
  RefundRun,
  SteerOutcome,
  SubscriptionGateway,
} from './outcomes';
export { createPaymentGateway, type PaymentPatience } from './payments';
export { createReconciliationGateway, type ReconciliationPatience } from './reconciliation';
export { createRefundGateway } from './refunds';
export { isRunning } from './restart';
export { spreadOf } from './subscription-start';
export { createTemporalGateway } from './subscriptions';
export { isNotReady, readSteerError } from './temporal';
