import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../platform/log';
import { FolderInUseError } from '../folder-claim';
import { programOf } from '../process-identity';
import { describeEnding, runSupervised } from '../supervised-process';
import type { ServerAccount } from './account';
import { POSTGRES_MAJOR, type PostgresBinaries } from './binaries';

/** A PostgreSQL cluster on disk, and the password of its user `dueday`. */
export interface Cluster {
  folder: string;
  password: string;
}

export const SUPERUSER = 'dueday';

export interface ClusterOptions {
  dataDir: string;
  /** Null: the user of this process. */
  account: ServerAccount | null;
  binaries: PostgresBinaries;
  /** False: `initdb` does not wait until its files are on disk. */
  durable: boolean;
  log: Logger;
}

/** Opens the cluster under `dataDir`, or creates one atomically: `initdb` works in a folder beside it. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const folder = join(options.dataDir, 'cluster');
  const passwordFile = join(options.dataDir, 'password');
  if (!existsSync(folder)) await createCluster(folder, passwordFile, options);
  await checkVersion(folder);
  await refuseLiveServer(folder);
  return { folder, password: (await readFile(passwordFile, 'utf8')).trim() };
}

async function createCluster(folder: string, passwordFile: string, options: ClusterOptions): Promise<void> {
  const { account, log } = options;
  log.info(`creating a PostgreSQL cluster in ${folder}`);
  const draft = `${folder}.draft`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, randomBytes(24).toString('base64url'));
  await chmod(passwordFile, 0o600);
  if (account !== null) for (const path of [draft, passwordFile]) await chown(path, account.uid, account.gid);
  const ending = await runSupervised({
    command: options.binaries.initdb,
    args: [`--pgdata=${draft}`, `--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, ...initdbFlags(options)],
    env: serverEnvironment(),
    cwd: '/',
    ...(account === null ? {} : { account }),
    onLine: (line) => log.debug({ program: 'initdb' }, line),
  });
  if (ending.code !== 0) throw new Error(`PostgreSQL's initdb failed in ${folder}: ${describeEnding(ending)}`);
  await rename(draft, folder);
}

function initdbFlags({ durable }: ClusterOptions): string[] {
  return ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', ...(durable ? [] : ['--no-sync'])];
}

async function checkVersion(folder: string): Promise<void> {
  const found = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim();
  if (found === String(POSTGRES_MAJOR)) return;
  throw new Error(
    `The data in ${folder} is from PostgreSQL ${found}, but the embedded version is ${POSTGRES_MAJOR}. ` +
      `Dump it with version ${found}, or move the folder away to start with an empty database.`,
  );
}

/**
 * PostgreSQL records its process id in postmaster.pid. A live one means that another program runs a server on the folder. A stale
 * file, left by a killed server, is removed: if another program has its process id now, PostgreSQL might refuse to
 * start.
 */
async function refuseLiveServer(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number.parseInt(await readFile(file, 'utf8'), 10);
  if (programOf(pid) === 'postgres') throw new FolderInUseError(folder, pid, 'a PostgreSQL server');
  await rm(file, { force: true });
}

/** Variables of the user's shell such as PGPORT or PGOPTIONS must not reach the server. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' };
}
