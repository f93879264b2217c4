import type { QueryResult, QueryResultRow } from 'pg';

/** Something that runs a statement: the pool, or one client inside a transaction. Made by {@link createPool}, which maps types. */
export interface Db {
  query<R extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<R>>;
}

/** The first row, or null where there is none. */
export async function queryOne<R extends QueryResultRow>(db: Db, text: string, values: unknown[]): Promise<R | null> {
  const { rows } = await db.query<R>(text, values);
  return rows[0] ?? null;
}
