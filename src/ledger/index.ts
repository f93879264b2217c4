/** The ledger: what happened with money, in PostgreSQL. The only place that knows SQL. */
export {
  countAdminKeys,
  endBootstrapKeys,
  findKeyByHash,
  findSuccessor,
  getKey,
  hasAdminKey,
  hasValidKey,
  insertBootstrapKey,
  insertKey,
  type KeyPowers,
  type KeyRecord,
  listKeys,
  lockKey,
  type NewKey,
  recordKeyUse,
  replaceKey,
  revokeKey,
  type Role,
  ROLES,
  type Scope,
  SCOPES,
} from './access';
export {
  type ApprovalAct,
  type ApprovalRecord,
  type ApprovalSubject,
  decideApproval,
  type DecideApprovalResult,
  listApprovals,
  readRequestMark,
  requestApproval,
  type RequestMark,
  useApproval,
} from './approvals/approvals';
export { type Alarms, raiseAlerts, readAlarms } from './alerts';
export {
  type AttemptRecord,
  authorizationIdsOf,
  hasSendOnWire,
  heldAuthorizationIds,
  latestSend,
  precheckAttempt,
  readAttempt,
  readSend,
  recordLook,
  type SendRef,
} from './attempts/attempts';
export {
  actOnAttention,
  ATTENTION_SORTS,
  type AttentionAction,
  type AttentionFilter,
  type AttentionItem,
  listAttention,
  MOST_COUNTED,
  readHaltItem,
} from './attention/queue';
export type { Evidence } from './attention/items';
export { chainTrail, isHeadDue, publishHead, readChainWork } from './audit/chain';
export { redactEntry } from './audit/redact';
export { type TrailVerdict, verifyTrail } from './audit/verify';
export { type Outcome, recordOutcome } from './attempts/outcomes';
export { type Resolution, resolveAttempt, type ResolveResult } from './attempts/resolutions';
export { enterRecovered, openSends } from './attempts/recovered';
export { beginSend, type NewSend, readIsHeld } from './attempts/sends';
export {
  feedCursor,
  isApprovalCursor,
  isCreationCursor,
  isDeadlineCursor,
  isFeedCursor,
  isNoticeCursor,
  isNumberCursor,
  isPairCursor,
  isTransactionCursor,
  type Page,
  type PageOf,
  pairStart,
  readTransactionCursor,
  type TransactionPlace,
} from './cursor';
export { createPool, type DatabaseAddress, type Db, inTransaction, isRefusedByLedger, type Pool } from './database';
export { isTypePattern, MERCHANT_EVENTS, type MerchantEventType, typesMatching } from './events/catalogue';
export {
  claimDeliveries,
  type ClaimedDelivery,
  type DeliveryRecord,
  type EventWork,
  listDeliveries,
  readEventWork,
  recordTries,
  type TryRecord,
} from './events/deliveries';
export {
  changeEndpoint,
  deleteEndpoint,
  type EndpointAct,
  type EndpointRecord,
  ENV,
  insertEndpoint,
  listEndpoints,
  MOST_ENDPOINTS,
  readEndpoint,
  readForDelivery,
  rotateSecret,
} from './events/endpoints';
export { type Envelope, envelopeOf, envelopeSchema, type MerchantEvent, sampleEnvelope } from './events/envelope';
export { endPurgedDeadLetters } from './events/dead-letters';
export { fanOut, orderReplay, queueReplay, resendEvent, sendTest } from './events/fan-out';
export {
  type Change,
  feedEnd,
  type FeedFilter,
  findEvent,
  lastChange,
  PLACED_AT_ONCE,
  placeEvents,
  purgeEvents,
  readChanges,
  readFeed,
} from './events/feed';
export { readReplay, type ReplayRecord, stopReplay } from './events/replays';
export { purgeAnswers, readEndpointLags, readPlacingLag, recordUpcoming } from './events/upkeep';
export { DUEDAY, type EventRecord, insertEvent, listEvents, type NewEvent } from './trail';
export * from './halt/index';
export {
  hashBody,
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
export {
  type BulkJob,
  type BulkResult,
  finishJobs,
  listBulkResults,
  purgeJobs,
  putOffCall,
  readBulkJob,
  recordCall,
  stopBulkJob,
  stopJobsOfKey,
  takeCalls,
  type TakenCall,
} from './jobs/jobs';
export {
  type BulkWork,
  findOpenProposal,
  keepProposal,
  MOST_SELECTED,
  proposeBulk,
  type SelectionChange,
  startBulk,
  type StartBulkResult,
} from './jobs/proposals';
export { type Duties, isReplica, type Ledgers, openLedgers, ping, readClock, shareOut } from './ledgers';
export {
  deleteSession,
  findSession,
  insertSession,
  type OverSession,
  recordSessionUse,
  removeOverSessions,
  type SessionRecord,
} from './sessions';
export { changeMetadata, type MetadataOf } from './subscriptions/metadata';
export { grantProgram, type LedgerPowers, readPowers } from './schema/grants';
export { migrate, readSchema, type SchemaState } from './schema/migrate';
export {
  type DeliveryResult,
  type NoticeForDelivery,
  type NoticeRecord,
  orderPaymentFailedNotice,
  pendingNotices,
  readNoticeForDelivery,
  recordDelivery,
} from './notices/notices';
export { getNotice, listNotices, recordTold, type ReopenedNotice, reopenNotice } from './notices/steering';
export {
  listOpenOrders,
  listOrdersNotBegun,
  listRefundsBegun,
  type OpenOrder,
  type OpenOrderPage,
  type OpenOrderPlace,
} from './orders/open-orders';
export { failUnsent, type OrderOutcome, recordOrderOutcome } from './orders/outcomes';
export { orderCapture, type OrderCaptureResult, orderRelease } from './orders/place-capture';
export { type NewRefund, orderPaymentRefund, orderRefund, type OrderRefundResult } from './orders/place-refund';
export { getRefund, type RefundRecord } from './orders/refunds';
export {
  beginOrderSend,
  heldOrderIds,
  knownOrders,
  latestOrderSend,
  namesOfOrder,
  type NewOrderSend,
  type OrderKind,
  type OrderSendRecord,
  type OrderSendRef,
  type OrderSubject,
  precheckOrder,
  readOrderSend,
  recordOrderLook,
} from './orders/sends';
export { changePayer } from './payers/change';
export { blankPayers, type EraseResult, erasePayer } from './payers/erase';
export { eraseExpiredPayer, findExpiredPayers } from './payers/expired';
export type { Living } from './payers/living';
export { readPayer } from './payers/stored';
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
export { type ComparedWaiting, endDailyRun, recordDailyCompared } from './reconciliation/daily-run';
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
export {
  comparedPaymentOf,
  dropWaiting,
  noteChanges,
  readChanged,
  readDailyAges,
  readDailyShare,
  readLongestWaiting,
  recordLookFinished,
  stepBack,
  type WaitingPayment,
  type WaitingPlace,
} from './reconciliation/waiting';
export { listDeadlines, type OpenCycleRecord, readExpected, sumCollections } from './reports';
export { outcomeData, type Precheck, type SendRecord, type StartedSend, type Unconfirmed } from './attempts/any-send';
export { applyChange } from './subscriptions/changes';
export {
  cycleInDunning,
  type CycleRecord,
  getCycle,
  listCycles,
  type NotifiedAttempt,
  skippedCycles,
} from './subscriptions/cycles';
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
  type LiveSubject,
  markOrphaned,
  readLive,
  readNoticesWaiting,
  readPaymentMemory,
  type SubjectRef,
  unmarkOrphaned,
} from './subscriptions/orphans';
export { type Hold, type SubscriptionRecord } from './subscriptions/record';
export { purgeRequests, putRequest } from './subscriptions/requests';
export { SORTS } from './subscriptions/search';
export { readLedgerState, readProgress, readUnheard, steer, type Steering } from './subscriptions/steering';
export {
  type ConsentDue,
  type ConsentDuePlace,
  getSubscription,
  listSubscriptions,
  markConsentDeleted,
  readConsentsDue,
  recordConsentAnswer,
  type SelectedSubscription,
  type SubscriptionFilter,
} from './subscriptions/subscriptions';
export { readRetriesMade, readRetryHistories, type Recovery, sumRecoveries } from './transactions/recovery';
export {
  findTransactionPlace,
  listTransactions,
  readTransactions,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
  type TransactionFilter,
  type TransactionRecord,
} from './transactions/transactions';
