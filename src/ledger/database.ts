import { setTimeout as pause } from 'node:timers/promises';
import {
  type QueryResult,
  type QueryResultRow,
  type ClientBase,
  type ClientConfig,
  type CustomTypesConfig,
  type Pool,
  types,
  type PoolClient,
} from 'pg';
import type { Money } from '../domain/money';
import { type Instant, toIso } from '../domain/time';
import { type Logger, withLogFields } from '../log';
import { keepStatements } from './kept-statements';
import { TracedPool } from './traced-pool';

/** Something that runs a statement: the pool, or one client inside a transaction. Made by {@link createPool}, which maps types. */
export interface Db {
  query<R extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<R>>;
}

/**
 * The rows of a query as records, each field by the name of its column: `sending_real_at` is `sendingRealAt`, `return_url`
 * is `returnURL`, and `consent_reason as "consent.reason"` is the field `reason` of `consent`; of `"ledger?.state"`,
 * `ledger` is null where all its columns are. A column `amount` or `…_amount` holds cents and comes as {@link Money}, which
 * the compiler holds the record's type to; instants come as epoch ms. The query selects what the record has and nothing
 * more: `select *` only from what is the record.
 * @throws RangeError where a column of money holds no exact cents.
 */
export async function readRecords<R extends Readable<R>>(db: Db, text: string, values: unknown[] = []): Promise<R[]> {
  const { rows } = await db.query(text, values);
  const columns = Object.keys(rows[0] ?? {}).map(readColumn);
  return rows.map((row) => toRecord(row, columns) as R);
}

/** The first of them, or null where there is none; see {@link readRecords}. */
export async function readRecord<R extends Readable<R>>(
  db: Db,
  text: string,
  values: unknown[] = [],
): Promise<R | null> {
  const [first] = await readRecords<R>(db, text, values);
  return first ?? null;
}

/** What the query's one column holds, row by row: as {@link readRecords} reads it, but no money. */
export async function readValues<T>(db: Db, text: string, values: unknown[] = []): Promise<T[]> {
  const { rows } = await db.query<Record<string, T>>(text, values);
  return rows.flatMap((row) => Object.values(row));
}

/** In the first row; null where there is none, too. */
export async function readValue<T>(db: Db, text: string, values: unknown[] = []): Promise<T | null> {
  const [first] = await readValues<T>(db, text, values);
  return first ?? null;
}

/** Fields of money are named so, and no others: the reader knows them by their names. */
export type Readable<R> = {
  readonly [K in keyof R]: K extends 'amount' | `${string}Amount` ? Money | null : NoMoney<R[K]>;
};
type NoMoney<T> = [Extract<T, Money>] extends [never] ? T : never;

/** Which field a column is. */
interface Column {
  readonly column: string;
  readonly group: string | null;
  /** Whether the group is null where all its columns are. */
  readonly isOptional: boolean;
  readonly name: string;
  readonly isMoney: boolean;
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
  throw new RangeError(`the column ${column} holds ${JSON.stringify(cents)}, which is no number of cents`);
}

/** Sets the columns that are not `undefined`, in the row of this key. Names are ours, never a caller's text. */
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

/** How values enter and leave columns; {@link createPool} reads `timestamptz` and `bigint` by the same rules. */

/** Epoch milliseconds, business or real, as `timestamptz` takes them. */
export function instantToColumn(instant: Instant): string;
export function instantToColumn(instant: Instant | null): string | null;
export function instantToColumn(instant: Instant | null | undefined): string | null | undefined;
export function instantToColumn(instant: Instant | null | undefined): string | null | undefined {
  return instant == null ? instant : toIso(instant);
}

/**
 * Words of others, such as the service's: PostgreSQL takes no NUL, and a refusal that could not be written would be met
 * again and again.
 */
export function textToColumn(text: string | null): string | null {
  return text === null ? null : text.replaceAll('\0', REPLACEMENT);
}

/** Arrays and text alike: without this, the driver writes a JavaScript array as an SQL one. */
export function jsonToColumn(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value).replace(UNSTORABLE, '$1\\ufffd');
}

const REPLACEMENT = '\ufffd';

/** Escapes that `jsonb` refuses: NUL and half a surrogate pair; not a backslash that is followed by such letters. */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/** @throws RangeError where a number has no exact JavaScript equal, or a time is no instant (`infinity`). */
function exactNumber(value: number, text: string): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`a column holds ${text}, which is no exact number here`);
  return value;
}

export type { Pool } from 'pg';

/** Where a PostgreSQL is, and who vouches for it. */
export interface DatabaseAddress {
  readonly databaseUrl: string;
  /** The CA, in PEM, that signed the server's certificate: the connection is TLS, and the server's name is checked. */
  readonly ca?: string | undefined;
}

export interface PoolOptions extends DatabaseAddress {
  /** What they are for, as `pg_stat_activity` shows it: `dueday reading`. `dueday` alone where none is given. */
  readonly purpose?: string;
  /** Connections at most; 10 where none is given. */
  readonly max?: number;
  /** After this a statement ends with a fault; 15 s where none is given. */
  readonly statementTimeoutMs?: number;
  /** How long to wait for a connection, a new one or one that others use; 10 s where none is given. */
  readonly patienceMs?: number;
  /**
   * After this many ms without an answer a query ends with a fault, also where the server is silent; never where none
   * is given.
   */
  readonly answerMs?: number;
  /** Whether PostgreSQL keeps each statement for as long as the connection lives; no where none is given. */
  readonly keepsStatements?: boolean;
  /** Reports connections lost while idle. They are replaced by themselves. */
  readonly log?: Logger;
}

