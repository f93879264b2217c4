import { chmod, mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from '../log';
import { claimFolder } from './folder-claim';
import { findFreePort } from './free-port';
import { canReach, postgresAccount, type ServerAccount } from './postgres-account';
import { postgresBinaries, type PostgresBinaries } from './postgres-binaries';
import { openCluster, serverEnvironment, SUPERUSER, type Cluster } from './postgres-cluster';
import { describeEnding, startSupervised, type SupervisedProcess } from './supervised-process';

export interface PostgresOptions {
  /** Kept between runs; see `chooseDataDir` for a folder that PostgreSQL's account can reach. */
  dataDir: string;
  log: Logger;
  /** Preferred port, 5432 where none is given; the next free one is taken and said. 0: any. */
  port?: number;
  /** False trades safety against power loss for speed: tests only. */
  durable?: boolean;
}

export interface EmbeddedPostgres {
  /** Of the database `dueday`, whose user may create others. */
  url: string;
  port: number;
  /** Resolves, with the reason, should the server end without `stop`. */
  failed: Promise<string>;
  stop: () => Promise<void>;
}

const DATABASE = 'dueday';
const HOST = '127.0.0.1';
/** After a crash the server first replays its log. */
const START_PATIENCE_MS = 60_000;
const STOP_PATIENCE_MS = 30_000;

/**
 * Starts PostgreSQL on a folder. It ends with this process, however that ends.
 * @throws FolderInUseError while another run or server uses the folder.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const { log } = options;
  const dataDir = resolve(options.dataDir);
  const account = postgresAccount();
  const binaries = postgresBinaries(account, log);
  await makeReachable(dataDir, account);
  const claim = await claimFolder(dataDir);
  try {
    const durable = options.durable ?? true;
    const cluster = await openCluster({ dataDir, account, binaries, durable, log });
    const port = await findFreePort(options.port ?? 5432, 'PostgreSQL', log);
    const server = launch(binaries, cluster, account, port, options);
    await claim.recordServer(server.pid);
    await waitUntilServing(server, cluster, port).catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
    log.info(`PostgreSQL listens on port ${port}, its data is in ${dataDir}`);
    return handle(server, cluster, port, claim.release);
  } catch (error) {
    await claim.release();
    throw error;
  }
}

async function makeReachable(dataDir: string, account: ServerAccount | null): Promise<void> {
  const firstMade = await mkdir(dataDir, { recursive: true });
  if (account === null) return;
  // Folders made here are opened, whatever the user's umask; those that were there are left as they are.
  if (firstMade !== undefined) for (const made of foldersFrom(firstMade, dataDir)) await chmod(made, 0o755);
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
    max_connections: '200',
    timezone: 'UTC',
    ...(options.durable === false ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  };
  return startSupervised({
    command: binaries.postgres,
    args: ['-D', cluster.folder, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    env: serverEnvironment(),
    cwd: '/',
    ...(account === null ? {} : { account }),
    // PostgreSQL's "fast shutdown": ends sessions, writes a checkpoint, goes.
    stopSignal: 'INT',
    stopPatienceMs: STOP_PATIENCE_MS,
    onLine: (line) => options.log.debug({ program: 'postgres' }, line),
  });
}

async function waitUntilServing(server: SupervisedProcess, cluster: Cluster, port: number): Promise<void> {
  const early = server.ended.then((ending) => {
    throw new Error(`PostgreSQL did not start on ${cluster.folder}: ${describeEnding(ending)}`);
  });
  const attempts = new AbortController();
  try {
    await Promise.race([early, createDatabase(cluster, port, attempts.signal)]);
  } finally {
    attempts.abort();
  }
}

async function createDatabase(cluster: Cluster, port: number, given: AbortSignal): Promise<void> {
  const client = await connectWhenReady(urlOf(cluster, port, 'postgres'), given);
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

async function connectWhenReady(url: string, given: AbortSignal): Promise<Client> {
  const patienceEnds = performance.now() + START_PATIENCE_MS;
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end();
      if (given.aborted || performance.now() > patienceEnds) throw error;
      await pause(50);
    }
  }
}

function handle(
  server: SupervisedProcess,
  cluster: Cluster,
  port: number,
  release: () => Promise<void>,
): EmbeddedPostgres {
  let stopping: Promise<void> | undefined;
  const failed = new Promise<string>((resolveFailed) => {
    void server.ended.then((ending) => {
      if (stopping === undefined) resolveFailed(`PostgreSQL ended by itself: ${describeEnding(ending)}`);
    });
  });
  const stop = (): Promise<void> => (stopping ??= server.stop().then(release));
  return { url: urlOf(cluster, port, DATABASE), port, failed, stop };
}

function urlOf(cluster: Cluster, port: number, database: string): string {
  return `postgres://${SUPERUSER}:${cluster.password}@${HOST}:${port}/${database}`;
}
