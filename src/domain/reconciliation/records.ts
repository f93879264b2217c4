import type { CaptureId, PaymentId, OrderId, SubscriptionId } from '../ids';
import { type Money, formatMoney } from '../money';
import type { AttemptState, ListedRecord, OrderState } from '../send';
import { type Instant, type Period, toIso } from '../time';

/**
 * How ledger and service may disagree: a record is `unknown` to the ledger, `missing` at the service, in another `state`, or of
 * another `amount`. `not_compared`: the service's answer about this payment cannot be read.
 */
export const DIFFERENCE_KINDS = [
  'authorization_unknown',
  'authorization_missing',
  'authorization_state',
  'authorization_amount',
  'debit_unknown',
  'debit_missing',
  'debit_state',
  'debit_amount',
  'refund_unknown',
  'refund_missing',
  'refund_state',
  'refund_amount',
  'not_compared',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** A record on one side; `at` is when it was sent or created. */
export interface Side {
  readonly state: string;
  readonly amount: Money;
  readonly at: Instant;
}

export interface Difference {
  readonly kind: DifferenceKind;
  /** Null if the ledger assigns the record to no cycle. */
  readonly cycle: number | null;
  readonly authorizationId: string | null;
  readonly captureId: string | null;
  /** Our id. */
  readonly refundId: string | null;
  readonly serviceRefundId: string | null;
  readonly ledger: Side | null;
  readonly service: Side | null;
  /** Why the payment could not be compared; null for all kinds but `not_compared`. */
  readonly reason: string | null;
}

/** What the ledger knows of the payment of one subscription. */
export interface LedgerPayment {
  readonly subscriptionId: SubscriptionId;
  readonly paymentId: PaymentId;
  /** Since when the ledger has known the payment: records that the service created earlier came from another system. */
  readonly knownSince: Instant;
  readonly attempts: readonly LedgerAttempt[];
  readonly refunds: readonly LedgerRefund[];
}

/** One send: what was sent, and its current state. */
export interface LedgerSend<State> {
  /** Null for a one-time payment. */
  readonly cycle: number | null;
  readonly state: State;
  readonly amount: Money;
  readonly at: Instant;
  /** Ids that the service listed before the send, and that no earlier send had listed or created. */
  readonly knownIds: readonly string[];
}

export interface LedgerAttempt extends LedgerSend<AttemptState> {
  readonly dueAt: Instant;
  /**
   * This id and `captureId` are null for an attempt without an authorization. An operator who resolves an attempt as
   * collected may give one, both or none.
   */
  readonly authorizationId: string | null;
  readonly captureId: string | null;
}

export interface LedgerRefund extends LedgerSend<OrderState> {
  readonly refundId: OrderId;
  readonly captureId: CaptureId;
  readonly serviceRefundId: string | null;
}

/** What the service lists of one payment. */
export interface ServicePayment {
  readonly authorizations: readonly (ListedRecord & { readonly authorizationId: string })[];
  readonly captures: readonly (ListedRecord & { readonly captureId: string; readonly authorizationId: string })[];
  readonly refunds: readonly (ListedRecord & {
    readonly serviceRefundId: string;
    readonly captureId?: string | undefined;
  })[];
}

/** Whether one of the two records lies in the period; also true if there is no record. */
export function isWithin({ from, to }: Period, { ledger, service }: Difference): boolean {
  const sides = [ledger, service].filter((side) => side !== null);
  return sides.length === 0 || sides.some(({ at }) => at >= from && at < to);
}

/** Whether the record is missing only because the service does not list older records (rule 39). */
export function isBeyondLists({ kind, ledger }: Difference, listedSince: Instant): boolean {
  return kind.endsWith('_missing') && ledger !== null && ledger.at < listedSince;
}

/** The key of a difference within its payment: a difference that is found again has the same key. */
export function keyOfDifference(difference: Difference): string {
  const { kind, cycle, captureId, serviceRefundId, refundId, authorizationId } = difference;
  const about = kind.startsWith('refund')
    ? (serviceRefundId ?? refundId)
    : kind.startsWith('debit')
      ? captureId
      : authorizationId;
  return `${kind}/${about ?? (cycle === null ? 'payment' : `cycle ${cycle}`)}`;
}

export function notCompared(reason: string): Difference {
  return { ...differenceOf({ kind: 'not_compared' }), reason };
}

/** The service's side of a record, with its own text if the status is unknown (rule 41). */
export function sideOf({ status, unknownStatus, amount, createdAt }: ListedRecord): Side {
  return { state: unknownStatus ?? status, amount, at: createdAt };
}

/** A difference, with all other fields null. */
export function differenceOf(given: Partial<Difference> & Pick<Difference, 'kind'>): Difference {
  return {
    cycle: null,
    authorizationId: null,
    captureId: null,
    refundId: null,
    serviceRefundId: null,
    ledger: null,
    service: null,
    reason: null,
    ...given,
  };
}

/** A difference in one or two plain sentences. */
export function describeDifference(difference: Difference): string {
  const { kind, cycle, reason } = difference;
  const where = cycle === null ? '' : ` of cycle ${cycle}`;
  const why = reason === null ? '' : `: ${reason}`;
  const hint = kind === 'debit_unknown' ? '; if it was not owed, refund it by naming its captureId' : '';
  return `${SENTENCES[kind](where)}${hint}${why}.${sidesOf(difference)}`;
}

const SENTENCES: Readonly<Record<DifferenceKind, (where: string) => string>> = {
  authorization_unknown: () =>
    "The service has an authorization that matches none of dueday's attempts; it may become a debit",
  authorization_missing: (where) => `The service does not list the authorization${where} that the ledger has`,
  authorization_state: (where) => `The authorization${where} has a different state at the service and in the ledger`,
  authorization_amount: (where) => `The authorization${where} has a different amount at the service and in the ledger`,
  debit_unknown: (where) => `The service has a debit${where} that matches nothing in the ledger`,
  debit_missing: (where) => `The service does not list the debit${where} that the ledger has`,
  debit_state: (where) => `The debit${where} has a different state at the service and in the ledger`,
  debit_amount: (where) => `The debit${where} has a different amount at the service and in the ledger`,
  refund_unknown: (where) => `The service has a refund${where} that was not ordered here`,
  refund_missing: (where) => `The service does not list the refund${where} that the ledger has`,
  refund_state: (where) => `The refund${where} has a different state at the service and in the ledger`,
  refund_amount: (where) => `The refund${where} has a different amount at the service and in the ledger`,
  not_compared: () => "The service's answer about this payment cannot be read, so nothing was compared",
};

function sidesOf({ ledger, service, kind }: Difference): string {
  if (kind === 'not_compared') return '';
  return ` Ledger: ${describeSide(ledger)}; service: ${describeSide(service)}.`;
}

function describeSide(side: Side | null): string {
  return side === null ? 'nothing' : `${side.state}, ${formatMoney(side.amount)}, ${toIso(side.at)}`;
}
