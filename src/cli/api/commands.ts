import type { OperationId } from '../../client';
import { describeRefusal } from '../../domain/refusals';
import type { Cells } from './terminal';

export interface ApiCommand {
  readonly operation: OperationId;
  /** The fields that a table shows, in order; all fields of the answer if left out. */
  readonly columns?: readonly string[];
  /** Formatters for fields that a table cannot show directly. */
  readonly cells?: Cells;
  /** What the command brings about. If given, the command shows it and asks for a confirmation before the call. */
  readonly asks?: string;
  /** No money moves before the payer approves it, so no confirmation is asked for; `--yes` is accepted all the same. */
  readonly payerDecides?: true;
  /** The whole list is available as streamed CSV. */
  readonly hasCsv?: true;
  /** The answer is a stream of lines: NDJSON, or CSV on request. */
  readonly isStream?: true;
  /** The answer is a job: on a terminal its progress is shown until it ends. */
  readonly startsJob?: true;
  /** Flags that are set unless `--no-…` says otherwise. */
  readonly preset?: Readonly<Record<string, true>>;
}

const CYCLE = [
  ...['cycle', 'status', 'amount', 'dueAt', 'collectBy', 'collectedAt', 'nextAttemptAt', 'retriesLeft'],
  ...['attempts', 'reason'],
];
const AUDIT_LOG = ['at', 'actor', 'type', 'text'];

/** The outcomes of attempts, in order. */
function outcomesOf(attempts: unknown): string {
  return (attempts as readonly { readonly outcome: string }[]).map(({ outcome }) => outcome).join(', ');
}

/** How many tries were delivered, and how many failed, in all hours together. */
function totalOf(hours: unknown): string {
  const counted = hours as readonly { readonly delivered: number; readonly failed: number }[];
  const sum = (name: 'delivered' | 'failed') => counted.reduce((total, hour) => total + hour[name], 0);
  return `${sum('delivered')} delivered, ${sum('failed')} failed`;
}

/**
 * The operations of the admin API, keyed by command: the subject, then the action. An unknown operation does not compile, and
 * a test finds operations that are neither here nor in the lists below.
 */
