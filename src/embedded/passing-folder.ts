import { constants } from 'node:fs';
import { access, chmod, mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** Bytes: several times what servers write that are thrown away again. */
const ENOUGH = 2 * 2 ** 30;

/**
 * A new folder for data that nobody needs for long, to be removed by whoever made it: in memory, where the system has room
 * for it there. What a process has written in memory outlives its kill as it would on a disk, and nothing waits for one.
 */
export async function makePassingFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join((await hasRoom(IN_MEMORY)) ? IN_MEMORY : tmpdir(), `dueday-${name}-`));
  // PostgreSQL may run as another account, which must be able to enter.
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
