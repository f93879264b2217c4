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
import { createActivities, InPlaceSlots, isStop, SlotPolling } from '../../activities';
import type { ReadMetrics } from '../admin';
import { HOUSEKEEPING_WORKFLOW, type HousekeepingInput } from '../contract/housekeeping';
import { deploymentOf } from '../contract/versions';
import { interactiveQueue, queueName } from '../contract/workflows';
import { housekeepingWorkflowId } from '../contract/workflow-ids';
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

/** Starts the daily work of this task queue unless it is already running; it outlives the process that started it. */
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
        staticSummary: 'daily work',
      }),
    ),
  );
}

export interface RunningPart {
  readonly sizes: WorkerSizes;
  /** The build id of the workflow code. */
  readonly buildId: string;
  /** Notifies the workflow of a subscription of its row's revision. @throws if Temporal cannot be reached. */
  notify(this: void, subscriptionId: SubscriptionId, revision: number): Promise<void>;
  /** The queues it takes work from. */
  readonly taskQueues: readonly string[];
  /** The task queues that are not being polled: none while it is healthy, all once it stops. */
  notPolling(): readonly string[];
  /** Resolves with the reason if the part ends by itself. */
  readonly failed: Promise<string>;
  /** Takes no new work and waits for the work in progress. */
  stop(): Promise<void>;
}

const STICKY_TIMEOUT = 10 * SECOND;
/** The longest interval between two heartbeats; shorter if an activity's time-out requires it. Real ms. */
const MAX_SILENCE = 20 * SECOND;

/**
 * Runs the workflows of the base task queue and of the interactive one, and the activities of every queue, each with its own
 * slots (rule 31). Every activity is registered on each queue. Until its build is current, it gets only work that is pinned to
 * it.
 */
export async function startWorker(parts: Dependencies): Promise<RunningPart> {
  const { config } = parts;
  const base = config.TEMPORAL_TASK_QUEUE;
  parts.lease?.join();
  const connection = await NativeConnection.connect(temporalAccess(config));
  const temporal = await connectTemporal(config);
  const sizes = sizesOf(config, readMachine());
  const polling = new SlotPolling(sizes.slots.collecting);
  const inPlace = sizes.inPlace === null ? undefined : new InPlaceSlots(sizes.inPlace);
  const bundled = await workflowCode();
  const buildId = buildIdOf(bundled);
  const notify = notifierOf(parts, temporal.client);
  const activities = activitiesOf(parts, { client: temporal.client, polling, inPlace, notify });
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
      maxConcurrentWorkflowTaskPolls: sizes.workflowTaskPolls.collecting,
      ...(sizes.inPlace === null ? {} : { maxConcurrentLocalActivityExecutions: sizes.inPlace }),
    }),
    Worker.create({
      ...common,
      ...code,
      taskQueue: interactiveQueue(base),
      maxConcurrentWorkflowTaskExecutions: sizes.workflowTasks.interactive,
      maxConcurrentWorkflowTaskPolls: sizes.workflowTaskPolls.interactive,
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
    inPlace?.stop();
    await stopEach([() => running.stop(), () => connection.close(), () => temporal.connection.close()]);
  };
  const queuesOf = (some: readonly Worker[]) => some.map(({ options }) => options.taskQueue);
  const notPolling = () => queuesOf(workers.filter((each) => !isPolling(each)));
  return { sizes, buildId, notify, taskQueues: queuesOf(workers), notPolling, failed: running.failed, stop };
}

/** Runs the workers. If one fails, `failed` resolves with the reason; stopping still waits for the work of the others. */
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

/** The version of all workers of a process: an activity goes to its workflow's version only within one deployment. */
function versionedAs(base: string, buildId: string): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  return {
    workerDeploymentOptions: {
      useWorkerVersioning: true,
      version: { deploymentName: deploymentOf(base), buildId },
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    },
  };
}

/** Whether the worker polls. The library reports the workflow poller as shut down on a queue without workflows. */
function isPolling(worker: Worker): boolean {
  const { runState, workflowPollerState, activityPollerState } = worker.getStatus();
  return runState === 'RUNNING' && workflowPollerState !== 'FAILED' && activityPollerState === 'POLLING';
}

