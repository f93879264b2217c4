/** The ledger: what happened with money, in PostgreSQL. The only place that knows SQL. */
export * from './alarms';
export * from './api-keys';
export { isFinal, type Outcome, type OutcomeEvent, recordOutcome, type RecordOutcomeResult } from './attempt-outcomes';
export {
  type AttemptRecord,
  type AttemptState,
  authorizationIdsOf,
  hasSendOnWire,
  latestSend,
  readSend,
  recordLook,
  type SendRef,
} from './attempts';
export * from './changes';
export { isDeadlineCursor, isNumberCursor, isSubscriptionCursor, type Page, type PageOf } from './cursor';
export { readConsentsDue } from './consents-due';
export * from './cycles';
export type { Db } from './db';
export { listDeadlines, type OpenCycleRecord } from './deadlines';
export * from './deliveries';
export * from './drafts';
export * from './events';
export * from './idempotency';
export { adoptDraft, readAdopted } from './import-adoptions';
export * from './import-drafts';
export * from './migrate';
export {
  type NoticeForDelivery,
  type NoticeRecord,
  type NoticeState,
  orderPaymentFailedNotice,
  type PaymentFailedOrder,
  pendingNotices,
  readNoticeForDelivery,
} from './notices';
export { erasePayer, type NewPayer, type PayerRecord, type PostalAddress } from './payers';
export * from './pool';
export { readLedgerPayment, readPaymentsTouched } from './reconciliation';
export { type DifferenceRecord, listDifferences } from './reconciliation-differences';
export * from './reconciliation-runs';
export * from './refund-orders';
export { outcomeData } from './outcome-data';
export * from './refund-outcomes';
export {
  beginRefundSend,
  type BeginRefundSendResult,
  knownRefunds,
  type KnownRefunds,
  latestRefundSend,
  type NewRefundSend,
  readRefundSend,
  recordRefundLook,
  type RefundSendRecord,
  type RefundSendRef,
  type RefundSendState,
} from './refund-sends';
export * from './refunds';
export { readExpected, sumCollections } from './reports';
export * from './resolutions';
export * from './sends';
export type { ConsentRecord, ConsentState, Hold, SubscriptionRecord } from './subscription-record';
export * from './subscriptions';
export { inTransaction } from './transaction';
