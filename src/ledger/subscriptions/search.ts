import type { QueryResultRow } from 'pg';
import { type Page, readCreationCursor } from '../cursor';
import { instantToColumn, textToColumn, type Db } from '../database';

/** Lists, newest first, that can be searched by the beginnings of words. */

/** What is listed. Its rows are `s`. */
export interface Searchable {
  readonly table: 'subscriptions' | 'payments';
  /** Orders those that were created at one instant. */
  readonly id: 'subscription_id' | 'request_id';
  readonly words: 'subscription_words' | 'payment_words';
  /** Conditions on `s`; the first filter is $5. */
  readonly wanted: string;
  readonly columns: string;
  /** Of what other tables columns are. */
  readonly join: string;
}

/** The statements of a list, all with the same values. */
export interface Search {
  readonly everything: string;
  readonly amongNewest: string;
  readonly byWord: string;
  readonly id: Searchable['id'];
}

/** So many of the newest are looked through before the index of words is asked. */
const LOOKED_THROUGH = 1_000;

export function searchOf({ table, id, words, wanted, columns, join }: Searchable): Search {
  const newest = `order by s.created_at desc, s.${id} desc`;
  const rows = `where ${wanted} and ($2::timestamptz is null or (s.created_at, s.${id}) < ($2, $3)) ${newest}`;
  const found = `select ${id} from ${words} where words @@ words_sought($4) offset 0`;
  return {
    id,
    everything: `
      select ${columns} from (select * from ${table} s ${rows} limit $1) s ${join}
      where $4::text is null ${newest}`,
    amongNewest: `
      with newest as materialized (select * from ${table} s ${rows} limit ${LOOKED_THROUGH})
      select ${columns}, looked_through
      from (select count(*) as looked_through from newest) as look
      left join (
        select s.* from newest s, lateral (select words from ${words} where ${id} = s.${id} limit 1) w
        where w.words @@ words_sought($4) ${newest} limit $1
      ) s on true ${join} ${newest}`,
    byWord: `
      select ${columns} from (
        select s.* from (${found}) as found, lateral (select * from ${table} where ${id} = found.${id} limit 1) s
        ${rows} limit $1
      ) s ${join} ${newest}`,
  };
}

/**
 * The rows of a page, and one more where there is a next page. What is common is found among the newest; what is rare, by
 * the index of words, after which all that is found has to be sorted. The planner cannot tell which is which, as it has no
 * statistics on beginnings: each `limit 1` keeps it from reading another table through, or another index.
 * @param q the words; null lists everything
 */
export async function readNewest<R extends QueryResultRow>(
  db: Db,
  search: Search,
  page: Page,
  q: string | null,
  filters: readonly unknown[],
): Promise<readonly R[]> {
  const after = readCreationCursor(page.cursor);
  const most = page.limit + 1;
  const values = [most, instantToColumn(after?.createdAt ?? null), after?.id ?? null, textToColumn(q), ...filters];
  if (q === null) return (await db.query<R>(search.everything, values)).rows;
  const { rows } = await db.query<R & { looked_through: number }>(search.amongNewest, values);
  const found = rows.filter((row) => row[search.id] !== null);
  const all = (rows[0]?.looked_through ?? 0) < LOOKED_THROUGH;
  return all || found.length === most ? found : (await db.query<R>(search.byWord, values)).rows;
}
