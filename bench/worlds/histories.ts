import type { World } from './world';

export interface HistorySize {
  readonly events: number;
  readonly transitions: number;
}

/** Of the run that is under way. */
export async function sizeOf({ client }: World, workflowId: string): Promise<HistorySize> {
  const { raw, historyLength } = await client.workflow.getHandle(workflowId).describe();
  return { events: historyLength, transitions: Number(raw.workflowExecutionInfo?.stateTransitionCount ?? NaN) };
}

/** Bytes of the first runs of a workflow, each from its beginning to the one that it continued as. */
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

/** How often the activities of a workflow's run were given to a worker. */
export async function dispatchesOf({ client }: World, workflowId: string): Promise<number> {
  const { events = [] } = await client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).reduce((sum, event) => sum + (event.activityTaskStartedEventAttributes?.attempt ?? 0), 0);
}
