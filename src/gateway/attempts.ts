import { ATTEMPT_WORKFLOW } from '../contract/messages';
import type { AttemptRef } from '../contract/steps';
import { attemptWorkflowId } from '../contract/workflows';
import type { SubscriptionId } from '../domain/ids';
import { unlessRunning, WHERE_NONE_RUNS } from './starts';
import { patienceOf, type TemporalGatewayDeps, withPatience } from './temporal';

/** Starts the workflow that follows an attempt to its outcome again, unless it runs. */
export async function startAttempt(
  deps: Pick<TemporalGatewayDeps, 'client' | 'clock' | 'taskQueue' | 'patience'>,
  subscriptionId: SubscriptionId,
  { cycle, attempt }: AttemptRef,
): Promise<void> {
  const start = () =>
    deps.client.workflow.start(ATTEMPT_WORKFLOW, {
      workflowId: attemptWorkflowId(subscriptionId, { cycle, attempt }),
      taskQueue: deps.taskQueue,
      args: [{ subscriptionId, cycle, attempt, clock: deps.clock.setting }],
      ...WHERE_NONE_RUNS,
      staticSummary: `the outcome of cycle ${cycle}, attempt ${attempt}`,
    });
  await unlessRunning(() => withPatience(deps, patienceOf(deps).steerMs, start));
}
