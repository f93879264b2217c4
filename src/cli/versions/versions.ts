import { createClock } from '../../platform/clock';
import { type Config, loadQuietly } from '../../config';
import { counted } from '../../domain/money';
import { isoOrNull, toIso } from '../../domain/time';
import { readVersions, type Version, type Versions, type WorkflowRun } from '../../temporal';
import { BadInputError, CommandError, reaching } from '../../process/command-error';
import { workerConverter } from '../../process/temporal';
import { holdBack, type Holding, releaseHeld } from '../../process/versions/hold';
import { promote, withVersions } from '../../process/versions/release';
import { withSilentRuntime } from '../../process/versions/replay';
import { buildIdOf, workflowCode } from '../../platform/workflow-bundle';
import { print, printObjects, printTable } from '../output';
import { readCount, replayHere } from './replay';

/** Lists the releases of the task queue: which is current, and which can be removed. */
export async function listVersions({ json = false }: { readonly json?: boolean }): Promise<void> {
  const config = configOf();
  const [versions, own] = [await read(config), await ownBuild()];
  if (json) {
    printObjects(versions.all.map(shownOf));
    return;
  }
  printTable([
    ['RELEASE', 'STATE', 'WORKERS', 'FIRST SEEN', 'LEFT'],
    ...versions.all.map((each) => {
      const { buildId, state, workers, firstSeenAt, leftAt } = shownOf(each);
      return [buildId, state, String(workers), firstSeenAt, leftAt ?? ''];
    }),
  ]);
  print(`this release: ${own}`);
}

export interface PromoteArguments {
  /** How many histories of each kind are replayed, as typed. */
  readonly newest?: string;
  /** Skips the replay. */
  readonly withoutVerify?: boolean;
}

/**
 * Makes this release current, after replaying the newest running workflows of each kind; workflows held at another release
 * continue in this one if it can replay them.
 * @throws CommandError if a workflow cannot be replayed, or this release has no workers
 */
export async function promoteVersion({ newest, withoutVerify = false }: PromoteArguments): Promise<void> {
  const count = readCount(newest);
  const config = configOf();
  const own = await ownBuild();
  const { released, held } = await withSilentRuntime(async () => {
    const failed = withoutVerify ? 0 : await replayHere(config, count);
    if (failed > 0) throw new CommandError(`release ${own} is not promoted: it cannot replay the running workflows`);
    printPromoted(own, await changeTo(config, own));
    return holding(config, releaseHeld);
  });
  if (released > 0)
    print(
      `${counted(released, 'workflow')} held at another release ${released === 1 ? 'continues' : 'continue'} in this one`,
    );
  if (held > 0)
    print(
      `${counted(held, 'workflow')} held at another release ${held === 1 ? 'stays' : 'stay'} there: this one cannot replay ${held === 1 ? 'it' : 'them'}`,
    );
}

export interface RollbackArguments {
  /** A build id as typed. */
  readonly to?: string;
}

/**
 * Makes the previous release, or the named one, current again. If this program is of that release, it first pins the workflows that
 * it cannot replay to the release that was current; a program of another release cannot determine which workflows these are.
 * @throws CommandError if there is no such release, or it has no workers
 */
export async function rollBackVersion({ to }: RollbackArguments): Promise<void> {
  const config = configOf();
  const versions = await read(config);
  const { buildId, workers } = targetOf(versions, to);
  if (workers === 0)
    throw new CommandError(`release ${buildId} has no workers: start them first, on the current schema`);
  const left = versions.current?.buildId ?? null;
  const leave = async () => printPromoted(buildId, await changeTo(config, buildId));
  if (left === null || left === buildId || buildId !== (await ownBuild())) {
    await leave();
    return;
  }
  let held = 0;
  const report = ({ workflowId }: WorkflowRun, fault: string) => {
    held += 1;
    print(`${workflowId} stays at ${left}: ${fault}`);
  };
  await withSilentRuntime(() => holding(config, (parts) => holdBack(parts, left, leave, report)));
  if (held > 0) print(`${counted(held, 'workflow is', 'workflows are')} held at ${left}: keep its workers`);
}

/** @throws CommandError, BadInputError */
function targetOf({ all, current }: Versions, to: string | undefined): Version {
  if (to !== undefined) {
    const named = all.find(({ buildId }) => buildId === to);
    if (named !== undefined) return named;
    throw new BadInputError([
      `--to: expected a release that dueday versions list shows, ${all.map(({ buildId }) => buildId).join(', ')}; got ${JSON.stringify(to)}`,
    ]);
  }
  const others = all.filter((each) => each !== current && each.leftRealAt !== null);
  const before = others.sort((one, other) => (other.leftRealAt ?? 0) - (one.leftRealAt ?? 0))[0];
  if (before === undefined) throw new CommandError('no other release has been current before');
  return before;
}

function configOf(): Config {
  return loadQuietly(['TEMPORAL_ADDRESS']);
}

async function ownBuild(): Promise<string> {
  return buildIdOf(await workflowCode());
}

function read(config: Config): Promise<Versions> {
  return reaching('the releases cannot be read', () => withVersions(clusterOf(config), readVersions));
}

function changeTo(config: Config, buildId: string): Promise<string | null> {
  return reaching(`release ${buildId} cannot be made current`, () =>
    withVersions(clusterOf(config), (access) => promote(access, buildId)),
  );
}

function clusterOf(config: Config) {
  return { config, clock: createClock(config.TEST_CLOCK ?? null) };
}

async function holding<T>(config: Config, work: (holding: Holding) => Promise<T>): Promise<T> {
  const code = await workflowCode();
  return reaching('the held workflows cannot be changed', () =>
    withVersions(clusterOf(config), (access) => {
      const { client, taskQueue } = access;
      return work({ access, replaying: { client, taskQueue, code, dataConverter: workerConverter(config) } });
    }),
  );
}

function printPromoted(buildId: string, before: string | null): void {
  if (before === buildId) print(`release ${buildId} is already current`);
  else print(`release ${buildId} is current; before: ${before ?? 'none'}`);
}

function shownOf({ buildId, state, workers, firstSeenRealAt, leftRealAt }: Version) {
  return {
    buildId,
    state,
    workers,
    firstSeenAt: toIso(firstSeenRealAt),
    leftAt: isoOrNull(leftRealAt),
  };
}
