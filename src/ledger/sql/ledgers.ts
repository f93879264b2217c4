import type { Logger } from '../../platform/log';
import { ANSWER_MS, createPool, type DatabaseAddress, type Pool } from './database';
import { AnswerListener, type Answers } from './answers';
import { type Db, readRecord } from './statements';

/** The connections of one process, in separate pools by purpose, so that none waits for another. */
export interface Ledgers {
  /** For attempts, notices and the daily work. */
  readonly collecting: Pool;
  /** For requests of operators and payers, and for what workflows record about them. */
  readonly steering: Pool;
  /** For lists, searches and reports; used only by `readList` and `readReport`, which end queries that take too long. */
  readonly reading: Pool;
  /** For the counts of the whole ledger in `/metrics`: one connection, which no reader can take. Used only by `readList`. */
  readonly counting: Pool;
  /** A replica that may lag a moment behind, for long lists, searches and reports; null if there is none. */
  readonly replica: Pool | null;
  /** Notifies callers of what other processes record: one connection, opened for the first caller who waits. */
  readonly answers: Answers;
  close(): Promise<void>;
}

export interface LedgersOptions extends DatabaseAddress {
  /** Where long lists, searches and reports are read; the primary database by default. */
  readonly replicaUrl?: string | undefined;
  readonly shares: Shares;
  /** Whether the collecting and steering pools keep their statements prepared; true by default. */
  readonly keepsStatements?: boolean;
  /** After this many ms without an answer a server counts as gone, and its connection is given up; 30 s by default. */
  readonly answerMs?: number;
  readonly log?: Logger;
}

/** Maximum number of connections. */
export type Shares = Readonly<Record<'collecting' | 'steering' | 'reading', number>>;

/** Real ms after which a waiting reader is refused, and may ask again later. Long enough to open a new connection. */
const READERS_TIMEOUT_MS = 2_000;

/** Prometheus's default scrape time-out, real ms: a count that takes longer is never read. */
const SCRAPE_MS = 10_000;

/** Connections are opened when they are first needed. */
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
  // Search values differ from one query to the next, and each needs a plan of its own.
  const readers = { ...options, max: shares.reading, timeoutMs: READERS_TIMEOUT_MS };
  const reading = createPool({ ...readers, purpose: 'reading' });
  // If a server is silent, the one connection is replaced by a new one.
  const limits = { timeoutMs: SCRAPE_MS, answerMs: SCRAPE_MS };
  const counting = createPool({ ...options, ...limits, purpose: 'metrics', max: 1 });
  const replica =
    replicaUrl === undefined ? null : createPool({ ...readers, databaseUrl: replicaUrl, purpose: 'replica' });
  const answers = new AnswerListener(createPool({ ...options, purpose: 'answers', max: 1 }), options.log);
  return {
    collecting,
    steering,
    reading,
    counting,
    replica,
    answers,
    async close() {
      await answers.close();
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
 * Divides `size` connections: a worker collects with three tenths of them and steers with the rest. The API has half as many
 * of its own, half of them to steer and half to read. A process that does both has both.
 *
 * Few collect, because steps that wait for a connection share one message (see `writeStep`), and each connection plans the
 * functions of the ledger for itself, which costs as much as a dozen cycles.
 * @param size 4 or more
 */
export function shareOut(size: number, { works, serves }: Duties): Shares {
  const [worker, api] = [works ? size : 0, serves ? Math.floor(size / 2) : 0];
  const [collecting, answering] = [Math.ceil((worker * 3) / 10), Math.ceil(api / 2)];
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
  if (read === null) throw new Error('PostgreSQL did not return its time');
  return read;
}

/** Whether the server follows another one and takes no writes. */
export async function isReplica(db: Db): Promise<boolean> {
  const read = await readRecord<{ readonly follows: boolean }>(db, 'select pg_is_in_recovery() as follows');
  return read?.follows === true;
}

/** @throws if the database does not answer. */
export async function ping(db: Db): Promise<void> {
  await db.query('select 1', []);
}

/** Connections of the server: the maximum for roles that are not superusers, and the number in use. */
export async function readConnections(db: Db): Promise<{ readonly most: number; readonly used: number }> {
  const read = await readRecord<{ readonly most: number; readonly used: number }>(
    db,
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
       (select count(*) from pg_stat_activity where backend_type = 'client backend') as used`,
  );
  if (read === null) throw new Error('PostgreSQL did not return its connections');
  return read;
}
