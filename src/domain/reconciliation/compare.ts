import { sameMoney } from '../money';
import { mayBeOf } from '../payment/refund-rules';
import { type ListedRecord, CLOCK_SKEW, hasUnknownOutcome, type OrderState } from '../send';
import { DAY, type Instant } from '../time';
import {
  type Difference,
  type LedgerSend,
  sideOf,
  about,
  type LedgerRefund,
  type ServicePayment,
  type LedgerAttempt,
  type LedgerPayment,
} from './records';

/**
 * What is final in the ledger must be listed by the service, in a state that fits it and of the same amount.
 * @param ids by which a difference names it
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
  if (theirs === undefined) return [about({ kind: `${what}_missing`, ...ids, ledger })];
  const known = { ...ids, ledger, service: sideOf(theirs) };
  if (!expected.includes(theirs.status)) return [about({ kind: `${what}_state`, ...known })];
  return sameMoney(ours.amount, theirs.amount) ? [] : [about({ kind: `${what}_amount`, ...known })];
}

/** Business time within which the service lists what it has taken, however late it lists it. */
const LISTED_WITHIN = DAY;

/**
 * A capture or a refund against the service's record of it: what is final must agree, and what is pending may have become
 * anything meanwhile, but it must be listed.
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

/** Whether money moves, or may move, that no row of the ledger names. A failed, released or expired one moves none (rule 16). */
export function isForeign(record: ListedRecord, id: string, ownIds: readonly string[], knownSince: Instant): boolean {
  const moves = record.status === 'pending' || record.status === 'successful';
  return moves && !ownIds.includes(id) && record.createdAt >= knownSince - CLOCK_SKEW;
}

/**
 * A send with an unknown outcome may have created one record, and only one, that matches it: of its amount, created not before it
 * less the skew, and not seen before (rule 17). Further ones remain unexplained.
 * @param sends all of the payment and kind: each keeps only what those before it had not seen
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

/** What the refunds of a payment rest on, in every plan. */
export interface LedgerRefunds {
  readonly knownSince: Instant;
  readonly refunds: readonly LedgerRefund[];
  /** Which cycle was debited by which capture. */
  readonly debits: readonly { readonly captureId: string | null; readonly cycle: number | null }[];
}

export function differencesOfRefunds(ledger: LedgerRefunds, service: ServicePayment, now: Instant): Difference[] {
  const known = ledger.refunds.flatMap((refund) => differenceOfRefund(refund, service, now));
  return [...known, ...unknownRefunds(ledger, service)];
}

/**
 * Debits, and authorizations that may become one, that match no send.
 * @param cycleOf the cycle that the ledger ties an authorization to
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
        return about({ kind: 'debit_unknown', cycle, captureId, authorizationId, service: sideOf(each) });
      }),
    ...authorizations
      .filter(({ authorizationId }) => !debited.includes(authorizationId))
      .map((each) => {
        return about({ kind: 'authorization_unknown', authorizationId: each.authorizationId, service: sideOf(each) });
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
  const theirs = refunds.find((each) => each.refundId === serviceRefundId);
  return differenceOfOrder('refund', { cycle, captureId, refundId, serviceRefundId }, refund, theirs, now);
}

/** Refunds, made or being made, that match no order. */
function unknownRefunds({ debits, refunds, knownSince }: LedgerRefunds, service: ServicePayment): Difference[] {
  const ownIds = idsOf(refunds.map((each) => each.serviceRefundId));
  const foreign = service.refunds.filter((each) => isForeign(each, each.refundId, ownIds, knownSince));
  const explained = explainedBy(
    refunds,
    foreign,
    (each) => each.refundId,
    (send, record) => mayBeOf(send.captureId, record),
  );
  return foreign
    .filter((each) => !explained.includes(each.refundId))
    .map((each) => {
      const captureId = each.captureId ?? null;
      const cycle = debits.find((debit) => captureId !== null && debit.captureId === captureId)?.cycle ?? null;
      const ids = { cycle, captureId, serviceRefundId: each.refundId };
      return about({ kind: 'refund_unknown', ...ids, service: sideOf(each) });
    });
}

/**
 * The attempts with the ids that an operator who resolved one as collected did not name (rule 33): those of the one debit at
 * the service that fits it. If none fits they remain unchanged, and the debit is missing.
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
 * The authorization of the capture that was named; else one of its amount, not seen right before it was sent, and made
 * from its due date on, as an operator may have entered the send much later.
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
