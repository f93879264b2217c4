import { DefaultLogger, type LogLevel, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { ApplicationFailure } from '@temporalio/common';
import { createActivities, isStop } from '../../activities';
import { isRunning } from '../admin';
import { hurried } from '../domain/hurry';
import { SECOND } from '../domain/instant';
import { createNotifier } from '../notices';
import { workflowCode } from '../workflow-code';
import type { Logger } from '../log';
import type { Parts } from './parts';
import { activityRate, longWorkRate } from './service-rate';
import { connectTemporal, dataConverter, temporalAccess } from './temporal-access';

export interface RunningPart {
  /** Resolves where the part ends by itself, with the reason. */
  readonly failed: Promise<string>;
  /** Takes nothing new, lets what is under way end. */
  stop(): Promise<void>;
}

const STICKY_PATIENCE = 10 * SECOND;
/** Between two heartbeats that leave the worker; shorter where an activity's own time-out asks for it. Real ms. */
const LONGEST_SILENCE = 20 * SECOND;

/** Runs workflows and activities of the task queue. */
export async function startWorker(parts: Parts): Promise<RunningPart> {
  const { config } = parts;
  const connection = await NativeConnection.connect(temporalAccess(config));
  const temporal = await connectTemporal(config);
  const notifier = notifierOf(parts);
  const drain = config.PAYMENT_SERVICE_TIMEOUT_MS + 5_000;
  const worker = await Worker.create({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    dataConverter: dataConverter(config),
    ...(await workflowCode()),
    // A workflow that a dead worker remembers waits so long for it, before another one replays it.
    stickyQueueScheduleToStartTimeout: hurried(parts.clock.setting, STICKY_PATIENCE),
    maxHeartbeatThrottleInterval: hurried(parts.clock.setting, 3 * LONGEST_SILENCE) / 3,
    activities: createActivities({
      ...{ service: parts.service, clock: parts.clock, log: parts.log },
      ...{ ledger: parts.ledgers.collecting, steering: parts.ledgers.steering },
      notifier,
      workflows: { isRunning: (workflowId) => isRunning(temporal.client, workflowId) },
      settings: {
        settle: config.PAYMENT_SERVICE_SETTLE_SECONDS * 1000,
        requestTimeout: config.PAYMENT_SERVICE_TIMEOUT_MS,
        noticeBackoff: config.NOTICE_BACKOFF_SECONDS,
        owner: parts.owner,
        longWorkCallsPerSecond: longWorkRate(config.PAYMENT_SERVICE_MAX_RPS),
      },
    }),
    ...activityRate(config.PAYMENT_SERVICE_MAX_RPS),
    maxConcurrentActivityTaskExecutions: 200,
    // Half a megabyte each. A workflow that wakes once a week is cheaper to replay than to keep.
    maxCachedWorkflows: 100,
    shutdownGraceTime: drain,
    shutdownForceTime: drain + 10_000,
  });
  const run = worker.run();
  const failed = run.then(
    () => new Promise<string>(() => undefined),
    (error: unknown) => `the worker ended: ${error instanceof Error ? error.message : String(error)}`,
  );
  const stop = async () => {
    await stopWorker(worker, run, connection);
    await temporal.connection.close();
    await notifier.close();
  };
  return { failed, stop };
}

async function stopWorker(worker: Worker, run: Promise<void>, connection: NativeConnection): Promise<void> {
  if (worker.getState() === 'RUNNING') worker.shutdown();
  await run;
  await connection.close();
}

function notifierOf({ config, clock, log }: Parts): ReturnType<typeof createNotifier> {
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
