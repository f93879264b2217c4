import { addAbortSignal, Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { SECOND } from '../../domain/time';
import { type Db, type Pool, readList, ReadingRefused } from '../../ledger';
import type { TypedApp } from '../dependencies';
import { type Cell, csvLine } from '../../domain/csv';

export const CSV_TYPE = 'text/csv';

/** The rows to stream. */
export interface Export<Row> {
  /** Names of the columns. */
  readonly columns: readonly string[];
  readonly cells: (row: Row) => readonly Cell[];
  /** The rows after `after`, or from the start, in order. */
  readonly read: (db: Db, after: Row | null, limit: number) => Promise<readonly Row[]>;
  /** Called once, with the number of rows sent. */
  readonly ended: (rows: number) => void;
}

/** Rows read at a time: enough to be fast, few enough to bound memory. */
const AT_ONCE = 1000;

/**
 * Streams any number of rows as CSV with one batch in memory: the next batch is read when the caller has received the previous
 * one. Each batch is a separate short read, so that a slow caller holds no snapshot and no connection. The first is read before
 * the response starts, so that errors there are still answered as a problem.
 */
async function streamCsv<Row>(reading: Pool, exporting: Export<Row>): Promise<Readable> {
  const read: ReadBatch<Row> = (after) => readList(reading, (db) => exporting.read(db, after, AT_ONCE));
  const first = await read(null);
  return Readable.from(writeBatches(read, exporting, first), { highWaterMark: 1 });
}

type ReadBatch<Row> = (after: Row | null) => Promise<readonly Row[]>;

async function* writeBatches<Row>(
  read: ReadBatch<Row>,
  { columns, cells, ended }: Export<Row>,
  first: readonly Row[],
): AsyncGenerator<string> {
  let rows = 0;
  try {
    yield csvLine(columns);
    for (let batch = first; ; batch = await readWithRetries(read, batch.at(-1) ?? null)) {
      rows += batch.length;
      if (batch.length > 0) yield batch.map((row) => csvLine(cells(row))).join('');
      if (batch.length < AT_ONCE) return;
    }
  } finally {
    ended(rows);
  }
}

/** Real ms between tries, and the number of tries. */
const BETWEEN_TRIES = SECOND;
const TRIES = 10;

/** Half an export is of little use, so a read is retried if there are too many concurrent ones. */
async function readWithRetries<Row>(read: ReadBatch<Row>, after: Row | null): Promise<readonly Row[]> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await read(after);
    } catch (error) {
      if (!(error instanceof ReadingRefused) || tried === TRIES) throw error;
      await pause(BETWEEN_TRIES);
    }
  }
}

/** Sends exports as files, and ends them when the app closes. */
export class CsvAnswers {
  private readonly closing = new AbortController();

  constructor(app: TypedApp) {
    (app as unknown as FastifyInstance).addHook('preClose', async () => this.closing.abort());
  }

  async send<Row>(reply: FastifyReply, reading: Pool, name: string, exporting: Export<Row>): Promise<FastifyReply> {
    const csv = addAbortSignal(this.closing.signal, await streamCsv(reading, exporting));
    void describeCsv(reply, name);
    return reply.send(csv);
  }
}

/** Sets the headers of a response that is saved as a file. */
export function describeCsv(reply: FastifyReply, name: string): FastifyReply {
  void reply.type(`${CSV_TYPE}; charset=utf-8; header=present`);
  return reply.header('content-disposition', `attachment; filename="${name}.csv"`);
}
