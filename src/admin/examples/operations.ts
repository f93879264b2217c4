import { DIFFERENCE } from './reports';
import { ADDRESS, CYCLE, eur, type Examples, pageOf, REAL, shared, SUBSCRIPTION } from './story';

const ITEM = {
  item: 'att_5e8d2c1b0a9f7e6d5c4b3a29',
  kind: DIFFERENCE.kind,
  ...shared(SUBSCRIPTION, 'subscriptionId', 'paymentId', 'payer', 'status'),
  cycle: DIFFERENCE.cycle,
  title: 'A refund is unknown to the ledger',
  explanation:
    'The service has a refund that the ledger lacks. Do not refund the same money again. Find out which side is right, then close the item with the reason; it opens again if a side changes.',
  recommended: null,
  amount: eur(1999),
  since: '2027-03-01T08:00:00.000Z',
  deadline: null,
  ledger: null,
  service: DIFFERENCE.service,
  evidence: [{ what: 'state', ledger: null, service: DIFFERENCE.service.state, differs: true }],
  related: [],
  assignee: null,
  note: null,
};

const NOTICE = {
  noticeId: 'msg_0123456789abcdef0123456789abcdef',
  type: 'payment.failed',
  to: 'payer',
  state: 'undeliverable',
  subscriptionId: SUBSCRIPTION.subscriptionId,
  cycle: CYCLE.cycle,
  attempt: 0,
  data: { cycle: CYCLE.cycle, attempt: 0, ...shared(CYCLE, 'amount', 'dueAt') },
  deliveries: 1,
  createdAt: '2027-02-28T10:00:02.870Z',
  deliveredAt: null,
  lastError: 'the webhook answered 410: it wants no more notices',
};

const TOLD = {
  channel: 'phone',
  toldAt: '2027-02-28T15:20:00.000Z',
  evidence: 'spoke to the payer, who will pay money into the account by tomorrow',
};

const PAYER = {
  ...shared(SUBSCRIPTION.payer, 'reference'),
  records: [
    {
      kind: 'subscription',
      ...shared(SUBSCRIPTION, 'subscriptionId', 'paymentId', 'status'),
      name: ADDRESS.name,
      ...shared(SUBSCRIPTION.payer, 'email', 'language'),
      billingAddress: ADDRESS,
      returnURL: 'https://shop.example/return',
      createdAt: SUBSCRIPTION.createdAt,
    },
  ],
  keptAnswers: 1,
  events: 4,
  living: [{ kind: 'subscription', subscriptionId: SUBSCRIPTION.subscriptionId, state: SUBSCRIPTION.status }],
};

const KEY = {
  keyId: '8b1f6c2a-3d4e-4f50-9a6b-7c8d9e0f1a2b',
  name: 'shop',
  role: 'operator',
  holder: 'Grace Hopper',
  prefix: 'dd_000000',
  scopes: ['subscriptions:create', 'refunds'],
  limits: { refundPerDay: eur(50_000) },
  createdAt: REAL,
  expiresAt: '2028-01-15T00:00:00.000Z',
};

const APPROVAL = {
  approvalId: '5d3f7a91-0c2e-4b68-9f14-7a8b9c0d1e2f',
  state: 'pending',
  operation: 'refundCycle',
  call: `POST /v1/subscriptions/${SUBSCRIPTION.subscriptionId}/cycles/0/refunds`,
  subscriptionId: SUBSCRIPTION.subscriptionId,
  amount: eur(60_000),
  facts: { cycle: 0 },
  requestedBy: KEY.name,
  holder: KEY.holder,
  createdAt: '2027-02-15T09:00:00.000Z',
  expiresAt: '2027-02-16T09:00:00.000Z',
};

const DECIDED = { decidedBy: 'Ada', decidedAt: '2027-02-15T10:00:00.000Z' };

const HALT = { reason: 'the bank reports double debits' };

const PAUSE = { action: 'pause', parameters: { reason: 'the shop is closed' }, filter: { repetition: 'MONTHLY' } };

const HELD = { filter: { repetition: 'MONTHLY' }, until: '2027-03-02T09:00:00.000Z', reason: 'the bank is down' };

const HOLD = {
  holdId: 'hold_8c1f0b5e2d7a4963b1f0e9d8c7a6b5f4',
  state: 'in_force',
  ...HELD,
  matched: 1,
  createdAt: '2027-02-27T09:00:00.000Z',
  createdBy: 'Grace',
  firstWindowLostAt: null,
  windowsLost: [],
};

const SESSION = {
  ...shared(KEY, 'name', 'role', 'scopes'),
  csrfToken: '000000000000000000000000000000000000example',
  idleEndsAt: '2027-02-15T09:30:00.000Z',
  endsAt: '2027-02-15T21:00:00.000Z',
  clock: { now: '2027-02-15T09:00:00.000Z', speed: 1, isTest: false },
  eventDependentRefunds: false,
};

