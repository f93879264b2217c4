import { performance } from 'node:perf_hooks';
import type { Pool, QueryResultRow } from 'pg';
import { inTransaction } from '../sql/database';
import { type Db } from '../sql/statements';

/** Reads for operators: one snapshot each, with time limits, so that no reader keeps the others waiting. */

/** Real ms. */
interface Limits {
  /** One statement, at the server. */
  readonly statement: number;
  /** No statement starts later than this after the first. */
  readonly whole: number;
}

const OF_LISTS: Limits = { statement: 3_000, whole: 3_000 };
const OF_REPORTS: Limits = { statement: 10_000, whole: 30_000 };

/** The read exceeds the current limits. Neither the ledger nor the request is at fault. */
export class ReadingRefused extends Error {
  override readonly name = 'ReadingRefused';

  /** @param why this read takes too long, or too many are reading */
  constructor(
    readonly why: 'too_slow' | 'too_many',
    cause: unknown,
  ) {
    super(why === 'too_slow' ? 'reading the ledger took too long' : 'too many requests are reading the ledger', {
      cause,
    });
  }
}

/** Reads a page of a list, the results of a search, or one record. @throws ReadingRefused */
export function readList<T>(reading: Pool, work: (db: Db) => Promise<T>): Promise<T> {
  return readWithin(reading, OF_LISTS, work);
}

/** Reads a report over many rows. @throws ReadingRefused */
export function readReport<T>(reading: Pool, work: (db: Db) => Promise<T>): Promise<T> {
  return readWithin(reading, OF_REPORTS, work);
}

async function readWithin<T>(pool: Pool, limits: Limits, work: (db: Db) => Promise<T>): Promise<T> {
  // The time-out is sent together with `begin`: it costs no extra message, and ends with the transaction.
  const opening = `begin isolation level repeatable read read only; set local statement_timeout = ${limits.statement}`;
  try {
    return await inTransaction(pool, (client) => work(withDeadline(client, limits.whole)), opening);
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

function withDeadline(db: Db, whole: number): Db {
  const endsAt = performance.now() + whole;
  return {
    async query<R extends QueryResultRow>(text: string, values?: unknown[]) {
      if (performance.now() > endsAt) throw new ReadingRefused('too_slow', null);
      return db.query<R>(text, values);
    },
  };
}

const CANCELLED = '57014';
/** The driver's message if no connection became free in time; an unreachable server has another one. */
const NONE_FREE = 'timeout exceeded when trying to connect';

function refusalOf(error: unknown): ReadingRefused | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && error.code === CANCELLED) return new ReadingRefused('too_slow', error);
  return error.message === NONE_FREE ? new ReadingRefused('too_many', error) : null;
}
