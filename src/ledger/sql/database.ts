import { setTimeout as pause } from 'node:timers/promises';
import {
  type ClientBase,
  type ClientConfig,
  type CustomTypesConfig,
  DatabaseError,
  type Pool,
  types,
  type PoolClient,
} from 'pg';
import { type Logger, loggable, withLogFields } from '../../platform/log';
import { keepStatements } from './kept-statements';
import { TracedPool } from './traced-pool';
import type { Db } from './statements';

export type { Pool } from 'pg';

/** The address of a PostgreSQL server, and the CA that vouches for it. */
export interface DatabaseAddress {
  readonly databaseUrl: string;
  /** The CA, in PEM, that signed the server's certificate: the connection is TLS, and the server's name is checked. */
  readonly ca?: string | undefined;
}

export interface PoolOptions extends DatabaseAddress {
  /** The purpose of its connections, as `pg_stat_activity` shows it: `dueday reading`. `dueday` alone by default. */
  readonly purpose?: string;
  /** Maximum number of connections; 10 by default. */
  readonly max?: number;
  /** A statement that takes longer fails; 15 s by default, and always in the program: see {@link limitSession}. */
  readonly statementTimeoutMs?: number;
  /** How long to wait for a connection, new or in use; 10 s by default. */
  readonly timeoutMs?: number;
  /** A query that gets no answer for this many ms fails, even if the server is silent; no limit by default. */
  readonly answerMs?: number;
  /** Whether PostgreSQL keeps each statement prepared for the life of the connection; false by default. */
  readonly keepsStatements?: boolean;
  /** Logs connections lost while idle. They are replaced automatically. */
  readonly log?: Logger;
}

const TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 15_000;
/**
 * How long background work waits for an answer. It is longer than the statement time-out, which a server that is gone no longer
 * enforces. Without this limit a query would wait until the operating system gives up the connection after a quarter of an hour, or
 * indefinitely if the server had already received it.
 */
export const ANSWER_MS = 30_000;
/** An idle connection whose server is gone is detected after this time plus a few seconds. */
const KEEP_ALIVE_MS = 10_000;
const IDLE_IN_TRANSACTION_MS = 60_000;

/**
 * Connections to the ledger. Instants are read as epoch milliseconds and `bigint` as numbers, both exactly or with an error.
 */
export function createPool(options: PoolOptions): Pool {
  const pool = new TracedPool({
    ...connectionTo(options),
    max: options.max ?? 10,
    connectionTimeoutMillis: options.timeoutMs ?? TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(options.answerMs === undefined ? {} : { query_timeout: options.answerMs }),
    application_name: ['dueday', options.purpose ?? []].flat().join(' '),
    types: columnTypes,
    onConnect: limitSession(options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS),
  });
  // Wrapped inside the tracing, which identifies a statement by its text.
  if (options.keepsStatements === true) pool.prependListener('connect', keepStatements);
  // Without a listener a connection lost while idle would end the process. The loss does not belong to the work that opened the
  // connection.
  const warn = (error: Error) => options.log?.warn({ err: loggable(error) }, 'a connection to the ledger was lost');
  pool.on('error', (error) => withLogFields({}, () => warn(error)));
  return pool;
}

/**
 * The driver's options for an address. If a CA is given, `sslmode` is removed from the URL: the driver would let it
 * override the CA.
 */
export function connectionTo({ databaseUrl, ca }: DatabaseAddress): Pick<ClientConfig, 'connectionString' | 'ssl'> {
  if (ca === undefined) return { connectionString: databaseUrl };
  const url = new URL(databaseUrl);
  url.searchParams.delete('sslmode');
  return { connectionString: url.href, ssl: { ca } };
}

/**
 * Runs once per connection, before it is handed out; not as start-up parameters, which PgBouncer would refuse. Every pool sets
 * the same values: behind PgBouncer in transaction mode a server connection passes from one pool to another. Shorter limits are
 * set within their own transaction.
 */
function limitSession(statementMs: number): (client: ClientBase) => unknown {
  const limits = `set statement_timeout = ${statementMs}; set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}; ${ISOLATION}`;
  return (client) => client.query(limits);
}