export const OPERATIONS_EXAMPLES: Examples = {
  listAttention: { 200: pageOf(ITEM) },
  assignAttention: { request: { assignee: 'Grace' }, 200: { ...ITEM, assignee: 'Grace' } },
  noteAttention: { request: { note: 'asked the service' }, 200: { ...ITEM, note: 'asked the service' } },
  closeAttention: { request: { reason: 'refunded by hand in the service’s portal' }, 200: ITEM },
  listNotices: { 200: pageOf(NOTICE) },
  previewNotice: {
    200: {
      type: 'subscription.completed',
      language: 'en',
      subject: 'Your subscription has ended',
      text: 'Dear Ada Byron,\n\nAll payments of your subscription have been made.\n',
      html: '<!doctype html>\n<html lang="en">\n…\n</html>\n',
    },
  },
  resendNotice: { request: {}, 202: { ...NOTICE, state: 'pending', lastError: undefined } },
  recordTold: {
    request: TOLD,
    200: {
      ...NOTICE,
      state: 'delivered',
      deliveredAt: TOLD.toldAt,
      channel: TOLD.channel,
      evidence: { toldBy: 'Grace', evidence: TOLD.evidence },
    },
  },
  getPayer: { 200: PAYER },
  erasePayer: {
    request: { reason: 'requested by letter of 3 March 2028' },
    200: {
      erasedAt: '2028-03-06T09:00:00.000Z',
      subscriptions: 1,
      payments: 0,
      drafts: 0,
      keptAnswers: 0,
      events: 14,
    },
  },
  listAudit: {
    200: pageOf({
      id: 1204,
      at: '2027-02-28T15:40:00.000Z',
      actor: 'Grace',
      keyId: '5d0c9b8a-7f6e-4d5c-8b4a-3f2e1d0c9b8a',
      type: 'key.created',
      text: 'Grace created the key shop with the role operator.',
      rule: null,
      data: { ...shared(KEY, 'keyId', 'name', 'role'), reason: null },
      subscriptionId: null,
    }),
  },
  redactAuditEntry: {
    request: { reason: 'an account number was in it' },
    200: {
      id: 1187,
      at: '2027-02-12T09:14:00.000Z',
      actor: 'Grace',
      keyId: '5d0c9b8a-7f6e-4d5c-8b4a-3f2e1d0c9b8a',
      type: 'attention.acknowledged',
      text: 'Grace acknowledged the attention items: unresolved (cycle 1). Reason: [redacted].',
      rule: {
        decision: 25,
        sentence: "An operator's acknowledgement, or the closing of its last attention item, clears needs_attention.",
        source: 'dueday',
      },
      data: { items: ['unresolved:1'], reason: '[redacted]' },
      subscriptionId: SUBSCRIPTION.subscriptionId,
    },
  },
  runBulk: {
    request: { ...PAUSE, dryRun: true },
    200: {
      action: PAUSE.action,
      total: 1,
      counts: { active: 1 },
      amount: eur(1999),
      items: [shared(SUBSCRIPTION, 'subscriptionId', 'status', 'standing', 'amount', 'nextDueAt', 'payer')],
      token: 'bulk_3q2-7wQ9Zk1XvT8sYbN4mLcR6hJ0dFgA5pUeKiOxWyE',
      tokenValidUntil: '2027-01-15T09:45:00.000Z',
    },
    202: {
      jobId: 'f0e1d2c3-b4a5-4968-8778-695a4b3c2d1e',
      kind: 'bulk',
      state: 'running',
      done: 0,
      total: 1,
      refused: 0,
      action: PAUSE.action,
      orderedBy: 'shop',
      startedAt: '2027-02-10T09:00:00.000Z',
    },
  },
  createHold: { request: HELD, 201: HOLD },
  listHolds: { 200: pageOf(HOLD) },
  liftHold: {
    request: { reason: 'the bank is back' },
    200: { ...HOLD, state: 'lifted', endedAt: '2027-02-28T12:00:00.000Z', liftedBy: 'Grace' },
  },
  listKeys: { 200: pageOf(KEY) },
  createKey: {
    request: shared(KEY, 'name', 'role', 'holder', 'expiresAt', 'scopes', 'limits'),
    201: { ...KEY, key: 'dd_000000000000000000000000000000000000example' },
  },
  rotateKey: {
    request: { overlapHours: 48, reason: 'rotated every six months' },
    201: {
      ...KEY,
      keyId: '1c9a7e5d-2b4f-4d60-8e3a-5f6a7b8c9d0e',
      createdAt: '2027-07-15T09:30:00.000Z',
      replaces: KEY.keyId,
      key: 'dd_000000000000000000000000000000000000example',
    },
  },
  revokeKey: { request: { reason: 'the till was sold' }, 200: { ...KEY, revokedAt: '2027-02-15T09:30:00.000Z' } },
  listApprovals: { 200: pageOf(APPROVAL) },
  approveRequest: {
    request: { reason: 'the goods came back' },
    200: { ...APPROVAL, ...DECIDED, state: 'approved' },
  },
  rejectRequest: {
    request: { reason: 'the payer was refunded by hand' },
    200: { ...APPROVAL, ...DECIDED, state: 'rejected' },
  },
  openSession: { 201: SESSION },
  getSession: { 200: SESSION },
  endSession: { 200: { endedAt: '2027-02-15T09:30:00.000Z' } },
  getHalt: { 200: { halted: false } },
  haltSending: {
    request: HALT,
    200: { halted: true, since: '2027-02-10T09:00:00.000Z', by: 'Grace', ...HALT },
  },
  liftHalt: { request: { reason: 'the prices are right again' }, 200: { halted: false } },
  getHealth: { 200: { status: 'ok' } },
  getReadiness: {
    200: {
      status: 'ready',
      halted: false,
      checks: [
        { name: 'postgresql', status: 'ok', latencyMs: 0.8 },
        { name: 'temporal', status: 'ok', latencyMs: 2.1 },
        { name: 'payment_service', status: 'ok', latencyMs: 14.3, circuit: 'closed' },
      ],
    },
  },
};
