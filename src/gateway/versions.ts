import { type Client, isGrpcServiceError } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time';
import type { Clock } from '../clock';
import { deploymentOf } from '../contract/versions';
import { MINUTE, type Instant } from '../domain/time';
import { FAILED_PRECONDITION, grpcCodeOf, NOT_FOUND } from './temporal';

/** What asks Temporal for the releases of one base task queue. */
export interface VersionAccess {
  readonly client: Client;
  /** The base task queue. */
  readonly taskQueue: string;
  readonly clock: Clock;
}

/** One build of the workflows that workers have polled with, as Temporal knows it. */
export interface Version {
  readonly buildId: string;
  /**
   * `current`: whatever begins or moves on goes there; `draining`: what is pinned to it may still be under way; `drained`: nothing
   * is; `inactive`: it was never current.
   */
  readonly state: 'current' | 'draining' | 'drained' | 'inactive';
  /** Processes that have asked for work of the base queue lately. */
  readonly workers: number;
  /** Real time of the first worker. */
  readonly firstSeenRealAt: Instant;
  /** Real time in which another one became current; null where it has never been, or is. */
  readonly leftRealAt: Instant | null;
}

/** The releases of a task queue, the newest first. */
export interface Versions {
  readonly current: Version | null;
  readonly all: readonly Version[];
  /** Processes without a version that have asked for work of the base queue lately: of a release before there were any. */
  readonly unversioned: number;
}

/** Temporal's numbers for what is under way in a version that is not current any more. */
const DRAINING = 1;
const DRAINED = 2;

/** @throws gRPC errors where Temporal cannot be asked, or knows no versions: it is older than 1.28 */
export async function readVersions(access: VersionAccess): Promise<Versions> {
  const info = await describe(access);
  const workers = await workersByBuild(access);
  const unversioned = workers.get(null)?.size ?? 0;
  if (info === null) return { current: null, all: [], unversioned };
  const currentId = info.routingConfig?.currentDeploymentVersion?.buildId ?? null;
  const all = (info.versionSummaries ?? []).map((each): Version => {
    const buildId = each.deploymentVersion?.buildId ?? '';
    const isCurrent = buildId === currentId;
    return {
      buildId,
      state: isCurrent ? 'current' : stateOf(Number(each.drainageInfo?.status ?? each.drainageStatus)),
      workers: workers.get(buildId)?.size ?? 0,
      firstSeenRealAt: tsToMs(each.createTime),
      leftRealAt: isCurrent || each.lastDeactivationTime == null ? null : tsToMs(each.lastDeactivationTime),
    };
  });
  all.sort((one, other) => other.firstSeenRealAt - one.firstSeenRealAt);
  return { current: all.find(({ state }) => state === 'current') ?? null, all, unversioned };
}

function stateOf(drainage: number): Version['state'] {
  if (drainage === DRAINING) return 'draining';
  return drainage === DRAINED ? 'drained' : 'inactive';
}

async function describe({ client, taskQueue }: VersionAccess) {
  try {
    const { namespace } = client.options;
    const deploymentName = deploymentOf(taskQueue);
    const answer = await client.workflowService.describeWorkerDeployment({ namespace, deploymentName });
    return answer.workerDeploymentInfo ?? null;
  } catch (error) {
    if (grpcCodeOf(error) === NOT_FOUND) return null;
    throw error;
  }
}

/** A worker that waits for work asks anew within a minute. */
const LATELY = 1.5 * MINUTE;
/** Temporal's number for the tasks of workflows. */
const WORKFLOW_TASKS = 1;

/** Identities of the processes that have asked lately, by the build that they run; null: they have no version. */
async function workersByBuild(access: VersionAccess): Promise<ReadonlyMap<string | null, ReadonlySet<string>>> {
  const { client, taskQueue, clock } = access;
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOW_TASKS,
  });
  const found = new Map<string | null, Set<string>>();
  for (const { deploymentOptions, lastAccessTime, identity } of pollers) {
    const isVersioned = deploymentOptions?.deploymentName === deploymentOf(taskQueue);
    if (clock.realNow() - tsToMs(lastAccessTime) > LATELY) continue;
    const buildId = isVersioned ? (deploymentOptions.buildId ?? '') : null;
    found.set(buildId, (found.get(buildId) ?? new Set()).add(identity ?? ''));
  }
  return found;
}

/** What came of a wish to make a build current. `not_ready`: its workers do not poll every queue yet; `reason` is Temporal's. */
export type Promotion =
  | { readonly kind: 'current' }
  | { readonly kind: 'promoted'; readonly before: string | null }
  | { readonly kind: 'not_ready'; readonly reason: string };

/**
 * Lets whatever begins or moves on go to the workers of a build. What is pinned to another one stays there.
 * @throws gRPC errors where Temporal cannot be asked
 */
export async function makeCurrent(access: VersionAccess, buildId: string): Promise<Promotion> {
  const { client, taskQueue } = access;
  const before = (await describe(access))?.routingConfig?.currentDeploymentVersion?.buildId ?? null;
  if (before === buildId) return { kind: 'current' };
  try {
    await client.workflowService.setWorkerDeploymentCurrentVersion({
      namespace: client.options.namespace,
      deploymentName: deploymentOf(taskQueue),
      buildId,
      identity: 'dueday',
    });
    return { kind: 'promoted', before };
  } catch (error) {
    if (!isGrpcServiceError(error) || ![NOT_FOUND, FAILED_PRECONDITION].includes(error.code)) throw error;
    return { kind: 'not_ready', reason: error.details };
  }
}
