import {
  DefaultLogger,
  type LogLevel,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import type { Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { createActivities, isStop, SlotPolling } from '../../activities';
import type { ReadMetrics } from '../admin';
import { HOUSEKEEPING_WORKFLOW, type HousekeepingInput, housekeepingWorkflowId } from '../contract/housekeeping';
import { deploymentOf } from '../contract/versions';
import { peopleQueue, queueName } from '../contract/workflows';
import type { SubscriptionId } from '../domain/ids';
import { scaledTimeout, SECOND } from '../domain/time';
import { findFreePort } from '../embedded/free-port';
import { launchOnFreePorts, PortTakenError, stopEach } from '../embedded/server-life';
import { isRunning, notifyWorkflow } from '../temporal';
import { type Logger, loggable } from '../platform/log';
import { bindActivities, createRefusalReport, refusalSinks } from '../platform/payload-binding';
import { traceActivities } from '../platform/tracing/temporal';
import { buildIdOf, workflowCode } from '../platform/workflow-bundle';
import { reaching } from './command-error';
import type { Dependencies } from './dependencies';
import { connectTemporal, temporalAccess, withTemporal, workerConverter } from './temporal';
import { readMachine, sizesOf, type WorkerSizes } from './worker-sizes';

/** Starts the daily work of this task queue unless it runs already; it outlives the process that started it. */
export async function startHousekeeping({ config, clock }: Dependencies): Promise<void> {
  const taskQueue = config.TEMPORAL_TASK_QUEUE;
  const input: HousekeepingInput = { clock: clock.setting, state: null };
  await reaching('the daily work cannot be started', () =>
    withTemporal(config, ({ client }) =>
      client.workflow.start(HOUSEKEEPING_WORKFLOW, {
        workflowId: housekeepingWorkflowId(taskQueue),
        taskQueue,
        args: [input],
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: 'the work of each day',
      }),
    ),
  );
}

export interface RunningPart {
  readonly sizes: WorkerSizes;
  /** Of the workflows that it runs. */
  readonly buildId: string;
  /** Notifies the workflow of a subscription of its row's revision. @throws if Temporal cannot be asked. */
  notify(this: void, subscriptionId: SubscriptionId, revision: number): Promise<void>;
  /** From which it takes its work. */
  readonly taskQueues: readonly string[];
  /** The task queues that nothing is taken from: none while it is well, all once it stops. */
  notPolling(): readonly string[];
  /** Resolves where the part ends by itself, with the reason. */
  readonly failed: Promise<string>;
  /** Takes nothing new, lets what is under way end. */
  stop(): Promise<void>;
}

const STICKY_PATIENCE = 10 * SECOND;
/** Between two heartbeats that leave the worker; shorter where an activity's own time-out asks for it. Real ms. */
const LONGEST_SILENCE = 20 * SECOND;

/**
 * Runs the workflows of the base task queue and those that people wait for, and the activities of each queue, every queue
 * with slots of its own (rule 31). Every activity is known on each queue. It takes nothing until its build is current, but what
 * is pinned to it.
 */
export async function startWorker(parts: Dependencies): Promise<RunningPart> {
  const { config } = parts;
  const base = config.TEMPORAL_TASK_QUEUE;
  parts.lease?.join();
  const connection = await NativeConnection.connect(temporalAccess(config));
  const temporal = await connectTemporal(config);
  const sizes = sizesOf(config, readMachine());
  const polling = new SlotPolling(sizes.slots.collecting);
  const bundled = await workflowCode();
  const buildId = buildIdOf(bundled);
  const notify = notifierOf(parts, temporal.client);
  const activities = activitiesOf(parts, { client: temporal.client, polling, notify });
  const refused = createRefusalReport(parts.log, parts.telemetry);
  const isSealed = config.PAYLOAD_ENCRYPTION_KEYS !== undefined;
  const interceptors = { activity: [bindActivities(isSealed, refused), traceActivities(isStop)] };
  const common = { connection, ...optionsOf(parts, sizes), ...versionedAs(base, buildId), activities, interceptors };
  const code = { ...bundled, maxCachedWorkflows: sizes.cachedWorkflows, sinks: refusalSinks(refused) };
  const workers = await Promise.all([
    Worker.create({
      ...common,
      ...code,
      taskQueue: base,
      maxConcurrentWorkflowTaskExecutions: sizes.workflowTasks.collecting,
    }),
    Worker.create({
      ...common,
      ...code,
      taskQueue: peopleQueue(base),
      maxConcurrentWorkflowTaskExecutions: sizes.workflowTasks.people,
    }),
    Worker.create({ ...common, taskQueue: queueName(base, 'ledger') }),
    Worker.create({
      ...common,
      taskQueue: queueName(base, 'collecting'),
      maxConcurrentActivityTaskExecutions: sizes.slots.collecting,
    }),
  ]);
  const running = runWorkers(workers);
  const stop = async () => {
    parts.service.stopWaiting();
    polling.stop();
    await stopEach([() => running.stop(), () => connection.close(), () => temporal.connection.close()]);
  };
  const queuesOf = (some: readonly Worker[]) => some.map(({ options }) => options.taskQueue);
  const notPolling = () => queuesOf(workers.filter((each) => !isPolling(each)));
  return { sizes, buildId, notify, taskQueues: queuesOf(workers), notPolling, failed: running.failed, stop };
}

/** Where one of them ends by itself, `failed` tells why, and stopping still waits for what the others have under way. */
export function runWorkers(
  workers: readonly Pick<Worker, 'run' | 'getState' | 'shutdown'>[],
): Pick<RunningPart, 'failed' | 'stop'> {
  const runs = workers.map((worker) => worker.run());
  return {
    failed: Promise.all(runs).then(
      () => new Promise<string>(() => undefined),
      (error: unknown) => `the worker ended: ${error instanceof Error ? error.message : String(error)}`,
    ),
    async stop() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.allSettled(runs);
    },
  };
}

/** All workers of a process alike: an activity goes to the version of its workflow only within one deployment. */
function versionedAs(base: string, buildId: string): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  return {
    workerDeploymentOptions: {
      useWorkerVersioning: true,
      version: { deploymentName: deploymentOf(base), buildId },
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    },
  };
}

