import { type Client, isGrpcServiceError } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time';
import type { Clock } from '../platform/clock';
import { deploymentOf, PINNED_KINDS } from '../contract/versions';
import { MINUTE, type Instant } from '../domain/time';
import { FAILED_PRECONDITION, grpcCodeOf, NOT_FOUND, onTaskQueue, pollersOf, quoted } from './temporal';

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
   * `current`: workflows that begin or move on go there; `draining`: those pinned to it may still be under way; `drained`:
   * none is; `inactive`: it was never current.
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

/** Identities of the processes that have asked lately, by the build that they run; null: they have no version. */
async function workersByBuild(access: VersionAccess): Promise<ReadonlyMap<string | null, ReadonlySet<string>>> {
  const found = new Map<string | null, Set<string>>();
  for (const { deploymentOptions, lastAccessTime, identity } of await pollersOf(access)) {
    const isVersioned = deploymentOptions?.deploymentName === deploymentOf(access.taskQueue);
    if (access.clock.realNow() - tsToMs(lastAccessTime) > LATELY) continue;
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
 * Lets each workflow that begins or moves on go to the workers of a build. One that is pinned to another build stays
 * there.
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

/** One run of a workflow. */
export interface WorkflowRun {
  /** The type of its workflow. */
  readonly kind: string;
  readonly workflowId: string;
  readonly runId: string;
  readonly taskQueue: string;
}

/** Workflows under way that go on in the release that is current, and were moved last by the workers of this build. */
export function movedBy(access: VersionAccess, buildId: string): AsyncGenerator<WorkflowRun> {
  return lastMovedBy(access, buildId, 'AutoUpgrade');
}

function lastMovedBy(access: VersionAccess, buildId: string, behavior: 'AutoUpgrade' | 'Pinned') {
  const version = quoted(`${deploymentOf(access.taskQueue)}:${buildId}`);
  return underWay(
    access,
    `TemporalWorkerDeploymentVersion = ${version} and TemporalWorkflowVersioningBehavior = ${quoted(behavior)}`,
  );
}

/** What is held at a release though it would go on in the current one: see {@link hold}. */
export function heldRuns(access: VersionAccess): AsyncGenerator<WorkflowRun> {
  const others = PINNED_KINDS.map((kind) => `WorkflowType != ${quoted(kind)}`).join(' and ');
  return underWay(access, `TemporalWorkflowVersioningBehavior = 'Pinned' and ${others}`);
}

async function* underWay({ client, taskQueue }: VersionAccess, which: string): AsyncGenerator<WorkflowRun> {
  const query = `${onTaskQueue(taskQueue)} and ExecutionStatus = 'Running' and ${which}`;
  for await (const { type: kind, workflowId, runId, taskQueue: queue } of client.workflow.list({ query }))
    yield { kind, workflowId, runId, taskQueue: queue };
}

/** Temporal's number for a workflow that stays where it is held. */
const STAYS = 1;

/** From now on only workers of this build move the workflow, whichever build is current. */
export async function hold(access: VersionAccess, run: WorkflowRun, buildId: string): Promise<void> {
  const version = { deploymentName: deploymentOf(access.taskQueue), buildId };
  await override(access, run, { versioningOverride: { pinned: { behavior: STAYS, version } } });
}

/** It goes where the code of its workflow says. */
export async function letGo(access: VersionAccess, run: WorkflowRun): Promise<void> {
  await override(access, run, {});
}

type Options = NonNullable<
  Parameters<
    VersionAccess['client']['workflowService']['updateWorkflowExecutionOptions']
  >[0]['workflowExecutionOptions']
>;

/** Where a workflow goes, in place of what its code says; nothing is done with one that has ended by then. */
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
 * What is pinned to a release without workers would stand still for good: it goes on in the current one, which repeats its
 * history.
 * @param versions as they were a moment ago; without a current one nothing is done
 * @returns how many workflows were let go
 * @throws gRPC errors where Temporal cannot be asked
 */
export async function letStraysGo(access: VersionAccess, { current, all }: Versions): Promise<number> {
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
