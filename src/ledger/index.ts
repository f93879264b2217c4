/** The ledger: what happened with money, in PostgreSQL. The only place that knows SQL. */
export {
  findKeyByHash,
  insertKey,
  type KeyRecord,
  listKeys,
  type NewKey,
  recordKeyUse,
  revokeKey,
  type Role,
  ROLES,
} from './access';
export { type Alarms, raiseAlerts, readAlarms } from './alerts';
export {
  type AttemptRecord,
  authorizationIdsOf,
  hasSendOnWire,
  heldAuthorizationIds,
  latestSend,
  readSend,
  recordLook,
  type SendRef,
  sendsInVain,
  type SendsInVain,
} from './attempts/attempts';
export { isFinal, type Outcome, outcomeData, recordOutcome } from './attempts/outcomes';
export { type Resolution, resolveAttempt, type ResolveResult } from './attempts/resolutions';
export { beginSend, type BeginSendResult, type NewSend, readIsHeld } from './attempts/sends';
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
export { createPool, type Db, inTransaction, isRefusedByLedger, ping, type Pool } from './database';
export { type EventRecord, insertEvent, listEvents, type NewEvent } from './events';
export { type Halt, haltSending, liftHalt, readHalt } from './halt';
export {
  abandonIdempotent,
  beginIdempotent,
  finishIdempotent,
  IDEMPOTENCY_LIFE,
  type IdempotentRequest,
  type IdempotentRun,
  purgeIdempotent,
  renewIdempotent,
  type StoredAnswer,
} from './idempotency';
export { type Duties, type Ledgers, openLedgers, shareOut } from './ledgers';
export { isSchemaCurrent, migrate } from './migrate';
export {
  type DeliveryResult,
  type NoticeForDelivery,
  type NoticeRecord,
  orderPaymentFailedNotice,
  pendingNotices,
  readNoticeForDelivery,
  recordDelivery,
} from './notices';
export {
  listOpenOrders,
  listOrdersNotBegun,
  listRefundsBegun,
  type OpenOrder,
  type OpenOrderPage,
  type OpenOrderPlace,
} from './orders/open-orders';
export { failUnsent, isFinalOrderState, type OrderOutcome, recordOrderOutcome } from './orders/outcomes';
export { orderCapture, type OrderCaptureResult, orderRelease } from './orders/place-capture';
export { type NewRefund, orderPaymentRefund, orderRefund, type OrderRefundResult } from './orders/place-refund';
export { getRefund, type RefundRecord } from './orders/refunds';
export {
  beginOrderSend,
  type BeginOrderSendResult,
  heldOrderIds,
  knownOrders,
  latestOrderSend,
  namesOfOrder,
  type NewOrderSend,
  type OrderKind,
  type OrderSendRecord,
  type OrderSendRef,
  orderSendsInVain,
  type OrderSendState,
  type OrderSubject,
  readOrderSend,
  recordOrderLook,
} from './orders/sends';
export { applyPaymentChange, type PaymentPatch } from './payments/changes';
export {
  deletePaymentDraft,
  insertPaymentDraft,
  openPayment,
  type PaymentDraft,
  purgePaymentDrafts,
  readPaymentDraft,
} from './payments/drafts';
export {
  capturableOf,
  type CaptureRecord,
  getCapture,
  getPayment,
  getPaymentOfRequest,
  listPayments,
  type OrderedCapture,
  type PaymentRecord,
  type ReleasePlace,
  releasesUnconfirmed,
} from './payments/payments';
export { readRateLeases, renewRateLease, takeRateLease } from './rate-leases';
export { ReadingRefused, readList, readReport } from './reading';
export {
  type ComparedPayment,
  type OneTimeRef,
  placeOf,
  readLedgerOneTimePayment,
  readLedgerPayment,
  readPaymentsTouched,
} from './reconciliation/payments';
export {
  type ComparedRun,
  countDifferencesOfParts,
  listComparedRuns,
  listDifferencesOfParts,
} from './reconciliation/report';
export {
  beginReconciliation,
  type DifferenceRecord,
  endReconciliation,
  listDifferences,
  purgeDifferences,
  purgeReconciliations,
  readReconciliation,
  type ReconciliationRun,
  recordCompared,
  stopReconciliation,
} from './reconciliation/runs';
export { listDeadlines, type OpenCycleRecord, readExpected, sumCollections } from './reports';
export { applyChange } from './subscriptions/changes';
export { type CycleRecord, getCycle, listCycles, type NotifiedAttempt, skippedCycles } from './subscriptions/cycles';
export {
  deleteDraft,
  insertDraft,
  isDraftedFor,
  openConsent,
  purgeDrafts,
  readDraft,
  type SubscriptionDraft,
} from './subscriptions/drafts';
export { type Frozen, readFacts } from './subscriptions/facts';
export {
  adoptDraft,
  findMandates,
  type ImportDraft,
  insertImportDraft,
  type MandateOnRecord,
  readAdopted,
} from './subscriptions/imports';
export {
  listOrphanedPayments,
  type LiveSubject,
  markOrphaned,
  type OrphanedPayment,
  readLive,
  readNoticesWaiting,
  readPaymentMemory,
  type SubjectRef,
  unmarkOrphaned,
} from './subscriptions/orphans';
export { erasePayer, type Hold, type SubscriptionRecord } from './subscriptions/record';
export { readLedgerWord, readRevision, readUnheard, steer, type Steering } from './subscriptions/steering';
export {
  getSubscription,
  listSubscriptions,
  markConsentDeleted,
  readConsentsDue,
  recordConsentAnswer,
  type SubscriptionFilter,
} from './subscriptions/subscriptions';