/**
 * The isolation level that the functions that write one step require, see `require_read_committed`: a single statement has no
 * `begin` to set it.
 */
const ISOLATION = `set default_transaction_isolation = 'read committed'`;

type Parser = (text: string) => unknown;

const { TIMESTAMPTZ, INT8 } = types.builtins;
const readDate = types.getTypeParser(TIMESTAMPTZ, 'text') as Parser;

/** @throws RangeError if JavaScript cannot represent the number exactly, or a time is not an instant (`infinity`). */
function exactNumber(value: number, text: string): number {
  if (!Number.isSafeInteger(value))
    throw new RangeError(`a column holds ${text}, which has no exact JavaScript number`);
  return value;
}

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
const FIRST_WAIT_MS = 10;
/** serialization_failure and deadlock_detected: PostgreSQL itself asks for a retry. */
const TRANSIENT = new Set(['40001', '40P01']);

/**
 * Runs `work` in one transaction, and again if PostgreSQL aborted it in favour of another: at most 5 times, after 10, 20, 40,
 * 80 ms. `work` must have no effect outside the database.
 * @param opening what is sent first, in one message: `begin`, and statements that must precede all others
 */
export function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>, opening = 'begin'): Promise<T> {
  return retryTransient(() => runOnce(pool, work, opening));
}

/** Runs the single statement of `work`, which is a transaction of its own, with the same retries as {@link inTransaction}. */
export function inStatement<T>(pool: Pool, work: (db: Db) => Promise<T>): Promise<T> {
  return retryTransient(() => work(pool));
}

async function retryTransient<T>(run: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await run();
    } catch (error) {
      if (tried === TRIES || !TRANSIENT.has(codeOf(error))) throw error;
      await pause(FIRST_WAIT_MS * 2 ** (tried - 1));
    }
  }
}

/**
 * Part of the opening of a transaction whose statements all look up keys: PostgreSQL plans its prepared statements once per
 * connection, instead of again for each of the first five sets of values. It is set for the transaction only: behind PgBouncer the
 * connection is shared with lists, whose plans depend on their search values.
 */
export const PLANNED_ONCE = 'set local plan_cache_mode = force_generic_plan';

function runOnce<T>(pool: Pool, work: (client: PoolClient) => Promise<T>, opening: string): Promise<T> {
  const transact = async (client: PoolClient) => {
    await client.query(opening);
    const result = await work(client);
    await client.query('commit');
    return result;
  };
  // A client that cannot roll back is discarded, so that its unfinished transaction ends with its connection. So is one that
  // is read only, which may be due to its own session.
  const isBroken = async (client: PoolClient, error: unknown) =>
    (await cannotRollBack(client)) || codeOf(error) === READ_ONLY;
  return withConnection(pool, transact, isBroken);
}

function cannotRollBack(client: PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => false,
    () => true,
  );
}

/** Whether a statement would get a connection at once, an open one or a new one. */
export function hasFreeConnection({ waitingCount, idleCount, totalCount, options }: Pool): boolean {
  return waitingCount === 0 && (idleCount > 0 || totalCount < options.max);
}

/** @param isBroken whether the connection is to be discarded after an error of `work`; it always is by default */
export async function withConnection<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  isBroken: (client: PoolClient, error: unknown) => Promise<boolean> = async () => true,
): Promise<T> {
  const client = await pool.connect();
  // A connection lost between two statements is an event, which without a listener would end the process. The next statement
  // fails, and so does this work.
  client.on('error', leaveToStatements);
  let isDiscarded = false;
  try {
    return await work(client);
  } catch (error) {
    isDiscarded = await isBroken(client, error);
    throw error;
  } finally {
    client.off('error', leaveToStatements);
    client.release(isDiscarded);
  }
}

/** Whether PostgreSQL has said that it has undone the transaction: no other error tells whether it was committed. */
export function wasRolledBack(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity === 'ERROR';
}

/** read_only_sql_transaction. */
export const READ_ONLY = '25006';

const leaveToStatements = () => undefined;

/** PostgreSQL's error code; empty for any other error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
