import { type ClientBase, type CustomTypesConfig, Pool, types } from 'pg';
import type { Logger } from '../log';
import { exactNumber } from './column';
import type { Db } from './db';

export type { Pool } from 'pg';

export interface PoolOptions {
  readonly databaseUrl: string;
  /** Connections at most; 10 where none is given. */
  readonly max?: number;
  /** After this a statement ends with a fault; 15 s where none is given. */
  readonly statementTimeoutMs?: number;
  /** How long to wait for a connection, a new one or one that others use; 10 s where none is given. */
  readonly patienceMs?: number;
  /** After this many ms without an answer a query ends with a fault, whatever the server does; never where none is given. */
  readonly answerMs?: number;
  /** Told of connections lost while idle. They are replaced by themselves. */
  readonly log?: Logger;
}

const PATIENCE_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 15_000;
const IDLE_IN_TRANSACTION_MS = 60_000;

/** Connections to the ledger. Instants come back as epoch milliseconds, `bigint` as numbers, both exact or a fault. */
export function createPool(options: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: options.databaseUrl,
    max: options.max ?? 10,
    connectionTimeoutMillis: options.patienceMs ?? PATIENCE_MS,
    ...(options.answerMs === undefined ? {} : { query_timeout: options.answerMs }),
    application_name: 'dueday',
    types: columnTypes,
    onConnect: limitSession(options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS),
  });
  // Without a listener a connection lost while idle would end the process.
  pool.on('error', (error) => options.log?.warn({ err: error }, 'a connection to the ledger was lost'));
  return pool;
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

/** @throws where the database does not answer. */
export async function ping(db: Db): Promise<void> {
  await db.query('select 1', []);
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
