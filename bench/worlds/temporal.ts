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
  /** Of the server that keeps what Temporal knows. */
  readonly databaseUrl: string;
}

/** Temporal's development server, in memory. */
export async function openDevServer(): Promise<BenchTemporal> {
  return startTemporal({ log: createLogger('error'), port: 0, uiPort: false });
}

/** Temporal's server on a PostgreSQL of its own, as docker-compose.yml sets it up; without fsync, as all others here. */
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
