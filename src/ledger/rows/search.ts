import type { Metadata } from '../../domain/metadata';
import type { Instant } from '../../domain/time';
import { type Page, creationCursor } from '../sql/cursor';
import { instantToColumn, jsonToColumn, textToColumn, type Db, type Readable, readRecords } from '../sql/statements';

/** Lists by an instant of theirs, that can be searched by the beginnings of words and by metadata. */

/** What is listed. Its rows are `s`. */
export interface Searchable {
  readonly table: 'subscriptions' | 'payments';
  /** Orders those of one instant. */
  readonly id: 'subscription_id' | 'request_id';
  readonly words: 'subscription_words' | 'payment_words';
  /** What a row falls due by; null where nothing is to come. */
  readonly due: 'next_due_at' | 'capture_by';
  /** Conditions on `s`; the first filter of the list's own is $10. */
  readonly wanted: string;
  readonly columns: string;
  /** Of what other tables columns are. */
  readonly join: string;
}

/** By creation or by what falls due, the latest first where there is a hyphen. Those with nothing to come have no place in the latter. */
export const SORTS = ['-createdAt', 'createdAt', '-dueAt', 'dueAt'] as const;
type Sort = (typeof SORTS)[number];

/** What every such list can be narrowed by. Spans begin with their first instant and end before their last. */
export interface ListFilter {
  readonly createdFrom?: Instant | undefined;
  readonly createdTo?: Instant | undefined;
  readonly dueFrom?: Instant | undefined;
  readonly dueTo?: Instant | undefined;
  /** All of these pairs. */
  readonly metadata?: Metadata | undefined;
  /** Beginnings of words of an id, or of the payer's name, e-mail or reference, in any case; all of them must be found. */
  readonly q?: string | undefined;
  /** Whether `q` passes over e-mails: a caller who does not see them must not find them out, letter by letter. */
  readonly hidesEmail?: boolean | undefined;
}

export interface ListOrder extends ListFilter {
  /** The newest first where it is left out. */
  readonly sort?: Sort | undefined;
}

/** Ids that its pages show at most. */
export const MOST_IN_SNAPSHOT = 100_000;

/** So many of the first are looked through before the indexes of words and of metadata are asked. */
const LOOKED_THROUGH = 1_000;

/**
 * The rows of a page, and one more where there is a next page. What is common is found among the first of the list; what is
 * rare, by the index of words or of metadata, after which all that is found has to be sorted. The planner cannot tell which
 * is which, as it has no statistics on beginnings: each `limit 1` keeps it from reading another table through, or another
 * index.
 * @param own values of the list's own filters
 */
export async function readSearched<R extends Readable<R> & Listed>(
  db: Db,
  list: Searchable,
  order: ListOrder,
  page: Page,
  own: readonly unknown[],
): Promise<readonly R[]> {
  const values = [...valuesOf(order, page), ...own];
  const search = searchOf(list, order);
  if (order.q === undefined && order.metadata === undefined) return readRecords<R>(db, search.everything, values);
  const first = await readRecords<R>(db, search.amongFirst, values);
  const found = first.filter(({ createdAt }) => createdAt !== null);
  const all = (first[0]?.lookedThrough ?? 0) < LOOKED_THROUGH;
  return all || found.length > page.limit ? found : readRecords<R>(db, search.byIndex, values);
}

/** What a search finds. */
interface Listed {
  /** Null where nothing is found: one row still says how many were looked through. */
  readonly createdAt: Instant | null;
  /** How many of the first there are to look through, on each record that was found so. */
  readonly lookedThrough?: number;
}

/** Whether a list is ordered by an instant that changes while its pages are read: its order is kept in a snapshot. */
export function isByDueDate(sort: Sort = '-createdAt'): boolean {
  return sort === 'dueAt' || sort === '-dueAt';
}

/** The ids of all that is listed, in its order, for a snapshot. */
export async function readOrder(
  db: Db,
  list: Searchable,
  order: ListOrder,
  own: readonly unknown[],
): Promise<readonly string[]> {
  const columns = { ...list, columns: `s.${list.id} as id, s.created_at`, join: '' };
  const page = { limit: MOST_IN_SNAPSHOT, cursor: null };
  const found = await readSearched<Listed & { readonly id: string }>(db, columns, order, page, own);
  return found.map(({ id }) => id);
}

/** The statements of a list, all with the values of {@link valuesOf} and those of its own filters. */
interface Search {
  readonly everything: string;
  readonly amongFirst: string;
  readonly byIndex: string;
}

function searchOf(list: Searchable, { sort = '-createdAt', hidesEmail = false }: ListOrder): Search {
  const { table, id, words, columns, join } = list;
  const instant = isByDueDate(sort) ? list.due : 'created_at';
  const [direction, beyond] = sort.startsWith('-') ? ['desc', '<'] : ['asc', '>'];
  const order = `order by s.${instant} ${direction}, s.${id} ${direction}`;
  const behind = `s.${instant} is not null and ($2::timestamptz is null or (s.${instant}, s.${id}) ${beyond} ($2, $3))`;
  const sought = soughtIn(hidesEmail ? 'words_but_email' : 'words');
  const rows = `where ${wantedOf(list)} and ${behind} ${order}`;
  return {
    everything: `
      select ${columns} from (select * from ${table} s ${rows} limit $1) s ${join}
      where $4::text is null and $5::jsonb is null ${order}`,
    amongFirst: `
      with first as materialized (select * from ${table} s ${rows} limit ${LOOKED_THROUGH})
      select ${columns}, looked_through
      from (select count(*) as looked_through from first) as look
      left join (
        select s.* from first s, lateral (select * from ${words} where ${id} = s.${id} limit 1) w
        where ${sought} ${order} limit $1
      ) s on true ${join} ${order}`,
    byIndex: `
      select ${columns} from (
        select s.* from (select ${id} from ${words} w where ${sought} offset 0) as found,
          lateral (select * from ${table} where ${id} = found.${id} limit 1) s
        ${rows} limit $1
      ) s ${join} ${order}`,
  };
}

/** On a row `w` of words. */
function soughtIn(column: 'words' | 'words_but_email'): string {
  return `($4::text is null or w.${column} @@ words_sought($4)) and ($5::jsonb is null or w.metadata @> $5)`;
}

function wantedOf({ wanted, due }: Searchable): string {
  return `${wanted}
    and ($6::timestamptz is null or s.created_at >= $6) and ($7::timestamptz is null or s.created_at < $7)
    and ($8::timestamptz is null or s.${due} >= $8) and ($9::timestamptz is null or s.${due} < $9)`;
}

/** $1 to $9. */
function valuesOf(filter: ListFilter, page: Page): unknown[] {
  const after = creationCursor.read(page.cursor);
  const { createdFrom = null, createdTo = null, dueFrom = null, dueTo = null } = filter;
  return [
    ...[page.limit + 1, instantToColumn(after?.createdAt ?? null), after?.id ?? null],
    ...[textToColumn(filter.q ?? null), jsonToColumn(filter.metadata)],
    ...[createdFrom, createdTo, dueFrom, dueTo].map((instant) => instantToColumn(instant)),
  ];
}
