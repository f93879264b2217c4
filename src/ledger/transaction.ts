import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

const TRIES = 5;
const FIRST_PAUSE_MS = 10;
/** serialization_failure and deadlock_detected: PostgreSQL itself asks for another try. */
const PASSING = new Set(['40001', '40P01']);

/**
 * Runs `work` in one transaction, again where PostgreSQL gave way to another: 5 times at most, after 10, 20, 40, 80 ms.
 * `work` must have no effect but on the database.
 * @param opening what is sent first, in one message: `begin`, and statements that belong before all others
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  opening = 'begin',
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await runOnce(pool, work, opening);
    } catch (error) {
      if (tried === TRIES || !isPassing(error)) throw error;
      await pause(FIRST_PAUSE_MS * 2 ** (tried - 1));
    }
  }
}

async function runOnce<T>(pool: Pool, work: (client: PoolClient) => Promise<T>, opening: string): Promise<T> {
  const client = await pool.connect();
  // A connection lost between two statements is an event, which without a listener would end the process. The statement
  // that follows fails, and so does this transaction.
  client.on('error', leaveToStatements);
  try {
    await client.query(opening);
    const result = await work(client);
    await client.query('commit');
    giveBack(client, false);
    return result;
  } catch (error) {
    giveBack(client, await cannotRollBack(client));
    throw error;
  }
}

/** A client that cannot roll back is thrown away, so that its half transaction ends with its connection. */
function giveBack(client: PoolClient, broken: boolean): void {
  client.off('error', leaveToStatements);
  client.release(broken);
}

function cannotRollBack(client: PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => false,
    () => true,
  );
}

function leaveToStatements(): void {
  return undefined;
}

function isPassing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && PASSING.has(error.code);
}
