import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { claimFolder } from '../../src/embedded/folder-claim';
import { findFreePort } from '../../src/embedded/free-port';
import { type PostgresOptions, startPostgres } from '../../src/embedded/postgres/postgres';
import { launchOnFreePorts, serverLife, type ServerLife, waitUntilServing } from '../../src/embedded/server-life';
import { startSupervised, type SupervisedProcess } from '../../src/embedded/supervised-process';
import { createProgressLog } from '../../src/platform/log';
import { Server } from '../processes/server';
import { portToKeep, type TemporalServer } from '../processes/servers';
import { composeContent, composeEnvironment, composeVersion } from '../support/compose-file';
import { silentLog } from '../support/silent-log';
import { type ClusterPrograms, provideClusterPrograms, runScript } from './programs';

const NAME = "Temporal's server";
const HOST = '127.0.0.1';
const STOP_TIMEOUT_MS = 30_000;
/** The variables of the ports on which the parts of the server listen, besides the port for clients. */
const PORTS = [
  'FRONTEND_HTTP_PORT',
  'FRONTEND_MEMBERSHIP_PORT',
  'MATCHING_GRPC_PORT',
  'MATCHING_MEMBERSHIP_PORT',
  'HISTORY_GRPC_PORT',
  'HISTORY_MEMBERSHIP_PORT',
  'WORKER_GRPC_PORT',
  'WORKER_MEMBERSHIP_PORT',
] as const;

export interface TemporalCluster extends TemporalServer {
  /** The version that docker-compose.yml pins. */
  readonly version: string;
  readonly programs: ClusterPrograms;
  /** The URL of Temporal's own database. */
  readonly databaseUrl: string;
}

/**
 * Temporal's server on a PostgreSQL of its own, set up as docker-compose.yml sets it up: with its scripts, variables and
 * dynamic configuration, but addresses of this machine.
 */
export async function openTemporalCluster(
  folder: string,
  { durable = true }: Pick<PostgresOptions, 'durable'> = {},
): Promise<TemporalCluster> {
  const programs = await provideClusterPrograms(createProgressLog());
  const port = await portToKeep('Temporal');
  const dataDir = join(folder, 'temporal');
  let databaseUrl = '';
  const server = new Server('Temporal', dataDir, async () => {
    const place = { dataDir: join(folder, 'temporal-database'), port: 0 };
    const database = await startPostgres({ ...place, durable, log: silentLog() });
    databaseUrl = database.url;
    try {
      const temporal = await startOn(database.url, programs, dataDir, port);
      return {
        failed: Promise.race([temporal.failed, database.failed]),
        stop: () => temporal.stop().then(database.stop),
      };
    } catch (error) {
      await database.stop();
      throw error;
    }
  });
  await server.start();
  return {
    server,
    address: `${HOST}:${port}`,
    uiUrl: null,
    version: composeVersion('temporal'),
    programs,
    databaseUrl,
  };
}

async function startOn(
  databaseUrl: string,
  programs: ClusterPrograms,
  dataDir: string,
  port: number,
): Promise<ServerLife> {
  const { username, password, port: databasePort } = new URL(databaseUrl);
  await runScript(composeContent('temporal-schema'), programs, {
    ...composeEnvironment('temporal-schema'),
    SQL_HOST: HOST,
    SQL_PORT: databasePort,
    SQL_USER: username,
    SQL_PASSWORD: password,
  });
  const claim = await claimFolder(dataDir);
  const dynamicConfig = join(dataDir, 'dynamic.yaml');
  await writeFile(dynamicConfig, composeContent('temporal-dynamic'));
  const address = `${HOST}:${port}`;
  const settings = {
    ...composeEnvironment('temporal'),
    POSTGRES_SEEDS: HOST,
    DB_PORT: databasePort,
    POSTGRES_USER: username,
    POSTGRES_PWD: password,
    BIND_ON_IP: HOST,
    FRONTEND_GRPC_PORT: String(port),
    DYNAMIC_CONFIG_FILE_PATH: dynamicConfig,
    LOG_LEVEL: 'warn',
  };
  try {
    const server = await launchOnFreePorts(async () => {
      const launched = launch(programs, { ...settings, ...(await freePorts()) });
      await claim.recordServer(launched.pid);
      await waitUntilServing(NAME, launched, () => connectTo(address));
      return launched;
    });
    const life = serverLife(NAME, server, claim.release);
    await runScript(composeContent('temporal-namespace'), programs, { TEMPORAL_ADDRESS: address }).catch(
      async (error: unknown) => {
        await life.stop();
        throw error;
      },
    );
    return life;
  } catch (error) {
    await claim.release();
    throw error;
  }
}

function launch({ server }: ClusterPrograms, settings: Readonly<Record<string, string>>): SupervisedProcess {
  return startSupervised({
    command: server,
    args: ['start'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
    stopSignal: 'TERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    onLine: () => undefined,
  });
}

/** Free ports, all different, because each is searched for above the previous one. */
async function freePorts(): Promise<Readonly<Record<string, string>>> {
  const ports: Record<string, string> = {};
  let last = await portToKeep(NAME);
  for (const name of PORTS) {
    last = await findFreePort(last + 1, NAME, silentLog());
    ports[name] = String(last);
  }
  return ports;
}

async function connectTo(address: string): Promise<void> {
  const connection = Connection.lazy({ address, connectTimeout: '2s' });
  try {
    await connection.ensureConnected();
  } finally {
    await connection.close();
  }
}
