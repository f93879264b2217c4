import { type Cell, csvLine } from '../../../domain/csv';
import { api, ask, get } from '../../client';
import type { QueryOf, Subscription } from '../common/schemas';

/** A column of a file: its name, and the cell of a row. */
export type CsvColumn = readonly [name: string, cell: (row: Subscription) => Cell];

type Query = QueryOf<'listSubscriptions'>;

/** The whole filtered list, with these columns. */
export async function readCsv(query: Query, columns: readonly CsvColumn[]): Promise<string> {
  return csvOf(await readAll(query), columns);
}

/** The subscriptions in the format of an import, without a limit. Read by a request: a link cannot set the Accept header. */
export function readExport(query: QueryOf<'exportSubscriptions'>): Promise<BlobPart> {
  const headers = { accept: 'text/csv' };
  return ask(api.GET('/v1/subscriptions/export', { params: { query }, headers, parseAs: 'blob' }));
}

/** A file with a header row. */
export function csvOf<Row>(rows: readonly Row[], columns: readonly (readonly [string, (row: Row) => Cell])[]): string {
  const lines = [columns.map(([head]) => head), ...rows.map((row) => columns.map(([, cell]) => cell(row)))];
  return lines.map(csvLine).join('');
}

/** Rows per page: the API's maximum. */
const PAGE = 200;
/** Maximum number of rows of a file; longer lists need the API's export. */
const MAX_ROWS = 20_000;

async function readAll(query: Query): Promise<readonly Subscription[]> {
  const rows: Subscription[] = [];
  let cursor: string | undefined;
  do {
    const page = await get('/v1/subscriptions', { query: { ...query, limit: PAGE, cursor } });
    rows.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && rows.length < MAX_ROWS);
  if (cursor !== undefined) throw new Error(`The list has more than ${MAX_ROWS} subscriptions. Choose a filter first.`);
  return rows;
}
