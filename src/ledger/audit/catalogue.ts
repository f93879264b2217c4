import type { EventData } from '../../domain/audit/event';
import type { EventType } from '../../domain/audit/events';
import type { FieldName, Fields } from './fields';

/** The merchant's events: one entry per type, from which the event, its JSON Schema and its sample are derived. */

interface Entry extends Fields {
  /** Its subject. For `either` the audit entry decides; `none` has no sequence. */
  readonly of: 'subscription' | 'payment' | 'either' | 'none';
  /**
   * Audit entry types that produce it: the one of the same name by default; empty if it is not derived from an audit
   * entry.
   */
  readonly from?: readonly EventType[];
  readonly says: string;
}

const CHANGE: readonly FieldName[] = [
  'amount',
  'previousAmount',
  'fromCycle',
  'effectiveAt',
  'kind',
  'countsAsIncrease',
];
const REFUND: readonly FieldName[] = ['cycle', 'amount', 'refundId', 'serviceRefundId', 'captureId', 'detail'];
const CAPTURE: readonly FieldName[] = ['amount', 'orderId', 'captureId', 'detail'];
const NOTICE: readonly FieldName[] = ['noticeId', 'notice', 'cycle', 'attempt', 'channel'];

const ENTRIES = {
  'subscription.created': {
    of: 'subscription',
    from: ['consent.requested', 'subscription.imported'],
    says: 'The subscription was created; its payer is asked for the consent, or has given it elsewhere',
    fields: [],
  },
  'subscription.activated': {
    of: 'subscription',
    from: ['consent.granted', 'subscription.imported'],
    says: 'The consent was granted: the subscription is collected from now on',
    fields: ['cycle', 'dueAt', 'amount'],
  },
  'subscription.paused': {
    of: 'subscription',
    says: 'Due dates are skipped until it is resumed',
    fields: ['until'],
  },
  'subscription.resumed': {
    of: 'subscription',
    says: 'The pause has ended',
    fields: ['since'],
  },
  'subscription.cancelled': {
    of: 'subscription',
    says: 'The consent has ended: nothing further is collected',
    fields: ['cancelledBy'],
  },
  'subscription.completed': {
    of: 'subscription',
    says: 'The last cycle is final, and nothing is open',
    fields: ['cycles'],
  },
  'subscription.replaced': {
    of: 'subscription',
    says: 'Another subscription has replaced it',
    fields: ['by', 'from'],
  },
  'consent.failed': {
    of: 'either',
    from: ['consent.failed', 'payment.consent_failed'],
    says: 'The payer did not give the consent',
    fields: [],
  },
  'cycle.upcoming': {
    of: 'subscription',
    says: 'A cycle falls due within CYCLE_UPCOMING_DAYS days',
    fields: ['cycle', 'dueAt', 'amount'],
  },
  'cycle.collected': {
    of: 'subscription',
    says: 'The cycle was collected; `late` if its window had closed',
    fields: ['cycle', 'attempt', 'amount', 'dueAt', 'collectedAt', 'late', 'adopted', 'authorizationId', 'captureId'],
  },
  'cycle.dunning': {
    of: 'subscription',
    says: 'An attempt was refused, and a retry is planned; `willRetry` is therefore always true',
    fields: ['cycle', 'attempt', 'amount', 'dueAt', 'detail', 'retryAt', 'retriesLeft', 'willRetry'],
    also: ({ retryAt }) => ({ willRetry: typeof retryAt === 'string' }),
  },
  'cycle.failed': {
    of: 'subscription',
    says: 'The cycle was not collected',
    fields: ['cycle', 'attempt', 'amount', 'dueAt', 'detail', 'authorizationId', 'captureId'],
    also: ({ rejection }) => pick(rejection, ['attempt', 'detail']),
  },
  'cycle.skipped': {
    of: 'subscription',
    says: 'The cycle was skipped: it is not collected',
    fields: ['cycle', 'amount', 'dueAt'],
  },
  'cycle.postponed': {
    of: 'subscription',
    says: 'The first attempt of the cycle was moved inside its window; without `postponedUntil`, back to its due date',
    fields: ['cycle', 'amount', 'dueAt', 'postponedUntil'],
  },
  'cycle.missed': {
    of: 'subscription',
    says: 'The window closed, and no attempt had reached the bank',
    fields: ['cycle', 'amount', 'dueAt'],
  },
  'cycle.unresolved': {
    of: 'subscription',
    says: 'It is unknown whether an attempt made a debit',
    fields: ['cycle', 'attempt', 'amount', 'dueAt'],
  },
  'cycle.resolved': {
    of: 'subscription',
    says: 'An operator resolved the cycle',
    fields: ['cycle', 'attempt', 'amount', 'dueAt', 'outcome', 'paidCycle', 'authorizationId', 'captureId'],
  },
  'payment_link.created': {
    of: 'subscription',
    says: 'A link was created by which the payer can pay a failed or missed cycle: `linkPaymentId` is its one-time payment',
    fields: ['cycle', 'amount', 'linkPaymentId', 'expiresAt'],
  },
  'payment_link.paid': {
    of: 'subscription',
    says: 'The payer has paid a cycle by a link; `isSecondDebit` if the cycle had been collected meanwhile',
    fields: ['cycle', 'amount', 'linkPaymentId', 'captureId', 'isSecondDebit'],
  },
  'amount_change.accepted': {
    of: 'subscription',
    says: 'A change of the amount was accepted',
    fields: CHANGE,
  },
  'amount_change.withdrawn': {
    of: 'subscription',
    says: 'A pending change was withdrawn',
    fields: CHANGE,
  },
  'amount_change.dropped': {
    of: 'subscription',
    says: 'A pending change was no longer allowed or could not be announced in time; the old amount is collected',
    fields: ['cycle', ...CHANGE],
  },
  'amount_change.applied': {
    of: 'subscription',
    says: 'A cycle was collected at a different amount than the previous one',
    fields: ['cycle', 'amount', 'previousAmount'],
  },
  'refund.successful': {
    of: 'either',
    says: 'The payer was refunded',
    fields: REFUND,
  },
  'refund.failed': { of: 'either', says: 'The refund failed', fields: REFUND },
  'refund.unresolved': {
    of: 'either',
    says: 'It is unknown whether the refund was made',
    fields: REFUND,
  },
  'payment.authorized': {
    of: 'payment',
    says: "The payer's bank has authorized the payment",
    fields: ['amount', 'authorizationId', 'captureBy'],
  },
  'payment.captured': {
    of: 'payment',
    says: 'A Single Immediate payment is booked',
    fields: ['amount', 'captureId'],
  },
  'payment.released': {
    of: 'payment',
    says: 'The authorization was released: the payer is not debited',
    fields: [],
  },
  'payment.expired': {
    of: 'payment',
    says: 'The deadline has passed: nothing more can be captured',
    fields: ['captureBy', 'captured'],
  },
  'payment.failed': {
    of: 'payment',
    says: 'The payment failed',
    fields: ['authorizationId', 'captureId', 'detail'],
  },
  'capture.successful': {
    of: 'payment',
    says: 'A capture succeeded',
    fields: CAPTURE,
  },
  'capture.failed': { of: 'payment', says: 'A capture failed', fields: CAPTURE },
  'capture.unresolved': {
    of: 'payment',
    says: 'It is unknown whether a capture was made',
    fields: CAPTURE,
  },
  'capture.deadline_near': {
    of: 'payment',
    from: ['payment.deadline_near'],
    says: 'Money is left to capture one day before the deadline',
    fields: ['captureBy', 'remaining'],
  },
  'notice.delivered': {
    of: 'either',
    says: 'A notice counts as delivered',
    fields: NOTICE,
    also: ({ type }) => ({ notice: type }),
  },
  'notice.undeliverable': {
    of: 'either',
    says: 'A notice could not be delivered and was given up',
    fields: NOTICE,
    also: ({ type }) => ({ notice: type }),
  },
  'attention.opened': {
    of: 'either',
    from: [],
    says: 'An attention item was opened: an operator is needed',
    fields: ['itemKey', 'cycle'],
  },
  'attention.cleared': {
    of: 'either',
    from: [],
    says: 'An attention item was cleared',
    fields: ['itemKey', 'cycle'],
  },
  'reconciliation.difference': {
    of: 'either',
    says: 'The ledger and the payment service disagree',
    fields: ['kind', 'cycle', 'authorizationId', 'captureId', 'refundId', 'serviceRefundId'],
  },
  'audit.head': {
    of: 'none',
    says: 'Once a day: the number of links in the hash chain of the audit log, and the hash of the last one',
    fields: ['entries', 'head'],
  },
  'endpoint.disabled': {
    of: 'none',
    says: 'An endpoint was disabled: nothing is sent to it until it is enabled again',
    fields: ['endpointId'],
  },
  'endpoint.recovered': {
    of: 'none',
    says: 'An endpoint that had been disabled was enabled again, and has accepted an event',
    fields: ['endpointId'],
  },
  'endpoint.test': { of: 'none', from: [], says: 'A test, sent on request', fields: ['endpointId'] },
} as const satisfies Readonly<Record<string, Entry>>;

export type MerchantEventType = keyof typeof ENTRIES;

/** Every type, in documentation order. */
export const MERCHANT_EVENTS = Object.keys(ENTRIES) as readonly MerchantEventType[];

export function entryOf(type: MerchantEventType): Entry {
  return ENTRIES[type];
}

/** The types that an audit entry produces. */
export function typesFrom(auditType: string): readonly MerchantEventType[] {
  return MERCHANT_EVENTS.filter((type) => {
    const from: readonly string[] = entryOf(type).from ?? [type];
    return from.includes(auditType);
  });
}

/** Whether a text is `*`, a type, or a group of types such as `cycle.*`. */
export function isTypePattern(text: string): boolean {
  return typesMatching([text]).length > 0;
}

/** The types that match any of the patterns. */
export function typesMatching(patterns: readonly string[]): readonly MerchantEventType[] {
  const fits = (type: string, pattern: string) =>
    pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)));
  return MERCHANT_EVENTS.filter((type) => patterns.some((pattern) => fits(type, pattern)));
}

function pick(value: unknown, names: readonly FieldName[]): Partial<Record<FieldName, unknown>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(names.map((name) => [name, (value as EventData)[name]]));
}
