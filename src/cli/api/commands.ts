import type { OperationId } from '../../client';
import { describeRefusal } from '../../domain/refusals';
import type { Cells } from './terminal';

export interface ApiCommand {
  readonly operation: OperationId;
  /** The fields of an answer that stand in a table, in order; all of one answer's where left out. */
  readonly columns?: readonly string[];
  /** How fields are shown that a table cannot show as they are. */
  readonly cells?: Cells;
  /** What a person is asked before it is done: it moves or stops money. */
  readonly asks?: string;
  /** Nothing moves before the payer has approved it: nobody else is asked, and `--yes` is taken all the same. */
  readonly payerDecides?: true;
  /** The whole list can be had as CSV, streamed. */
  readonly hasCsv?: true;
  /** What it answers is a job: on a terminal it is followed to its end. */
  readonly beginsJob?: true;
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

/**
 * Every operation of the admin API by the words of its command: the subject, then what is done. What is not listed here
 * does not compile as an operation, and a test finds an operation that has no command.
 */
export const API_COMMANDS = {
  'subscriptions list': {
    operation: 'listSubscriptions',
    columns: ['subscriptionId', 'status', 'standing', 'repetition', 'amount', 'nextDueAt', 'cyclesCollected'],
  },
  'subscriptions show': { operation: 'getSubscription' },
  'subscriptions create': { operation: 'createSubscription', payerDecides: true },
  'subscriptions pause': { operation: 'pauseSubscription', asks: 'Due dates inside the pause are skipped for good.' },
  'subscriptions resume': { operation: 'resumeSubscription', asks: 'Collecting goes on.' },
  'subscriptions cancel': { operation: 'cancelSubscription', asks: 'The consent is ended at the service, for good.' },
  'subscriptions restart': { operation: 'restartSubscription', asks: 'The workflow begins anew from the ledger.' },
  'subscriptions acknowledge': { operation: 'acknowledgeSubscription' },
  'subscriptions consent-check': { operation: 'checkConsent' },
  'subscriptions change-amount': { operation: 'changeAmount', asks: 'Later cycles collect another amount.' },
  'subscriptions withdraw-amount': { operation: 'withdrawAmountChange', asks: 'The pending change is dropped.' },
  'subscriptions change': { operation: 'changeSubscription' },
  'subscriptions schedule': { operation: 'getSchedule', columns: ['cycle', 'dueAt', 'collectBy', 'amount'] },
  'subscriptions events': { operation: 'listEvents', columns: AUDIT_LOG },
  'cycles list': { operation: 'listCycles', columns: CYCLE, cells: { attempts: outcomesOf } },
  'cycles skip': { operation: 'skipCycle', asks: 'The cycle is never collected.' },
  'cycles retry': { operation: 'retryCycle', asks: 'The payer is debited now.' },
  'cycles resolve': { operation: 'resolveCycle', asks: 'The outcome counts as settled.' },
  'cycles refund': { operation: 'refundCycle', asks: 'Money goes back to the payer.' },
  'payments list': {
    operation: 'listPayments',
    columns: ['paymentId', 'plan', 'status', 'amount', 'remaining', 'captureBy', 'createdAt'],
  },
  'payments show': { operation: 'getPayment' },
  'payments create': { operation: 'createPayment', payerDecides: true },
  'payments capture': { operation: 'capturePayment', asks: 'The payer is debited.' },
  'payments release': { operation: 'releasePayment', asks: 'What was authorized cannot be captured any more.' },
  'payments refund': { operation: 'refundPayment', asks: 'Money goes back to the payer.' },
  'captures resolve': { operation: 'resolveCapture', asks: 'The outcome counts as settled.' },
  'refunds resolve': { operation: 'resolveRefund', asks: 'The outcome counts as settled.' },
  'payments consent-check': { operation: 'checkPayment' },
  'payments restart': { operation: 'restartPayment', asks: 'The workflow begins anew from the ledger.' },
  'payments change': { operation: 'changePayment' },
  'payments events': { operation: 'listPaymentEvents', columns: AUDIT_LOG },
  'payers show': { operation: 'getPayer' },
  'payers change': { operation: 'changePayer' },
  'payers erase': { operation: 'erasePayer', asks: 'All personal data of the payer is erased, for good.' },
  'notices list': {
    operation: 'listNotices',
    columns: ['noticeId', 'type', 'state', 'subscriptionId', 'paymentId', 'createdAt'],
  },
  'notices resend': { operation: 'resendNotice' },
  'notices told': { operation: 'recordTold', asks: 'The notice counts as delivered by you.' },
  'audit list': { operation: 'listAudit', columns: ['id', 'at', 'actor', 'type', 'subscriptionId', 'paymentId'] },
  'audit redact': { operation: 'redactAuditEntry', asks: 'The words of the entry are removed, for good.' },
  'attention list': {
    operation: 'listAttention',
    columns: ['item', 'kind', 'subscriptionId', 'paymentId', 'amount', 'since', 'deadline', 'assignee'],
  },
  'attention assign': { operation: 'assignAttention' },
  'attention note': { operation: 'noteAttention' },
  'attention close': { operation: 'closeAttention' },
  bulk: {
    operation: 'runBulk',
    asks: 'It is done for every subscription that the dry run has counted.',
    beginsJob: true,
  },
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
      'detail',
    ],
    cells: { detail: (detail) => describeRefusal(String(detail)) },
    hasCsv: true,
  },
  'advise retries': { operation: 'adviseRetries' },
  'events list': { operation: 'listMerchantEvents', columns: ['timestamp', 'type', 'id', 'sequence'] },
  'events resend': { operation: 'resendEvent' },
  'events replay': { operation: 'replayEvents', beginsJob: true, preset: { onlyFailed: true } },
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
  'reports reconcile': { operation: 'orderReconciliation', beginsJob: true },
  'jobs list': {
    operation: 'listJobs',
    columns: ['jobId', 'kind', 'state', 'done', 'total', 'refused', 'orderedBy', 'begunAt'],
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
  'approvals approve': { operation: 'approveRequest', asks: 'What another person asked for may be done, once.' },
  'approvals reject': { operation: 'rejectRequest' },
  'halt set': { operation: 'haltSending', asks: 'Nothing is sent to the payment service until the halt is lifted.' },
  'halt show': { operation: 'getHalt' },
  'halt lift': { operation: 'liftHalt', asks: 'Sending goes on.' },
  'service health': { operation: 'getHealth' },
  'service readiness': { operation: 'getReadiness' },
} as const satisfies Readonly<Record<string, ApiCommand>>;

/** Operations whose commands are made by hand, elsewhere. */
export const OTHER_COMMANDS = {
  importSubscriptions: 'import',
  listKeys: 'keys list',
  createKey: 'keys create',
  rotateKey: 'keys rotate',
  revokeKey: 'keys revoke',
  streamEvents: 'events tail',
  testWebhookEndpoint: 'events trigger',
} as const satisfies Readonly<Partial<Record<OperationId, string>>>;

/** A session is a browser's: a terminal calls with its key. */
export const CONSOLE_ALONE = ['openSession', 'getSession', 'endSession'] as const satisfies readonly OperationId[];
