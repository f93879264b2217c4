import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { SUBSCRIPTION_WORKFLOW } from '../../src/contract/messages';
import type { SubscriptionInput } from '../../src/contract/steps';
import { untilNextCycle } from './workflow-ends';

/** What an operator may do to a workflow by hand, but should not. All but `startBeside` wait for the end of cycle 0. */

/** Resets the workflow to a point before the first attempt was decided. */
export async function resetBeforeCollecting(client: Client, workflowId: string): Promise<void> {
  await untilNextCycle(client, workflowId);
  const handle = client.workflow.getHandle(workflowId);
  const { runId } = await handle.describe();
  const events = (await handle.fetchHistory()).events ?? [];
  const attempt = events.findIndex(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === 'collectPayment',
  );
  const decision = events.slice(0, attempt).findLast((event) => event.workflowTaskCompletedEventAttributes != null);
  const reset = await client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId, runId },
    reason: 'a test',
    requestId: randomUUID(),
    workflowTaskFinishEventId: decision!.eventId!,
  });
  if (reset.runId === runId) throw new Error('the reset made no new run');
  await untilNextCycle(client, workflowId, reset.runId);
}

/** Starts the workflow again from the very beginning, with its original input. */
export async function againAfterTermination(client: Client, workflowId: string): Promise<void> {
  const input = await inputOf(client, workflowId);
  await client.workflow.getHandle(workflowId).terminate('a test');
  await begin(client, workflowId, input);
  await untilNextCycle(client, workflowId);
}

/** Starts a second workflow for the same subscription, with another id. */
export async function startBeside(client: Client, workflowId: string): Promise<void> {
  await begin(client, `${workflowId}/again`, await inputOf(client, workflowId));
}

interface Beginning {
  readonly input: SubscriptionInput;
  readonly taskQueue: string;
}

/** The input of its first run; a subscription's workflow continues as new once the consent is granted. */
async function inputOf(client: Client, workflowId: string): Promise<Beginning> {
  const newest = await startOf(client, workflowId);
  const { input, taskQueue } = await startOf(client, workflowId, newest.firstExecutionRunId!);
  return {
    input: defaultPayloadConverter.fromPayload<SubscriptionInput>(input!.payloads![0]!),
    taskQueue: taskQueue!.name!,
  };
}

async function startOf(client: Client, workflowId: string, runId?: string) {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  return events![0]!.workflowExecutionStartedEventAttributes!;
}

async function begin(client: Client, workflowId: string, { input, taskQueue }: Beginning): Promise<void> {
  const options = { workflowId, taskQueue, args: [input], workflowIdConflictPolicy: 'FAIL' } as const;
  await client.workflow.start(SUBSCRIPTION_WORKFLOW, options);
}
