import { DAEMON_NEEDS, loadConfig } from '../config';
import { createLogger } from '../log';
import { startApi } from './api-part';
import { reaching } from './command-error';
import { startHousekeeping } from './housekeeping-part';
import { openParts, type Parts } from './parts';
import { refuseOldSchema } from './schema-check';
import { connectTemporal, registerSearchAttributes } from './temporal-access';
import { untilSignal } from './until-signal';
import { installRuntime, slotsOf, startWorker } from './worker-part';

export type Role = 'daemon' | 'worker' | 'api';

/** Longer than the longest drain: a POST in flight ends first. */
const STOP_MARGIN = 30_000;

/** Runs the worker, the admin API, or both, until a signal; then lets what is under way end. */
export async function runDaemon(role: Role): Promise<void> {
  const config = loadConfig(process.env, DAEMON_NEEDS);
  const log = createLogger(config.LOG_LEVEL, { pretty: process.stdout.isTTY });
  installRuntime(log);
  const parts = openParts(config, log, { works: role !== 'api', serves: role !== 'worker' });
  const running = await startRoles(role, parts).catch(async (error: unknown) => {
    await parts.close();
    throw error;
  });
  await untilSignal(log, () => running.stop(), running.failed, config.PAYMENT_SERVICE_TIMEOUT_MS + STOP_MARGIN);
}

export interface Running {
  /** Where the admin API listens; null where it does not run here. */
  readonly apiUrl: string | null;
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

/** Starts what the role names; nothing runs on where one part cannot start. */
export async function startRoles(role: Role, parts: Parts): Promise<Running> {
  await refuseOldSchema(parts.ledgers.steering);
  await prepareTemporal(parts);
  if (role !== 'api') await startHousekeeping(parts);
  const worker = role === 'api' ? null : await startWorker(parts);
  const api =
    role === 'worker'
      ? null
      : await startApi(parts).catch(async (error: unknown) => {
          await worker?.stop();
          throw error;
        });
  if (api !== null) parts.log.info({ url: api.url }, `admin API on ${api.url}`);
  if (worker !== null) {
    const { TEMPORAL_TASK_QUEUE: taskQueue } = parts.config;
    parts.log.info({ taskQueue, slots: slotsOf(parts.config) }, 'worker runs');
  }
  return {
    apiUrl: api?.url ?? null,
    failed: worker?.failed ?? new Promise(() => undefined),
    async stop() {
      await api?.stop();
      await worker?.stop();
      await parts.close();
    },
  };
}

async function prepareTemporal({ config }: Parts): Promise<void> {
  await reaching(`Temporal cannot be reached at ${config.TEMPORAL_ADDRESS ?? ''}`, async () => {
    const { connection } = await connectTemporal(config);
    try {
      await registerSearchAttributes(connection, config.TEMPORAL_NAMESPACE);
    } finally {
      await connection.close();
    }
  });
}
