import { pino } from 'pino';
import { startTemporaryPostgres } from '../../src/embedded/postgres/temporary';
import { createPool, migrate, type Pool } from '../../src/ledger';

export interface ChaosLedgers {
  /** The ledgers, one for each lane: seeds of one lane run one after the other. */
  readonly ledgers: readonly Pool[];
  close(): Promise<void>;
}

const TIMEOUT_MS = 120_000;

/**
 * Ledgers for the lanes of a run. A lane has its own clock, and delivers all notices that are due in its ledger. Each seed has its
 * own subscription in it.
 */
export async function openChaosLedgers(count: number): Promise<ChaosLedgers> {
  const server = await startTemporaryPostgres(pino({ level: 'fatal' }, pino.destination(2)));
  const maintaining = createPool({ databaseUrl: server.url, max: 1 });
  const urls: string[] = [];
  for (let lane = 0; lane < count; lane += 1) {
    await maintaining.query(`create database lane_${lane}`);
    const url = new URL(server.url);
    url.pathname = `/lane_${lane}`;
    // Migrated separately, not cloned: a ledger that has been copied sends nothing.
    await migrate({ databaseUrl: url.href });
    urls.push(url.href);
  }
  await maintaining.end();
  // Long time-outs: the campaign's clock is set by hand, and a busy machine must not count as one of its faults.
  const slow = { timeoutMs: TIMEOUT_MS, statementTimeoutMs: TIMEOUT_MS };
  const ledgers = urls.map((databaseUrl) => createPool({ databaseUrl, keepsStatements: true, ...slow }));
  return {
    ledgers,
    async close() {
      await Promise.all(ledgers.map((ledger) => ledger.end()));
      await server.stop();
    },
  };
}
