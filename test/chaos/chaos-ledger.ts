import { pino } from 'pino';
import { startTemporaryPostgres } from '../../src/embedded/postgres/temporary';
import { createPool, migrate, type Pool } from '../../src/ledger';

export interface ChaosLedger {
  readonly ledger: Pool;
  close(): Promise<void>;
}

/** A ledger for all seeds of a run; each has its own subscription in it. */
export async function openChaosLedger(): Promise<ChaosLedger> {
  const server = await startTemporaryPostgres(pino({ level: 'fatal' }, pino.destination(2)));
  await migrate({ databaseUrl: server.url });
  const ledger = createPool({ databaseUrl: server.url, keepsStatements: true });
  return {
    ledger,
    async close() {
      await ledger.end();
      await server.stop();
    },
  };
}
