import type { Client } from '@temporalio/client';
import { stateQuery } from '../../src/contract/messages';
import type { SubscriptionState } from '../../src/domain/subscription/state';
import { waitUntil } from '../support/wait-until';

/** Events after which a workflow sends nothing more of what a test looks at: that nothing was sent is then no matter of time. */

/** Its cycle 0 is over for the workflow. */
export async function untilNextCycle(client: Client, workflowId: string, runId?: string): Promise<void> {
  const state = () => client.workflow.getHandle(workflowId, runId).query(stateQuery);
  await waitUntil(`${workflowId} is over with cycle 0`, async () => (await state()).cycle > 0);
}

/** It has heard of what was asked, and none of its activities is under way. */
export async function untilAtRest(
  client: Client,
  workflowId: string,
  hasHeard: (state: SubscriptionState) => boolean,
): Promise<void> {
  const handle = client.workflow.getHandle(workflowId);
  const isAtRest = async () => {
    if (!hasHeard(await handle.query(stateQuery))) return false;
    const { raw } = await handle.describe();
    return (raw.pendingActivities ?? []).length === 0 && raw.pendingWorkflowTask == null;
  };
  await waitUntil(`${workflowId} is at rest`, isAtRest);
}

/** The workflow has ended. @throws Error with how it stands where it does not */
export async function untilEnded(client: Client, workflowId: string): Promise<void> {
  const handle = client.workflow.getHandle(workflowId);
  const hasEnded = async () => (await handle.describe()).status.name === 'COMPLETED';
  await waitUntil(`${workflowId} has ended`, hasEnded).catch(async (error: unknown) => {
    const { pendingActivities, pendingWorkflowTask } = (await handle.describe()).raw;
    const state = await handle.query(stateQuery);
    throw new Error(JSON.stringify({ state, pendingActivities, pendingWorkflowTask }), { cause: error });
  });
}
