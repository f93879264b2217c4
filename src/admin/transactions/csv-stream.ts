import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { SECOND } from '../../domain/time';
import {
  type Pool,
  readList,
  ReadingRefused,
  readTransactions,
  type TransactionFilter,
  type TransactionPlace,
  type TransactionRecord,
} from '../../ledger';
import { CSV_HEADER, csvLine } from './csv';

/** What is streamed, behind which place, and for whom. */
export interface Export {
  readonly filter: TransactionFilter;
  readonly after: TransactionPlace | null;
  /** The name of the API key. */
  readonly actor: string;
  readonly log: FastifyBaseLogger;
}

/** Rows read at a time: enough to be quick, few enough for memory to stay flat. */
const AT_ONCE = 1000;

/**
 * Every movement of money as CSV, of any number in the room of one batch: the next is read when the caller has taken
 * the one before. Each is a short read of its own, so that a slow caller holds no snapshot and no connection. The first
 * is read before anything is answered: what goes wrong there is still answered as a problem.
 */
export async function streamCsv(reading: Pool, exporting: Export): Promise<Readable> {
  const read: ReadBatch = (after) => readList(reading, (db) => readTransactions(db, exporting.filter, after, AT_ONCE));
  const first = await read(exporting.after);
  return Readable.from(writeBatches(read, exporting, first), { highWaterMark: 1 });
}

type ReadBatch = (after: TransactionPlace | null) => Promise<readonly TransactionRecord[]>;

async function* writeBatches(
  read: ReadBatch,
  exporting: Export,
  first: readonly TransactionRecord[],
): AsyncGenerator<string> {
  let rows = 0;
  try {
    yield CSV_HEADER;
    for (let batch = first; ; batch = await readInTurn(read, batch.at(-1) ?? null)) {
      rows += batch.length;
      if (batch.length > 0) yield batch.map(csvLine).join('');
      if (batch.length < AT_ONCE) return;
    }
  } finally {
    exporting.log.info({ rows, actor: exporting.actor }, 'transactions exported');
  }
}

/** Real ms between tries, and how many there are. */
const BETWEEN_TRIES = SECOND;
const TRIES = 10;

/** Half an export is worth nothing to most: where too many read at once, it waits for its turn. */
async function readInTurn(read: ReadBatch, after: TransactionPlace | null): ReturnType<ReadBatch> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await read(after);
    } catch (error) {
      if (!(error instanceof ReadingRefused) || tried === TRIES) throw error;
      await pause(BETWEEN_TRIES);
    }
  }
}
