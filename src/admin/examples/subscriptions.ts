import { csvLine } from '../../domain/csv';
import { EXPORT_COLUMNS, exportCells } from '../imports/export-line';
import {
  ADDRESS,
  COLLECTED_CYCLE,
  CYCLE,
  eur,
  type Examples,
  pageOf,
  PAYER_DETAILS,
  pendingConsent,
  REASON,
  SERVICE,
  shared,
  SUBSCRIPTION,
} from './story';

const REQUESTED = {
  ...shared(SUBSCRIPTION, 'amount', 'repetition', 'startAt', 'firstPaymentAt'),
  billingAddress: ADDRESS,
  payer: PAYER_DETAILS,
  ...shared(SUBSCRIPTION, 'subscriptionId', 'metadata'),
};

const PENDING = {
  ...SUBSCRIPTION,
  status: 'pending_consent',
  nextDueAt: SUBSCRIPTION.firstPaymentAt,
  cyclesCollected: 0,
  consent: pendingConsent(SERVICE.mandate),
};

const CANCELLED = { ...SUBSCRIPTION, status: 'cancelled', nextDueAt: null, cancelledBy: 'merchant' };

const CHANGE = {
  amount: eur(1499),
  previousAmount: eur(1999),
  fromCycle: 1,
  effectiveAt: CYCLE.dueAt,
  kind: 'reduction',
  countsAsIncrease: false,
};

const REFUND = {
  refundId: 'ref_3e8f5a0c1d2b4796a5b8c7d6e9f01234',
  cycle: 0,
  amount: eur(500),
  status: 'successful',
  reason: 'a bag was torn',
  createdAt: '2027-02-02T14:20:00.000Z',
  captureId: SERVICE.capture,
};

const EXPORTED = {
  ...REQUESTED,
  paymentId: SERVICE.mandate,
  consentAmount: eur(1999),
  collectFrom: CYCLE.dueAt,
  onExhausted: 'continue',
  state: { status: 'paused', pausedSince: '2027-02-15T09:00:00.000Z', skippedCycles: [4] },
};

/** One line of NDJSON. */
function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

export const SUBSCRIPTION_EXAMPLES: Examples = {
  listSubscriptions: { 200: pageOf(SUBSCRIPTION) },
  getSubscription: { 200: SUBSCRIPTION },
  createSubscription: { request: { ...REQUESTED, returnURL: 'https://shop.example/thanks' }, 201: PENDING },
  exportSubscriptions: {
    'application/x-ndjson': lineOf(EXPORTED),
    'text/csv': csvLine(EXPORT_COLUMNS) + csvLine(exportCells(EXPORTED)),
  },
  importSubscriptions: {
    request: lineOf({ ...REQUESTED, paymentId: SERVICE.mandate, collectFrom: '2027-02-15T00:00:00.000Z' }),
    csvRequest: [
      'paymentId,amount.value,amount.currency,repetition,startAt,firstPaymentAt,billingAddress.name,billingAddress.street,billingAddress.postalCode,billingAddress.city,billingAddress.country,payer.reference',
      `${SERVICE.mandate},1999,EUR,MONTHLY,${REQUESTED.startAt},${REQUESTED.firstPaymentAt},Ada Byron,Analytical Way 12,10115,Berlin,DE,customer-7`,
    ].join('\r\n'),
    'application/x-ndjson': lineOf({ line: 1, subscriptionId: SUBSCRIPTION.subscriptionId }),
  },
  changeSubscription: {
    request: { metadata: { shop: 'potsdam' } },
    200: { ...SUBSCRIPTION, metadata: { shop: 'potsdam' } },
  },
  changePayer: {
    request: { email: 'ada@new.example.org', language: 'en' },
    200: { ...SUBSCRIPTION, payer: { ...SUBSCRIPTION.payer, email: 'ada@new.example.org', language: 'en' } },
  },
  pauseSubscription: {
    request: { until: '2027-04-15T00:00:00.000Z', ...REASON },
    200: { ...SUBSCRIPTION, status: 'paused', pausedUntil: '2027-04-15T00:00:00.000Z' },
  },
  resumeSubscription: { request: REASON, 200: SUBSCRIPTION },
  cancelSubscription: { request: REASON, 200: CANCELLED, 202: { ...SUBSCRIPTION, cancelling: true } },
  restartSubscription: { request: { reason: 'its workflow was terminated by mistake' }, 200: SUBSCRIPTION },
  acknowledgeSubscription: { request: { reason: 'the payer was called' }, 200: SUBSCRIPTION },
  checkConsent: { request: {}, 200: { ...SUBSCRIPTION, cyclesCollected: 0, nextDueAt: SUBSCRIPTION.firstPaymentAt } },
  changeAmount: { request: { amount: eur(1499), ...REASON }, 200: { ...CHANGE, dryRun: false } },
  withdrawAmountChange: { 200: SUBSCRIPTION },
  getSchedule: {
    200: pageOf(shared(CYCLE, 'cycle', 'dueAt', 'collectBy', 'amount'), {
      cycle: 2,
      dueAt: '2027-03-31T10:00:00.000Z',
      collectBy: '2027-04-05T10:00:00.000Z',
      amount: eur(1999),
    }),
  },
  listEvents: {
    200: pageOf({
      at: '2027-01-31T10:00:04.120Z',
      actor: 'dueday',
      keyId: null,
      type: 'cycle.collected',
      text: `Cycle 0, due on 31 January 2027 at 10:00 UTC, was collected: 19.99 EUR, at the first attempt. The debit is capture ${SERVICE.capture}.`,
      rule: { decision: 10, sentence: 'Both successful: the cycle is collected.', source: 'dueday' },
      data: { cycle: 0, attempt: 0, ...shared(COLLECTED_CYCLE, 'amount', 'dueAt'), captureId: SERVICE.capture },
    }),
  },
  listCycles: { 200: pageOf(CYCLE, COLLECTED_CYCLE) },
  skipCycle: {
    request: REASON,
    200: {
      ...CYCLE,
      status: 'skipped',
      reason: 'skipped_by_request',
      nextAttemptAt: undefined,
      retriesLeft: 0,
      retryUntil: undefined,
      attempts: [],
    },
  },
  postponeCycle: {
    request: { until: '2027-03-03T09:00:00+01:00', reason: 'Ada is paid on the 3rd' },
    200: {
      ...CYCLE,
      status: 'scheduled',
      nextAttemptAt: '2027-03-03T08:00:00.000Z',
      postponedUntil: '2027-03-03T08:00:00.000Z',
      retriesLeft: 0,
      retryUntil: undefined,
      attempts: [],
    },
  },
  retryCycle: {
    request: { reason: 'Ada has paid money into her account' },
    202: { ...CYCLE, nextAttemptAt: '2027-02-28T15:40:00.000Z' },
  },
  createPaymentLink: {
    request: { returnURL: 'https://shop.example/thanks', reason: 'Ada asked to pay now' },
    201: {
      paymentId: SERVICE.link,
      redirectURL: pendingConsent(SERVICE.link).redirectURL,
      expiresAt: '2027-03-06T09:10:00.000Z',
    },
  },
  resolveCycle: {
    request: {
      outcome: 'collected',
      evidence: 'the debit is on the bank statement of 31 January',
      authorizationId: SERVICE.authorization,
      captureId: SERVICE.capture,
    },
    200: {
      ...COLLECTED_CYCLE,
      attempts: COLLECTED_CYCLE.attempts.map((attempt) => ({ ...attempt, resolvedBy: 'Grace' })),
    },
  },
  refundCycle: { request: shared(REFUND, 'amount', 'reason'), 201: REFUND },
};