const PATIENCE_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 15_000;
const IDLE_IN_TRANSACTION_MS = 60_000;

/** Connections to the ledger. Instants come back as epoch milliseconds, `bigint` as numbers, both exact or a fault. */
export function createPool(options: PoolOptions): Pool {
  const pool = new TracedPool({
    ...connectionTo(options),
    max: options.max ?? 10,
    connectionTimeoutMillis: options.patienceMs ?? PATIENCE_MS,
    ...(options.answerMs === undefined ? {} : { query_timeout: options.answerMs }),
    application_name: ['dueday', options.purpose ?? []].flat().join(' '),
    types: columnTypes,
    onConnect: limitSession(options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS),
  });
  // Within what is traced, which knows a statement by its text.
  if (options.keepsStatements === true) pool.prependListener('connect', keepStatements);
  // Without a listener a connection lost while idle would end the process. It is none of the work that once opened it.
  const tell = (error: Error) => options.log?.warn({ err: error }, 'a connection to the ledger was lost');
  pool.on('error', (error) => withLogFields({}, () => tell(error)));
  return pool;
}

/**
 * As the driver takes it. What the URL says of TLS gives way to the CA: the driver would let it overrule the other way round.
 */
export function connectionTo({ databaseUrl, ca }: DatabaseAddress): Pick<ClientConfig, 'connectionString' | 'ssl'> {
  if (ca === undefined) return { connectionString: databaseUrl };
  const url = new URL(databaseUrl);
  url.searchParams.delete('sslmode');
  return { connectionString: url.href, ssl: { ca } };
}

/**
 * Once a connection, before it is handed out; not a parameter of its start, which PgBouncer would refuse. Every pool sets the same: behind PgBouncer
 * in transaction mode a connection to the server passes from one to the other. What is to be shorter is set within its own
 * transaction.
 */
function limitSession(statementMs: number): (client: ClientBase) => unknown {
  const limits = `set statement_timeout = ${statementMs}; set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;
  return (client) => client.query(limits);
}

type Parser = (text: string) => unknown;

const { TIMESTAMPTZ, INT8 } = types.builtins;
const readDate = types.getTypeParser(TIMESTAMPTZ, 'text') as Parser;

const OWN_PARSERS: ReadonlyMap<number, Parser> = new Map<number, Parser>([
  [TIMESTAMPTZ, (text) => exactNumber(Number(readDate(text)), text)],
  [INT8, (text) => exactNumber(Number(text), text)],
]);

const columnTypes: CustomTypesConfig = {
  getTypeParser: ((oid: (typeof types.builtins)[keyof typeof types.builtins], format?: 'text' | 'binary'): Parser => {
    const own = format === 'binary' ? undefined : OWN_PARSERS.get(oid);
    return own ?? (types.getTypeParser(oid, format) as Parser);
  }) as CustomTypesConfig['getTypeParser'],
};

const TRIES = 5;
const FIRST_PAUSE_MS = 10;
/** serialization_failure and deadlock_detected: PostgreSQL itself asks for another try. */
const TRANSIENT = new Set(['40001', '40P01']);

/**
 * Runs `work` in one transaction, again where PostgreSQL gave way to another: 5 times at most, after 10, 20, 40, 80 ms.
 * `work` must have no effect but on the database.
 * @param opening what is sent first, in one message: `begin`, and statements that belong before all others
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  opening = 'begin',
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await runOnce(pool, work, opening);
    } catch (error) {
      if (tried === TRIES || !TRANSIENT.has(codeOf(error))) throw error;
      await pause(FIRST_PAUSE_MS * 2 ** (tried - 1));
    }
  }
}

async function runOnce<T>(pool: Pool, work: (client: PoolClient) => Promise<T>, opening: string): Promise<T> {
  const client = await pool.connect();
  // A connection lost between two statements is an event, which without a listener would end the process. The statement
  // that follows fails, and so does this transaction.
  client.on('error', leaveToStatements);
  let isBroken = false;
  try {
    await client.query(opening);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    // A client that cannot roll back is thrown away, so that its half transaction ends with its connection.
    isBroken = await cannotRollBack(client);
    throw error;
  } finally {
    client.off('error', leaveToStatements);
    client.release(isBroken);
  }
}

function cannotRollBack(client: PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => false,
    () => true,
  );
}

const leaveToStatements = () => undefined;

/** Whether a constraint or a guard of the ledger refuses what was to be written: no repetition mends that. */
export function isRefusedByLedger(error: unknown): error is Error {
  return codeOf(error).startsWith(INTEGRITY_VIOLATION);
}

/** The class of PostgreSQL's codes: a key that is taken or missing, a check, a guard's own refusal. */
const INTEGRITY_VIOLATION = '23';

/** PostgreSQL's code of a fault; empty for any other. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
