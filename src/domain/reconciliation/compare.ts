import { sameMoney } from '../money';
import { mayBeOf } from '../payment/refund-rules';
import { type ListedRecord, CLOCK_SKEW, hasUnknownOutcome, type OrderState } from '../send';
import { DAY, type Instant } from '../time';
import {
  type Difference,
  type LedgerSend,
  sideOf,
  differenceOf,
  type LedgerRefund,
  type ServicePayment,
  type LedgerAttempt,
  type LedgerPayment,
} from './records';

/**
 * A record that is final in the ledger must be listed by the service, in a matching state and with the same amount.
 * @param ids with which a difference identifies the record
 * @returns at most one difference
 */
export function disagreement(
  what: 'authorization' | 'debit' | 'refund',
  ids: Partial<Difference>,
  ours: Pick<LedgerSend<string>, 'state' | 'amount' | 'at'>,
  theirs: ListedRecord | undefined,
  expected: readonly string[],
): Difference[] {
  const ledger = { state: ours.state, amount: ours.amount, at: ours.at };
  if (theirs === undefined) return [differenceOf({ kind: `${what}_missing`, ...ids, ledger })];
  const known = { ...ids, ledger, service: sideOf(theirs) };
  if (!expected.includes(theirs.status)) return [differenceOf({ kind: `${what}_state`, ...known })];
  return sameMoney(ours.amount, theirs.amount) ? [] : [differenceOf({ kind: `${what}_amount`, ...known })];
}

/** The longest that the service may take to list a new record. Business time. */
const LISTED_WITHIN = DAY;

/**
 * Compares a capture or a refund with the service's record: a final one must match; a pending one may have any state at
 * the service, but must be listed within a day.
 * @returns at most one difference
 */
export function differenceOfOrder(
  what: 'debit' | 'refund',
  ids: Partial<Difference>,
  ours: Pick<LedgerSend<OrderState>, 'state' | 'amount' | 'at'>,
  theirs: ListedRecord | undefined,
  now: Instant,
): Difference[] {
  const { state, at } = ours;
  const isFinal = state === 'successful' || state === 'failed';
  const isLost = state === 'pending' && theirs === undefined && now >= at + LISTED_WITHIN;
  return isFinal || isLost ? disagreement(what, ids, ours, theirs, [state]) : [];
}

/** Whether money moves or may move that no row of the ledger explains. A failed, released or expired record moves none (rule 16). */
export function isForeign(record: ListedRecord, id: string, ownIds: readonly string[], knownSince: Instant): boolean {
  const moves = record.status === 'pending' || record.status === 'successful';
  return moves && !ownIds.includes(id) && record.createdAt >= knownSince - CLOCK_SKEW;
}

/**
 * The records that sends with an unknown outcome may have created: one each, with its amount, created no earlier than the send
 * (less the clock skew), and not listed before (rule 17). Further records remain unexplained.
 * @param sends all sends of the payment and kind: each stores only those listed ids that no earlier send has stored
 */
export function explainedBy<S extends LedgerSend<string>, R extends ListedRecord>(
  sends: readonly S[],
  records: readonly R[],
  idOf: (record: R) => string,
  fits: (send: S, record: R) => boolean = () => true,
): string[] {
  const explained: string[] = [];
  const known = new Set(sends.flatMap(({ knownIds }) => knownIds));
  for (const send of sends.filter(({ state }) => hasUnknownOutcome(state))) {
    const made = records.find(
      (each) =>
        !explained.includes(idOf(each)) &&
        !known.has(idOf(each)) &&
        sameMoney(each.amount, send.amount) &&
        each.createdAt >= send.at - CLOCK_SKEW &&
        fits(send, each),
    );
    if (made !== undefined) explained.push(idOf(made));
  }
  return explained;
}

export function idsOf(ids: readonly (string | null)[]): string[] {
  return ids.filter((id) => id !== null);
}

/**
 * What the ledger contributes to the comparison of a payment's refunds, for subscriptions and one-time payments alike.
 */
export interface LedgerRefunds {
  readonly knownSince: Instant;
  readonly refunds: readonly LedgerRefund[];
  /** The captures, each with the cycle that it debited; null for a one-time payment. */
  readonly debits: readonly { readonly captureId: string | null; readonly cycle: number | null }[];
}

export function differencesOfRefunds(ledger: LedgerRefunds, service: ServicePayment, now: Instant): Difference[] {
  const known = ledger.refunds.flatMap((refund) => differenceOfRefund(refund, service, now));
  return [...known, ...unknownRefunds(ledger, service)];
}

/**
 * The differences for debits and authorizations that match no send, except debits that our refunds have returned in
 * full.
 * @param cycleOf the cycle that the ledger assigns to an authorization
 */
