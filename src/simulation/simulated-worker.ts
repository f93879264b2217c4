import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createActivities, type WorkerDependencies } from '../../activities';
import { NOTICE_WORKFLOW } from '../contract/messages';
import { QUEUES, queueName, noticeWorkflowId } from '../contract/workflows';
import type { NoticeId } from '../domain/ids';
import { workflowCode } from '../workflow-code';
import type { SkippedTime } from './skipped-time';

export const TASK_QUEUE = 'simulation';

export interface RunningWorker {
  stop(): Promise<void>;
}

/** The worker as the daemon runs it, on skipped time. */
export async function startSimulatedWorker(
  env: TestWorkflowEnvironment,
  time: SkippedTime,
  deps: WorkerDependencies,
): Promise<RunningWorker> {
  const code = await workflowCode();
  const activities = simulatedActivities(env, deps);
  const activity = () => ({
    inbound: {
      async execute<I, R>(input: I, next: (input: I) => Promise<R>): Promise<R> {
        await time.synchronise();
        return next(input);
      },
    },
  });
  const common = { connection: env.nativeConnection, activities };
  const workers = await Promise.all([
    Worker.create({
      ...common,
      ...code,
      taskQueue: TASK_QUEUE,
      interceptors: { activity: [activity] },
    }),
    ...QUEUES.map((queue) =>
      Worker.create({ ...common, taskQueue: queueName(TASK_QUEUE, queue), interceptors: { activity: [activity] } }),
    ),
  ]);
  const run = Promise.all(workers.map((worker) => worker.run()));
  return {
    async stop() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await run;
    },
  };
}

/**
 * The time-skipping server stands still for good where a child outlives its parent, as notices do. Here their workflows
 * are started beside the subscription's and not below it; all else is the daemon's.
 */
function simulatedActivities(
  env: TestWorkflowEnvironment,
  deps: WorkerDependencies,
): ReturnType<typeof createActivities> {
  const activities = createActivities(deps);
  return {
    ...activities,
    async record(change) {
      const recorded = await activities.record(change);
      for (const noticeId of recorded.noticeIds) await startNotice(env, noticeId);
      return { ...recorded, noticeIds: [] };
    },
  };
}

async function startNotice(env: TestWorkflowEnvironment, noticeId: NoticeId): Promise<void> {
  try {
    await env.client.workflow.start(NOTICE_WORKFLOW, {
      taskQueue: TASK_QUEUE,
      workflowId: noticeWorkflowId(noticeId),
      args: [noticeId],
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
