import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseFile } from './folders';
import { identifyProcess, isStillRunning, type ProcessIdentity } from './process-identity';

interface ClaimRecord {
  owner: ProcessIdentity;
  /** The server that the owner runs on the folder; it may outlive a killed owner briefly. */
  server?: ProcessIdentity;
}

/** A folder held by this process: no other process uses it until it is released or this process has ended. */
export interface FolderClaim {
  recordServer: (pid: number) => Promise<void>;
  release: () => Promise<void>;
}

export class FolderInUseError extends Error {
  constructor(
    readonly folder: string,
    readonly pid: number,
    what: string,
  ) {
    super(
      `The folder ${folder} is in use by ${what} (process ${pid}). ` +
        `Stop that process (kill ${pid}), or choose another folder.`,
    );
    this.name = 'FolderInUseError';
  }
}

const CLAIM_FILE = 'in-use.json';
/** The server of a killed owner soon shuts down; PostgreSQL may first write for a while. */
const LEFTOVER_TIMEOUT_MS = 20_000;

/**
 * Claims a folder for this process, and creates it if missing. The claim of a process that has ended, also by `kill -9`, is void.
 * @throws FolderInUseError while another process, or another part of this one, holds it.
 */
export async function claimFolder(
  folder: string,
  { leftoverTimeoutMs = LEFTOVER_TIMEOUT_MS } = {},
): Promise<FolderClaim> {
  // Under root, another account may have to enter the folders above.
  if (process.getuid?.() === 0) await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, CLAIM_FILE);
  const owner = identifyProcess(process.pid);
  if (owner === null) throw new Error(`This process (${process.pid}) could not be found among the running processes`);
  let record: ClaimRecord = { owner };
  const refuse = (text: string) => requireGone(folder, text, leftoverTimeoutMs);
  while (!(await createFile(file, record)) && !(await replaceStale(file, record, refuse)));
  return {
    recordServer: async (pid) => {
      const server = identifyProcess(pid);
      record = server === null ? { owner } : { owner, server };
      await replace(file, record);
    },
    release: () => rm(file, { force: true }),
  };
}

/** Creates the file atomically: a reader never sees a partial file. */
async function createFile(file: string, record: ClaimRecord): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(record));
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function replace(file: string, record: ClaimRecord): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(record));
  await rename(draft, file);
}

/**
 * Replaces a void claim by the record. Only the process that holds the right to do so may: it has created a file named after the
 * claim's text or, if the process that had created that file has died, one named after that file's text. Nothing else changes a
 * void claim, so it is replaced only if it is still the same once the right is held.
 * @param refuse rejects if the process of a claim, or of a right, is still running
 * @returns whether it was replaced; if not, there may be a new claim, or none
 */
async function replaceStale(
  file: string,
  record: ClaimRecord,
  refuse: (text: string) => Promise<void>,
): Promise<boolean> {
  const stale = await readIfThere(file);
  const rights: string[] = [];
  let [text, isMine] = [stale, false];
  while (!isMine) {
    if (text === null) return false;
    await refuse(text);
    const right = rightToReplace(file, text);
    rights.push(right);
    isMine = await createFile(right, record);
    if (!isMine) text = await readIfThere(right);
  }
  const isSame = (await readIfThere(file)) === stale;
  if (isSame) await replace(file, record);
  for (const right of isSame ? rights : rights.slice(-1)) await rm(right, { force: true });
  return isSame;
}

/** The file of the right to replace the claim, or the right, with this text. */
export function rightToReplace(file: string, text: string): string {
  return `${file}.${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

async function requireGone(folder: string, text: string, timeoutMs: number): Promise<void> {
  const record = parseFile(text) as ClaimRecord | null;
  // A claim is written whole: if it is damaged, the machine has lost power since, and no process is left.
  if (record === null) return;
  const { owner, server } = record;
  if (isStillRunning(owner)) throw new FolderInUseError(folder, owner.pid, 'another run');
  if (server !== undefined) await waitUntilGone(folder, server, timeoutMs);
}

async function waitUntilGone(folder: string, server: ProcessIdentity, timeoutMs: number): Promise<void> {
  const timesOutAt = performance.now() + timeoutMs;
  while (isStillRunning(server)) {
    if (performance.now() > timesOutAt)
      throw new FolderInUseError(folder, server.pid, 'a server that an earlier run left behind');
    await pause(100);
  }
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
