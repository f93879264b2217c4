import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE } from '../../domain/time';
import { letStraysGo, makeCurrent, readVersions, type VersionAccess } from '../../temporal';
import { repeat, type Repeated } from '../../jobs/repeated-work';
import { loggable } from '../../platform/log';
import { CommandError, reaching } from '../command-error';
import type { Dependencies } from '../dependencies';
import { withTemporal } from '../temporal';

/** Asks Temporal for the releases of the configured task queue, over a connection for this work alone. */
export async function withVersions<T>(
  { config, clock }: Pick<Dependencies, 'config' | 'clock'>,
  work: (access: VersionAccess) => Promise<T>,
): Promise<T> {
  return withTemporal(config, ({ client }) => work({ client, clock, taskQueue: config.TEMPORAL_TASK_QUEUE }));
}

/** Real ms until workers that have just come up poll every queue; between two looks. */
const PATIENCE = MINUTE;
const LOOK_AGAIN = 250;

/**
 * Makes a build current as soon as its workers poll every queue that the one before polls.
 * @param stopping ends the wait, which fails with its reason
 * @returns the build that was current before, null where none was; the same one where nothing had to be done
 * @throws CommandError where they do not in time
 */
export async function promote(access: VersionAccess, buildId: string, stopping?: AbortSignal): Promise<string | null> {
  const giveUpAt = access.clock.realNow() + PATIENCE;
  for (;;) {
    const result = await makeCurrent(access, buildId);
    if (result.kind === 'current') return buildId;
    if (result.kind === 'promoted') return result.before;
    if (access.clock.realNow() >= giveUpAt)
      throw new CommandError(
        `release ${buildId} cannot be made current: ${result.reason}. Start its workers on ${access.taskQueue} first`,
      );
    stopping?.throwIfAborted();
    await pause(LOOK_AGAIN);
  }
}

/**
 * What a process does that is worker and all: workflows that begin or move on go to its release from now on.
 * @param stopping as of {@link promote}
 */
export async function makeOwnCurrent(parts: Dependencies, buildId: string, stopping?: AbortSignal): Promise<void> {
  await reaching('the release cannot be made current', () =>
    withVersions(parts, async (access) => {
      const before = await promote(access, buildId, stopping);
      if (before !== buildId) parts.log.info({ buildId, before }, `release ${buildId} is current`);
    }),
  );
}

/**
 * Looks now and every minute whether the release of this process is current, and says whenever that has changed. While it is,
 * what is pinned to releases without workers goes on in it. The first release of a task queue makes itself current, as nothing
 * would run there otherwise, unless workers of before there were versions do the work.
 */
export function watchRelease(parts: Dependencies, buildId: string): Repeated {
  const { log } = parts;
  let told: string | null | undefined;
  const tell = (current: string | null) => {
    if (current === told) return;
    told = current;
    if (current === buildId) log.info({ buildId }, `release ${buildId} takes what begins or moves on`);
    else
      log.warn(
        { buildId, current },
        `release ${buildId} is not current, ${current ?? 'none'} is: it takes nothing new until dueday versions promote`,
      );
  };
  return repeat(MINUTE, async (stopping) => {
    try {
      await withVersions(parts, async (access) => {
        let versions = await readVersions(access);
        if (versions.current === null && versions.unversioned === 0) {
          await promote(access, buildId, stopping);
          versions = await readVersions(access);
        }
        tell(versions.current?.buildId ?? null);
        if (versions.current?.buildId !== buildId) return;
        const count = await letStraysGo(access, versions);
        if (count > 0) log.info({ count, buildId }, 'workflows of releases without workers go on in this one');
      });
    } catch (error) {
      if (!stopping.aborted) log.warn({ err: loggable(error) }, 'the releases could not be looked at');
    }
  });
}
