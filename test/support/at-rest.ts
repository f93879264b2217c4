import { type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time';
import { waitUntil } from './wait-until';

/**
 * Ends a workflow that the test no longer needs, once nothing of it is under way. The time-skipping server stops its clock during a
 * task, and never lets it continue if the workflow has gone before the task is answered.
 */
export async function terminateAtRest(handle: WorkflowHandle): Promise<void> {
  await waitUntil(`nothing of ${handle.workflowId} is under way`, () => isAtRest(handle));
  await terminateUnlessEnded(handle);
}

export async function terminateUnlessEnded(handle: WorkflowHandle): Promise<void> {
  await handle.terminate('the test is over').catch((error: unknown) => {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  });
}

/** Read twice, so that nothing has changed while it was read. */
async function isAtRest(handle: WorkflowHandle): Promise<boolean> {
  const before = await readTasks(handle);
  const { status, raw } = await handle.describe();
  if (status.name !== 'RUNNING') return true;
  const waitToBeTriedAgain = (raw.pendingActivities ?? []).every(
    ({ lastStartedTime, lastAttemptCompleteTime }) => msOf(lastAttemptCompleteTime) >= msOf(lastStartedTime, Infinity),
  );
  return waitToBeTriedAgain && !before.isOpen && (await readTasks(handle)).events === before.events;
}

type Timestamp = Parameters<typeof optionalTsToMs>[0];

function msOf(timestamp: Timestamp, otherwise = -Infinity): number {
  return optionalTsToMs(timestamp) ?? otherwise;
}

async function readTasks(handle: WorkflowHandle): Promise<{ readonly events: number; readonly isOpen: boolean }> {
  const { events } = await handle.fetchHistory();
  let isOpen = false;
  for (const event of events ?? []) {
    if (event.workflowTaskScheduledEventAttributes) isOpen = true;
    const ended =
      event.workflowTaskCompletedEventAttributes ??
      event.workflowTaskFailedEventAttributes ??
      event.workflowTaskTimedOutEventAttributes;
    if (ended) isOpen = false;
  }
  return { events: events?.length ?? 0, isOpen };
}
