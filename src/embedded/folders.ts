import { homedir, tmpdir } from 'node:os';
import { join, basename, dirname, resolve } from 'node:path';
import { createHash } from 'node:crypto';
import { existsSync, constants } from 'node:fs';
import { access, chmod, mkdtemp, statfs } from 'node:fs/promises';
import { canReach, postgresAccount, type ServerAccount } from './postgres/account';

/** The cache for programs that dueday fetched or built for this user: `$XDG_CACHE_HOME/dueday`, else `~/.cache/dueday`. */
export function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'dueday');
}

const SYSTEM_FOLDER = '/var/lib/dueday';

/**
 * The data folder of the embedded servers: `.dueday` in the working folder. Under root, PostgreSQL runs as another account; if that
 * account may not enter the working folder (for example below /root), a folder below /var/lib/dueday named after it is used.
 */
export function chooseDataDir(workingDir: string = process.cwd()): string {
  return dataDirFor(resolve(workingDir), postgresAccount());
}

export function dataDirFor(workingDir: string, account: ServerAccount | null): string {
  if (canReach(account, nearestExisting(workingDir))) return join(workingDir, '.dueday');
  const mark = createHash('sha256').update(workingDir).digest('hex').slice(0, 8);
  return join(SYSTEM_FOLDER, `${basename(workingDir)}-${mark}`);
}

function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder));
}

const IN_MEMORY = '/dev/shm';
/** Bytes: several times what temporary servers write. */
const ENOUGH = 2 * 2 ** 30;

/**
 * Creates a folder for temporary data, which the caller removes: in memory if there is room. Data in memory survives the kill of
 * a process as it would on disk, and nothing waits for a disk.
 */
export async function makeTemporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join((await hasRoom(IN_MEMORY)) ? IN_MEMORY : tmpdir(), `dueday-${name}-`));
  // PostgreSQL may run as another account, which must be able to enter the folder.
  await chmod(folder, 0o755);
  return folder;
}

async function hasRoom(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize >= ENOUGH;
  } catch {
    return false;
  }
}

/** Reads the text of a JSON file. Null if it is damaged: after a loss of power it may be empty. */
export function parseFile(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