function optionsOf({ config, clock }: Dependencies, { slots }: WorkerSizes): Omit<WorkerOptions, 'taskQueue'> {
  const drain = config.PAYMENT_SERVICE_TIMEOUT_MS + 5_000;
  return {
    namespace: config.TEMPORAL_NAMESPACE,
    dataConverter: workerConverter(config),
    // How long a workflow cached by a dead worker waits before another worker replays it.
    stickyQueueScheduleToStartTimeout: scaledTimeout(clock.setting, STICKY_TIMEOUT),
    maxHeartbeatThrottleInterval: scaledTimeout(clock.setting, 3 * MAX_SILENCE) / 3,
    maxConcurrentActivityTaskExecutions: slots.others,
    shutdownGraceTime: drain,
    shutdownForceTime: drain + 10_000,
  };
}

interface ActivityParts extends Pick<RunningPart, 'notify'> {
  readonly client: Client;
  readonly polling: SlotPolling;
  readonly inPlace: InPlaceSlots | undefined;
}

function notifierOf({ config, ledgers, clock }: Dependencies, client: Client): RunningPart['notify'] {
  const access = { client, db: ledgers.steering, taskQueue: config.TEMPORAL_TASK_QUEUE, clock };
  return (subscriptionId, revision) => notifyWorkflow(access, subscriptionId, revision);
}

function activitiesOf(
  parts: Dependencies,
  { client, polling, inPlace, notify }: ActivityParts,
): ReturnType<typeof createActivities> {
  const { config, ledgers, writes, service, clock, log, owner, telemetry } = parts;
  return createActivities({
    service,
    clock,
    log,
    polling,
    inPlace,
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

/** An activity that stops for now with its own failure needs no warning. */
function isExpectedStop(meta: object | undefined): boolean {
  const error = meta !== undefined && 'error' in meta ? meta.error : undefined;
  return error instanceof ApplicationFailure && isStop(error.type);
}

/** The library's warning about a worker that only takes activities, as two workers of each process do on purpose. */
const ACTIVITIES_ALONE = 'No workflows registered, not polling for workflow tasks';

/**
 * The fields of a log line of Temporal's library. Errors are logged as ours are, without further properties: the cause of an
 * activity's failure may hold everything that the database driver knows. Core's failures are plain text.
 */
function fieldsOf(meta: object | undefined): Record<string, unknown> {
  const { error, ...fields }: Record<string, unknown> = { ...meta };
  if (error === undefined) return fields;
  return { ...fields, err: typeof error === 'string' ? { type: 'string', message: error } : loggable(error) };
}

/** Real ms; the metrics server runs in this process. */
const CORE_TIMEOUT = SECOND;

/**
 * Lets a process end whose start failed. Core's log forwarding keeps the process alive until its runtime is shut down, which happens
 * automatically only after a worker has run.
 */
export async function endRuntime(): Promise<void> {
  await Runtime.instance().shutdown();
}

/**
 * Sends Temporal's log lines to our log. Only once per process, before any worker.
 * @returns a reader of Temporal Core's metrics, which Core serves only on its own loopback address
 */
export async function installRuntime(log: Logger): Promise<ReadMetrics> {
  const temporal = log.child({ part: 'temporal' });
  const write = (level: LogLevel, message: string, meta?: object) => {
    const to = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;
    const isExpected = message === ACTIVITIES_ALONE || isExpectedStop(meta);
    temporal[isExpected ? 'debug' : to[level]](fieldsOf(meta), message);
  };
  const logger = new DefaultLogger('INFO', ({ level, message, meta }) => write(level, message, meta));
  return launchOnFreePorts(async () => {
    const bindAddress = `127.0.0.1:${await findFreePort(0, "Temporal Core's metrics", log)}`;
    const prometheus = { bindAddress, unitSuffix: true, countersTotalSuffix: true, useSecondsForDurations: true };
    try {
      // Core's log is forwarded: otherwise it writes coloured plain text among our lines.
      const telemetryOptions = { metrics: { prometheus }, logging: { forward: {} } };
      Runtime.install({ logger, shutdownSignals: [], telemetryOptions });
    } catch (error) {
      throw /address/i.test(String(error)) ? new PortTakenError(String(error), { cause: error }) : error;
    }
    return () => readCore(`http://${bindAddress}/metrics`);
  });
}

async function readCore(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(CORE_TIMEOUT) });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return answer.text();
}
