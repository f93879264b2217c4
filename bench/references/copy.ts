import type { Connection, Pool, Submittable } from 'pg';

/** Methods of a `pg` connection that `copy` needs and the type declarations lack. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** `copy … from stdin` of a text in memory; does what `pg-copy-streams` does for streams. */
class CopyFrom implements Submittable {
  readonly done: Promise<void>;
  private readonly settle: { resolve(this: void): void; reject(this: void, fault: Error): void };

  constructor(
    private readonly statement: string,
    private readonly text: string,
  ) {
    const { promise, ...settle } = withResolvers();
    [this.done, this.settle] = [promise, settle];
  }

  submit(connection: Connection): void {
    connection.query(this.statement);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(Buffer.from(this.text));
    connection.endCopyFrom();
  }

  /** `pg` requires it; the number of copied rows is not needed. */
  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.settle.resolve();
  }

  handleError(fault: Error): void {
    this.settle.reject(fault);
  }
}

function withResolvers() {
  let [resolve, reject]: [() => void, (fault: Error) => void] = [() => undefined, () => undefined];
  const promise = new Promise<void>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}

/** Copies rows into a table. @param rows their values must not contain tabs, line feeds or backslashes */
export async function copyInto(
  pool: Pool,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const text = rows.map((values) => `${values.join('\t')}\n`).join('');
  const client = await pool.connect();
  try {
    await client.query(new CopyFrom(`copy ${table} (${columns.join(', ')}) from stdin`, text)).done;
  } finally {
    client.release();
  }
}
