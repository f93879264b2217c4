import { SECOND } from '../../src/domain/time';
import type { Pool } from '../../src/ledger';

/** How much a PostgreSQL server has written since its creation, over all its databases. */
export interface Footprint {
  /** Real ms, monotonic. */
  readonly at: number;
  /** Transactions that wrote. */
  readonly transactions: number;
  /** Rows inserted, changed and deleted. */
  readonly rows: number;
  /** Bytes of its write-ahead log. */
  readonly wal: number;
  /** Bytes on the disk, indexes too, without the log. */
  readonly bytes: number;
}

type Written = Omit<Footprint, 'at'>;

export async function readFootprint(db: Pool): Promise<Footprint> {
  const { rows } = await db.query<Written>(
    `select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as transactions,
       (select sum(tup_inserted + tup_updated + tup_deleted) from pg_stat_database)::bigint as rows,
       (pg_current_wal_insert_lsn() - '0/0')::bigint as wal,
       (select sum(pg_database_size(oid)) from pg_database)::bigint as bytes`,
  );
  return { at: performance.now(), ...rows[0]! };
}

/** How much was written between the two, less what an idle server writes in the same time. */
export function between(before: Footprint, after: Footprint, idle: Written | null): Written {
  const seconds = (after.at - before.at) / SECOND;
  const of = (name: keyof Written) => after[name] - before[name] - seconds * (idle?.[name] ?? 0);
  return { transactions: of('transactions'), rows: of('rows'), wal: of('wal'), bytes: of('bytes') };
}

/** Divides what was written by this number. */
export function shared(written: Written, among: number): Written {
  const { transactions, rows, wal, bytes } = written;
  return { transactions: transactions / among, rows: rows / among, wal: wal / among, bytes: bytes / among };
}

export function inWords({ transactions, rows, wal, bytes }: Written): string {
  const kilobytes = (count: number) => (count / 1000).toFixed(1);
  return `${transactions.toFixed(1)} write transactions, ${rows.toFixed(1)} rows written, ${kilobytes(wal)} kB of log, ${kilobytes(bytes)} kB on disk`;
}
