import { setTimeout as pause } from 'node:timers/promises';
import { isNotReady } from './temporal-answers';
import { type TemporalGatewayDeps, withPatience } from './temporal-deps';

type Deps = Pick<TemporalGatewayDeps, 'client' | 'clock' | 'taskQueue'>;

/** Temporal's number for the tasks of workflows. */
const WORKFLOW_TASKS = 1;
/** Real ms until Temporal's answer is given up. */
const PATIENCE_MS = 5_000;
/** A worker that comes up together with the API has asked for work by then. Real ms. */
const LOOK_AGAIN_MS = 1_000;

/** Whether somebody asks Temporal for workflow tasks of the queue. False where Temporal cannot be reached. */
export async function hasWorker(deps: Deps): Promise<boolean> {
  try {
    if (await isPolled(deps)) return true;
    await pause(LOOK_AGAIN_MS);
    return await isPolled(deps);
  } catch (error) {
    if (isNotReady(error)) return false;
    throw error;
  }
}

async function isPolled(deps: Deps): Promise<boolean> {
  const { client, taskQueue } = deps;
  const { pollers } = await withPatience(deps, PATIENCE_MS, () =>
    client.workflowService.describeTaskQueue({
      namespace: client.options.namespace,
      taskQueue: { name: taskQueue },
      // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- the SDK exports no name of the enum
      taskQueueType: WORKFLOW_TASKS,
    }),
  );
  return pollers.length > 0;
}
