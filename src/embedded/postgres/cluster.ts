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

export interface ClusterPlace {
  dataDir: string;
  /** Null: the user of this process. */
  account: ServerAccount | null;
  binaries: PostgresBinaries;
  /** False: `initdb` does not wait until its files are on the disk. */
  durable: boolean;
  log: Logger;
}

/** Opens the cluster kept under `dataDir`, or makes one. A cluster is there whole or not at all: `initdb` works beside it. */
export async function openCluster(place: ClusterPlace): Promise<Cluster> {
  const folder = join(place.dataDir, 'cluster');
  const passwordFile = join(place.dataDir, 'password');
  if (!existsSync(folder)) await createCluster(folder, passwordFile, place);
  await checkVersion(folder);
  await refuseLiveServer(folder);
  return { folder, password: (await readFile(passwordFile, 'utf8')).trim() };
}

async function createCluster(folder: string, passwordFile: string, place: ClusterPlace): Promise<void> {
  const { account, log } = place;
  log.info(`making a PostgreSQL cluster in ${folder}`);
  const draft = `${folder}.draft`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, randomBytes(24).toString('base64url'));
  await chmod(passwordFile, 0o600);
  if (account !== null) for (const path of [draft, passwordFile]) await chown(path, account.uid, account.gid);
  const ending = await runSupervised({
    command: place.binaries.initdb,
    args: [`--pgdata=${draft}`, `--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, ...initdbFlags(place)],
    env: serverEnvironment(),
    cwd: '/',
    ...(account === null ? {} : { account }),
    onLine: (line) => log.debug({ program: 'initdb' }, line),
  });
  if (ending.code !== 0) throw new Error(`PostgreSQL's initdb failed in ${folder}: ${describeEnding(ending)}`);
  await rename(draft, folder);
}

function initdbFlags({ durable }: ClusterPlace): string[] {
  return ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', ...(durable ? [] : ['--no-sync'])];
}

async function checkVersion(folder: string): Promise<void> {
  const found = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim();
  if (found === String(POSTGRES_MAJOR)) return;
  throw new Error(
    `The data in ${folder} is of PostgreSQL ${found}, and the embedded one is ${POSTGRES_MAJOR}. ` +
      `Dump it with version ${found}, or move the folder away to begin anew.`,
  );
}

/**
 * PostgreSQL names its process in postmaster.pid. A live one means that another program runs a server on the folder. A
 * file that a killed server left, its number since given to another program, is removed: PostgreSQL itself might refuse
 * to start over it.
 */
async function refuseLiveServer(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number.parseInt(await readFile(file, 'utf8'), 10);
  if (programOf(pid) === 'postgres') throw new FolderInUseError(folder, pid, 'a PostgreSQL server');
  await rm(file, { force: true });
}

/** Variables such as PGPORT or PGOPTIONS of the user's own shell must not reach the server. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' };
}
