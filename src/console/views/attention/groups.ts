import { addressOf, pathTo } from '../common/address';
import type { Attention } from '../common/schemas';
import { type Severity, severityOf } from './severity';

/** A row of the list: one item, or all items of a kind that has many. */
export type Row =
  | { readonly kind: 'item'; readonly item: Attention }
  | { readonly kind: 'group'; readonly of: string; readonly items: readonly Attention[] };

/** A kind with at least this many items gets one row. */
const GROUPED_FROM = 8;

const RANKS: Readonly<Record<Severity, number>> = { critical: 0, serious: 1, routine: 2 };

/** The most severe first, then in the order given. */
export function bySeverity(items: readonly Attention[]): readonly Attention[] {
  return items.toSorted((one, other) => RANKS[severityOf(one)] - RANKS[severityOf(other)]);
}

/**
 * The most severe first, then in the order of the list. Unless the list is filtered by `kind`, the items of a kind
 * follow the first of them and, if there are many, share a row.
 */
export function rowsOf(items: readonly Attention[], kind: string | undefined): readonly Row[] {
  const sorted = bySeverity(items);
  if (kind !== undefined) return sorted.map((item) => ({ kind: 'item', item }));
  return [...new Set(sorted.map((item) => item.kind))].flatMap((of): readonly Row[] => {
    const each = sorted.filter((item) => item.kind === of);
    return each.length >= GROUPED_FROM
      ? [{ kind: 'group', of, items: each }]
      : each.map((item) => ({ kind: 'item', item }));
  });
}

/** All items in the order of the rows. */
export function inOrder(rows: readonly Row[]): readonly Attention[] {
  return rows.flatMap((row) => (row.kind === 'item' ? [row.item] : row.items));
}

/** What a row opens: an item beside the same page of the list, a group on the first page of its kind. */
export function addressOfRow(row: Row, query: Readonly<Record<string, string>>): string {
  if (row.kind === 'item') return addressOf(pathTo('attention', row.item.item), query);
  return addressOf('/attention', { ...query, kind: row.of, cursor: undefined });
}

/** The sum of the items' amounts; null if none has an amount. */
export function sumOf(items: readonly Attention[]): Attention['amount'] {
  const amounts = items.map(({ amount }) => amount).filter((each) => each !== null);
  const [first] = amounts;
  if (first === undefined) return null;
  return { ...first, value: amounts.reduce((sum, { value }) => sum + value, 0) };
}

/** The earliest deadline of the items; null if none has a deadline. */
export function soonestOf(items: readonly Attention[]): string | null {
  const [soonest] = items
    .map(({ deadline }) => deadline)
    .filter((each) => each !== null)
    .sort();
  return soonest ?? null;
}
