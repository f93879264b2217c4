import type { EventData } from '../../domain/trail/event';
import type { EventType } from '../../domain/trail/events';
import type { FieldName, Fields } from './fields';

/** The merchant's events: one entry a type, from which the event, its JSON Schema and its sample follow. */

interface Entry extends Fields {
  /** What it is about. Of `either`, the trail's entry says; `none` has no sequence. */
  readonly of: 'subscription' | 'payment' | 'either' | 'none';
  /** Entries of the trail that make it known; none where the ledger writes it beside the trail. */
  readonly from: readonly EventType[];
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
    from: ['subscription.paused'],
    says: 'Due dates are skipped until it is resumed',
    fields: ['until'],
  },
  'subscription.resumed': {
    of: 'subscription',
    from: ['subscription.resumed'],
    says: 'The pause has ended',
    fields: ['since'],
  },
  'subscription.cancelled': {
    of: 'subscription',
    from: ['subscription.cancelled'],
    says: 'The consent has ended: nothing further is collected',
    fields: ['cancelledBy'],
  },
  'subscription.completed': {
    of: 'subscription',
    from: ['subscription.completed'],
    says: 'The last cycle is final, and nothing is open',
    fields: ['cycles'],
  },
  'subscription.replaced': {
    of: 'subscription',
    from: ['subscription.replaced'],
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
    from: ['cycle.upcoming'],
    says: 'A cycle falls due in CYCLE_UPCOMING_DAYS days or less',
    fields: ['cycle', 'dueAt', 'amount'],
  },
  'cycle.collected': {
    of: 'subscription',
    from: ['cycle.collected'],
    says: 'The money is there; `late` where the window had closed',
    fields: ['cycle', 'attempt', 'amount', 'dueAt', 'collectedAt', 'late', 'authorizationId', 'captureId'],
  },
  'cycle.dunning': {
    of: 'subscription',
    from: ['cycle.dunning'],
    says: 'An attempt was refused, and a retry is planned',
    fields: ['cycle', 'attempt', 'amount', 'dueAt', 'detail', 'retryAt', 'retriesLeft', 'willRetry'],
    also: ({ retryAt }) => ({ willRetry: typeof retryAt === 'string' }),
  },
  'cycle.failed': {
    of: 'subscription',
    from: ['cycle.failed'],
    says: 'The cycle is not collected',
    fields: ['cycle', 'attempt', 'amount', 'dueAt', 'detail'],
    also: ({ rejection }) => pick(rejection, ['attempt', 'detail']),
  },
  'cycle.skipped': {
    of: 'subscription',
    from: ['cycle.skipped'],
    says: 'The cycle was not to be collected',
    fields: ['cycle', 'amount', 'dueAt'],
  },
  'cycle.missed': {
    of: 'subscription',
    from: ['cycle.missed'],
    says: 'The window has closed, and nothing was sent',
    fields: ['cycle', 'amount', 'dueAt'],
  },
  'cycle.unresolved': {
    of: 'subscription',
    from: ['cycle.unresolved'],
    says: 'Whether an attempt made a debit cannot be told',
    fields: ['cycle', 'attempt', 'amount', 'dueAt'],
  },
  'cycle.resolved': {
    of: 'subscription',
    from: ['cycle.resolved'],
    says: 'A person has settled it',
    fields: ['cycle', 'attempt', 'amount', 'dueAt', 'outcome', 'authorizationId', 'captureId'],
  },
  'amount_change.accepted': {
    of: 'subscription',
    from: ['amount_change.accepted'],
    says: 'The amount is to change',
    fields: CHANGE,
  },
  'amount_change.withdrawn': {
    of: 'subscription',
    from: ['amount_change.withdrawn'],
    says: 'A pending change was taken back',
    fields: CHANGE,
  },
  'amount_change.dropped': {
    of: 'subscription',
    from: ['amount_change.dropped'],
    says: 'A pending change could not be collected; the old amount is',
    fields: ['cycle', ...CHANGE],
  },
  'amount_change.applied': {
    of: 'subscription',
    from: ['amount_change.applied'],
    says: 'A cycle was collected at another amount than the one before',
    fields: ['cycle', 'amount', 'previousAmount'],
  },
  'refund.successful': {
    of: 'either',
    from: ['refund.successful'],
    says: 'The payer has the money back',
    fields: REFUND,
  },
  'refund.failed': { of: 'either', from: ['refund.failed'], says: 'The refund was not made', fields: REFUND },
  'refund.unresolved': {
    of: 'either',
    from: ['refund.unresolved'],
    says: 'Whether the refund was made cannot be told',
    fields: REFUND,
  },
  'payment.authorized': {
    of: 'payment',
    from: ['payment.authorized'],
    says: "The payer's bank has authorized the payment",
    fields: ['amount', 'authorizationId', 'captureBy'],
  },
  'payment.captured': {
    of: 'payment',
    from: ['payment.captured'],
    says: 'A Single Immediate payment is booked',
    fields: ['amount', 'captureId'],
  },
  'payment.released': {
    of: 'payment',
    from: ['payment.released'],
    says: 'The authorization was given back: the payer is not debited',
    fields: [],
  },
  'payment.expired': {
    of: 'payment',
    from: ['payment.expired'],
    says: 'The deadline has passed: nothing more can be captured',
    fields: ['captureBy', 'captured'],
  },
  'payment.failed': {
    of: 'payment',
    from: ['payment.failed'],
    says: 'The payment was not made',
    fields: ['authorizationId', 'captureId', 'detail'],
  },
  'capture.successful': {
    of: 'payment',
    from: ['capture.successful'],
    says: 'A capture was made',
    fields: CAPTURE,
  },
  'capture.failed': { of: 'payment', from: ['capture.failed'], says: 'A capture was not made', fields: CAPTURE },
  'capture.unresolved': {
    of: 'payment',
    from: ['capture.unresolved'],
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
    from: ['notice.delivered'],
    says: 'A notice counts as delivered',
    fields: NOTICE,
    also: ({ type }) => ({ notice: type }),
  },
  'notice.undeliverable': {
    of: 'either',
    from: ['notice.undeliverable'],
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
    from: ['reconciliation.difference'],
    says: 'Ledger and service disagree',
    fields: ['kind', 'cycle', 'authorizationId', 'captureId', 'refundId', 'serviceRefundId'],
  },
  'audit.head': {
    of: 'none',
    from: ['audit.head'],
    says: 'Once a day: how many links the hash chain over the trail has, and the hash of the last',
    fields: ['entries', 'head'],
  },
  'endpoint.disabled': {
    of: 'none',
    from: ['endpoint.disabled'],
    says: 'An endpoint gets nothing any more',
    fields: ['endpointId'],
  },
  'endpoint.recovered': {
    of: 'none',
    from: ['endpoint.recovered'],
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

/** Types by the entry of the trail that makes them known. */
const BY_ENTRY: ReadonlyMap<string, readonly MerchantEventType[]> = new Map(
  [...new Set(MERCHANT_EVENTS.flatMap((type) => entryOf(type).from))].map((from) => [
    from,
    MERCHANT_EVENTS.filter((type) => entryOf(type).from.includes(from)),
  ]),
);

export function typesFrom(trailType: string): readonly MerchantEventType[] {
  return BY_ENTRY.get(trailType) ?? [];
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
