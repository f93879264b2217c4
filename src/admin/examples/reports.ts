import { csvLine } from '../../domain/csv';
import { describeRefusal } from '../../domain/refusals';
import { COLLECTED_CYCLE, CYCLE, eur, type Examples, FEBRUARY, pageOf, SERVICE, shared, SUBSCRIPTION } from './story';

function figure(value: number, count: number) {
  return { amount: eur(value), count };
}

const REFUSAL = describeRefusal('AUTHORIZATION_REJECTION_RETRYABLE');
/** When the first attempt of {@link CYCLE} was refused. */
const REFUSED_AT = '2027-02-28T10:00:02.870Z';

const NONE = figure(0, 0);
const ONE = figure(1999, 1);

const COLLECTIONS = { due: ONE, collected: NONE, failed: NONE, skipped: NONE, missed: NONE, open: ONE, refunded: NONE };

const RECOVERED = {
  firstAttempt: figure(37981, 19),
  recovered: figure(3998, 2),
  recoveredByLink: NONE,
  lost: ONE,
  open: NONE,
  hoursToRecover: { median: 24.02, mean: 36.1 },
};

/** A refund that was made manually at the service. */
export const DIFFERENCE = {
  kind: 'refund_unknown',
  text: 'The service has a refund of cycle 0 that was not ordered here. Ledger: nothing; service: successful, 19.99 EUR, 2027-02-09T11:00:00.000Z.',
  ...shared(SUBSCRIPTION, 'subscriptionId', 'paymentId'),
  cycle: COLLECTED_CYCLE.cycle,
  captureId: SERVICE.capture,
  serviceRefundId: SERVICE.refund,
  service: { state: 'successful', amount: eur(1999), at: '2027-02-09T11:00:00.000Z' },
};

export const RECONCILIATION_JOB = {
  jobId: '6d0f3c1e-8a52-4b7d-9e64-2c1b0a9f8e7d',
  kind: 'reconciliation',
  state: 'finished',
  done: 21,
  total: 21,
  refused: 0,
  ...FEBRUARY,
  differences: 1,
  orderedBy: 'accounting',
  startedAt: '2027-03-01T08:00:00.000Z',
};

export const REPORT_EXAMPLES: Examples = {
  reportToday: {
    200: {
      day: '2027-02-28',
      timeZone: 'Europe/Berlin',
      needsAttention: NONE,
      atRisk: NONE,
      inRetry: ONE,
      pastDue: NONE,
      pastDueInAttention: NONE,
      refusedToday: ONE,
      collectedToday: figure(37981, 19),
      dueToday: figure(39980, 20),
      successRate: { last7Days: 0.95, previous7Days: 0.975 },
      halted: null,
    },
  },
  reportSubscriptions: { 200: { ...figure(37981, 19), isWhole: true } },
  reportCollections: {
    200: { ...FEBRUARY, items: [{ day: '2027-02-28', ...COLLECTIONS }], total: COLLECTIONS, nextCursor: null },
  },
  listDeadlines: {
    200: pageOf({
      subscriptionId: SUBSCRIPTION.subscriptionId,
      ...shared(CYCLE, 'cycle', 'status', 'amount', 'dueAt'),
      deadline: CYCLE.retryUntil,
      hoursLeft: 66.31,
      collectBy: CYCLE.collectBy,
      collectHoursLeft: 114.33,
      retryUntil: CYCLE.retryUntil,
      retryHoursLeft: 66.31,
      ...shared(CYCLE, 'retriesLeft', 'nextAttemptAt'),
      attempts: 1,
      reference: 'customer-7',
      payer: SUBSCRIPTION.payer,
      lastRefusal: REFUSAL,
      atRisk: CYCLE.amount,
      blockedBy: [],
    }),
  },
  reportForecast: {
    200: {
      from: '2027-03-01T00:00:00.000Z',
      to: '2027-04-01T00:00:00.000Z',
      items: [{ day: '2027-03-31', due: ONE, openRetries: 1, hoursToCollect: 0.01 }],
      total: { due: ONE },
      nextCursor: null,
    },
  },
  listFailingPayers: {
    200: pageOf({
      subscriptionId: SUBSCRIPTION.subscriptionId,
      ...shared(SUBSCRIPTION.payer, 'reference', 'email'),
      ...shared(CYCLE, 'cycle', 'status', 'amount', 'dueAt'),
      lastRefusal: REFUSAL,
      refusedAt: REFUSED_AT,
      ...shared(CYCLE, 'nextAttemptAt'),
    }),
    'text/csv':
      'subscriptionId,reference,email,lastRefusal,amount,currency,amountDecimal,cycle,status,dueAt,refusedAt,nextAttemptAt\r\n' +
      csvLine([
        ...['coffee-7', 'customer-7', SUBSCRIPTION.payer.email, REFUSAL, 1999, 'EUR', '19.99'],
        ...[CYCLE.cycle, CYCLE.status, CYCLE.dueAt, REFUSED_AT, CYCLE.nextAttemptAt],
      ]),
  },
  reportRecovery: {
    200: {
      ...FEBRUARY,
      by: 'attempt',
      items: [
        { key: '0', ...RECOVERED, recovered: NONE, lost: NONE, hoursToRecover: null },
        { key: '1', ...RECOVERED, firstAttempt: NONE, lost: NONE },
        { key: '3', ...RECOVERED, firstAttempt: NONE, recovered: NONE, hoursToRecover: null },
      ],
      total: RECOVERED,
      nextCursor: null,
    },
    'text/csv':
      'attempt,firstAttemptCount,firstAttemptAmount,firstAttemptAmountDecimal,recoveredCount,recoveredAmount,recoveredAmountDecimal,recoveredByLinkCount,recoveredByLinkAmount,recoveredByLinkAmountDecimal,lostCount,lostAmount,lostAmountDecimal,openCount,openAmount,openAmountDecimal,currency,medianHoursToRecover,meanHoursToRecover\r\n' +
      '1,0,0,0.00,2,3998,39.98,0,0,0.00,0,0,0.00,0,0,0.00,EUR,24.02,36.1\r\n',
  },
  adviseRetries: {
    200: {
      ...FEBRUARY,
      refused: figure(5997, 3),
      items: [
        { offsetHours: 24, met: ONE, refused: ONE, unknown: ONE, tried: 3, collected: 1 },
        { offsetHours: 48, met: figure(3998, 2), refused: ONE, unknown: NONE, tried: 2, collected: 1 },
      ],
      nextCursor: null,
    },
  },
  reportReconciliation: {
    200: {
      ...pageOf(DIFFERENCE),
      ...FEBRUARY,
      comparedAt: RECONCILIATION_JOB.startedAt,
      payments: 21,
      differences: 1,
      compared: [{ ...FEBRUARY, comparedAt: RECONCILIATION_JOB.startedAt, jobId: RECONCILIATION_JOB.jobId }],
      notCompared: [],
    },
  },
  orderReconciliation: {
    request: FEBRUARY,
    202: { ...RECONCILIATION_JOB, state: 'running', done: 0, total: null, differences: 0 },
  },
  listJobs: { 200: pageOf(RECONCILIATION_JOB) },
  getJob: { 200: RECONCILIATION_JOB },
  stopJob: { 200: { ...RECONCILIATION_JOB, state: 'stopped', done: 7, total: null, differences: 0 } },
  listJobResults: { 200: pageOf(DIFFERENCE) },
};
