import type { Db, Pool } from '../../src/ledger';

/** PostgreSQL's plan of a statement, as `explain (format json)` shows it. */
interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
  /** Present with `analyze` for a node that was executed, as the average of its loops. */
  readonly 'Actual Rows'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Actual Loops'?: number;
  /** Present with `buffers`. */
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
}

async function planOf(db: Db, text: string, values?: unknown[], options = ''): Promise<Plan> {
  const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (${options}format json) ${text}`,
    values,
  );
  return rows[0]!['QUERY PLAN'][0].Plan;
}

/** Tables that are read from their first to their last row. */
function scannedTables(plan: Plan): string[] {
  const own = plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scannedTables)];
}

const IS_PLANNED = /^\s*(select|with|insert|update|delete)\b/;

/** Executes statements, and adds to `scanned` the tables that PostgreSQL plans to read completely. */
export function notingScans(scanned: string[], db: Db): Db {
  return {
    async query(text, values) {
      if (IS_PLANNED.test(text)) scanned.push(...scannedTables(await planOf(db, text, values)));
      return db.query(text, values);
    },
  };
}

/** Does the same as {@link notingScans} for work that opens its own transaction. */
export function notingScansOfPool(scanned: string[], pool: Pool): Pool {
  const connect = async () => {
    const client = await pool.connect();
    const noting = notingScans(scanned, { query: (text, values) => client.query(text, values) });
    return Object.assign(Object.create(client) as typeof client, noting);
  };
  return Object.assign(Object.create(pool) as Pool, { connect });
}

function rowsOf(table: string, plan: Plan): number {
  const { 'Actual Rows': fitting = 0, 'Rows Removed by Filter': others = 0, 'Actual Loops': loops = 0 } = plan;
  const own = plan['Relation Name'] === table ? (fitting + others) * loops : 0;
  return (plan.Plans ?? []).reduce((sum, each) => sum + rowsOf(table, each), own);
}

/** How many rows of the table a query reads, including those that do not match. */
export async function rowsRead(pool: Pool, table: string, ask: (db: Pool) => Promise<unknown>): Promise<number> {
  let read = 0;
  const query = async (text: string, values?: unknown[]) => {
    read += rowsOf(table, await planOf(pool, text, values, 'analyze, '));
    return pool.query(text, values);
  };
  await ask(Object.assign(Object.create(pool) as Pool, { query }));
  return read;
}

/** How many blocks of 8 KiB PostgreSQL touches for one query, and which tables it reads completely. */
export async function costOf(
  db: Db,
  read: (db: Db) => Promise<unknown>,
): Promise<{ blocks: number; scanned: string[] }> {
  let plan: Plan | null = null;
  const explaining: Db = {
    query: async (text, values) => {
      plan = await planOf(db, text, values, 'analyze, buffers, ');
      return { rows: [], rowCount: 0, command: '', oid: 0, fields: [] };
    },
  };
  await read(explaining);
  const root = plan as Plan | null;
  if (root === null) throw new Error('nothing was read');
  const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': fetched = 0 } = root;
  return { blocks: hit + fetched, scanned: scannedTables(root) };
}
