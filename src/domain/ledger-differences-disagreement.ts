import { type Difference, type LedgerSend, sideOf } from './ledger-differences-records';
import type { ListedRecord } from './listed-records';
import { sameMoney } from './money';

export type Disagreement = Pick<Difference, 'kind' | 'ledger' | 'service'>;

/** What is final in the ledger must be listed by the service, in a state that fits it and of the same amount. */
export function disagreement(
  what: 'authorization' | 'debit' | 'refund',
  ours: Pick<LedgerSend<string>, 'state' | 'amount' | 'at'>,
  theirs: ListedRecord | undefined,
  expected: readonly string[],
): Disagreement | null {
  const ledger = { state: ours.state, amount: ours.amount, at: ours.at };
  if (theirs === undefined) return { kind: `${what}_missing`, ledger, service: null };
  const service = sideOf(theirs);
  if (!expected.includes(theirs.status)) return { kind: `${what}_state`, ledger, service };
  return sameMoney(ours.amount, theirs.amount) ? null : { kind: `${what}_amount`, ledger, service };
}
