import {
  ADDRESS,
  COLLECTED_CYCLE,
  eur,
  type Examples,
  METADATA,
  pageOf,
  pendingConsent,
  REASON,
  SERVICE,
  shared,
  SUBSCRIPTION,
} from './story';

const AUTHORIZED_AT = '2027-02-10T12:01:30.250Z';

const PENDING = {
  paymentId: SERVICE.machine,
  plan: 'EVENT_DEPENDENT',
  amount: eur(8900),
  status: 'pending_consent',
  consent: pendingConsent(SERVICE.machine),
  authorizations: [],
  captures: [],
  refunds: [],
  remaining: eur(0),
  partialCapture: true,
  multipleCapture: true,
  timeToCapture: 604800,
  payer: SUBSCRIPTION.payer,
  metadata: METADATA,
  createdAt: '2027-02-10T12:00:00.310Z',
  workflowId: 'payment/pay_0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f',
};

const AUTHORIZED = {
  ...PENDING,
  status: 'authorized',
  consent: { status: 'successful', checkedAt: '2027-02-10T12:01:29.900Z' },
  authorizations: [
    { authorizationId: SERVICE.authorization, amount: eur(8900), status: 'successful', createdAt: AUTHORIZED_AT },
  ],
  captureBy: '2027-02-17T12:01:30.250Z',
  remaining: eur(8900),
};

const CAPTURE = {
  captureId: SERVICE.capture,
  orderId: 'cap_5d4c3b2a1f0e9d8c7b6a594837261504',
  amount: eur(6000),
  status: 'successful',
  finalCapture: false,
  createdAt: '2027-02-11T08:00:00.000Z',
};

const CAPTURED = { ...AUTHORIZED, status: 'partly_captured', captures: [CAPTURE], remaining: eur(2900) };

const REFUND = {
  refundId: 'ref_9a8b7c6d5e4f30211203f4e5d6c7b8a9',
  amount: eur(1500),
  status: 'successful',
  reason: 'the grinder was missing',
  createdAt: '2027-02-13T17:05:00.000Z',
  captureId: SERVICE.capture,
};

const DEBIT = {
  transactionId: `attempt.${SUBSCRIPTION.subscriptionId}.0.0.0`,
  type: 'debit',
  status: 'successful',
  amount: COLLECTED_CYCLE.amount,
  bookedAt: COLLECTED_CYCLE.collectedAt,
  createdAt: '2027-01-31T10:00:00.310Z',
  plan: 'SUBSCRIPTION',
  ...shared(SUBSCRIPTION, 'subscriptionId', 'paymentId'),
  cycle: 0,
  attempt: 0,
  authorizationId: SERVICE.authorization,
  captureId: SERVICE.capture,
  reference: 'customer-7',
  metadata: METADATA,
};

const REFUNDED = {
  transactionId: `order.${REFUND.refundId}`,
  type: 'refund',
  status: 'successful',
  amount: REFUND.amount,
  bookedAt: '2027-02-13T17:05:01.730Z',
  createdAt: REFUND.createdAt,
  plan: 'EVENT_DEPENDENT',
  paymentId: SERVICE.machine,
  captureId: SERVICE.capture,
  refundId: REFUND.refundId,
  serviceRefundId: SERVICE.refund,
  metadata: METADATA,
};

/** An export of transactions as CSV; a test compares its header with the actual columns. */
const CSV =
  'transactionId,type,status,amount,currency,amountDecimal,bookedAt,createdAt,plan,subscriptionId,paymentId,cycle,attempt,authorizationId,captureId,refundId,serviceRefundId,orderId,detail,reference,metadata,reversedAt,reversedAmount,reversedAmountDecimal,advice\r\n' +
  `${DEBIT.transactionId},debit,successful,1999,EUR,19.99,${DEBIT.bookedAt},${DEBIT.createdAt},SUBSCRIPTION,coffee-7,${SERVICE.mandate},0,0,${SERVICE.authorization},${SERVICE.capture},,,,,customer-7,"{""shop"":""berlin""}",,,,\r\n`;

export const PAYMENT_EXAMPLES: Examples = {
  listPayments: { 200: pageOf(CAPTURED) },
  getPayment: { 200: CAPTURED },
  createPayment: {
    request: {
      ...shared(PENDING, 'plan', 'amount'),
      returnURL: 'https://shop.example/thanks',
      billingAddress: ADDRESS,
      ...shared(PENDING, 'timeToCapture', 'partialCapture', 'multipleCapture', 'metadata'),
    },
    201: PENDING,
  },
  changePayment: {
    request: { metadata: { shop: 'potsdam' } },
    200: { ...CAPTURED, metadata: { shop: 'potsdam' } },
  },
  capturePayment: { request: shared(CAPTURE, 'amount', 'finalCapture'), 201: CAPTURE },
  releasePayment: {
    request: REASON,
    200: {
      ...AUTHORIZED,
      status: 'released',
      remaining: eur(0),
      releaseRequestedAt: '2027-02-11T08:00:00.000Z',
      releasedAt: '2027-02-11T08:00:01.400Z',
    },
    202: { ...AUTHORIZED, releaseRequestedAt: '2027-02-11T08:00:00.000Z' },
  },
  refundPayment: { request: shared(REFUND, 'amount', 'reason'), 201: REFUND },
  resolveCapture: {
    request: {
      outcome: 'successful',
      evidence: 'the capture is on the bank statement of 11 February',
      captureId: SERVICE.capture,
    },
    200: CAPTURE,
  },
  resolveRefund: {
    request: { outcome: 'failed', evidence: 'the payment service provider found no such refund' },
    200: { ...REFUND, status: 'failed', detail: 'RESOLVED_AS_FAILED', description: '' },
  },
  checkPayment: { request: {}, 200: AUTHORIZED },
  restartPayment: { request: { reason: 'its workflow was terminated by mistake' }, 200: AUTHORIZED },
  listPaymentEvents: {
    200: pageOf({
      at: '2027-02-10T12:01:29.900Z',
      actor: 'dueday',
      keyId: null,
      type: 'payment.consent_granted',
      text: 'The payer has given consent.',
      rule: { decision: 6, sentence: 'creating the consent only records approval', source: 'reference' },
      data: {},
    }),
  },
  listTransactions: { 200: pageOf(DEBIT, REFUNDED), 'text/csv': CSV },
};
