import { api, ask } from '../../client';
import type { QueryOf, Transaction } from '../common/schemas';

/** A column of the API's file: a field of a transaction, or a column that the file adds for an amount. */
export type CsvName = keyof Transaction | 'currency' | 'amountDecimal' | 'reversedAmountDecimal';

/** All transactions with all columns. Read by a request, because a link cannot set the Accept header. */
export function readAll(query: QueryOf<'listTransactions'>): Promise<Blob> {
  return ask(api.GET('/v1/transactions', { params: { query }, headers: { accept: 'text/csv' }, parseAs: 'blob' }));
}

/** All transactions with these columns. */
export async function readCsv(query: QueryOf<'listTransactions'>, names: readonly CsvName[]): Promise<string> {
  return pickColumns(await (await readAll(query)).text(), names);
}

/** A cell as it is written, and its separator. */
const CELL = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g;

/** The columns of these names, in the order of the file; their cells remain as they are written. */
export function pickColumns(file: string, names: readonly string[]): string {
  const lines: string[] = [];
  let picked: readonly boolean[] | null = null;
  let row: string[] = [];
  for (const [, cell = '', end] of file.matchAll(CELL)) {
    row.push(cell);
    if (end === ',') continue;
    const isPicked = (picked ??= row.map((name) => names.includes(name)));
    lines.push(`${row.filter((_, index) => isPicked[index]).join(',')}\r\n`);
    row = [];
  }
  return lines.join('');
}
