import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../platform/log';
import { checkSeal, sealFolder } from './checksums';
import { claimFolder, FolderInUseError, type FolderClaim } from './folder-claim';

/** One way to obtain a program. */
export interface Way {
  name: string;
  /**
   * Fills an empty folder, or throws an error that says why it cannot.
   * @param report optional progress, shown with the next progress line
   */
  fill: (folder: string, report: (progress: string) => void) => Promise<void>;
}

export interface WantedProgram {
  /** Name and version, used as the folder's name in the cache. */
  name: string;
  /** How to obtain the program, in order of preference. */
  ways: readonly Way[];
  /** How long that may take, as text. */
  duration: string;
  /** What the user can do if no way works. */
  advice: string;
  cacheDir: string;
  /** Gets a line at once, then every ten seconds, and at the end. */
  log: Logger;
}

/** Real ms between two lines of progress. */
const PROGRESS_MS = 10_000;

/**
 * The folder of a program in the cache, verified by checksums; fetched or built if it is missing or damaged.
 * Other processes that want it at the same time wait for the one that fetches it.
 */
export async function provideProgram(wanted: WantedProgram): Promise<string> {
  const { name, cacheDir, duration, log } = wanted;
  const folder = join(cacheDir, name);
  const check = await checkSeal(folder);
  if (check.kind === 'intact') return folder;
  if (check.kind === 'damaged')
    log.warn(`${folder} is damaged (${check.file} has changed): fetching it again, ${duration}`);
  else log.info(`${name} is not in ${cacheDir} yet: fetching it once, ${duration}`);
  const claim = await waitForClaim(join(cacheDir, 'work', name), wanted);
  try {
    await provideAlone(folder, wanted);
  } finally {
    await claim.release();
  }
  return folder;
}

async function waitForClaim(folder: string, { name, log }: WantedProgram): Promise<FolderClaim> {
  for (let waited = 0; ; waited++) {
    try {
      return await claimFolder(folder);
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
      if (waited % 10 === 0) log.info(`waiting for process ${error.pid}, which is fetching ${name}`);
      await pause(1_000);
    }
  }
}

async function provideAlone(folder: string, wanted: WantedProgram): Promise<void> {
  // Another process may have fetched it by now.
  if ((await checkSeal(folder)).kind === 'intact') return;
  const draft = await createDraft(wanted);
  try {
    await fillByFirstWay(draft, wanted);
    await sealFolder(draft);
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Creates an empty folder beside the claim, after removing what a killed run left there. */
async function createDraft({ cacheDir, name }: WantedProgram): Promise<string> {
  const work = join(cacheDir, 'work', name);
  for (const entry of await readdir(work))
    if (entry.startsWith('draft-')) await rm(join(work, entry), { recursive: true, force: true });
  const draft = join(work, `draft-${randomUUID()}`);
  await mkdir(draft);
  return draft;
}

async function fillByFirstWay(draft: string, { name, ways, advice, log }: WantedProgram): Promise<void> {
  const reasons: string[] = [];
  for (const way of ways) {
    try {
      await fillWithProgress(draft, name, way, log);
      log.info(`${name} is ready (${way.name})`);
      return;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.info(`${name}: ${way.name} failed`);
      log.debug(reason);
      reasons.push(`- ${way.name}: ${reason}`);
      for (const entry of await readdir(draft)) await rm(join(draft, entry), { recursive: true, force: true });
    }
  }
  throw new Error(`${name} could not be obtained.\n${reasons.join('\n')}\n${advice}`);
}

/** Logs the progress, so that the program is not silent for minutes. */
async function fillWithProgress(draft: string, name: string, way: Way, log: Logger): Promise<void> {
  const startedAt = performance.now();
  let progress = '';
  const ticker = setInterval(() => {
    log.info(`${name}: ${way.name}, ${Math.round((performance.now() - startedAt) / 1000)} s${progress}`);
  }, PROGRESS_MS);
  try {
    await way.fill(draft, (text) => (progress = `, ${text}`));
  } finally {
    clearInterval(ticker);
  }
}
