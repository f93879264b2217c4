import { AsyncResource } from 'node:async_hooks';
import { type ClientBase, Pool, type PoolClient, type PoolConfig, type QueryResult } from 'pg';
import { faultOf, isTraced, openSpan } from '../../platform/tracing';

type OnConnection = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/**
 * A pool whose statements are traced as part of the work that runs them. The driver hands out a connection in the context of the
 * work that has released it: without this class, statements would be attributed to that work.
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

/** Each statement of the connection is a span of the current work. The text contains no values: they are passed separately. */
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

/**
 * Runs the statement; `onEnd` is called when it ends, before the caller gets its result by a promise or a callback as the last
 * argument.
 */
export function ask(query: Query, args: readonly unknown[], onEnd: Answered): unknown {
  const answered = args.at(-1);
  if (typeof answered !== 'function') return notifyEnd(query(...args) as Promise<QueryResult>, onEnd);
  return query(...args.slice(0, -1), (error: unknown, result?: QueryResult) => {
    onEnd(error, result);
    (answered as Answered)(error, result);
  });
}

async function notifyEnd(query: Promise<QueryResult>, onEnd: Answered): Promise<QueryResult> {
  try {
    const result = await query;
    onEnd(null, result);
    return result;
  } catch (error) {
    onEnd(error);
    throw error;
  }
}

/** What precedes the first part of a statement of several parts. */
const BEFORE_PARTS = /^\s*with \w+ as \(/;
const TARGET = /\b(?:from|into|update|join)\s+(?:only\s+)?([a-z_][\w.]*)/;

/** The first operation of a statement and its table: `insert attempts`, `select cycles`, `begin`. */
export function summaryOf(statement: string): string {
  const text = statement.replace(BEFORE_PARTS, '');
  const verb = /[a-z]+/i.exec(text)?.[0].toLowerCase() ?? 'statement';
  const target = TARGET.exec(text)?.[1];
  return target === undefined ? verb : `${verb} ${target}`;
}
