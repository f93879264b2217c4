import { proxyActivities, workflowInfo } from '@temporalio/workflow';

/** One activity on dueday's task queue, with an input made up by the stranger. */
export interface Order {
  readonly activity: string;
  readonly taskQueue: string;
  readonly input: unknown;
}

/** Schedules activities at once on task queues that are not the stranger's, and ignores whether they fail. */
export async function schedule(orders: readonly Order[]): Promise<void> {
  await Promise.all(orders.map((order, index) => scheduleOne(order, index).catch(() => undefined)));
}

async function scheduleOne({ activity, taskQueue, input }: Order, index: number): Promise<void> {
  const { [activity]: ordered } = proxyActivities<Record<string, (input: unknown) => Promise<unknown>>>({
    taskQueue,
    activityId: `${workflowInfo().workflowId}/${index}`,
    startToCloseTimeout: '5 seconds',
    scheduleToCloseTimeout: '10 seconds',
    retry: { maximumAttempts: 1 },
  });
  await ordered?.(input);
}
