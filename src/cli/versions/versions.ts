import { createClock } from '../../platform/clock';
import { type Config, loadQuietly } from '../../config';
import { isoOrNull, toIso } from '../../domain/time';
import { readVersions, type Version, type Versions, type WorkflowRun } from '../../temporal';
import { BadInputError, CommandError, reaching } from '../../process/command-error';
import { workerConverter } from '../../process/temporal';
import { holdBack, type Holding, letHeldGo } from '../../process/versions/hold';
import { promote, withVersions } from '../../process/versions/release';
import { inSilence } from '../../process/versions/replay';
import { buildIdOf, workflowCode } from '../../platform/workflow-bundle';
import { print, printObjects, printTable } from '../output';
import { readCount, replayHere } from './replay';

/** The releases of the task queue; which of them is current, and which may be taken away. */
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
  /** As typed: how many histories of each kind are replayed. */
  readonly newest?: string;
  /** Whether none are. */
  readonly withoutVerify?: boolean;
}

/**
 * Makes this release current, once it has replayed the newest histories of each kind that are under way; what was held back for it goes on.
 * @throws CommandError where it does not repeat one, or has no workers
 */
export async function promoteVersion({ newest, withoutVerify = false }: PromoteArguments): Promise<void> {
  const count = readCount(newest);
  const config = configOf();
  const own = await ownBuild();
  const { gone, held } = await inSilence(async () => {
    const failed = withoutVerify ? 0 : await replayHere(config, count);
    if (failed > 0) throw new CommandError(`release ${own} is not promoted: it does not repeat what is under way`);
    tellPromoted(own, await changeTo(config, own));
    return holding(config, letHeldGo);
  });
  if (gone > 0) print(`${gone} workflows that were held at another release go on in it`);
  if (held > 0) print(`${held} workflows stay held at another release: this one does not repeat them`);
}

export interface RollbackArguments {
  /** A build id as typed. */
  readonly to?: string;
}

/**
 * Makes the release current again that was so before, or the one that is named. That release itself first holds at the one that it
 * follows what it does not repeat; any other cannot judge that.
 * @throws CommandError where there is none, or it has no workers
 */
export async function rollBackVersion({ to }: RollbackArguments): Promise<void> {
  const config = configOf();
  const versions = await read(config);
  const { buildId, workers } = targetOf(versions, to);
  if (workers === 0)
    throw new CommandError(`release ${buildId} has no workers: start them first, on the schema as it is`);
  const left = versions.current?.buildId ?? null;
  const leave = async () => tellPromoted(buildId, await changeTo(config, buildId));
  if (left === null || left === buildId || buildId !== (await ownBuild())) {
    await leave();
    return;
  }
  let held = 0;
  const tell = ({ workflowId }: WorkflowRun, fault: string) => {
    held += 1;
    print(`${workflowId} stays with ${left}: ${fault}`);
  };
  await inSilence(() => holding(config, (parts) => holdBack(parts, left, leave, tell)));
  print(`${held} workflows are held at ${left}: keep its workers`);
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
  if (before === undefined) throw new CommandError('no other release has been current');
  return before;
}

function configOf(): Config {
  return loadQuietly(['TEMPORAL_ADDRESS']);
}

async function ownBuild(): Promise<string> {
  return buildIdOf(await workflowCode());
}

function read(config: Config): Promise<Versions> {
  return reaching('the releases cannot be read', () => withVersions(placeOf(config), readVersions));
}

function changeTo(config: Config, buildId: string): Promise<string | null> {
  return reaching(`release ${buildId} cannot be made current`, () =>
    withVersions(placeOf(config), (access) => promote(access, buildId)),
  );
}

function placeOf(config: Config) {
  return { config, clock: createClock(config.TEST_CLOCK ?? null) };
}

async function holding<T>(config: Config, work: (holding: Holding) => Promise<T>): Promise<T> {
  const code = await workflowCode();
  return reaching('what is held back cannot be changed', () =>
    withVersions(placeOf(config), (access) => {
      const { client, taskQueue } = access;
      return work({ access, replaying: { client, taskQueue, code, dataConverter: workerConverter(config) } });
    }),
  );
}

function tellPromoted(buildId: string, before: string | null): void {
  if (before === buildId) print(`release ${buildId} is current already`);
  else print(`release ${buildId} is current; before it ${before ?? 'none was'}`);
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
