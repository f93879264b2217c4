import type { Pool } from 'pg';
import { SECOND } from '../../domain/time';
import { outsideTrace } from '../../platform/tracing';
import { codeOf, READ_ONLY } from './database';

/** Whether the ledger can be written: PostgreSQL may answer every query while it accepts no write. */

const DISK_FULL = '53100';

const REASONS: Readonly<Record<string, string>> = {
  [READ_ONLY]: 'PostgreSQL is read only: a standby, or default_transaction_read_only is set',
  [DISK_FULL]: "PostgreSQL's disk is full",
};

/** Why a statement failed to write to the ledger; null if its error has another cause. */
export function whyNotWritable(error: unknown): string | null {
  return REASONS[codeOf(error)] ?? null;
}

/** Writes a note during a read: if the ledger can be read but not written, the read continues without it. */
export async function noteIfWritable(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (whyNotWritable(error) === null) throw error;
  }
}

export interface LedgerWrites {
  /**
   * Makes a real write, unless one was made in the last few seconds; concurrent callers share it.
   * @throws if it is refused.
   */
  check(): Promise<void>;
  /** Why nothing can be written, as the last write showed; null if it succeeded. */
  fault(): string | null;
  /**
   * Takes note of the error of a statement that ran elsewhere.
   * @returns the result of {@link whyNotWritable}
   */
  note(error: unknown): string | null;
  /** Real seconds since the last commit of {@link check}, or since the process started to watch. */
  sinceCommit(): number;
}

/** Real ms for which the result of a write is reused. */
const REUSED_FOR = 3 * SECOND;
/** Real ms for which a full disk is reported: a small write may still succeed after a larger one has failed. */
const FULL_FOR = 30 * SECOND;

/** Changes nothing, but is committed like any other write. */
const WRITE = 'update installation set sending_since = sending_since';

/** @param now from a monotonic clock, ms */
export function watchWrites(db: Pick<Pool, 'query'>, now = () => performance.now()): LedgerWrites {
  let committedAt = now();
  let known: { readonly fault: string | null; readonly until: number } = { fault: null, until: -Infinity };
  let writing: Promise<void> | null = null;
  const note = (error: unknown) => {
    const fault = whyNotWritable(error);
    if (fault !== null) known = { fault, until: now() + (codeOf(error) === DISK_FULL ? FULL_FOR : REUSED_FOR) };
    return fault;
  };
  const write = async () => {
    try {
      await outsideTrace(() => db.query(WRITE));
      committedAt = now();
      known = { fault: null, until: committedAt + REUSED_FOR };
    } catch (error) {
      note(error);
      throw error;
    } finally {
      writing = null;
    }
  };
  return {
    async check() {
      if (now() < known.until) {
        if (known.fault !== null) throw new Error(known.fault);
        return;
      }
      writing ??= write();
      await writing;
    },
    fault: () => known.fault,
    note,
    sinceCommit: () => (now() - committedAt) / SECOND,
  };
}
