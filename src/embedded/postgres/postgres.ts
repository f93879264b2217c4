import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Client } from 'pg';
import type { Logger } from '../../platform/log';
import { claimFolder } from '../folder-claim';
import { findFreePort } from '../free-port';
import { launchOnFreePorts, serverLife, waitUntilServing, type ServerLife } from '../server-life';
import { startSupervised, type SupervisedProcess } from '../supervised-process';
import { canReach, giveTo, postgresAccount, type ServerAccount } from './account';
import { postgresBinaries, type PostgresBinaries } from './binaries';
import { openCluster, serverEnvironment, SUPERUSER, type Cluster } from './cluster';

export interface PostgresOptions {
  /** Kept between runs; see `chooseDataDir` for a folder that PostgreSQL's account can reach. */
  dataDir: string;
  log: Logger;
  /** Preferred port, 5432 by default; if taken, the next free one is used and logged. 0: any. */
  port?: number;
  /** False gives up safety against power loss for speed: for temporary data only. */
  durable?: boolean;
  /** 200 by default. */
  maxConnections?: number;
}

export interface EmbeddedPostgres extends ServerLife {
  /** The address of the database `dueday`; its user may create others. */
  url: string;
  port: number;
}

const DATABASE = 'dueday';
const HOST = '127.0.0.1';
const STOP_TIMEOUT_MS = 30_000;

/**
 * Starts PostgreSQL on a folder. It ends with this process, however that ends.
 * @throws FolderInUseError while another run or server uses the folder.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const { log } = options;
  const dataDir = resolve(options.dataDir);
  const account = postgresAccount();
  const binaries = postgresBinaries(account, log);
  await prepareDataDir(dataDir, account);
  const claim = await claimFolder(dataDir);
  try {
    const durable = options.durable ?? true;
    const cluster = await openCluster({ dataDir, account, binaries, durable, log });
    const { server, port } = await launchOnFreePorts(async () => {
      const free = await findFreePort(options.port ?? 5432, 'PostgreSQL', log);
      const launched = launch(binaries, cluster, account, free, options);
      await claim.recordServer(launched.pid);
      await waitUntilServing('PostgreSQL', launched, () => createDatabase(cluster, free));
      return { server: launched, port: free };
    });
    log.info(`PostgreSQL listens on port ${port}, its data is in ${dataDir}`);
    return { url: urlOf(cluster, port, DATABASE), port, ...serverLife('PostgreSQL', server, claim.release) };
  } catch (error) {
    await claim.release();
    throw error;
  }
}

async function prepareDataDir(dataDir: string, account: ServerAccount | null): Promise<void> {
  const firstCreated = await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (account === null) return;
  // No other account may read them. Existing folders are left unchanged.
  if (firstCreated !== undefined)
    for (const created of foldersFrom(firstCreated, dataDir)) await giveTo(account, created);
  if (canReach(account, dataDir)) return;
  throw new Error(
    `PostgreSQL does not run as root, and its account (uid ${account.uid}) may not enter ${dataDir}. ` +
      `Choose a folder that is not inside a private one, such as /var/lib/dueday.`,
  );
}

function foldersFrom(first: string, last: string): string[] {
  return first === last ? [last] : [...foldersFrom(first, dirname(last)), last];
}

function launch(
  binaries: PostgresBinaries,
  cluster: Cluster,
  account: ServerAccount | null,
  port: number,
  options: PostgresOptions,
): SupervisedProcess {
  const settings = {
    listen_addresses: HOST,
    port: String(port),
    unix_socket_directories: '',
    max_connections: String(options.maxConnections ?? 200),
    timezone: 'UTC',
    ...(options.durable === false ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  };
  return startSupervised({
    command: binaries.postgres,
    args: ['-D', cluster.folder, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    env: serverEnvironment(),
    cwd: '/',
    ...(account === null ? {} : { account }),
    // PostgreSQL's "fast shutdown": ends sessions, writes a checkpoint, exits.
    stopSignal: 'INT',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    onLine: (line) => options.log.debug({ program: 'postgres' }, line),
  });
}

/** Creates the database if it is missing. Fails until the server accepts connections, and so also shows whether it does. */
async function createDatabase(cluster: Cluster, port: number): Promise<void> {
  const client = new Client({ connectionString: urlOf(cluster, port, 'postgres'), connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

function urlOf(cluster: Cluster, port: number, database: string): string {
  return `postgres://${SUPERUSER}:${cluster.password}@${HOST}:${port}/${database}`;
}
