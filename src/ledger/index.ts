/**
 * The ledger: what happened with money, in PostgreSQL. The only module that contains SQL, besides `src/embedded`, which
 * creates the database. A file that also has names that only the ledger needs, such as columns and locks, is exported
 * name by name.
 */
export {
  countAdminKeys,
  endBootstrapKeys,
  findKeyByHash,
  getKey,
  hasAdminKey,
  insertBootstrapKey,
  insertKey,
  type KeyPowers,
  type KeyRecord,
  listKeys,
  lockKey,
  type NewKey,
  recordKeyUse,
  revokeKey,
  type Role,
  ROLES,
  type Scope,
  SCOPES,
} from './access/keys';
export { findSuccessor, hasValidKey, readExpiryOfLineage, replaceKey } from './access/key-lineage';
export * from './access/approvals';
export { readCreators } from './access/creators';
export * from './reports/alerts';
export {
  type AttemptRead,
  type AttemptRecord,
  hasSendOnWire,
  takenAuthorizationIds,
  latestSend,
  readAttempt,
  readSend,
  recordAbsenceCheck,
  type SendRef,
  type FinalResult,
  resultOf,
} from './rows/attempt';
export * from './attention/queue';
export type { Evidence } from './rows/attention-item';
export { areManyOrphaned, groupItems } from './attention/grouping';
export * from './attention/overdue';
export {
  backOffKey,
  endBackOffs,
  purgeBackOffs,
  readStoredBackOff,
  type StoredBackOff,
  storeBackOff,
} from './rows/back-offs';
export { purgeFailedChecks, recordFailedCheck } from './attention/overdue-terms';
export { chainAuditLog, isHeadDue, publishHead, readChainWork } from './audit/chain';
export * from './audit/redact';
export * from './audit/verify';
export { endListItem, openContradiction, openListItem } from './attempts/evidence-items';
export {
  adoptAuthorization,
  findSendByAuthorization,
  knownAuthorizations,
  type KnownAuthorization,
  recordObservation,
  refuseAgain,
  reopenAttempt,
  reopenedAttempt,
  reopenedOf,
} from './attempts/evidence';
export { isAnsweredSince } from './rows/posts';
export { type AcceptedDebit, recordAccepted, recordBooked } from './attempts/booked';
export { type Outcome, type OutcomeEvent, recordOutcome } from './attempts/outcomes';
export { type AdoptedFinding, isAboutAdoption, resolveAdopted } from './attempts/adopted';
export * from './attempts/recovered';
export { type AdoptionTerms, isStopped, precheckAttempt } from './attempts/send-context';
export { beginSend, beginSendIfUnchanged, type NewSend } from './attempts/sends';
export { type Survey, surveyAttempt } from './attempts/survey';
export {
  approvalCursor,
  creationCursor,
  snapshotCursor,
  deadlineCursor,
  failingCursor,
  feedCursor,
  feedCursorAt,
  jobCursor,
  noticeCursor,
  numberCursor,
  pairCursor,
  transactionCursor,
  type Page,
  type PageOf,
  pairStart,
  toPage,
  type TransactionPosition,
} from './sql/cursor';
export { ANSWER_MS, createPool, type DatabaseAddress, inTransaction, type Pool } from './sql/database';
export { AnswerListener, type Answers } from './sql/answers';
export { type Db } from './sql/statements';
export { isTypePattern, MERCHANT_EVENTS, type MerchantEventType, typesMatching } from './audit/catalogue';
export * from './webhooks/deliveries';
export * from './webhooks/delivery-list';
export {
  changeEndpoint,
  deleteEndpoint,
  type EndpointRecord,
  ENV,
  insertEndpoint,
  listEndpoints,
  MAX_ENDPOINTS,
  readEndpoint,
  readForDelivery,
  rotateSecret,
} from './webhooks/endpoints';
export { type Envelope, envelopeOf, envelopeSchema, type MerchantEvent, sampleEnvelope } from './audit/envelope';
export { endPurgedDeadLetters } from './webhooks/dead-letters';
export * from './webhooks/fan-out';
export {
  type Change,
  feedEnd,
  type FeedFilter,
  findEvent,
  PLACED_AT_ONCE,
  placeEvents,
  purgeEvents,
  type ChangesRead,
  readChanges,
  readFeed,
  readNewestEvents,
  subscriptionOfPayment,
} from './webhooks/feed';
export * from './webhooks/replays';
export * from './webhooks/upkeep';
export {
  type Act,
  DUEDAY,
  type EventRecord,
  insertEvent,
  lastEntryId,
  listEvents,
  type NewEvent,
  type TimedAct,
} from './audit/entries';
export * from './holds/holds';
export { type HoldRecord, listHolds, readHold } from './holds/records';
export { releaseHold } from './holds/release';
export { followHolds } from './holds/upkeep';
export { type Halt, haltSending, liftHalt, readHalt } from './halt/halt';
export * from './recovery/restored';
export * from './recovery/copy';
export { isRestored, isRestoreNoticed, isUnstartedCopy } from './sql/installation';
export * from './recovery/namespace';
export { type OpenedSession, purgeDrafts } from './rows/any-draft';
export * from './access/idempotency';
export * from './jobs/jobs';
export * from './jobs/newest';
export * from './jobs/proposals';
export * from './sql/ledgers';
export * from './access/sessions';
export * from './subscriptions/metadata';
export { grantProgram, type LedgerPowers, readMigrator, readPowers } from './sql/grants';
export * from './sql/migrate';
export { type NoticeForDelivery, type NoticeRecord, readNoticeForDelivery } from './rows/notice';
export * from './notices/delivery';
export type { DeliveryResult } from './rows/notice-results';
export * from './notices/steering';
export { orderUpcomingNotices, type UpcomingTerm } from './notices/upcoming';
export * from './orders/open-orders';
export * from './orders/outcomes';
export * from './orders/place-capture';
export * from './orders/place-refund';
export type { JudgedRefund, OrderRefundResult } from './orders/refund-request';
export { getRefund, type RefundRecord } from './rows/refund';
export {
  beginOrderSend,
  takenRecordIds,
  knownOrders,
  latestOrderSend,
  nameAtService,
  namesOfOrder,
  type NewOrderSend,
  type OrderSendRecord,
  type OrderSendRef,
  precheckOrder,
  readOrderSend,
  recordOrderCheck,
} from './orders/sends';
export type { OrderKind, OrderSubject } from './rows/refund';
export { closeItemsOfFinalOrders } from './orders/waiting';
export {
  openOrderItem,
  updateOverdueItem,
  judgeResolution,
  type OrderResolution,
  resolveOrder,
} from './orders/resolutions';
export { changePayer } from './payers/change';
export { blankPayers, type EraseResult, erasePayer, ERASING_EXPIRED } from './payers/erase';
export * from './payers/expired';
export type { Unfinished } from './payers/unfinished';
export { readPayer } from './payers/stored';
export { applyPaymentChange, openReleaseItem, openUnsettledItem, type PaymentPatch } from './payments/changes';
export { type DecidedPayment, decideNextOfPayment, expirePayment } from './payments/decide';
export { insertPaymentDraft, openPayment, type PaymentDraft, readPaymentDraft } from './payments/drafts';
export { insertLinkDraft, type LinkDraft } from './payments/link-drafts';
export { linkExpiry } from './payments/links';
export {
  capturableOf,
  type CaptureRecord,
  getCapture,
  getPayment,
  getPaymentOfRequest,
  listPaymentIds,
  listPayments,
  paymentsByRequest,
  type OrderedCapture,
  type PaymentRecord,
  requirePayment,
} from './rows/payment';
export * from './payments/revisions';
export * from './access/rate-leases';
export * from './reports/reading';
export * from './reconciliation/daily-run';
export {
  type ComparedPayment,
  type OneTimeRef,
  positionAfter,
  readLedgerOneTimePayment,
  readLedgerPayment,
  readLedgerPayments,
  countComparable,
  readPaymentsTouched,
} from './reconciliation/payments';
export * from './reconciliation/report';
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
export * from './reconciliation/waiting';
export { SUMMED_AT_ONCE, sumCollectionChanges, sumCollections } from './reports/collections';
export * from './reports/deadlines';
export * from './reports/busiest-day';
export {
  countPostponed,
  countRetries,
  countWaiting,
  type PostponedOfDay,
  readExpectedDays,
  type RetriesOfDay,
} from './reports/expected';
export * from './reports/failing-payers';
export * from './reports/today';
export { outcomeData, type Precheck, type SendRecord, type StartedSend } from './rows/any-send';
export { type Advanced, awaitedAttempts, retryOnceNotified } from './deciding/advance';
export { applyChange } from './deciding/changes';
export {
  beginDeletion,
  recordDeletionRefused,
  recordUnconfirmedDeletion,
  recordUnreadableConsent,
  recordUnsettledConsent,
} from './subscriptions/consent-checks';
export * from './subscriptions/cycles';
export { type ConsentRecorded, recordCancelled, recordConsent } from './deciding/consent-outcome';
export { decideNext, settledStep } from './deciding/decide';
export * from './rows/draft-answers';
export { insertDraft, isDraftedFor, openConsent, readDraft, type SubscriptionDraft } from './creation/drafts';
export { type Current, type Frozen, readCurrent, readState } from './deciding/facts';
export type { CarriedState } from './creation/carried-state';
export * from './creation/imports';
export * from './recovery/orphans';
export * from './recovery/restarts';
export { type ComparedMandate, findDuplicates } from './subscriptions/duplicates';
export * from './subscriptions/starts';
export { type PayerDetails, type StoppedBy, type SubscriptionRecord } from './rows/subscription';
export { findLostGrant, type OtherReplacement } from './subscriptions/replacements';
export { isByDueDate, type ListOrder, SORTS, MAX_IN_SNAPSHOT } from './rows/search';
export * from './subscriptions/exported';
export * from './subscriptions/snapshots';
export { onceOf, type OtherResult, recordResult } from './deciding/outcome';
export * from './deciding/steering';
export type { AmountRequest, CycleRequest, PauseRequest, Request, RetryRequest, Verb } from './deciding/verbs';
export type { ResolveRequest } from './deciding/resolving';
export * from './subscriptions/subscriptions';
export * from './reports/recovery';
export { findReversal } from './reports/reversals';
export * from './reports/transactions';
export * from './attention/unrecordable';
export { type LedgerWrites, noteIfWritable, watchWrites, whyNotWritable } from './sql/writable';
