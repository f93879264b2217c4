import type { EventData } from '../../domain/audit/event';
import type { EventType } from '../../domain/audit/events';
import type { FieldName, Fields } from './fields';

/** The merchant's events: one entry a type, from which the event, its JSON Schema and its sample follow. */

interface Entry extends Fields {
  /** What it is about. Of `either`, the trail's entry says; `none` has no sequence. */
  readonly of: 'subscription' | 'payment' | 'either' | 'none';
  /** Entries of the trail that make it known: those of its own name where left out; none where it is written beside the trail. */
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
    says: 'The subscription exists, and its payer is asked for the consent, or has given it elsewhere',
    fields: [],
  },
  'subscription.activated': {
    of: 'subscription',
    from: ['consent.granted', 'subscription.imported'],
    says: 'The consent stands: the subscription is collected from now on',
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
    says: 'Another subscription has taken its place',
    fields: ['by', 'from'],
  },
  'consent.failed': {
    of: 'either',
    from: ['consent.failed', 'payment.consent_failed'],
    says: 'The payer has not given the consent',
    fields: [],
  },
  'cycle.upcoming': {
    of: 'subscription',
    says: 'A cycle falls due in CYCLE_UPCOMING_DAYS days or less',
    fields: ['cycle', 'dueAt', 'amount'],
  },
  'cycle.collected': {
    of: 'subscription',
    says: 'The money is there; `late` where the window had closed',
    fields: ['cycle', 'attempt', 'amount', 'dueAt', 'collectedAt', 'late', 'adopted', 'authorizationId', 'captureId'],
  },
  'cycle.dunning': {
    of: 'subscription',
    says: 'An attempt was refused, and a retry is planned',
    fields: ['cycle', 'attempt', 'amount', 'dueAt', 'detail', 'retryAt', 'retriesLeft', 'willRetry'],
    also: ({ retryAt }) => ({ willRetry: typeof retryAt === 'string' }),
  },
  'cycle.failed': {
    of: 'subscription',
    says: 'The cycle is not collected',
    fields: ['cycle', 'attempt', 'amount', 'dueAt', 'detail', 'authorizationId', 'captureId'],
    also: ({ rejection }) => pick(rejection, ['attempt', 'detail']),
  },
  'cycle.skipped': {
    of: 'subscription',
    says: 'The cycle was not to be collected',
    fields: ['cycle', 'amount', 'dueAt'],
  },
  'cycle.missed': {
    of: 'subscription',
    says: 'The window has closed, and nothing was sent',
    fields: ['cycle', 'amount', 'dueAt'],
  },
  'cycle.unresolved': {
    of: 'subscription',
    says: 'Whether an attempt made a debit cannot be told',
    fields: ['cycle', 'attempt', 'amount', 'dueAt'],
  },
  'cycle.resolved': {
    of: 'subscription',
    says: 'A person has settled it',
    fields: ['cycle', 'attempt', 'amount', 'dueAt', 'outcome', 'paidCycle', 'authorizationId', 'captureId'],
  },
  'amount_change.accepted': {
    of: 'subscription',
    says: 'The amount is to change',
    fields: CHANGE,
  },
  'amount_change.withdrawn': {
    of: 'subscription',
    says: 'A pending change was taken back',
    fields: CHANGE,
  },
  'amount_change.dropped': {
    of: 'subscription',
    says: 'A pending change could not be collected; the old amount is',
    fields: ['cycle', ...CHANGE],
  },
  'amount_change.applied': {
    of: 'subscription',
    says: 'A cycle was collected at another amount than the one before',
    fields: ['cycle', 'amount', 'previousAmount'],
  },
  'refund.successful': {
    of: 'either',
    says: 'The payer has the money back',
    fields: REFUND,
  },
  'refund.failed': { of: 'either', says: 'The refund was not made', fields: REFUND },
  'refund.unresolved': {
    of: 'either',
    says: 'Whether the refund was made cannot be told',
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
    says: 'The authorization was given back: the payer is not debited',
    fields: [],
  },
  'payment.expired': {
    of: 'payment',
    says: 'The deadline has passed: nothing more can be captured',
    fields: ['captureBy', 'captured'],
  },
  'payment.failed': {
    of: 'payment',
    says: 'The payment was not made',
    fields: ['authorizationId', 'captureId', 'detail'],
  },
  'capture.successful': {
    of: 'payment',
    says: 'A capture was made',
    fields: CAPTURE,
  },
  'capture.failed': { of: 'payment', says: 'A capture was not made', fields: CAPTURE },
  'capture.unresolved': {
    of: 'payment',
    says: 'Whether a capture was made cannot be told',
    fields: CAPTURE,
  },
  'capture.deadline_near': {
    of: 'payment',
    from: ['payment.deadline_near'],
    says: 'Money is left to capture, a day before the deadline',
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
    says: 'A notice was given up',
    fields: NOTICE,
    also: ({ type }) => ({ notice: type }),
  },
  'attention.opened': {
    of: 'either',
    from: [],
    says: 'Something waits for a person',
    fields: ['matter', 'cycle'],
  },
  'attention.cleared': {
    of: 'either',
    from: [],
    says: 'It waits no more',
    fields: ['matter', 'cycle'],
  },
  'reconciliation.difference': {
    of: 'either',
    says: 'Ledger and service disagree',
    fields: ['kind', 'cycle', 'authorizationId', 'captureId', 'refundId', 'serviceRefundId'],
  },
  'audit.head': {
    of: 'none',
    says: 'Once a day: how many links the hash chain over the trail has, and the hash of the last',
    fields: ['entries', 'head'],
  },
  'endpoint.disabled': {
    of: 'none',
    says: 'An endpoint gets nothing any more',
    fields: ['endpointId'],
  },
  'endpoint.recovered': {
    of: 'none',
    says: 'An endpoint that was disabled has taken an event again',
    fields: ['endpointId'],
  },
  'endpoint.test': { of: 'none', from: [], says: 'A test, sent on request', fields: ['endpointId'] },
} as const satisfies Readonly<Record<string, Entry>>;

export type MerchantEventType = keyof typeof ENTRIES;

/** Every type, in the order in which they are documented. */
export const MERCHANT_EVENTS = Object.keys(ENTRIES) as readonly MerchantEventType[];

export function entryOf(type: MerchantEventType): Entry {
  return ENTRIES[type];
}

/** Those that an entry of the trail makes known. */
export function typesFrom(trailType: string): readonly MerchantEventType[] {
  return MERCHANT_EVENTS.filter((type) => {
    const from: readonly string[] = entryOf(type).from ?? [type];
    return from.includes(trailType);
  });
}

/** `*`, a type, or `cycle.*`. */
export function isTypePattern(text: string): boolean {
  return typesMatching([text]).length > 0;
}

/** The types that any of the patterns names. */
export function typesMatching(patterns: readonly string[]): readonly MerchantEventType[] {
  const fits = (type: string, pattern: string) =>
    pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)));
  return MERCHANT_EVENTS.filter((type) => patterns.some((pattern) => fits(type, pattern)));
}

function pick(value: unknown, names: readonly FieldName[]): Partial<Record<FieldName, unknown>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(names.map((name) => [name, (value as EventData)[name]]));
}
