import { AsyncResource } from 'node:async_hooks';
import { type ClientBase, Pool, type PoolClient, type PoolConfig, type QueryResult } from 'pg';
import { faultOf, isTraced, openSpan } from '../../platform/tracing';

type OnConnection = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/**
 * A pool whose statements are part of the work that runs them. The driver hands out a connection in the course of the work
 * that gives it back, and would take the statements of one for the other's.
 */
export class TracedPool extends Pool {
  constructor(options: PoolConfig) {
    super(options);
    this.on('connect', traceStatements);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: OnConnection): void;
  override connect(callback?: OnConnection): Promise<PoolClient> | void {
    if (callback === undefined) return super.connect();
    super.connect(isTraced() ? AsyncResource.bind(callback) : callback);
  }
}

export type Query = (...args: readonly unknown[]) => unknown;
type Answered = (error: unknown, result?: QueryResult) => void;

/** Each statement of the connection is a span within the work at hand. Statements have no values: those go beside. */
function traceStatements(client: ClientBase): void {
  const query = client.query.bind(client) as Query;
  client.query = ((...args: readonly unknown[]) => {
    const [text] = args;
    if (!isTraced() || typeof text !== 'string') return query(...args);
    const summary = summaryOf(text);
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary };
    const span = openSpan(summary, { kind: 'client', attributes });
    return ask(query, args, (error, result) =>
      span?.end(
        error == null
          ? { attributes: { 'db.response.returned_rows': result?.rowCount ?? 0 } }
          : { fault: faultOf(error) },
      ),
    );
  }) as ClientBase['query'];
}

/** Runs the statement; `heard` hears of its end before the caller, by a promise or a callback as the last argument. */
export function ask(query: Query, args: readonly unknown[], heard: Answered): unknown {
  const answered = args.at(-1);
  if (typeof answered !== 'function') return ended(query(...args) as Promise<QueryResult>, heard);
  return query(...args.slice(0, -1), (error: unknown, result?: QueryResult) => {
    heard(error, result);
    (answered as Answered)(error, result);
  });
}

async function ended(asked: Promise<QueryResult>, heard: Answered): Promise<QueryResult> {
  try {
    const result = await asked;
    heard(null, result);
    return result;
  } catch (error) {
    heard(error);
    throw error;
  }
}

/** What stands before the first part of a statement of several. */
const BEFORE_PARTS = /^\s*with \w+ as \(/;
const TARGET = /\b(?:from|into|update|join)\s+(?:only\s+)?([a-z_][\w.]*)/;

/** What it does first, and to which table: `insert attempts`, `select cycles`, `begin`. */
export function summaryOf(statement: string): string {
  const text = statement.replace(BEFORE_PARTS, '');
  const verb = /[a-z]+/i.exec(text)?.[0].toLowerCase() ?? 'statement';
  const target = TARGET.exec(text)?.[1];
  return target === undefined ? verb : `${verb} ${target}`;
}
