import { proxyActivities, workflowInfo } from '@temporalio/workflow';

/** One activity of another's task queue, with an input of the stranger's own. */
export interface Order {
  readonly activity: string;
  readonly taskQueue: string;
  readonly input: unknown;
}

/** Schedules one activity on a task queue that is not the stranger's. */
export async function schedule({ activity, taskQueue, input }: Order): Promise<void> {
  const { [activity]: ordered } = proxyActivities<Record<string, (input: unknown) => Promise<unknown>>>({
    taskQueue,
    activityId: workflowInfo().workflowId,
    startToCloseTimeout: '5 seconds',
    scheduleToCloseTimeout: '10 seconds',
    retry: { maximumAttempts: 1 },
  });
  await ordered?.(input);
}
