import { type Client, isGrpcServiceError } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time';
import type { Clock } from '../platform/clock';
import { deploymentOf, PINNED_KINDS } from '../contract/versions';
import { MINUTE } from '../domain/time';
import { FAILED_PRECONDITION, grpcCodeOf, NOT_FOUND, onTaskQueue, pollersOf, quoted } from './temporal';

/** What is needed to read the releases of one base task queue from Temporal. */
export interface VersionAccess {
  readonly client: Client;
  /** The base task queue. */
  readonly taskQueue: string;
  readonly clock: Clock;
}

/** One build of the workflows whose workers have polled Temporal, as Temporal knows it. */
export interface Version {
  readonly buildId: string;
  /**
   * `current`: new and unpinned workflows run there; `draining`: workflows pinned to it may still be running; `drained`: none is;
   * `inactive`: it was never current.
   */
  readonly state: 'current' | 'draining' | 'drained' | 'inactive';
  /** Processes that have recently polled the base queue. */
  readonly workers: number;
  /** Real time at which its first worker polled. */
  readonly firstSeenRealAt: number;
  /** Real time at which another build became current instead; null if this one was never current, or still is. */
  readonly leftRealAt: number | null;
}

/** The releases of a task queue, newest first. */
export interface Versions {
  readonly current: Version | null;
  readonly all: readonly Version[];
  /** Processes without a version that have recently polled the base queue. */
  readonly unversioned: number;
}

/** Temporal's numbers for the drainage of a version that is no longer current. */
const DRAINING = 1;
const DRAINED = 2;

/** @throws gRPC errors if Temporal cannot be reached, or is older than 1.28 and knows no versions */
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

/** A worker that waits for work polls again within a minute. */
const RECENTLY = 1.5 * MINUTE;

/** Identities of the processes that have recently polled, by build; null: without a version. */
async function workersByBuild(access: VersionAccess): Promise<ReadonlyMap<string | null, ReadonlySet<string>>> {
  const found = new Map<string | null, Set<string>>();
  for (const { deploymentOptions, lastAccessTime, identity } of await pollersOf(access)) {
    const isVersioned = deploymentOptions?.deploymentName === deploymentOf(access.taskQueue);
    if (access.clock.realNow() - tsToMs(lastAccessTime) > RECENTLY) continue;
    const buildId = isVersioned ? (deploymentOptions.buildId ?? '') : null;
    found.set(buildId, (found.get(buildId) ?? new Set()).add(identity ?? ''));
  }
  return found;
}

/** The result of making a build current. `not_ready`: its workers do not poll every queue yet; `reason` is Temporal's. */
export type Promotion =
  | { readonly kind: 'current' }
  | { readonly kind: 'promoted'; readonly before: string | null }
  | { readonly kind: 'not_ready'; readonly reason: string };

/**
 * Makes new and unpinned workflows run on the workers of a build. A workflow pinned to another build stays there.
 * @throws gRPC errors if Temporal cannot be reached
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

/** One run of a workflow. */
export interface WorkflowRun {
  /** The type of its workflow. */
  readonly kind: string;
  readonly workflowId: string;
  readonly runId: string;
  readonly taskQueue: string;
}

/** Running unpinned workflows whose last task was completed by workers of this build. */
export function movedBy(access: VersionAccess, buildId: string): AsyncGenerator<WorkflowRun> {
  return lastMovedBy(access, buildId, 'AutoUpgrade');
}

function lastMovedBy(access: VersionAccess, buildId: string, behavior: 'AutoUpgrade' | 'Pinned') {
  const version = quoted(`${deploymentOf(access.taskQueue)}:${buildId}`);
  return listRunning(
    access,
    `TemporalWorkerDeploymentVersion = ${version} and TemporalWorkflowVersioningBehavior = ${quoted(behavior)}`,
  );
}

/** Workflows that are held at a release, and would otherwise run in the current one: see {@link hold}. */
export function heldRuns(access: VersionAccess): AsyncGenerator<WorkflowRun> {
  const others = PINNED_KINDS.map((kind) => `WorkflowType != ${quoted(kind)}`).join(' and ');
  return listRunning(access, `TemporalWorkflowVersioningBehavior = 'Pinned' and ${others}`);
}

async function* listRunning({ client, taskQueue }: VersionAccess, which: string): AsyncGenerator<WorkflowRun> {
  const query = `${onTaskQueue(taskQueue)} and ExecutionStatus = 'Running' and ${which}`;
  for await (const { type: kind, workflowId, runId, taskQueue: queue } of client.workflow.list({ query }))
    yield { kind, workflowId, runId, taskQueue: queue };
}

/** Temporal's number for an override that pins a workflow. */
const PINNED_OVERRIDE = 1;

/** Pins the workflow to a build: from now on only workers of that build run it, whichever build is current. */
export async function hold(access: VersionAccess, run: WorkflowRun, buildId: string): Promise<void> {
  const version = { deploymentName: deploymentOf(access.taskQueue), buildId };
  await override(access, run, { versioningOverride: { pinned: { behavior: PINNED_OVERRIDE, version } } });
}

/** Removes the override: the code of its workflow decides again. */
export async function unpin(access: VersionAccess, run: WorkflowRun): Promise<void> {
  await override(access, run, {});
}

type Options = NonNullable<
  Parameters<
    VersionAccess['client']['workflowService']['updateWorkflowExecutionOptions']
  >[0]['workflowExecutionOptions']
>;

/** Overrides where a workflow runs; ignored if it has ended. */
async function override(
  { client }: VersionAccess,
  { workflowId, runId }: WorkflowRun,
  workflowExecutionOptions: Options,
): Promise<void> {
  try {
    await client.workflowService.updateWorkflowExecutionOptions({
      namespace: client.options.namespace,
      workflowExecution: { workflowId, runId },
      workflowExecutionOptions,
      updateMask: { paths: ['versioning_override'] },
    });
  } catch (error) {
    if (grpcCodeOf(error) !== NOT_FOUND) throw error;
  }
}

/**
 * Workflows pinned to a release without workers would never continue: they are moved to the current one, which replays their
 * history.
 * @param versions as read a moment ago; without a current one nothing is done
 * @returns how many workflows were moved
 * @throws gRPC errors if Temporal cannot be reached
 */
export async function releaseStrays(access: VersionAccess, { current, all }: Versions): Promise<number> {
  if (current === null) return 0;
  let count = 0;
  for (const { buildId, state, workers } of all) {
    if (state !== 'draining' || workers > 0) continue;
    for await (const run of lastMovedBy(access, buildId, 'Pinned')) {
      await override(access, run, { versioningOverride: { autoUpgrade: true } });
      count += 1;
    }
  }
  return count;
}
