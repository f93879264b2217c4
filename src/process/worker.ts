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
import { createActivities, isStop } from '../../activities';
import type { Config } from '../config';
import { HOUSEKEEPING_WORKFLOW, type HousekeepingInput, housekeepingWorkflowId } from '../contract/housekeeping';
import { peopleQueue, queueName } from '../contract/workflows';
import { scaledTimeout, SECOND } from '../domain/time';
import { isRunning } from '../gateway';
import type { Logger } from '../log';
import { createNotifier } from '../notices';
import { workflowCode } from '../workflow-code';
import { reaching } from './command-error';
import type { Dependencies } from './dependencies';
import { connectTemporal, dataConverter, temporalAccess } from './temporal';

/** Begins the daily work of this task queue where nobody has; it outlives the process that began it. */
export async function startHousekeeping({ config, clock }: Dependencies): Promise<void> {
  const taskQueue = config.TEMPORAL_TASK_QUEUE;
  const input: HousekeepingInput = { clock: clock.setting, state: null };
  await reaching('the daily work cannot be started', async () => {
    const { client, connection } = await connectTemporal(config);
    try {
      await client.workflow.start(HOUSEKEEPING_WORKFLOW, {
        ...{ workflowId: housekeepingWorkflowId(taskQueue), taskQueue, args: [input] },
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: 'the work of each day',
      });
    } finally {
      await connection.close();
    }
  });
}

export interface RunningPart {
  /** Resolves where the part ends by itself, with the reason. */
  readonly failed: Promise<string>;
  /** Takes nothing new, lets what is under way end. */
  stop(): Promise<void>;
}

const STICKY_PATIENCE = 10 * SECOND;
/** Between two heartbeats that leave the worker; shorter where an activity's own time-out asks for it. Real ms. */
const LONGEST_SILENCE = 20 * SECOND;

/** Slots that the cap leaves busy for a minute: an attempt makes about five calls. Those beyond would only hold what waits. */
const SLOTS_PER_CALL_A_SECOND = 12;
/** So many in any case: the daily work holds one for hours. */
const FEWEST_SLOTS = 10;
/** Half a megabyte each. A workflow that wakes once a week is cheaper to replay than to keep. */
const CACHED_WORKFLOWS = 100;

/**
 * Runs the workflows of the base task queue and those that people wait for, and the activities of each queue, every queue
 * with slots of its own (rule 31). On the base queue every activity is known too: 0.1 scheduled all of them there.
 */
export async function startWorker(parts: Dependencies): Promise<RunningPart> {
  const { config } = parts;
  const base = config.TEMPORAL_TASK_QUEUE;
  parts.lease?.join();
  const connection = await NativeConnection.connect(temporalAccess(config));
  const temporal = await connectTemporal(config);
  const notifier = notifierOf(parts);
  const code = { ...(await workflowCode()), maxCachedWorkflows: CACHED_WORKFLOWS };
  const common = { connection, ...optionsOf(parts), activities: activitiesOf(parts, notifier, temporal.client) };
  const workers = await Promise.all([
    Worker.create({ ...common, ...code, taskQueue: base }),
    Worker.create({ ...common, ...code, taskQueue: peopleQueue(base) }),
    Worker.create({ ...common, taskQueue: queueName(base, 'ledger') }),
    Worker.create({
      ...{ ...common, taskQueue: queueName(base, 'collecting') },
      maxConcurrentActivityTaskExecutions: slotsOf(config).collecting,
    }),
  ]);
  const run = Promise.all(workers.map((worker) => worker.run()));
  const failed = run.then(
    () => new Promise<string>(() => undefined),
    (error: unknown) => `the worker ended: ${error instanceof Error ? error.message : String(error)}`,
  );
  const stop = async () => {
    parts.service.stopWaiting();
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    await run;
    await connection.close();
    await temporal.connection.close();
    await notifier.close();
  };
  return { failed, stop };
}

function optionsOf({ config, clock }: Dependencies): Omit<WorkerOptions, 'taskQueue'> {
  const drain = config.PAYMENT_SERVICE_TIMEOUT_MS + 5_000;
  return {
    namespace: config.TEMPORAL_NAMESPACE,
    dataConverter: dataConverter(config),
    // A workflow that a dead worker remembers waits so long for it, before another one replays it.
    stickyQueueScheduleToStartTimeout: scaledTimeout(clock.setting, STICKY_PATIENCE),
    maxHeartbeatThrottleInterval: scaledTimeout(clock.setting, 3 * LONGEST_SILENCE) / 3,
    maxConcurrentActivityTaskExecutions: slotsOf(config).others,
    shutdownGraceTime: drain,
    shutdownForceTime: drain + 10_000,
  };
}

/** Activities that a worker runs at once: on the queue that collects, and on each other one. */
export function slotsOf({ ACTIVITY_SLOTS: others, PAYMENT_SERVICE_MAX_RPS: cap = Infinity }: Config): {
  readonly collecting: number;
  readonly others: number;
} {
  return { collecting: Math.min(others, Math.max(FEWEST_SLOTS, Math.ceil(cap * SLOTS_PER_CALL_A_SECOND))), others };
}

function activitiesOf(
  parts: Dependencies,
  notifier: ReturnType<typeof createNotifier>,
  client: Client,
): ReturnType<typeof createActivities> {
  const { config, ledgers, service, clock, log, owner } = parts;
  return createActivities({
    ...{ service, clock, log, notifier, ledger: ledgers.collecting, steering: ledgers.steering },
    workflows: { isRunning: (workflowId) => isRunning(client, workflowId) },
    settings: {
      settle: config.PAYMENT_SERVICE_SETTLE_SECONDS * 1000,
      requestTimeout: config.PAYMENT_SERVICE_TIMEOUT_MS,
      noticeBackoff: config.NOTICE_BACKOFF_SECONDS,
      owner,
    },
  });
}

function notifierOf({ config, clock, log }: Dependencies): ReturnType<typeof createNotifier> {
  const webhook = (url?: string, secret?: string) =>
    url === undefined || secret === undefined ? undefined : { url, secret };
  const { SMTP_URL: smtpUrl, NOTICE_FROM: from } = config;
  return createNotifier({
    clock,
    payerWebhook: webhook(config.NOTICE_WEBHOOK_URL, config.NOTICE_WEBHOOK_SECRET),
    eventWebhook: webhook(config.EVENT_WEBHOOK_URL, config.EVENT_WEBHOOK_SECRET),
    smtp: smtpUrl === undefined || from === undefined ? undefined : { url: smtpUrl, from },
    logger: log,
  });
}

/** An activity that stopped for now, as its own failure says, is no matter for a warning. */
function isExpectedStop(meta: object | undefined): boolean {
  const error = meta !== undefined && 'error' in meta ? meta.error : undefined;
  return error instanceof ApplicationFailure && isStop(error.type);
}

/** Temporal's own log lines go where ours go. Once a process, before any worker. */
export function installRuntime(log: Logger): void {
  const temporal = log.child({ part: 'temporal' });
  const write = (level: LogLevel, message: string, meta?: object) => {
    const to = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;
    temporal[isExpectedStop(meta) ? 'debug' : to[level]]({ ...meta }, message);
  };
  Runtime.install({
    logger: new DefaultLogger('INFO', ({ level, message, meta }) => write(level, message, meta)),
    shutdownSignals: [],
  });
}
