import type { OperationId } from '../../src/client';
import { type Role, ROLES, type Scope } from '../../src/ledger';

export type Needs = readonly [role: Role, ...scopes: (Scope | 'any' | 'whole')[]];

const READS_SUBSCRIPTIONS = [
  ...(['subscriptions:create', 'subscriptions:steer', 'refunds', 'imports', 'reports'] as const),
  ...(['bulk', 'notices', 'attention'] as const),
];
const READS_PAYMENTS = [
  ...(['payments:create', 'payments:capture', 'refunds', 'reports', 'notices', 'attention'] as const),
];

/** The role and the scopes that each call needs, written independently of the routes, whose own needs are compared with these. */
export const TABLE: Readonly<Record<Exclude<OperationId, 'getHealth' | 'getReadiness'>, Needs>> = {
  listSubscriptions: ['viewer', ...READS_SUBSCRIPTIONS],
  exportSubscriptions: ['viewer', ...READS_SUBSCRIPTIONS],
  getSubscription: ['viewer', ...READS_SUBSCRIPTIONS],
  listCycles: ['viewer', ...READS_SUBSCRIPTIONS],
  getSchedule: ['viewer', ...READS_SUBSCRIPTIONS],
  listEvents: ['viewer', ...READS_SUBSCRIPTIONS],
  createSubscription: ['operator', 'subscriptions:create'],
  importSubscriptions: ['admin', 'imports'],
  changeSubscription: ['operator', 'subscriptions:steer'],
  pauseSubscription: ['operator', 'subscriptions:steer'],
  resumeSubscription: ['operator', 'subscriptions:steer'],
  cancelSubscription: ['admin', 'subscriptions:steer'],
  restartSubscription: ['admin', 'subscriptions:steer'],
  acknowledgeSubscription: ['operator', 'subscriptions:steer', 'attention'],
  checkConsent: ['operator', 'subscriptions:create', 'subscriptions:steer'],
  changeAmount: ['operator', 'subscriptions:steer'],
  withdrawAmountChange: ['operator', 'subscriptions:steer'],
  skipCycle: ['operator', 'subscriptions:steer'],
  postponeCycle: ['operator', 'subscriptions:steer'],
  createPaymentLink: ['operator', 'payments:create'],
  retryCycle: ['operator', 'subscriptions:steer'],
  resolveCycle: ['admin', 'subscriptions:steer'],
  refundCycle: ['operator', 'refunds'],
  listPayments: ['viewer', ...READS_PAYMENTS],
  getPayment: ['viewer', ...READS_PAYMENTS],
  listPaymentEvents: ['viewer', ...READS_PAYMENTS],
  createPayment: ['operator', 'payments:create'],
  changePayment: ['operator', 'payments:create', 'payments:capture'],
  checkPayment: ['operator', 'payments:create', 'payments:capture'],
  capturePayment: ['operator', 'payments:capture'],
  releasePayment: ['operator', 'payments:capture'],
  restartPayment: ['admin', 'payments:capture'],
  refundPayment: ['operator', 'refunds'],
  resolveCapture: ['admin', 'payments:capture'],
  resolveRefund: ['admin', 'refunds'],
  changePayer: ['operator', 'subscriptions:steer', 'notices'],
  getPayer: ['admin', 'payers:read'],
  erasePayer: ['admin', 'payers:erase'],
  listNotices: ['viewer', 'notices'],
  previewNotice: ['viewer', 'notices'],
  resendNotice: ['operator', 'notices'],
  recordTold: ['operator', 'notices'],
  listAttention: ['viewer', 'attention'],
  assignAttention: ['operator', 'attention'],
  noteAttention: ['operator', 'attention'],
  closeAttention: ['operator', 'attention'],
  listAudit: ['viewer', 'audit'],
  redactAuditEntry: ['admin', 'audit'],
  runBulk: ['operator', 'bulk'],
  createHold: ['operator', 'bulk'],
  listHolds: ['viewer', 'bulk'],
  liftHold: ['operator', 'bulk'],
  listJobs: ['viewer', 'reports', 'bulk', 'events', 'endpoints'],
  getJob: ['viewer', 'reports', 'bulk', 'events', 'endpoints'],
  listJobResults: ['viewer', 'reports', 'bulk', 'events', 'endpoints'],
  stopJob: ['operator', 'reports', 'bulk', 'events', 'endpoints'],
  listTransactions: ['viewer', 'reports'],
  listFailingPayers: ['viewer', 'reports'],
  reportToday: ['viewer', 'reports'],
  reportSubscriptions: ['viewer', ...READS_SUBSCRIPTIONS],
  reportDeliveries: ['viewer', 'endpoints'],
  reportCollections: ['viewer', 'reports'],
  listDeadlines: ['viewer', 'reports'],
  reportForecast: ['viewer', 'reports'],
  reportRecovery: ['viewer', 'reports'],
  adviseRetries: ['viewer', 'reports'],
  reportReconciliation: ['viewer', 'reports'],
  orderReconciliation: ['operator', 'reports'],
  listMerchantEvents: ['viewer', 'events'],
  getMerchantEvent: ['viewer', 'events', 'endpoints'],
  streamEvents: ['viewer', 'events'],
  resendEvent: ['operator', 'events'],
  replayEvents: ['operator', 'events', 'endpoints'],
  listWebhookEndpoints: ['viewer', 'endpoints'],
  getWebhookEndpoint: ['viewer', 'endpoints'],
  listWebhookDeliveries: ['viewer', 'endpoints'],
  testWebhookEndpoint: ['operator', 'endpoints'],
  createWebhookEndpoint: ['admin', 'endpoints'],
  changeWebhookEndpoint: ['admin', 'endpoints'],
  deleteWebhookEndpoint: ['admin', 'endpoints'],
  rotateWebhookSecret: ['admin', 'endpoints'],
  getHalt: ['admin', 'whole'],
  haltSending: ['admin', 'whole'],
  liftHalt: ['admin', 'whole'],
  listKeys: ['admin', 'keys'],
  createKey: ['admin', 'keys'],
  rotateKey: ['admin', 'keys'],
  revokeKey: ['admin', 'keys'],
  listApprovals: ['viewer', 'approvals'],
  approveRequest: ['admin', 'approvals'],
  rejectRequest: ['admin', 'approvals'],
  openSession: ['viewer', 'any'],
  getSession: ['viewer', 'any'],
  endSession: ['viewer', 'any'],
};

