import { pino } from 'pino';
import { startTemporaryPostgres } from '../../src/embedded/postgres/temporary';
import { createPool, migrate, type Pool } from '../../src/ledger';

export interface ChaosLedger {
  readonly ledger: Pool;
  close(): Promise<void>;
}

const PATIENCE_MS = 120_000;

/** A ledger for all seeds of a run; each has its own subscription in it. */
export async function openChaosLedger(): Promise<ChaosLedger> {
  const server = await startTemporaryPostgres(pino({ level: 'fatal' }, pino.destination(2)));
  await migrate({ databaseUrl: server.url });
  // Patient: the campaign runs by a clock set by hand, and a busy machine is none of the faults that it plays.
  const patience = { patienceMs: PATIENCE_MS, statementTimeoutMs: PATIENCE_MS };
  const ledger = createPool({ databaseUrl: server.url, keepsStatements: true, ...patience });
  return {
    ledger,
    async close() {
      await ledger.end();
      await server.stop();
    },
  };
}
