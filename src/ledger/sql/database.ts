import { setTimeout as pause } from 'node:timers/promises';
import { type ClientBase, type ClientConfig, type CustomTypesConfig, type Pool, types, type PoolClient } from 'pg';
import { type Logger, loggable, withLogFields } from '../../platform/log';
import { keepStatements } from './kept-statements';
import { TracedPool } from './traced-pool';
import type { Db } from './statements';

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
/**
 * For work that nobody waits for: past the statement's own time-out, which a server that is gone no longer keeps. Without it
 * a query waits until the system gives the connection up, a quarter of an hour, and one that was received waits for ever.
 */
export const ANSWER_MS = 30_000;
/** An idle connection whose server is gone is lost after this, and some seconds. */
const KEEP_ALIVE_MS = 10_000;
const IDLE_IN_TRANSACTION_MS = 60_000;

/** Connections to the ledger. Instants come back as epoch milliseconds, `bigint` as numbers, both exact or a fault. */
export function createPool(options: PoolOptions): Pool {
  const pool = new TracedPool({
    ...connectionTo(options),
    max: options.max ?? 10,
    connectionTimeoutMillis: options.patienceMs ?? PATIENCE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(options.answerMs === undefined ? {} : { query_timeout: options.answerMs }),
    application_name: ['dueday', options.purpose ?? []].flat().join(' '),
    types: columnTypes,
    onConnect: limitSession(options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS),
  });
  // Within what is traced, which knows a statement by its text.
  if (options.keepsStatements === true) pool.prependListener('connect', keepStatements);
  // Without a listener a connection lost while idle would end the process. It is none of the work that once opened it.
  const tell = (error: Error) => options.log?.warn({ err: loggable(error) }, 'a connection to the ledger was lost');
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
  const limits = `set statement_timeout = ${statementMs}; set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}; ${ISOLATION}`;
  return (client) => client.query(limits);
}

/** What the functions that write one step require, see `require_read_committed`: a statement of its own has no `begin` to say so. */
const ISOLATION = `set default_transaction_isolation = 'read committed'`;

type Parser = (text: string) => unknown;

const { TIMESTAMPTZ, INT8 } = types.builtins;
const readDate = types.getTypeParser(TIMESTAMPTZ, 'text') as Parser;

/** @throws RangeError where a number has no exact JavaScript equal, or a time is no instant (`infinity`). */
function exactNumber(value: number, text: string): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`a column holds ${text}, which is no exact number here`);
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
const FIRST_PAUSE_MS = 10;
/** serialization_failure and deadlock_detected: PostgreSQL itself asks for another try. */
const TRANSIENT = new Set(['40001', '40P01']);

/**
 * Runs `work` in one transaction, again where PostgreSQL gave way to another: 5 times at most, after 10, 20, 40, 80 ms.
 * `work` must have no effect but on the database.
 * @param opening what is sent first, in one message: `begin`, and statements that belong before all others
 */
export function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>, opening = 'begin'): Promise<T> {
  return untilNoneGivesWay(() => runOnce(pool, work, opening));
}

/** Runs the one statement of `work`, which is a transaction of its own, again as {@link inTransaction} does. */
export function inStatement<T>(pool: Pool, work: (db: Db) => Promise<T>): Promise<T> {
  return untilNoneGivesWay(() => work(pool));
}

async function untilNoneGivesWay<T>(run: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await run();
    } catch (error) {
      if (tried === TRIES || !TRANSIENT.has(codeOf(error))) throw error;
      await pause(FIRST_PAUSE_MS * 2 ** (tried - 1));
    }
  }
}

/**
 * As part of an opening, of a transaction whose statements all go by keys: PostgreSQL plans what it keeps once a connection,
 * and not anew for the first five values. For the transaction alone: behind PgBouncer others share the connection, whose
 * lists are planned by what they look for.
 */
export const PLANNED_ONCE = 'set local plan_cache_mode = force_generic_plan';

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
    // So is one that is read only, which it may be by its own session alone.
    isBroken = (await cannotRollBack(client)) || codeOf(error) === READ_ONLY;
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

/** read_only_sql_transaction. */
export const READ_ONLY = '25006';

const leaveToStatements = () => undefined;

/** PostgreSQL's code of a fault; empty for any other. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
