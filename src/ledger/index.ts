/** The ledger: what happened with money, in PostgreSQL. The only place that knows SQL. */
export * from './alerts';
export * from './access';
export {
  isFinal,
  type Outcome,
  type OutcomeEvent,
  recordOutcome,
  type RecordOutcomeResult,
  outcomeData,
} from './attempts/outcomes';
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
} from './attempts/attempts';
export * from './subscriptions/changes';
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
export { readConsentsDue } from './subscriptions/subscriptions';
export * from './payments/payments';
export * from './orders/place-capture';
export * from './subscriptions/cycles';
export { type Db, inTransaction, isRefusedByLedger } from './database';
export { listDeadlines, type OpenCycleRecord, readExpected, sumCollections } from './reports';
export * from './notices';
export * from './subscriptions/drafts';
export * from './events';
export { type Halt, type HaltOrder, type HaltResult, haltSending, liftHalt, readHalt } from './halt';
export * from './idempotency';
export { adoptDraft, readAdopted } from './subscriptions/imports';
export * from './subscriptions/imports';
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
export * from './orders/open-orders';
export {
  isFinalOrderState,
  type OrderOutcome,
  recordOrderOutcome,
  type RecordOrderOutcomeResult,
} from './orders/outcomes';
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
  namesOfOrder,
  type OrderKind,
  type OrderSubject,
} from './orders/sends';
export * from './subscriptions/orphans';
export {
  erasePayer,
  type NewPayer,
  type PayerRecord,
  type PostalAddress,
  type ConsentRecord,
  type ConsentState,
  type Hold,
  type SubscriptionRecord,
} from './subscriptions/record';
export { applyPaymentChange, type PaymentChange, type PaymentPatch } from './payments/changes';
export * from './payments/drafts';
export { capturableOf, type CaptureRecord, type PaymentRecord } from './payments/payments';
export * from './orders/place-refund';
export * from './database';
export * from './rate-leases';
export { readList, readReport, ReadingRefused } from './reading';
export {
  readLedgerPayment,
  readLedgerOneTimePayment,
  type ComparedPayment,
  type OneTimeRef,
  placeOf,
  readPaymentsTouched,
} from './reconciliation/payments';
export { type DifferenceRecord, listDifferences } from './reconciliation/runs';
export * from './reconciliation/report';
export * from './reconciliation/runs';
export * from './orders/refunds';
export * from './attempts/resolutions';
export * from './attempts/sends';
export * from './subscriptions/steering';
export { type Frozen, readFacts } from './subscriptions/facts';
export * from './subscriptions/subscriptions';
export * from './orders/outcomes';
