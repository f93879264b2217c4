import type { Pool } from '../../src/ledger';
import { readRecords } from '../../src/ledger/sql/statements';
import { reportStatistics } from '../../test/support/table-statistics';

/** A table whose rows change. Counts are since the database was created. */
export interface HotTable {
  readonly name: string;
  /** The exact number of live rows. */
  readonly live: number;
  /** PostgreSQL's estimate of dead rows. */
  readonly dead: number;
  /** Bytes, including indexes. */
  readonly size: number;
  readonly updates: number;
  /** How many of the updates touched no index. */
  readonly hot: number;
  readonly vacuums: number;
}

/** The tables whose rows have been updated or removed, ordered by name. */
export async function readHotTables(ledger: Pool): Promise<readonly HotTable[]> {
  await reportStatistics(ledger);
  const tables = await readRecords<Omit<HotTable, 'live'>>(
    ledger,
    `select relname as name, n_dead_tup as dead, pg_total_relation_size(relid) as size, n_tup_upd as updates,
       n_tup_hot_upd as hot, autovacuum_count as vacuums
     from pg_stat_user_tables where n_tup_upd + n_tup_del > 0 order by relname`,
  );
  return Promise.all(tables.map(async (table) => ({ ...table, live: await countRows(ledger, table.name) })));
}

async function countRows(ledger: Pool, table: string): Promise<number> {
  const { rows } = await ledger.query<{ live: number }>(`select count(*) as live from "${table}"`);
  return rows[0]!.live;
}
