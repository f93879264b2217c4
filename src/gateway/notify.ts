import { WorkflowNotFoundError } from '@temporalio/client';
import { changedSignal, SUBSCRIPTION_WORKFLOW } from '../contract/messages';
import { subscriptionWorkflowId } from '../contract/workflows';
import type { SubscriptionId } from '../domain/ids';
import { ORPHANED } from '../domain/subscription/pauses';
import { isTerminal } from '../domain/subscription/state';
import { getSubscription } from '../ledger';
import { subscriptionStart } from './starts';
import { patienceOf, type TemporalGatewayDeps, unlessEnded, withPatience } from './temporal';

/**
 * Notifies the workflow of the revision that the row has; one that is missing is started. Of an orphan that an operator has to
 * restart, and of one that has ended, a missing workflow is left alone.
 * @throws if Temporal cannot be reached now.
 */
export async function notifyWorkflow(deps: TemporalGatewayDeps, id: SubscriptionId, revision: number): Promise<void> {
  const { client, db, taskQueue } = deps;
  const subscription = await getSubscription(db, id);
  if (subscription === null) return;
  const isToRun = !isTerminal(subscription.status) && !subscription.attention.includes(ORPHANED);
  const handle = client.workflow.getHandle(subscriptionWorkflowId(id));
  await withPatience(deps, patienceOf(deps).steerMs, async () => {
    try {
      await handle.signal(changedSignal, revision);
    } catch (error) {
      if (!isToRun || !(error instanceof WorkflowNotFoundError)) return unlessEnded(error);
      const { args, workflowIdConflictPolicy: _joined, ...options } = subscriptionStart(deps, subscription, taskQueue);
      await client.workflow.signalWithStart(SUBSCRIPTION_WORKFLOW, {
        ...options,
        args,
        signal: changedSignal,
        signalArgs: [revision],
      });
    }
  });
}