export function unexplained(
  debits: ServicePayment['captures'],
  authorizations: ServicePayment['authorizations'],
  refunds: readonly LedgerRefund[],
  cycleOf: (authorizationId: string) => number | null = () => null,
): Difference[] {
  const debited = debits.map((each) => each.authorizationId);
  return [
    ...debits
      .filter((each) => !isGivenBack(refunds, each))
      .map((each) => {
        const { captureId, authorizationId } = each;
        const cycle = cycleOf(authorizationId);
        return differenceOf({ kind: 'debit_unknown', cycle, captureId, authorizationId, service: sideOf(each) });
      }),
    ...authorizations
      .filter(({ authorizationId }) => !debited.includes(authorizationId))
      .map((each) => {
        return differenceOf({
          kind: 'authorization_unknown',
          authorizationId: each.authorizationId,
          service: sideOf(each),
        });
      }),
  ];
}

/** Whether our refunds have returned all of a debit that matches nothing else in the ledger: then it is settled. */
function isGivenBack(
  refunds: readonly LedgerRefund[],
  { captureId, amount }: ServicePayment['captures'][number],
): boolean {
  const given = refunds.filter((each) => each.captureId === captureId && each.state === 'successful');
  return given.reduce((sum, each) => sum + each.amount.value, 0) >= amount.value;
}

function differenceOfRefund(refund: LedgerRefund, { refunds }: ServicePayment, now: Instant): Difference[] {
  const { cycle, captureId, refundId, serviceRefundId } = refund;
  if (serviceRefundId === null) return [];
  const theirs = refunds.find((each) => each.serviceRefundId === serviceRefundId);
  return differenceOfOrder('refund', { cycle, captureId, refundId, serviceRefundId }, refund, theirs, now);
}

/** Refunds, successful or pending, that match no order. */
function unknownRefunds({ debits, refunds, knownSince }: LedgerRefunds, service: ServicePayment): Difference[] {
  const ownIds = idsOf(refunds.map((each) => each.serviceRefundId));
  const foreign = service.refunds.filter((each) => isForeign(each, each.serviceRefundId, ownIds, knownSince));
  const explained = explainedBy(
    refunds,
    foreign,
    (each) => each.serviceRefundId,
    (send, record) => mayBeOf(send.captureId, record),
  );
  return foreign
    .filter((each) => !explained.includes(each.serviceRefundId))
    .map((each) => {
      const captureId = each.captureId ?? null;
      const cycle = debits.find((debit) => captureId !== null && debit.captureId === captureId)?.cycle ?? null;
      const ids = { cycle, captureId, serviceRefundId: each.serviceRefundId };
      return differenceOf({ kind: 'refund_unknown', ...ids, service: sideOf(each) });
    });
}

/**
 * The attempts, with missing ids filled in if an operator resolved one as collected without naming them (rule 33): the ids of
 * the earliest debit at the service that fits. If none fits, the attempt is unchanged, and its debit is missing.
 */
export function identifiedAttempts(
  { attempts, knownSince }: LedgerPayment,
  service: ServicePayment,
): readonly LedgerAttempt[] {
  const taken = idsOf(attempts.map((each) => each.authorizationId));
  const earliestFirst = service.authorizations.toSorted((one, other) => one.createdAt - other.createdAt);
  return attempts.map((attempt) => {
    if (attempt.state !== 'successful') return attempt;
    const fitting = earliestFirst.find(
      (each) => isForeign(each, each.authorizationId, taken, knownSince) && fits(attempt, each, service),
    );
    const authorizationId = attempt.authorizationId ?? fitting?.authorizationId ?? null;
    if (authorizationId !== null) taken.push(authorizationId);
    const booked = service.captures.find((each) => each.authorizationId === authorizationId);
    return { ...attempt, authorizationId, captureId: attempt.captureId ?? booked?.captureId ?? null };
  });
}

/**
 * If the attempt names a capture, its debit fits. Otherwise a debit fits that has the amount, was not listed right
 * before the send, and was created no earlier than the due date or, if that was earlier, the send (less the clock
 * skew). The due date counts because an operator may have entered the send long after the debit was made.
 */
function fits(
  attempt: LedgerAttempt,
  record: ServicePayment['authorizations'][number],
  { captures }: ServicePayment,
): boolean {
  const { authorizationId: id } = record;
  if (attempt.captureId !== null) {
    return captures.some((each) => each.captureId === attempt.captureId && each.authorizationId === id);
  }
  const isNew = !attempt.knownIds.includes(id) && record.createdAt >= Math.min(attempt.dueAt, attempt.at) - CLOCK_SKEW;
  return isNew && sameMoney(record.amount, attempt.amount);
}
