import type { Metadata } from '../../domain/metadata';
import type { Money } from '../../domain/money';
import type { Instant } from '../../domain/time';
import { type Page, creationCursor } from '../sql/cursor';
import {
  instantToColumn,
  jsonToColumn,
  textToColumn,
  type Db,
  type Readable,
  readRecord,
  readRecords,
} from '../sql/statements';

/** Lists ordered by an instant, searchable by the beginnings of words and by metadata. */

/** A list. Its rows are `s`. */
export interface Searchable {
  readonly table: 'subscriptions' | 'payments';
  /** Sorts rows with the same instant. */
  readonly id: 'subscription_id' | 'request_id';
  readonly words: 'subscription_words' | 'payment_words';
  /** The due date of a row; null if nothing is due. */
  readonly due: 'next_due_at' | 'capture_by';
  /** Conditions on `s`; the first filter specific to the list is $10. */
  readonly wanted: string;
  readonly columns: string;
  /** Joins the other tables that columns come from. */
  readonly join: string;
}

/**
 * The sort orders of a list: by creation or due date, latest first with a hyphen. Rows without a due date are not listed by due
 * date.
 */
export const SORTS = ['-createdAt', 'createdAt', '-dueAt', 'dueAt'] as const;
type Sort = (typeof SORTS)[number];

/** The filters of every such list. Periods include the instant of `…From` and exclude that of `…To`. */
export interface ListFilter {
  readonly createdFrom?: Instant | undefined;
  readonly createdTo?: Instant | undefined;
  readonly dueFrom?: Instant | undefined;
  readonly dueTo?: Instant | undefined;
  /** Must contain all of these pairs. */
  readonly metadata?: Metadata | undefined;
  /** Beginnings of words of an id, or of the name, e-mail or reference of the payer, in upper or lower case; all must match. */
  readonly q?: string | undefined;
  /** Whether `q` ignores e-mails: a caller who may not see them must not discover them letter by letter. */
  readonly hidesEmail?: boolean | undefined;
}

export interface ListOrder extends ListFilter {
  /** Newest first by default. */
  readonly sort?: Sort | undefined;
}

/** Maximum number of ids that the pages of a snapshot show. */
export const MAX_IN_SNAPSHOT = 100_000;

/** How many of the first rows are scanned before the indexes of words and of metadata are used. */
const MAX_SCANNED = 1_000;

/**
 * The rows of a page, and one more if there is a next page. Common terms are found among the first rows of the list; rare ones
 * by the index of words or of metadata, after which all matches must be sorted. The planner cannot tell which is which, as it
 * has no statistics on beginnings: each `limit 1` keeps it from scanning another table, or another index.
 * @param own values of the filters specific to the list
 */
export async function readSearched<R extends Readable<R> & FoundRow>(
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
  const all = (first[0]?.scanned ?? 0) < MAX_SCANNED;
  return all || found.length > page.limit ? found : readRecords<R>(db, search.byIndex, values);
}

/** A row that a search finds. */
interface FoundRow {
  /** Null if nothing is found: the one row still says how many rows were scanned. */
  readonly createdAt: Instant | null;
  /** How many of the first rows were scanned; the same in each record that the statement `amongFirst` finds. */
  readonly scanned?: number;
}

/** Whether a list is ordered by an instant that changes while its pages are read: its order is stored in a snapshot. */
export function isByDueDate(sort: Sort = '-createdAt'): boolean {
  return sort === 'dueAt' || sort === '-dueAt';
}

/** The ids of all listed rows, in the order of the list, for a snapshot. */
export async function readOrder(
  db: Db,
  list: Searchable,
  order: ListOrder,
  own: readonly unknown[],
): Promise<readonly string[]> {
  const columns = { ...list, columns: `s.${list.id} as id, s.created_at`, join: '' };
  const page = { limit: MAX_IN_SNAPSHOT, cursor: null };
  const found = await readSearched<FoundRow & { readonly id: string }>(db, columns, order, page, own);
  return found.map(({ id }) => id);
}

/** The sum of a list. */
export interface CountedSum {
  readonly count: number;
  readonly amount: Money;
  /** False if there are more rows than were counted. */
  readonly isWhole: boolean;
}

/** Counts the rows of a list and adds up their column `amount`, for at most `most` of the first rows. */
export async function sumSearched(
  db: Db,
  list: Searchable,
  order: ListOrder,
  most: number,
  own: readonly unknown[],
): Promise<CountedSum> {
  const search = searchOf(list, order);
  const rows = order.q === undefined && order.metadata === undefined ? search.everything : search.byIndex;
  const sum = await readRecord<CountedSum>(
    db,
    `select least(count(*), ${most}) as count, coalesce(sum(amount) filter (where number <= ${most}), 0)::bigint as amount,
       count(*) <= ${most} as is_whole
     from (select amount, row_number() over () as number from (${rows}) as listed) as numbered`,
    [...valuesOf(order, { limit: most, cursor: null }), ...own],
  );
  if (sum === null) throw new Error('an aggregate returned no row');
  return sum;
}

/** The statements of a list, all with the values of {@link valuesOf} and of the filters specific to the list. */
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
  const matches = matchesIn(hidesEmail ? 'words_but_email' : 'words');
  const rows = `where ${wantedOf(list)} and ${behind} ${order}`;
  return {
    everything: `
      select ${columns} from (select * from ${table} s ${rows} limit $1) s ${join}
      where $4::text is null and $5::jsonb is null ${order}`,
    amongFirst: `
      with first as materialized (select * from ${table} s ${rows} limit ${MAX_SCANNED})
      select ${columns}, scanned
      from (select count(*) as scanned from first) as scan
      left join (
        select s.* from first s, lateral (select * from ${words} where ${id} = s.${id} limit 1) w
        where ${matches} ${order} limit $1
      ) s on true ${join} ${order}`,
    byIndex: `
      select ${columns} from (
        select s.* from (select ${id} from ${words} w where ${matches} offset 0) as found,
          lateral (select * from ${table} where ${id} = found.${id} limit 1) s
        ${rows} limit $1
      ) s ${join} ${order}`,
  };
}

/** Condition on a row `w` of words. */
function matchesIn(column: 'words' | 'words_but_email'): string {
  return `($4::text is null or w.${column} @@ to_prefix_query($4)) and ($5::jsonb is null or w.metadata @> $5)`;
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
    page.limit + 1,
    instantToColumn(after?.createdAt ?? null),
    after?.id ?? null,
    textToColumn(filter.q ?? null),
    jsonToColumn(filter.metadata),
    ...[createdFrom, createdTo, dueFrom, dueTo].map((instant) => instantToColumn(instant)),
  ];
}
