import type { QueryResult, QueryResultRow } from 'pg';
import type { Money } from '../../domain/money';
import { type Instant, toIso } from '../../domain/time';

/** Runs statements: the pool, or one client inside a transaction. Created by {@link createPool}, which maps types. */
export interface Db {
  query<R extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<R>>;
}

/**
 * The rows of a query as records, each field by the name of its column: `sending_real_at` is `sendingRealAt`, `return_url` is
 * `returnURL`, and `consent_reason as "consent.reason"` is the field `reason` of `consent`; with `"ledger?.state"`, `ledger` is
 * null if all its columns are. A column `amount` or `…_amount` holds cents and is read as {@link Money}, which the compiler
 * checks against the type of the record; instants are read as epoch ms. The query must select exactly the fields of the record:
 * `select *` only from a source that is the record.
 * @throws RangeError if a column of money does not hold exact cents.
 */
export async function readRecords<R extends Readable<R>>(db: Db, text: string, values: unknown[] = []): Promise<R[]> {
  const { rows } = await db.query(text, values);
  const columns = Object.keys(rows[0] ?? {}).map(columnOf);
  return rows.map((row) => toRecord(row, columns) as R);
}

/** The first record, or null if there is none; see {@link readRecords}. */
export async function readRecord<R extends Readable<R>>(
  db: Db,
  text: string,
  values: unknown[] = [],
): Promise<R | null> {
  const [first] = await readRecords<R>(db, text, values);
  return first ?? null;
}

/** The values of the query's single column, row by row, read like {@link readRecords}, except that cents remain numbers. */
export async function readValues<T>(db: Db, text: string, values: unknown[] = []): Promise<T[]> {
  const { rows } = await db.query<Record<string, T>>(text, values);
  return rows.flatMap((row) => Object.values(row));
}

/** The value in the first row; null if there is no row. */
export async function readValue<T>(db: Db, text: string, values: unknown[] = []): Promise<T | null> {
  const [first] = await readValues<T>(db, text, values);
  return first ?? null;
}

/** Fields of money, and no others, have these names: the reader recognizes them by name. */
export type Readable<R> = {
  readonly [K in keyof R]: K extends 'amount' | `${string}Amount` ? Money | null : NoMoney<R[K]>;
};
type NoMoney<T> = [Extract<T, Money>] extends [never] ? T : never;

/** The field that a column maps to. */
interface Column {
  readonly column: string;
  readonly group: string | null;
  /** Whether the group is null if all its columns are. */
  readonly isOptional: boolean;
  readonly name: string;
  readonly isMoney: boolean;
}

/** The parsed column names. The program has a few hundred of them, so this map needs no limit. */
const columnsRead = new Map<string, Column>();

function columnOf(name: string): Column {
  const known = columnsRead.get(name);
  if (known !== undefined) return known;
  const read = readColumn(name);
  columnsRead.set(name, read);
  return read;
}

function readColumn(column: string): Column {
  const path = column.replace(/_(url$|.)/g, (_, next: string) => next.toUpperCase());
  const [, group = null, mark, name = path] = /^(\w+)(\??)\.(\w+)$/.exec(path) ?? [];
  return { column, group, isOptional: mark === '?', name, isMoney: /^amount$|Amount$/.test(name) };
}

function toRecord(row: Readonly<Record<string, unknown>>, columns: readonly Column[]): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const { column, group, name, isMoney } of columns) {
    const fields = group === null ? record : ((record[group] ??= {}) as Record<string, unknown>);
    fields[name] = isMoney ? moneyFromColumn(column, row[column]) : row[column];
  }
  for (const { group, isOptional } of columns) {
    if (group === null || !isOptional) continue;
    if (Object.values(record[group] ?? {}).every((value) => value === null)) record[group] = null;
  }
  return record;
}

function moneyFromColumn(column: string, cents: unknown): Money | null {
  if (cents === null) return null;
  if (typeof cents === 'number' && Number.isSafeInteger(cents)) return { value: cents, currency: 'EUR' };
  throw new RangeError(`the column ${column} holds ${JSON.stringify(cents)}, expected a whole number of cents`);
}

/** A part of a statement: its text, whose parameters are numbered from `first` on, and their values. */
export type StatementPart = (first: number) => { readonly text: string; readonly values: readonly unknown[] };

/**
 * A statement of several parts after its `with`, and its final query. All parts see the state before the statement, and nothing
 * that another part writes except what it returns.
 */
export function withParts(parts: readonly StatementPart[], answer: string): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const texts = parts.map((part) => {
    const built = part(values.length + 1);
    values.push(...built.values);
    return built.text;
  });
  return { text: `with ${texts.join(', ')} ${answer}`, values };
}

/** The names of this many parameters: `$3, $4, $5`. */
export function parameters(first: number, count: number): string {
  return Array.from({ length: count }, (_, index) => `$${first + index}`).join(', ');
}

/** Constants of the program as an SQL list: `'sending', 'unknown'`. Never text from a caller. */
export function sqlListOf(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ');
}

/** Sets the columns that are not `undefined`, in the row with this key. Names come from the program, never from a caller. */
export async function updateColumns(
  db: Db,
  { table, id }: { readonly table: string; readonly id: string },
  key: string,
  columns: Readonly<Record<string, unknown>>,
): Promise<void> {
  const named = Object.entries(columns).filter(([, value]) => value !== undefined);
  if (named.length === 0) return;
  const assignments = named.map(([column], index) => `${column} = $${index + 2}`);
  const values = [key, ...named.map(([, value]) => value)];
  await db.query(`update ${table} set ${assignments.join(', ')} where ${id} = $1`, values);
}

/** How values are converted to and from columns; {@link createPool} reads `timestamptz` and `bigint` by the same rules. */

/** Epoch milliseconds, business or real, as a `timestamptz` value. */
export function instantToColumn(instant: Instant): string;
export function instantToColumn(instant: Instant | null): string | null;
export function instantToColumn(instant: Instant | null | undefined): string | null | undefined;
export function instantToColumn(instant: Instant | null | undefined): string | null | undefined {
  return instant == null ? instant : toIso(instant);
}

/**
 * Replaces NUL in external text, such as the service's: PostgreSQL does not accept it, and a result that cannot be written would
 * be received again and again.
 */
export function textToColumn(text: string | null): string | null {
  return text === null ? null : text.replaceAll('\0', REPLACEMENT);
}

/** Any value as JSON text that `jsonb` accepts. The driver itself would write a JavaScript array as an SQL array. */
export function jsonToColumn(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value).replace(UNSTORABLE, '$1\\ufffd');
}

const REPLACEMENT = '\ufffd';

/** Escapes that `jsonb` refuses: NUL and unpaired surrogates; not an escaped backslash followed by such letters. */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/** SQL expression: an instant as epoch ms, for use within JSON, which the driver does not parse. */
export function epochMs(instant: string): string {
  return `round(extract(epoch from ${instant}) * 1000)::bigint`;
}
