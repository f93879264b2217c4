import { addAbortSignal, Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { SECOND } from '../../domain/time';
import { type Db, type Pool, readList, ReadingRefused } from '../../ledger';
import type { TypedApp } from '../dependencies';
import { type Cell, csvLine } from '../../domain/csv';

export const CSV_TYPE = 'text/csv';
export const NDJSON_TYPE = 'application/x-ndjson';

/** The rows to stream. */
interface Rows<Row> {
  /** The rows after `after`, or from the start, in order. */
  readonly read: (db: Db, after: Row | null, limit: number) => Promise<readonly Row[]>;
  /** Called once, with the number of rows sent. */
  readonly onEnd: (rows: number) => void;
}

/** Rows as CSV. */
export interface Export<Row> extends Rows<Row> {
  /** Names of the columns. */
  readonly columns: readonly string[];
  readonly cells: (row: Row) => readonly Cell[];
}

/** Rows as lines of another format. */
interface Lines<Row> extends Rows<Row> {
  /** The line of a row, with its end. */
  readonly line: (row: Row) => string;
}

/** Rows read at a time: enough to be fast, few enough to bound memory. */
const AT_ONCE = 1000;

/**
 * Streams any number of rows with one batch in memory: the next batch is read when the caller has received the previous
 * one. Each batch is a separate short read, so that a slow caller holds no snapshot and no connection. The first is read before
 * the response starts, so that an error in reading it can still be answered as a problem.
 */
async function streamLines<Row>(reading: Pool, exporting: Lines<Row>, head: string): Promise<Readable> {
  const read: ReadBatch<Row> = (after) => readList(reading, (db) => exporting.read(db, after, AT_ONCE));
  const first = await read(null);
  return Readable.from(writeBatches(read, exporting, head, first), { highWaterMark: 1 });
}

type ReadBatch<Row> = (after: Row | null) => Promise<readonly Row[]>;

async function* writeBatches<Row>(
  read: ReadBatch<Row>,
  { line, onEnd }: Lines<Row>,
  head: string,
  first: readonly Row[],
): AsyncGenerator<string> {
  let rows = 0;
  try {
    yield head;
    for (let batch = first; ; batch = await readWithRetries(read, batch.at(-1) ?? null)) {
      rows += batch.length;
      if (batch.length > 0) yield batch.map(line).join('');
      if (batch.length < AT_ONCE) return;
    }
  } finally {
    onEnd(rows);
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
export class ExportAnswers {
  private readonly closing = new AbortController();

  constructor(app: TypedApp) {
    (app as unknown as FastifyInstance).addHook('preClose', async () => this.closing.abort());
  }

  /** Sends an export as CSV. */
  async send<Row>(reply: FastifyReply, reading: Pool, name: string, exporting: Export<Row>): Promise<FastifyReply> {
    const { columns, cells } = exporting;
    const lines = { ...exporting, line: (row: Row) => csvLine(cells(row)) };
    const csv = await streamLines(reading, lines, csvLine(columns));
    return describeCsv(reply, name).send(addAbortSignal(this.closing.signal, csv));
  }

  /** Sends an export as NDJSON. */
  async sendLines<Row>(reply: FastifyReply, reading: Pool, name: string, lines: Lines<Row>): Promise<FastifyReply> {
    const stream = await streamLines(reading, lines, '');
    void reply.type(NDJSON_TYPE).header('content-disposition', `attachment; filename="${name}.ndjson"`);
    return reply.send(addAbortSignal(this.closing.signal, stream));
  }
}

/** Sets the headers of a response that is saved as a file. */
export function describeCsv(reply: FastifyReply, name: string): FastifyReply {
  void reply.type(`${CSV_TYPE}; charset=utf-8; header=present`);
  return reply.header('content-disposition', `attachment; filename="${name}.csv"`);
}
