import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { msToNumber } from '@temporalio/common/lib/time';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createActivities, type WorkerDependencies } from '../../activities';
import { ATTEMPT_WORKFLOW, changedSignal, NOTICE_WORKFLOW } from '../contract/messages';
import { type AttemptRef, type CollectStepInput, includesAttempt, type Step, type StepInput } from '../contract/steps';
import { attemptWorkflowId, noticeWorkflowId, queueName, QUEUES, subscriptionWorkflowId } from '../contract/workflows';
import type { SubscriptionId } from '../domain/ids';
import type { Instant } from '../domain/time';
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
 * workflows are started beside the subscription's and not below it, and the subscription's is not told of them: which attempts are
 * followed is remembered here. All else is the daemon's.
 */
function simulatedActivities(
  env: TestWorkflowEnvironment,
  deps: WorkerDependencies,
): ReturnType<typeof createActivities> {
  const activities = createActivities(deps);
  const { setting: clock } = deps.clock;
  const followed = new Map<SubscriptionId, readonly AttemptRef[]>();
  const besideIt = async (input: StepInput, step: Step): Promise<Step> => {
    const { subscriptionId } = input;
    const { notices = [], beside = [], ...rest } = step;
    for (const id of notices) await unlessStarted(env, NOTICE_WORKFLOW, noticeWorkflowId(id), id);
    const known = input.followed.filter((each) => includesAttempt(beside, each));
    followed.set(subscriptionId, known);
    if (step.kind !== 'follow' || step.attempt === undefined) return rest;
    const { attempt } = step;
    const workflowId = attemptWorkflowId(subscriptionId, attempt);
    await unlessStarted(env, ATTEMPT_WORKFLOW, workflowId, { subscriptionId, clock, ...attempt });
    const next = { ...input, followed: [...known, attempt] };
    return besideIt(next, await activities.decide(next));
  };
  const stops = new Map<SubscriptionId, number>();
  const simulated =
    <I extends StepInput>(activity: (input: I) => Promise<Step>, isQuestion = false) =>
    async (workflowInput: I): Promise<Step> => {
      const { subscriptionId } = workflowInput;
      const input = { ...workflowInput, followed: followed.get(subscriptionId) ?? [] };
      const now = deps.clock.now();
      try {
        const step = await besideIt(input, await activity(input));
        if (!isQuestion) stops.delete(subscriptionId);
        return step;
      } catch (error) {
        const since = stops.get(subscriptionId) ?? now;
        stops.set(subscriptionId, since);
        return waitInstead(error, now, now - since);
      }
    };
  return {
    ...activities,
    decide: simulated<StepInput>((input) => activities.decide(input), IS_QUESTION),
    requestConsent: simulated<StepInput>((input) => activities.requestConsent(input)),
    awaitConsent: simulated<StepInput>((input) => activities.awaitConsent(input)),
    cancelConsent: simulated<StepInput>((input) => activities.cancelConsent(input)),
    collectPayment: simulated<CollectStepInput>((input) => activities.collectPayment(input)),
  };
}

/** Between two runs of an activity it is asked what is next: that makes the matter no younger. */
const IS_QUESTION = true;

/** Real ms; the limits of an attempt have a minute's margin. */
const LONGEST_PAUSE = 45_000;

/**
 * The time-skipping server also stands still if an activity is cancelled between two of its runs: here the workflow waits for the
 * next run, and not the activity. Its pause grows with the age of the matter, as it does within one activity.
 */
function waitInstead(error: unknown, now: Instant, age: number): Step {
  if (!(error instanceof ApplicationFailure) || error.nextRetryDelay == null) throw error;
  const until = now + Math.max(msToNumber(error.nextRetryDelay), Math.min(LONGEST_PAUSE, age / 5));
  return { kind: 'wait', revision: 0, until, summary: error.message, details: '' };
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

/** Of a workflow that has ended, nothing is left to notify. */
export async function notifySubscription(client: Client, id: SubscriptionId, revision: number): Promise<void> {
  try {
    await client.workflow.getHandle(subscriptionWorkflowId(id)).signal(changedSignal, revision);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
