import type { components } from '../../src/client/api';
import { DAY, HOUR, toIso } from '../../src/domain/time';
import { type Answers, MONDAY, nameAt } from './canned-api';
import { euros } from './lives';
import { WEBHOOKS } from './webhook-answers';

type Schemas = components['schemas'];

const PAYMENT: Schemas['MerchantPayment'] = {
  paymentId: 'pay_hotel',
  plan: 'EVENT_DEPENDENT',
  amount: euros(24_000),
  status: 'partly_captured',
  consent: { status: 'successful', checkedAt: toIso(MONDAY - DAY) },
  authorizations: [],
  captures: [],
  refunds: [],
  captureBy: toIso(MONDAY + 5 * HOUR),
  remaining: euros(9_000),
  partialCapture: true,
  multipleCapture: true,
  timeToCapture: 7,
  payer: { name: nameAt(0), email: 'payer-0@shop.example', reference: 'customer-7' },
  metadata: { shop: 'north' },
  createdAt: toIso(MONDAY - DAY),
  workflowId: 'payment/pay_hotel',
};

const TRANSACTION: Schemas['Transaction'] = {
  transactionId: 'attempt.sub_0.3.1',
  type: 'debit',
  status: 'successful',
  amount: euros(12_000),
  bookedAt: toIso(MONDAY - HOUR),
  createdAt: toIso(MONDAY - 2 * HOUR),
  plan: 'SUBSCRIPTION',
  subscriptionId: 'sub_0',
  paymentId: 'pay_0',
  cycle: 3,
  attempt: 1,
  reference: 'customer-7',
  reversedAt: toIso(MONDAY - HOUR),
  reversedAmount: euros(12_000),
  advice: 'The debit was reversed elsewhere: do not refund it again.',
  metadata: {},
};

const FAILED: Schemas['Transaction'] = {
  ...{ transactionId: 'attempt.sub_0.3.0', type: 'debit', status: 'failed', amount: euros(12_000), bookedAt: null },
  ...{ createdAt: toIso(MONDAY - DAY), plan: 'SUBSCRIPTION', subscriptionId: 'sub_0', paymentId: 'pay_0', cycle: 3 },
  ...{ detail: 'insufficientFunds', reference: 'customer-7', metadata: {} },
};

/** A CSV file as the API writes it, with some of its columns. */
const FILE = [
  'transactionId,type,status,amount,currency,amountDecimal,bookedAt,plan,captureId,detail,advice',
  `${TRANSACTION.transactionId},debit,successful,12000,EUR,120.00,${TRANSACTION.bookedAt ?? ''},SUBSCRIPTION,cap_0,,"reversed, by ""the bank"""`,
  '',
].join('\r\n');

const NOTICE: Schemas['Notice'] = {
  noticeId: 'notice_0',
  type: 'payment.failed',
  to: 'payer',
  state: 'undeliverable',
  subscriptionId: 'sub_0',
  cycle: 3,
  attempt: 1,
  data: {},
  deliveries: 5,
  createdAt: toIso(MONDAY - DAY),
  deliveredAt: null,
  lastError: 'the mail server refuses the address',
};

const APPROVAL: Schemas['Approval'] = {
  approvalId: 'appr_0',
  state: 'pending',
  operation: 'refundCycle',
  call: 'POST /v1/subscriptions/sub_0/cycles/3/refunds',
  subscriptionId: 'sub_0',
  amount: euros(12_000),
  facts: { captureId: 'cap_0' },
  requestedBy: 'shop',
  holder: 'Grace',
  createdAt: toIso(MONDAY - HOUR),
  expiresAt: toIso(MONDAY + DAY),
};

const HOLD: Schemas['Hold'] = {
  holdId: `hold_${'0'.repeat(32)}`,
  state: 'in_force',
  filter: { repetition: 'MONTHLY' },
  until: toIso(MONDAY + 7 * DAY),
  reason: 'wrong price list',
  matched: 1_240,
  createdAt: toIso(MONDAY - HOUR),
  createdBy: 'ada',
  firstWindowLostAt: toIso(MONDAY + 3 * DAY),
  windowsLost: [],
};

const KEY: Schemas['Key'] = {
  keyId: 'key_0',
  name: 'shop',
  holder: 'Grace',
  role: 'operator',
  scopes: ['subscriptions:create', 'refunds'],
  createdAt: toIso(MONDAY - 30 * DAY),
};

const pageOf = (...items: readonly unknown[]) => ({ items, nextCursor: null });

/** One or two rows of each list. */
export const LISTS: Answers = {
  ...WEBHOOKS,
  '/v1/payments': pageOf(PAYMENT),
  '/v1/transactions': (_body: unknown, accept: string | undefined) =>
    accept === 'text/csv' ? FILE : pageOf(TRANSACTION, FAILED),
  '/v1/reports/reconciliation': {
    ...{ ...pageOf(), comparedAt: toIso(MONDAY - 6 * HOUR), payments: 412, differences: 0 },
    ...{ compared: [], notCompared: [] },
  },
  '/v1/notices': pageOf(NOTICE),
  '/v1/approvals': pageOf(APPROVAL),
  '/v1/holds': pageOf(HOLD),
  '/v1/keys': pageOf(KEY),
};