interface Operation {
  readonly operationId: OperationId;
  readonly security?: readonly unknown[];
  readonly 'x-role'?: string;
  readonly 'x-scopes'?: readonly string[];
  readonly 'x-approvable'?: boolean;
  readonly parameters?: readonly { readonly name: string; readonly schema: object }[];
}

export interface Call extends Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
}

/** Every call of a description, with ids that do not exist. */
export function callsOf(description: object): readonly Call[] {
  const { paths } = description as { paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase() as Call['method'],
      url: urlOf(path),
    })),
  );
}

function urlOf(path: string): string {
  const ids = { notices: `msg_${'0'.repeat(32)}`, events: `evt_${'0'.repeat(32)}` };
  const [, , subject = ''] = path.split('/');
  const id = (ids as Record<string, string>)[subject] ?? '00000000-0000-4000-8000-000000000000';
  return path
    .replace('{id}', id)
    .replace('{n}', '1')
    .replace('{item}', `att_${'0'.repeat(24)}`)
    .replace('{reference}', 'none');
}

/** Whether an operation needs no key. */
export function isOpen({ security }: Operation): boolean {
  return security?.length === 0;
}

/** Whether the table permits a call. @param scope null for a key with its whole role */
export function isAllowed({ operationId }: Call, role: Role, scope: Scope | null): boolean {
  const [needed, ...scopes] = TABLE[operationId as keyof typeof TABLE];
  const isRole = ROLES.indexOf(role) >= ROLES.indexOf(needed);
  return isRole && (scope === null || scopes.includes('any') || scopes.includes(scope));
}

/** With this invalid position, a stream that access permits is refused. Otherwise it would never end. */
export const HEADERS = { 'last-event-id': 'nowhere' };
