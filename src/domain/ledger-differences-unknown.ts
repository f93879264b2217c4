import {
  about,
  type Difference,
  type LedgerPayment,
  type LedgerRefund,
  type LedgerSend,
  type ServicePayment,
  sideOf,
} from './ledger-differences-records';
import type { Instant } from './instant';
import { CLOCK_SKEW, type ListedRecord } from './listed-records';
import { sameMoney } from './money';

/** Debits, and authorizations that may become one, that no attempt of ours explains. */
export function unknownDebits({ attempts, knownSince }: LedgerPayment, service: ServicePayment): Difference[] {
  const ownIds = idsOf(attempts.map((each) => each.authorizationId));
  const foreign = service.authorizations.filter((each) => isForeign(each, each.authorizationId, ownIds, knownSince));
  const explained = explainedBy(attempts, foreign, (each) => each.authorizationId);
  const underWay = [...explained, ...idsOf(attempts.filter(isPending).map((each) => each.authorizationId))];
  const ownCaptures = idsOf(attempts.map((each) => each.captureId));
  const cycleOf = (id: string) => attempts.find((each) => each.authorizationId === id)?.cycle ?? null;
  const debits = service.captures.filter(
    (each) => isForeign(each, each.captureId, ownCaptures, knownSince) && !underWay.includes(each.authorizationId),
  );
  const debited = debits.map((each) => each.authorizationId);
  const authorizations = foreign.filter(({ authorizationId: id }) => !explained.includes(id) && !debited.includes(id));
  return [
    ...debits.map((each) => {
      const { captureId, authorizationId } = each;
      const cycle = cycleOf(authorizationId);
      return about({ kind: 'debit_unknown', cycle, captureId, authorizationId, service: sideOf(each) });
    }),
    ...authorizations.map((each) => {
      return about({
        kind: 'authorization_unknown',
        authorizationId: each.authorizationId,
        service: sideOf(each),
      });
    }),
  ];
}

/** Refunds, made or being made, that no order of ours explains. */
export function unknownRefunds(
  { attempts, refunds, knownSince }: LedgerPayment,
  service: ServicePayment,
): Difference[] {
  const ownIds = idsOf(refunds.map((each) => each.serviceRefundId));
  const foreign = service.refunds.filter((each) => isForeign(each, each.refundId, ownIds, knownSince));
  const explained = explainedBy(refunds, foreign, (each) => each.refundId, isOfCapture);
  return foreign
    .filter((each) => !explained.includes(each.refundId))
    .map((each) => {
      const captureId = each.captureId ?? null;
      const cycle = attempts.find((attempt) => captureId !== null && attempt.captureId === captureId)?.cycle ?? null;
      const ids = { cycle, captureId, serviceRefundId: each.refundId };
      return about({ kind: 'refund_unknown', ...ids, service: sideOf(each) });
    });
}

/** A refund of a named capture is not the one that was sent for another. */
function isOfCapture(send: LedgerRefund, record: ServicePayment['refunds'][number]): boolean {
  return record.captureId === undefined || record.captureId === send.captureId;
}

/** Money moves, or may, and no row of ours names it. A failed, released or expired one moves none (decisions 16). */
function isForeign(record: ListedRecord, id: string, ownIds: readonly string[], knownSince: Instant): boolean {
  const moves = record.status === 'pending' || record.status === 'successful';
  return moves && !ownIds.includes(id) && record.createdAt >= knownSince - CLOCK_SKEW;
}

/**
 * A send in doubt may have made one record, and only one, that fits it: of its amount, made not before it less the skew,
 * and not seen right before (decisions 17). Further ones are explained by nothing.
 */
function explainedBy<S extends LedgerSend<string>, R extends ListedRecord>(
  sends: readonly S[],
  records: readonly R[],
  idOf: (record: R) => string,
  fits: (send: S, record: R) => boolean = () => true,
): string[] {
  const explained: string[] = [];
  for (const send of sends.filter(isInDoubt)) {
    const made = records.find(
      (each) =>
        !explained.includes(idOf(each)) &&
        !send.knownIds.includes(idOf(each)) &&
        sameMoney(each.amount, send.amount) &&
        each.createdAt >= send.at - CLOCK_SKEW &&
        fits(send, each),
    );
    if (made !== undefined) explained.push(idOf(made));
  }
  return explained;
}

function isInDoubt({ state }: LedgerSend<string>): boolean {
  return state === 'sending' || state === 'unknown' || state === 'unresolved';
}

function isPending({ state }: LedgerSend<string>): boolean {
  return state === 'pending';
}

function idsOf(ids: readonly (string | null)[]): string[] {
  return ids.filter((id) => id !== null);
}
