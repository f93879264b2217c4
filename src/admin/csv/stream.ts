import { addAbortSignal, Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { SECOND } from '../../domain/time';
import { type Db, type Pool, readList, ReadingRefused } from '../../ledger';
import type { TypedApp } from '../dependencies';
import { type Cell, csvLine } from './line';

export const CSV_TYPE = 'text/csv';

/** What is streamed, from the first row on. */
export interface Export<Row> {
  /** Names of the columns. */
  readonly columns: readonly string[];
  readonly cells: (row: Row) => readonly Cell[];
  /** Rows after one, or from the beginning, in order. */
  readonly read: (db: Db, after: Row | null, limit: number) => Promise<readonly Row[]>;
  /** Called once, with the number of rows that were taken. */
  readonly ended: (rows: number) => void;
}

/** Rows read at a time: enough to be quick, few enough for memory to stay flat. */
const AT_ONCE = 1000;

/**
 * All rows as CSV, of any number in the room of one batch: the next is read when the caller has taken the one before. Each is
 * a short read of its own, so that a slow caller holds no snapshot and no connection. The first is read before anything is
 * answered: what goes wrong there is still answered as a problem.
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
    for (let batch = first; ; batch = await readInTurn(read, batch.at(-1) ?? null)) {
      rows += batch.length;
      if (batch.length > 0) yield batch.map((row) => csvLine(cells(row))).join('');
      if (batch.length < AT_ONCE) return;
    }
  } finally {
    ended(rows);
  }
}

/** Real ms between tries, and how many there are. */
const BETWEEN_TRIES = SECOND;
const TRIES = 10;

/** Half an export is worth nothing to most: if too many read at once, it is tried again. */
async function readInTurn<Row>(read: ReadBatch<Row>, after: Row | null): Promise<readonly Row[]> {
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

/** The headers of an answer that is saved under a name. */
export function describeCsv(reply: FastifyReply, name: string): FastifyReply {
  void reply.type(`${CSV_TYPE}; charset=utf-8; header=present`);
  return reply.header('content-disposition', `attachment; filename="${name}.csv"`);
}
