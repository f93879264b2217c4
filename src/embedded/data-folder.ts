import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { canReach, postgresAccount, type ServerAccount } from './postgres-account';

const SYSTEM_FOLDER = '/var/lib/dueday';

/**
 * Where the embedded servers keep their data: `.dueday` in the working folder. Under root, PostgreSQL runs as another account; where
 * that one may not enter the working folder (below /root, say), a folder below /var/lib/dueday named after it is used.
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
