/** The ledger: what happened with money, in PostgreSQL. The only place that knows SQL. */
export * from './alarms';
export * from './alerts';
export * from './api-keys';
export { isFinal, type Outcome, type OutcomeEvent, recordOutcome, type RecordOutcomeResult } from './attempt-outcomes';
export {
  type AttemptRecord,
  type AttemptState,
  authorizationIdsOf,
  heldAuthorizationIds,
  hasSendOnWire,
  latestSend,
  readSend,
  recordLook,
  type SendRef,
  sendsInVain,
  type SendsInVain,
} from './attempts';
export * from './changes';
export {
  type CreationPlace,
  creationStart,
  isCreationCursor,
  isDeadlineCursor,
  isNumberCursor,
  mergePages,
  type Page,
  type PageOf,
} from './cursor';
export { readConsentsDue } from './consents-due';
export * from './captures';
export * from './capture-orders';
export * from './cycles';
export type { Db } from './db';
export { listDeadlines, type OpenCycleRecord } from './deadlines';
export * from './deliveries';
export * from './drafts';
export * from './events';
export { type Halt, type HaltOrder, type HaltResult, haltSending, liftHalt, readHalt } from './halt';
export * from './idempotency';
export { adoptDraft, readAdopted } from './import-adoptions';
export * from './import-drafts';
export * from './ledgers';
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
export * from './open-orders';
export {
  isFinalOrderState,
  type OrderOutcome,
  recordOrderOutcome,
  type RecordOrderOutcomeResult,
} from './order-outcomes';
export {
  beginOrderSend,
  type BeginOrderSendResult,
  heldOrderIds,
  knownOrders,
  type KnownOrders,
  latestOrderSend,
  type NewOrderSend,
  type OrderSendRecord,
  type OrderSendRef,
  orderSendsInVain,
  type OrderSendState,
  readOrderSend,
  recordOrderLook,
} from './order-sends';
export { namesOfOrder, type OrderKind, type OrderSubject } from './order-trail';
export * from './orphans';
export { outcomeData } from './outcome-data';
export { erasePayer, type NewPayer, type PayerRecord, type PostalAddress } from './payers';
export { applyPaymentChange, type PaymentChange, type PaymentPatch } from './payment-changes';
export * from './payment-drafts';
export { capturableOf, type CaptureRecord, type PaymentRecord } from './payment-record';
export * from './payment-refund-orders';
export * from './payments';
export * from './pool';
export * from './rate-leases';
export { readList, readReport, ReadingRefused } from './reading';
export { readLedgerPayment } from './reconciliation';
export { type DifferenceRecord, listDifferences } from './reconciliation-differences';
export { readLedgerOneTimePayment } from './reconciliation-one-time';
export * from './reconciliation-report';
export * from './reconciliation-runs';
export { type ComparedPayment, type OneTimeRef, placeOf, readPaymentsTouched } from './reconciliation-touched';
export * from './refund-orders';
export * from './refund-placing';
export * from './refunds';
export { readExpected, sumCollections } from './reports';
export * from './resolutions';
export * from './sends';
export * from './steering';
export { type Frozen, readFacts } from './subscription-facts';
export type { ConsentRecord, ConsentState, Hold, SubscriptionRecord } from './subscription-record';
export * from './subscriptions';
export { inTransaction, isRefusedByLedger } from './transaction';
export * from './unsent-orders';
