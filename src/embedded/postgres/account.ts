import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, chown } from 'node:fs/promises';

/** The operating system account that PostgreSQL runs as. */
export interface ServerAccount {
  uid: number;
  gid: number;
}

const ACCOUNT_NAME = 'postgres';

/**
 * PostgreSQL refuses to run as root. Under root it runs as the account `postgres`, which is created if missing.
 * Null means: as the user of this process.
 */
export function postgresAccount(): ServerAccount | null {
  if (process.getuid?.() !== 0) return null;
  return findAccount() ?? createAccount();
}

/** Gives the folder to this account, so that no other account may read it. Null means: the user of this process. */
export async function giveTo(account: ServerAccount | null, folder: string): Promise<void> {
  if (account !== null) await chown(folder, account.uid, account.gid);
  await chmod(folder, 0o700);
}

/** Whether the account may enter the folder, including every folder above it. */
export function canReach(account: ServerAccount | null, folder: string): boolean {
  if (account === null) return true;
  const probe = spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', folder], { ...account, cwd: '/' });
  if (probe.error !== undefined) throw probe.error;
  return probe.status === 0;
}

function findAccount(): ServerAccount | null {
  const [uid, gid] = [readId('-u'), readId('-g')];
  return uid === null || gid === null ? null : { uid, gid };
}

function readId(flag: '-u' | '-g'): number | null {
  const answer = spawnSync('id', [flag, ACCOUNT_NAME], { encoding: 'utf8' });
  if (answer.error !== undefined) throw answer.error;
  return answer.status === 0 ? Number.parseInt(answer.stdout, 10) : null;
}

function createAccount(): ServerAccount {
  try {
    execFileSync('groupadd', ['--system', ACCOUNT_NAME], { stdio: 'pipe' });
    execFileSync('useradd', ['--system', '--no-create-home', '--gid', ACCOUNT_NAME, ACCOUNT_NAME], { stdio: 'pipe' });
  } catch (cause) {
    throw new Error(
      `PostgreSQL does not run as root, and the account ${ACCOUNT_NAME} could not be created. ` +
        `Create it by hand (useradd --system ${ACCOUNT_NAME}), run dueday as another user, or set DATABASE_URL.`,
      { cause },
    );
  }
  const account = findAccount();
  if (account === null) throw new Error(`The account ${ACCOUNT_NAME} was created, but cannot be found`);
  return account;
}
