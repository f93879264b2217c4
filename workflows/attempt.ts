import { ParentClosePolicy, setCurrentDetails, startChild } from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ATTEMPT_WORKFLOW } from '../src/contract/messages';
import type { AttemptInput } from '../src/contract/steps';
import { attemptWorkflowId, subscriptionWorkflowId } from '../src/contract/workflows';
import { activities } from './activities';
import { signalChanged } from './runtime';

/**
 * Follows one attempt to its outcome, whether its subscription continues or has ended. Sends nothing (rules 10, 36).
 * The clock scales the time-outs of its activities (`interceptors` in `activities.ts`) and is not part of their input.
 */
export async function attempt({ clock: _clock, ...input }: AttemptInput): Promise<void> {
  const { subscriptionId, cycle, attempt: number } = input;
  setCurrentDetails(`- Attempt ${number} of cycle ${cycle} of ${subscriptionId}`);
  let step;
  do {
    // Revision 0 acknowledges nothing: only the subscription's own workflow acknowledges revisions.
    step = await activities.followAttempt({ ...input, revision: 0, followed: [] });
  } while (step.kind !== 'finish');
  await signalChanged(subscriptionWorkflowId(subscriptionId), step.revision);
}

/** Starts the workflow unless it is running. It outlives the workflow of the subscription. */
export async function startFollowing(input: AttemptInput): Promise<void> {
  try {
    await startChild(ATTEMPT_WORKFLOW, {
      workflowId: attemptWorkflowId(input.subscriptionId, input),
      args: [input],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      staticSummary: `the outcome of cycle ${input.cycle}, attempt ${input.attempt}`,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
