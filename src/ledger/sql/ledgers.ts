import type { Logger } from '../../platform/log';
import { ANSWER_MS, createPool, type DatabaseAddress, type Pool } from './database';
import { type Db, readRecord } from './statements';

/** The connections of one process, apart by what they are for, so that none waits for another. */
export interface Ledgers {
  /** For attempts, notices and the daily work. */
  readonly collecting: Pool;
  /** For what people and payers ask for, and for what workflows record of it. */
  readonly steering: Pool;
  /** For lists, searches and reports; by `readList` and `readReport` only, which end what takes too long. */
  readonly reading: Pool;
  /** For what `/metrics` counts of the whole ledger: one connection, which no reader can take. By `readList` only. */
  readonly counting: Pool;
  /** A copy that may be a moment behind, for lists of many, searches and reports; null where there is none. */
  readonly replica: Pool | null;
  close(): Promise<void>;
}

export interface LedgersOptions extends DatabaseAddress {
  /** Where lists of many, searches and reports are read; where none is given, from the database itself. */
  readonly replicaUrl?: string | undefined;
  readonly shares: Shares;
  /** Whether collecting and steering have PostgreSQL keep their statements; yes where none is given. */
  readonly keepsStatements?: boolean;
  /** After this many ms without an answer a server counts as gone, and its connection is given up; 30 s where none is given. */
  readonly answerMs?: number;
  readonly log?: Logger;
}

/** Connections at most. */
export type Shares = Readonly<Record<'collecting' | 'steering' | 'reading', number>>;

/** A reader is refused, to come back later, rather than left to wait. Long enough for a new connection. */
const READERS_PATIENCE_MS = 2_000;

/** So long a scraper waits where it is told nothing else: what has not been counted by then nobody reads. Real ms. */
const SCRAPE_MS = 10_000;

/** Nothing is connected before it is needed. */
export function openLedgers({
  shares,
  replicaUrl,
  keepsStatements = true,
  answerMs = ANSWER_MS,
  ...address
}: LedgersOptions): Ledgers {
  const options = { ...address, answerMs };
  const writers = { ...options, keepsStatements };
  const collecting = createPool({ ...writers, purpose: 'collecting', max: shares.collecting });
  const steering = createPool({ ...writers, purpose: 'steering', max: shares.steering });
  // What is searched for differs from one question to the next, and wants a plan of its own.
  const readers = { ...options, max: shares.reading, patienceMs: READERS_PATIENCE_MS };
  const reading = createPool({ ...readers, purpose: 'reading' });
  // Where a server is silent, the one connection is given up for a new one.
  const limits = { patienceMs: SCRAPE_MS, answerMs: SCRAPE_MS };
  const counting = createPool({ ...options, ...limits, purpose: 'metrics', max: 1 });
  const replica =
    replicaUrl === undefined ? null : createPool({ ...readers, databaseUrl: replicaUrl, purpose: 'replica' });
  return {
    collecting,
    steering,
    reading,
    counting,
    replica,
    async close() {
      await Promise.all(
        [collecting, steering, reading, counting, replica].flatMap((pool) => (pool === null ? [] : [pool.end()])),
      );
    },
  };
}

/** What a process does: run workflows and activities, answer the admin API. */
export interface Duties {
  readonly works: boolean;
  readonly serves: boolean;
}

/**
 * Shares `size` connections out: a worker collects with three quarters of them and steers with the rest. The API has half
 * as many of its own, one half to steer and one to read. A process that does both has both.
 * @param size 4 or more
 */
export function shareOut(size: number, { works, serves }: Duties): Shares {
  const [worker, api] = [works ? size : 0, serves ? Math.floor(size / 2) : 0];
  const [collecting, answering] = [Math.ceil((worker * 3) / 4), Math.ceil(api / 2)];
  return {
    collecting: Math.max(1, collecting),
    steering: Math.max(1, worker - collecting + answering),
    reading: Math.max(1, api - answering),
  };
}

/** PostgreSQL's own clock, and its version. */
export async function readClock(db: Db): Promise<{ readonly at: number; readonly version: string }> {
  const read = await readRecord<{ readonly at: number; readonly version: string }>(
    db,
    `select clock_timestamp() as at, current_setting('server_version') as version`,
    [],
  );
  if (read === null) throw new Error('PostgreSQL did not tell its time');
  return read;
}

/** Whether the server follows another one and takes no writes. */
export async function isReplica(db: Db): Promise<boolean> {
  const read = await readRecord<{ readonly follows: boolean }>(db, 'select pg_is_in_recovery() as follows');
  return read?.follows === true;
}

/** @throws where the database does not answer. */
export async function ping(db: Db): Promise<void> {
  await db.query('select 1', []);
}

/** Connections of the server: those that roles which are no superusers may have at most, and those that there are. */
export async function readConnections(db: Db): Promise<{ readonly most: number; readonly used: number }> {
  const read = await readRecord<{ readonly most: number; readonly used: number }>(
    db,
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
       (select count(*) from pg_stat_activity where backend_type = 'client backend') as used`,
  );
  if (read === null) throw new Error('PostgreSQL did not say how many connections it has');
  return read;
}
