import { deploymentOf, PINNED_KINDS } from '../contract/versions';
import { grpcCodeOf, NOT_FOUND, onTaskQueue, quoted } from './temporal';
import type { VersionAccess, Versions } from './versions';

/** One run of a workflow. */
export interface WorkflowRun {
  /** The type of its workflow. */
  readonly kind: string;
  readonly workflowId: string;
  readonly runId: string;
  readonly taskQueue: string;
}

/** What is under way, goes on in whatever release is current, and was moved last by the workers of this build. */
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

/** From now on only workers of this build move the workflow, whatever is current. */
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

/** Where a workflow goes, in place of what its code says; nothing is done with one that has ended meanwhile. */
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
