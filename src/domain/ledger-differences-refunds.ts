import { disagreement } from './ledger-differences-disagreement';
import { explainedBy, idsOf, isForeign } from './ledger-differences-explained';
import { about, type Difference, type LedgerRefund, type ServicePayment, sideOf } from './ledger-differences-records';
import type { Instant } from './instant';

/** What the refunds of a payment rest on, whatever its plan. */
export interface LedgerRefunds {
  readonly knownSince: Instant;
  readonly refunds: readonly LedgerRefund[];
  /** Which cycle was debited by which capture. */
  readonly debits: readonly { readonly captureId: string | null; readonly cycle: number | null }[];
}

export function differencesOfRefunds(ledger: LedgerRefunds, service: ServicePayment): Difference[] {
  return [...ledger.refunds.flatMap((refund) => differenceOf(refund, service)), ...unknownRefunds(ledger, service)];
}

/** Whether refunds of ours have given back all of a debit that nothing else of ours explains: then it is settled. */
export function isGivenBack(
  refunds: readonly LedgerRefund[],
  { captureId, amount }: ServicePayment['captures'][number],
): boolean {
  const given = refunds.filter((each) => each.captureId === captureId && each.state === 'successful');
  return given.reduce((sum, each) => sum + each.amount.value, 0) >= amount.value;
}

function differenceOf(refund: LedgerRefund, { refunds }: ServicePayment): Difference[] {
  const { state, cycle, captureId, refundId, serviceRefundId } = refund;
  if ((state !== 'successful' && state !== 'failed') || serviceRefundId === null) return [];
  const theirs = refunds.find((each) => each.refundId === serviceRefundId);
  const found = disagreement('refund', refund, theirs, [state]);
  return found === null ? [] : [about({ cycle, captureId, refundId, serviceRefundId, ...found })];
}

/** Refunds, made or being made, that no order of ours explains. */
function unknownRefunds({ debits, refunds, knownSince }: LedgerRefunds, service: ServicePayment): Difference[] {
  const ownIds = idsOf(refunds.map((each) => each.serviceRefundId));
  const foreign = service.refunds.filter((each) => isForeign(each, each.refundId, ownIds, knownSince));
  const explained = explainedBy(refunds, foreign, (each) => each.refundId, isOfCapture);
  return foreign
    .filter((each) => !explained.includes(each.refundId))
    .map((each) => {
      const captureId = each.captureId ?? null;
      const cycle = debits.find((debit) => captureId !== null && debit.captureId === captureId)?.cycle ?? null;
      const ids = { cycle, captureId, serviceRefundId: each.refundId };
      return about({ kind: 'refund_unknown', ...ids, service: sideOf(each) });
    });
}

/** A refund of a named capture is not the one that was sent for another. */
function isOfCapture(send: LedgerRefund, record: ServicePayment['refunds'][number]): boolean {
  return record.captureId === undefined || record.captureId === send.captureId;
}
