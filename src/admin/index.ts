/** The admin API: what merchants' systems and staff call. */
export type { AdminDeps, Limits, Probe } from './admin-deps';
export { createAdmin } from './create-admin';
export type { Policy } from './creation-rules';
export { issueKey, type IssueResult, type KeyAct, withdrawKey } from './key-ring';
export type { OrderRun, PaymentGateway } from './payment-gateway';
export type { OrderedReconciliation, ReconciliationGateway } from './reconciliation-gateway';
export type { RefundGateway, RefundRun } from './refund-gateway';
export type {
  AdoptOutcome,
  ChangeOrder,
  ChangeOutcome,
  CreateOutcome,
  ImportOrder,
  SteerOutcome,
  SubscriptionGateway,
} from './subscription-gateway';
export type { Patience, TemporalGatewayDeps } from './temporal-deps';
export { createTemporalGateway } from './temporal-gateway';
export { createPaymentGateway, type PaymentGatewayDeps, type PaymentPatience } from './temporal-payments';
export { isRunning } from './temporal-restart';
export { createReconciliationGateway, type ReconciliationPatience } from './temporal-reconciliation';
export { createRefundGateway, type RefundPatience } from './temporal-refunds';