/** A queue without workflows has no poller for them, which the library calls shut down. */
function isPolling(worker: Worker): boolean {
  const { runState, workflowPollerState, activityPollerState } = worker.getStatus();
  return runState === 'RUNNING' && workflowPollerState !== 'FAILED' && activityPollerState === 'POLLING';
}

function optionsOf({ config, clock }: Dependencies, { slots }: WorkerSizes): Omit<WorkerOptions, 'taskQueue'> {
  const drain = config.PAYMENT_SERVICE_TIMEOUT_MS + 5_000;
  return {
    namespace: config.TEMPORAL_NAMESPACE,
    dataConverter: workerConverter(config),
    // A workflow that a dead worker remembers waits so long for it, before another one replays it.
    stickyQueueScheduleToStartTimeout: scaledTimeout(clock.setting, STICKY_PATIENCE),
    maxHeartbeatThrottleInterval: scaledTimeout(clock.setting, 3 * LONGEST_SILENCE) / 3,
    maxConcurrentActivityTaskExecutions: slots.others,
    shutdownGraceTime: drain,
    shutdownForceTime: drain + 10_000,
  };
}

interface ActivityParts extends Pick<RunningPart, 'notify'> {
  readonly client: Client;
  readonly polling: SlotPolling;
}

function notifierOf({ config, ledgers, clock }: Dependencies, client: Client): RunningPart['notify'] {
  const access = { client, db: ledgers.steering, taskQueue: config.TEMPORAL_TASK_QUEUE, clock };
  return (subscriptionId, revision) => notifyWorkflow(access, subscriptionId, revision);
}

function activitiesOf(
  parts: Dependencies,
  { client, polling, notify }: ActivityParts,
): ReturnType<typeof createActivities> {
  const { config, ledgers, writes, service, clock, log, owner, telemetry } = parts;
  return createActivities({
    service,
    clock,
    log,
    polling,
    writes,
    counting: telemetry,
    ledger: ledgers.collecting,
    steering: ledgers.steering,
    workflows: {
      isRunning: (workflowId) => isRunning(client, workflowId),
      notify,
    },
    settings: {
      settle: config.PAYMENT_SERVICE_SETTLE_SECONDS * 1000,
      listDays: config.PAYMENT_SERVICE_LIST_DAYS,
      requestTimeout: config.PAYMENT_SERVICE_TIMEOUT_MS,
      reconcileEveryDays: config.RECONCILE_EVERY_DAYS,
      payerRetentionDays: config.PAYER_RETENTION_DAYS,
      consoleUrl: config.CONSOLE_URL,
      owner,
    },
  });
}

/** An activity that stopped for now, as its own failure says, is no matter for a warning. */
function isExpectedStop(meta: object | undefined): boolean {
  const error = meta !== undefined && 'error' in meta ? meta.error : undefined;
  return error instanceof ApplicationFailure && isStop(error.type);
}

/**
 * What Temporal's library says beside its message. Its errors go where ours are, and lose what else they carry: the fault of an
 * activity has its cause, with everything that the driver knows of it. What Core has as text is a failure, too.
 */
function fieldsOf(meta: object | undefined): Record<string, unknown> {
  const { error, ...fields }: Record<string, unknown> = { ...meta };
  if (error === undefined) return fields;
  return { ...fields, err: typeof error === 'string' ? { type: 'string', message: error } : loggable(error) };
}

/** Real ms; it is in this process. */
const CORE_PATIENCE = SECOND;

/**
 * For a process whose start failed: what Core forwards of its log holds the process up until its runtime ends, which it does by
 * itself only after a worker.
 */
export async function endRuntime(): Promise<void> {
  await Runtime.instance().shutdown();
}

/**
 * Temporal's own log lines go where ours go. Once a process, before any worker.
 * @returns reads what Temporal Core counts, which it shows on a loopback address of its own alone
 */
export async function installRuntime(log: Logger): Promise<ReadMetrics> {
  const temporal = log.child({ part: 'temporal' });
  const write = (level: LogLevel, message: string, meta?: object) => {
    const to = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;
    temporal[isExpectedStop(meta) ? 'debug' : to[level]](fieldsOf(meta), message);
  };
  const logger = new DefaultLogger('INFO', ({ level, message, meta }) => write(level, message, meta));
  return launchOnFreePorts(async () => {
    const bindAddress = `127.0.0.1:${await findFreePort(0, "Temporal Core's metrics", log)}`;
    const prometheus = { bindAddress, unitSuffix: true, countersTotalSuffix: true, useSecondsForDurations: true };
    try {
      // What Core logs is forwarded: on its own it writes plain text with colours among our lines.
      const telemetryOptions = { metrics: { prometheus }, logging: { forward: {} } };
      Runtime.install({ logger, shutdownSignals: [], telemetryOptions });
    } catch (error) {
      throw /address/i.test(String(error)) ? new PortTakenError(String(error), { cause: error }) : error;
    }
    return () => readCore(`http://${bindAddress}/metrics`);
  });
}

async function readCore(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(CORE_PATIENCE) });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return answer.text();
}
