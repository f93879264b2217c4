import type { Client } from '@temporalio/client';
import { waitUntil } from '../support/wait-until';

/** Waits for states after which a workflow sends nothing that a test checks, so that no result depends on time. */

/** What the Web UI shows of a workflow: its state and its next step, as the ledger last returned it. */
async function detailsOf(client: Client, workflowId: string, runId?: string): Promise<string> {
  const { currentDetails = '' } = await client.workflow
    .getHandle(workflowId, runId)
    .query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return currentDetails;
}

/** Waits until cycle 0 is over for the workflow. */
export async function untilNextCycle(client: Client, workflowId: string, runId?: string): Promise<void> {
  await waitUntil(`${workflowId} is over with cycle 0`, async () =>
    /Next due.* \(cycle [1-9]/.test(await detailsOf(client, workflowId, runId)),
  );
}

/** Waits until the workflow shows the requested state, and none of its activities runs. */
export async function untilAtRest(client: Client, workflowId: string, shown: RegExp): Promise<void> {
  const handle = client.workflow.getHandle(workflowId);
  const isAtRest = async () => {
    if (!shown.test(await detailsOf(client, workflowId))) return false;
    const { raw } = await handle.describe();
    return (raw.pendingActivities ?? []).length === 0 && raw.pendingWorkflowTask == null;
  };
  await waitUntil(`${workflowId} is at rest`, isAtRest);
}

/** Waits until the workflow has ended. @throws Error with its details if it does not end */
export async function untilEnded(client: Client, workflowId: string): Promise<void> {
  const handle = client.workflow.getHandle(workflowId);
  const hasEnded = async () => (await handle.describe()).status.name === 'COMPLETED';
  await waitUntil(`${workflowId} has ended`, hasEnded).catch(async (error: unknown) => {
    const { pendingActivities, pendingWorkflowTask } = (await handle.describe()).raw;
    const details = await detailsOf(client, workflowId);
    throw new Error(JSON.stringify({ details, pendingActivities, pendingWorkflowTask }), { cause: error });
  });
}
