import { rm } from 'node:fs/promises';
import { makeTemporaryFolder } from '../../src/embedded/folders';
import { startTemporal } from '../../src/embedded/temporal/temporal';
import { createLogger } from '../../src/platform/log';
import { openTemporalCluster } from '../../test/cluster/temporal-cluster';

export interface BenchTemporal {
  readonly address: string;
  stop(): Promise<void>;
}

export interface BenchCluster extends BenchTemporal {
  /** The URL of the PostgreSQL server that stores Temporal's data. */
  readonly databaseUrl: string;
}

/** Temporal's development server, which stores its data in memory. */
export async function openDevServer(): Promise<BenchTemporal> {
  return startTemporal({ log: createLogger('error'), port: 0, uiPort: false });
}

/** Temporal's server on a separate PostgreSQL, configured as in docker-compose.yml, but like all servers here without fsync. */
export async function openCluster(): Promise<BenchCluster> {
  const folder = await makeTemporaryFolder('bench');
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const { address, databaseUrl, server } = await openTemporalCluster(folder, { durable: false });
    return { address, databaseUrl, stop: () => server.stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}
