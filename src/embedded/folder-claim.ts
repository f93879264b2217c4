import { randomUUID } from 'node:crypto';
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
  await mkdir(folder, { recursive: true });
  const file = join(folder, CLAIM_FILE);
  const owner = identifyProcess(process.pid);
  if (owner === null) throw new Error(`This process (${process.pid}) does not find itself among those running`);
  let record: ClaimRecord = { owner };
  while (!(await placeNew(file, record))) await clearStale(folder, file, leftoverPatienceMs);
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

async function clearStale(folder: string, file: string, patienceMs: number): Promise<void> {
  const text = await readIfThere(file);
  if (text === null) return;
  const { owner, server } = JSON.parse(text) as ClaimRecord;
  if (isStillRunning(owner)) throw new FolderInUseError(folder, owner.pid, 'another run');
  if (server !== undefined) await waitUntilGone(folder, server, patienceMs);
  await removeUnlessChanged(file, text);
}

async function waitUntilGone(folder: string, server: ProcessIdentity, patienceMs: number): Promise<void> {
  const patienceEnds = performance.now() + patienceMs;
  while (isStillRunning(server)) {
    if (performance.now() > patienceEnds)
      throw new FolderInUseError(folder, server.pid, 'a server that an earlier run left behind');
    await pause(100);
  }
}

/** Two that find the same stale claim must not remove each other's fresh one: what was moved away is looked at again. */
async function removeUnlessChanged(file: string, stale: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if ((await readFile(aside, 'utf8')) === stale) await rm(aside);
  else await rename(aside, file);
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
