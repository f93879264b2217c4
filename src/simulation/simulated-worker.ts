import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createActivities, type WorkerDependencies } from '../../activities';
import { ATTEMPT_WORKFLOW, NOTICE_WORKFLOW } from '../contract/messages';
import type { Step, StepInput } from '../contract/steps';
import { attemptWorkflowId, noticeWorkflowId, queueName, QUEUES } from '../contract/workflows';
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
 * The time-skipping server stands still for good if a child outlives its parent, as notices and followed attempts do. Here their
 * workflows are started beside the subscription's and not below it; all else is the daemon's.
 */
function simulatedActivities(
  env: TestWorkflowEnvironment,
  deps: WorkerDependencies,
): ReturnType<typeof createActivities> {
  const activities = createActivities(deps);
  const { setting: clock } = deps.clock;
  const besideIt = async (input: StepInput, step: Step): Promise<Step> => {
    const { notices = [], ...rest } = step;
    for (const id of notices) await unlessStarted(env, NOTICE_WORKFLOW, noticeWorkflowId(id), id);
    if (step.kind !== 'follow' || step.attempt === undefined) return rest;
    const { subscriptionId } = input;
    const { attempt } = step;
    const workflowId = attemptWorkflowId(subscriptionId, attempt);
    await unlessStarted(env, ATTEMPT_WORKFLOW, workflowId, { subscriptionId, clock, ...attempt });
    const known = { ...input, followed: [...input.followed, attempt] };
    return besideIt(known, await activities.decide(known));
  };
  return {
    ...activities,
    decide: async (input) => besideIt(input, await activities.decide(input)),
    requestConsent: async (input) => besideIt(input, await activities.requestConsent(input)),
    adoptConsent: async (input) => besideIt(input, await activities.adoptConsent(input)),
    awaitConsent: async (input) => besideIt(input, await activities.awaitConsent(input)),
    cancelConsent: async (input) => besideIt(input, await activities.cancelConsent(input)),
    collectPayment: async (input) => besideIt(input, await activities.collectPayment(input)),
  };
}

async function unlessStarted(
  env: TestWorkflowEnvironment,
  type: string,
  workflowId: string,
  input: unknown,
): Promise<void> {
  try {
    await env.client.workflow.start(type, { taskQueue: TASK_QUEUE, workflowId, args: [input] });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
