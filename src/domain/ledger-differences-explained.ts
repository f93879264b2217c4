import type { LedgerSend } from './ledger-differences-records';
import type { Instant } from './instant';
import { CLOCK_SKEW, type ListedRecord } from './listed-records';
import { sameMoney } from './money';

/** Money moves, or may, and no row of ours names it. A failed, released or expired one moves none (decisions 16). */
export function isForeign(record: ListedRecord, id: string, ownIds: readonly string[], knownSince: Instant): boolean {
  const moves = record.status === 'pending' || record.status === 'successful';
  return moves && !ownIds.includes(id) && record.createdAt >= knownSince - CLOCK_SKEW;
}

/**
 * A send in doubt may have made one record, and only one, that fits it: of its amount, made not before it less the skew,
 * and not seen before (decisions 17). Further ones are explained by nothing.
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
  for (const send of sends.filter(isInDoubt)) {
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

function isInDoubt({ state }: LedgerSend<string>): boolean {
  return state === 'sending' || state === 'unknown' || state === 'unresolved';
}

export function idsOf(ids: readonly (string | null)[]): string[] {
  return ids.filter((id) => id !== null);
}
