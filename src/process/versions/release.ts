import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE } from '../../domain/time';
import { releaseStrays, makeCurrent, readVersions, type VersionAccess } from '../../temporal';
import { repeat, type Repeated } from '../../jobs/repeated-work';
import { loggable } from '../../platform/log';
import { CommandError, reaching } from '../command-error';
import type { Dependencies } from '../dependencies';
import { withTemporal } from '../temporal';

/** Works on the releases of the configured task queue with its own Temporal connection. */
export async function withVersions<T>(
  { config, clock }: Pick<Dependencies, 'config' | 'clock'>,
  work: (access: VersionAccess) => Promise<T>,
): Promise<T> {
  return withTemporal(config, ({ client }) => work({ client, clock, taskQueue: config.TEMPORAL_TASK_QUEUE }));
}

/** Real ms that newly started workers may take to poll every queue, and between two checks. */
const TIMEOUT = MINUTE;
const CHECK_EVERY = 250;

/**
 * Makes a build current as soon as its workers poll every queue that the current one polls.
 * @param stopping aborts the wait, which fails with its reason
 * @returns the build that was current before, null if none was; `buildId` if it was already current
 * @throws CommandError if its workers do not poll in time
 */
export async function promote(access: VersionAccess, buildId: string, stopping?: AbortSignal): Promise<string | null> {
  const timesOutAt = access.clock.realNow() + TIMEOUT;
  for (;;) {
    const result = await makeCurrent(access, buildId);
    if (result.kind === 'current') return buildId;
    if (result.kind === 'promoted') return result.before;
    if (access.clock.realNow() >= timesOutAt)
      throw new CommandError(
        `release ${buildId} cannot be made current: ${result.reason}. Start its workers on ${access.taskQueue} first`,
      );
    stopping?.throwIfAborted();
    await pause(CHECK_EVERY);
  }
}

/**
 * Makes the release of this daemon, which is both worker and API, current: new and continued workflows go to it from now on.
 * @param stopping as for {@link promote}
 */
export async function promoteOwn(parts: Dependencies, buildId: string, stopping?: AbortSignal): Promise<void> {
  await reaching('the release cannot be made current', () =>
    withVersions(parts, async (access) => {
      const before = await promote(access, buildId, stopping);
      if (before !== buildId) parts.log.info({ buildId, before }, `release ${buildId} is current`);
    }),
  );
}

/**
 * Checks now and every minute whether this process's release is current, and logs every change. While it is current, workflows
 * pinned to releases without workers are moved to it. The first release of a task queue makes itself current, as nothing would
 * run otherwise, unless workers without versioning do the work.
 */
export function watchRelease(parts: Dependencies, buildId: string): Repeated {
  const { log } = parts;
  let reported: string | null | undefined;
  const report = (current: string | null) => {
    if (current === reported) return;
    reported = current;
    if (current === buildId) log.info({ buildId }, `release ${buildId} gets new and continued work`);
    else
      log.warn(
        { buildId, current },
        `release ${buildId} is not current (${current ?? 'none'} is): it gets no new work until dueday versions promote`,
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
        report(versions.current?.buildId ?? null);
        if (versions.current?.buildId !== buildId) return;
        const count = await releaseStrays(access, versions);
        if (count > 0) log.info({ count, buildId }, 'workflows of releases without workers continue in this one');
      });
    } catch (error) {
      if (!stopping.aborted) log.warn({ err: loggable(error) }, 'the releases could not be read');
    }
  });
}
