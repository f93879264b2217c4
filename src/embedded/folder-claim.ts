import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { identifyProcess, isStillRunning, type ProcessIdentity } from './process-identity';

interface ClaimRecord {
  owner: ProcessIdentity;
  /** The server the owner runs on the folder, which may outlive a killed owner by a moment. */
  server?: ProcessIdentity;
}

/** A folder held by this process: no other process works on it until it is released or this process has gone. */
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
/** A server left by a killed owner notices that within moments and shuts down; PostgreSQL may first write a while. */
const LEFTOVER_PATIENCE_MS = 20_000;

/**
 * Holds a folder, made where missing, for this process. The claim of a process that has gone, by `kill -9` too, counts no more.
 * @throws FolderInUseError while another process, or another part of this one, holds it.
 */
export async function claimFolder(
  folder: string,
  { leftoverPatienceMs = LEFTOVER_PATIENCE_MS } = {},
): Promise<FolderClaim> {
  // Under root, another account may have to enter what is created on the way.
  await mkdir(folder, { recursive: true, ...(process.getuid?.() === 0 ? {} : { mode: 0o700 }) });
  const file = join(folder, CLAIM_FILE);
  const owner = identifyProcess(process.pid);
  if (owner === null) throw new Error(`This process (${process.pid}) does not find itself among those running`);
  let record: ClaimRecord = { owner };
  const refuse = (text: string) => requireGone(folder, text, leftoverPatienceMs);
  while (!(await placeNew(file, record)) && !(await replaceStale(file, record, refuse)));
  return {
    recordServer: async (pid) => {
      const server = identifyProcess(pid);
      record = server === null ? { owner } : { owner, server };
      await replace(file, record);
    },
    release: () => rm(file, { force: true }),
  };
}

/** Puts the record there whole or not at all: a reader never meets half a file. */
async function placeNew(file: string, record: ClaimRecord): Promise<boolean> {
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
 * Puts the record in the place of a claim that counts no more. Of several that find it, one at a time has the right to: a file
 * that is named after the claim, or after the right of one that died with it. Nothing else changes such a claim, so it is
 * replaced only where it is still the same under that right.
 * @param refuse rejects where the process of a claim, or of a right, is there
 * @returns whether it did; if not, there may be a new claim, or none
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
    isMine = await placeNew(right, record);
    if (!isMine) text = await readIfThere(right);
  }
  const isSame = (await readIfThere(file)) === stale;
  if (isSame) await replace(file, record);
  for (const right of isSame ? rights : rights.slice(-1)) await rm(right, { force: true });
  return isSame;
}

/** The file of the right to replace the claim, or to make use of the right, with this text. */
export function rightToReplace(file: string, text: string): string {
  return `${file}.${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

async function requireGone(folder: string, text: string, patienceMs: number): Promise<void> {
  const { owner, server } = JSON.parse(text) as ClaimRecord;
  if (isStillRunning(owner)) throw new FolderInUseError(folder, owner.pid, 'another run');
  if (server !== undefined) await waitUntilGone(folder, server, patienceMs);
}

async function waitUntilGone(folder: string, server: ProcessIdentity, patienceMs: number): Promise<void> {
  const patienceEnds = performance.now() + patienceMs;
  while (isStillRunning(server)) {
    if (performance.now() > patienceEnds)
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