export const API_COMMANDS = {
  'subscriptions list': {
    operation: 'listSubscriptions',
    columns: ['subscriptionId', 'status', 'standing', 'repetition', 'amount', 'nextDueAt', 'cyclesCollected'],
  },
  'subscriptions show': { operation: 'getSubscription' },
  'subscriptions export': { operation: 'exportSubscriptions', hasCsv: true, isStream: true },
  'subscriptions create': { operation: 'createSubscription', payerDecides: true },
  'subscriptions pause': {
    operation: 'pauseSubscription',
    asks: 'Due dates inside the pause are skipped permanently.',
  },
  'subscriptions resume': { operation: 'resumeSubscription', asks: 'Collection resumes.' },
  'subscriptions cancel': {
    operation: 'cancelSubscription',
    asks: 'Nothing more is collected, and the consent is ended at the payment service. This cannot be undone.',
  },
  'subscriptions restart': { operation: 'restartSubscription', asks: 'The workflow is restarted from the ledger.' },
  'subscriptions acknowledge': { operation: 'acknowledgeSubscription' },
  'subscriptions consent-check': { operation: 'checkConsent' },
  'subscriptions change-amount': { operation: 'changeAmount', asks: 'Later cycles collect the new amount.' },
  'subscriptions withdraw-amount': { operation: 'withdrawAmountChange', asks: 'The pending change is dropped.' },
  'subscriptions change': { operation: 'changeSubscription' },
  'subscriptions schedule': { operation: 'getSchedule', columns: ['cycle', 'dueAt', 'collectBy', 'amount'] },
  'subscriptions events': { operation: 'listEvents', columns: AUDIT_LOG },
  'cycles list': { operation: 'listCycles', columns: CYCLE, cells: { attempts: outcomesOf } },
  'cycles skip': { operation: 'skipCycle', asks: 'The cycle will never be collected.' },
  'cycles postpone': { operation: 'postponeCycle' },
  'cycles payment-link': { operation: 'createPaymentLink', payerDecides: true },
  'cycles retry': { operation: 'retryCycle', asks: 'The payer is debited, now or at the given time.' },
  'cycles resolve': { operation: 'resolveCycle', asks: 'The outcome counts as settled.' },
  'cycles refund': { operation: 'refundCycle', asks: 'Money goes back to the payer.' },
  'payments list': {
    operation: 'listPayments',
    columns: ['paymentId', 'plan', 'status', 'amount', 'remaining', 'captureBy', 'createdAt'],
  },
  'payments show': { operation: 'getPayment' },
  'payments create': { operation: 'createPayment', payerDecides: true },
  'payments capture': { operation: 'capturePayment', asks: 'The payer is debited.' },
  'payments release': { operation: 'releasePayment', asks: 'The authorized amount can no longer be captured.' },
  'payments refund': { operation: 'refundPayment', asks: 'Money goes back to the payer.' },
  'captures resolve': { operation: 'resolveCapture', asks: 'The outcome counts as settled.' },
  'refunds resolve': { operation: 'resolveRefund', asks: 'The outcome counts as settled.' },
  'payments consent-check': { operation: 'checkPayment' },
  'payments restart': { operation: 'restartPayment', asks: 'The workflow is restarted from the ledger.' },
  'payments change': { operation: 'changePayment' },
  'payments events': { operation: 'listPaymentEvents', columns: AUDIT_LOG },
  'payers show': { operation: 'getPayer' },
  'payers change': { operation: 'changePayer' },
  'payers erase': { operation: 'erasePayer', asks: 'All personal data of the payer is erased permanently.' },
  'notices list': {
    operation: 'listNotices',
    columns: ['noticeId', 'type', 'state', 'subscriptionId', 'paymentId', 'createdAt'],
  },
  'notices resend': { operation: 'resendNotice' },
  'notices told': { operation: 'recordTold', asks: 'The notice is recorded as delivered by you.' },
  'audit list': { operation: 'listAudit', columns: ['id', 'at', 'actor', 'type', 'subscriptionId', 'paymentId'] },
  'audit redact': { operation: 'redactAuditEntry', asks: 'The text of the entry is removed permanently.' },
  'attention list': {
    operation: 'listAttention',
    columns: ['item', 'kind', 'subscriptionId', 'paymentId', 'amount', 'since', 'deadline', 'assignee'],
  },
  'attention assign': { operation: 'assignAttention' },
  'attention note': { operation: 'noteAttention' },
  'attention close': { operation: 'closeAttention' },
  bulk: {
    operation: 'runBulk',
    asks: 'The call is made for every subscription that the dry run counted.',
    startsJob: true,
  },
  'holds create': {
    operation: 'createHold',
    asks: 'No attempt of the subscriptions that match begins until the hold ends.',
  },
  'holds list': {
    operation: 'listHolds',
    columns: ['holdId', 'state', 'matched', 'until', 'firstWindowLostAt', 'createdBy', 'createdAt', 'reason'],
  },
  'holds lift': { operation: 'liftHold', asks: 'Collection continues.' },
  transactions: {
    operation: 'listTransactions',
    columns: [
      'transactionId',
      'type',
      'status',
      'amount',
      'bookedAt',
      'subscriptionId',
      'paymentId',
      'cycle',
      'reversedAt',
      'detail',
    ],
    cells: { detail: (detail) => describeRefusal(String(detail)) },
    hasCsv: true,
  },
  'advise retries': { operation: 'adviseRetries' },
  'events list': { operation: 'listMerchantEvents', columns: ['timestamp', 'type', 'id', 'sequence'] },
  'events show': { operation: 'getMerchantEvent' },
  'events resend': { operation: 'resendEvent' },
  'events replay': { operation: 'replayEvents', startsJob: true, preset: { onlyFailed: true } },
  'endpoints list': {
    operation: 'listWebhookEndpoints',
    columns: ['endpointId', 'url', 'types', 'enabled', 'disabledReason', 'createdAt'],
  },
  'endpoints show': { operation: 'getWebhookEndpoint' },
  'endpoints create': { operation: 'createWebhookEndpoint' },
  'endpoints change': { operation: 'changeWebhookEndpoint' },
  'endpoints delete': { operation: 'deleteWebhookEndpoint' },
  'endpoints rotate-secret': { operation: 'rotateWebhookSecret' },
  'endpoints deliveries': {
    operation: 'listWebhookDeliveries',
    columns: ['deliveryId', 'type', 'state', 'again', 'waitingFor', 'eventId', 'createdAt', 'endedAt'],
  },
  'reports deliveries': { operation: 'reportDeliveries', cells: { hours: totalOf } },
  'reports subscriptions': { operation: 'reportSubscriptions' },
  'reports recovery': { operation: 'reportRecovery', hasCsv: true },
  'reports today': { operation: 'reportToday' },
  'reports failing-payers': {
    operation: 'listFailingPayers',
    columns: ['subscriptionId', 'reference', 'email', 'amount', 'status', 'refusedAt', 'nextAttemptAt', 'lastRefusal'],
    hasCsv: true,
  },
  'reports collections': { operation: 'reportCollections' },
  'reports deadlines': {
    operation: 'listDeadlines',
    columns: [
      'subscriptionId',
      'cycle',
      'status',
      'amount',
      'atRisk',
      'deadline',
      'nextAttemptAt',
      'blockedBy',
      'lastRefusal',
    ],
  },
  'reports forecast': { operation: 'reportForecast' },
  'reports reconciliation': {
    operation: 'reportReconciliation',
    columns: ['kind', 'subscriptionId', 'paymentId', 'cycle', 'text'],
  },
  'reports reconcile': { operation: 'orderReconciliation', startsJob: true },
  'jobs list': {
    operation: 'listJobs',
    columns: ['jobId', 'kind', 'state', 'done', 'total', 'refused', 'orderedBy', 'startedAt'],
  },
  'jobs show': { operation: 'getJob' },
  'jobs stop': { operation: 'stopJob' },
  'jobs results': {
    operation: 'listJobResults',
    columns: ['subscriptionId', 'state', 'at', 'kind', 'text', 'problem'],
  },
  'approvals list': {
    operation: 'listApprovals',
    columns: ['approvalId', 'state', 'operation', 'amount', 'requestedBy', 'holder', 'expiresAt', 'decidedBy'],
  },
  'approvals approve': {
    operation: 'approveRequest',
    asks: 'The request of another person may then be carried out, once.',
  },
  'approvals reject': { operation: 'rejectRequest' },
  'halt set': { operation: 'haltSending', asks: 'Nothing is debited, captured or refunded until the halt is lifted.' },
  'halt show': { operation: 'getHalt' },
  'halt lift': { operation: 'liftHalt', asks: 'Sending resumes.' },
  'service health': { operation: 'getHealth' },
  'service readiness': { operation: 'getReadiness' },
} as const satisfies Readonly<Record<string, ApiCommand>>;

/** Operations whose commands are written by hand, elsewhere. */
export const OTHER_COMMANDS = {
  importSubscriptions: 'import',
  listKeys: 'keys list',
  createKey: 'keys create',
  rotateKey: 'keys rotate',
  revokeKey: 'keys revoke',
  streamEvents: 'events tail',
  testWebhookEndpoint: 'events trigger',
  previewNotice: 'notices preview',
} as const satisfies Readonly<Partial<Record<OperationId, string>>>;

/** Only browsers have sessions: the command line calls with a key. */
export const CONSOLE_ONLY = ['openSession', 'getSession', 'endSession'] as const satisfies readonly OperationId[];
