import { count, money, words } from '../../format';
import type { Attention } from '../common/schemas';

/** Such as `A debit is unknown to the ledger: €9.99, cycle 0`. */
export function summaryOf({ title, amount, cycle }: Pick<Attention, 'title' | 'amount' | 'cycle'>): string {
  const about = [amount === null ? null : money(amount), cycle === null ? null : `cycle ${count(cycle)}`];
  const known = about.filter((each) => each !== null);
  return known.length === 0 ? title : `${title}: ${known.join(', ')}`;
}

/** Kinds of items by which the payer may already have paid a cycle that the ledger has as unpaid. */
const MAY_BE_PAID: ReadonlySet<string> = new Set([
  'debit_unknown',
  'authorization_unknown',
  'contradiction',
  'unresolved',
  'unlisted',
]);

/** The first item by which the payer may already have paid the cycle; undefined if there is none. */
export function mayBePaid(items: readonly Attention[], n: number): Attention | undefined {
  return items.find(({ kind, cycle }) => MAY_BE_PAID.has(kind) && (cycle === null || cycle === n));
}

/** What the service shows of a state, in words. It no longer lists what is `unlisted`: the state is the last one seen. */
export function serviceState(kind: string, state: string): string {
  return kind === 'unlisted' ? `no longer listed (last seen: ${words(state)})` : words(state);
}
