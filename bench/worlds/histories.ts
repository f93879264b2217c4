import type { World } from './world';

/** `TIMEOUT_TYPE_START_TO_CLOSE` of Temporal's API. */
const STARTED_TOO_LONG_AGO = 1;

export interface HistorySize {
  readonly events: number;
  readonly transitions: number;
}

/** The size of the current run's history. */
export async function sizeOf({ client }: World, workflowId: string): Promise<HistorySize> {
  const { raw, historyLength } = await client.workflow.getHandle(workflowId).describe();
  return { events: historyLength, transitions: Number(raw.workflowExecutionInfo?.stateTransitionCount ?? NaN) };
}

/** History bytes of the first runs of a workflow, all of which have continued as new. */
export async function bytesOfRuns({ client }: World, workflowId: string, runs: number): Promise<number> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  let runId = raw.workflowExecutionInfo?.firstRunId ?? '';
  let bytes = 0;
  for (let run = 0; run < runs; run += 1) {
    const handle = client.workflow.getHandle(workflowId, runId);
    bytes += (await handle.describe()).historySize ?? NaN;
    const next = (await handle.fetchHistory()).events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes;
    runId = next?.newExecutionRunId ?? '';
  }
  return bytes;
}

/** How often activities of the workflow's current run were dispatched to a worker, retries included. */
export async function dispatchesOf({ client }: World, workflowId: string): Promise<number> {
  const { events = [] } = await client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).reduce((sum, event) => sum + (event.activityTaskStartedEventAttributes?.attempt ?? 0), 0);
}

/**
 * How many workflow tasks of these workflows were started by a worker and not completed in time, in the current runs. A task
 * that waits too long for the worker that has its workflow in memory is not counted: any worker may then take it.
 */
export async function timedOutTasksOf({ client }: World, workflowIds: readonly string[]): Promise<number> {
  let count = 0;
  for (const workflowId of workflowIds) {
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
    count += (events ?? []).filter(
      ({ workflowTaskTimedOutEventAttributes: timedOut }) => Number(timedOut?.timeoutType) === STARTED_TOO_LONG_AGO,
    ).length;
  }
  return count;
}
