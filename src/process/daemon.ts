import closeWithGrace from 'close-with-grace';
import { DAEMON_NEEDS, loadConfig } from '../config';
import { type createPool, isSchemaCurrent } from '../ledger';
import { type Logger, createLogger } from '../log';
import { startApi } from './api';
import { CommandError, reaching } from './command-error';
import { openDependencies, type Dependencies } from './dependencies';
import { connectTemporal, registerSearchAttributes } from './temporal';
import { startHousekeeping, installRuntime, slotsOf, startWorker } from './worker';

/** @throws CommandError where the database cannot be reached, or its schema is older or newer than this program. */
export async function refuseOldSchema(ledger: ReturnType<typeof createPool>): Promise<void> {
  const schema = await reaching('the ledger cannot be reached', () => isSchemaCurrent(ledger));
  if (schema.current) return;
  const unknown = schema.unknown.length > 0 ? `; it has ${schema.unknown.join(', ')} of a newer version` : '';
  const missing = schema.missing.length > 0 ? `; missing ${schema.missing.join(', ')}: run dueday migrate` : '';
  throw new CommandError(`the ledger's schema is not current${missing}${unknown}`);
}

/** Longer than the longest drain of a command that has none of its own to name. */
const PATIENCE = 10_000;

/**
 * Keeps the process until SIGINT or SIGTERM, or until `failed` tells why it cannot go on; then stops what runs.
 * @param patience real ms that stopping may take
 */
export async function untilSignal(
  log: Logger,
  stop: () => Promise<void>,
  failed?: Promise<string>,
  patience = PATIENCE,
): Promise<void> {
  const handle = closeWithGrace({ delay: patience, logger: false }, async ({ signal, err }) => {
    if (err !== undefined) log.fatal({ err }, 'stopping after a fault');
    else log.info({ signal }, 'stopping: what is under way ends first');
    await stop();
    log.info('stopped');
  });
  const reason = await failed;
  if (reason === undefined) return;
  log.fatal(reason);
  process.exitCode = 1;
  handle.close();
}

export type Role = 'daemon' | 'worker' | 'api';

/** Longer than the longest drain: a POST in flight ends first. */
const STOP_MARGIN = 30_000;

/** Runs the worker, the admin API, or both, until a signal; then lets what is under way end. */
export async function runDaemon(role: Role): Promise<void> {
  const config = loadConfig(process.env, DAEMON_NEEDS);
  const log = createLogger(config.LOG_LEVEL, { pretty: process.stdout.isTTY });
  installRuntime(log);
  const parts = openDependencies(config, log, { works: role !== 'api', serves: role !== 'worker' });
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
export async function startRoles(role: Role, parts: Dependencies): Promise<Running> {
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

async function prepareTemporal({ config }: Dependencies): Promise<void> {
  await reaching(`Temporal cannot be reached at ${config.TEMPORAL_ADDRESS ?? ''}`, async () => {
    const { connection } = await connectTemporal(config);
    try {
      await registerSearchAttributes(connection, config.TEMPORAL_NAMESPACE);
    } finally {
      await connection.close();
    }
  });
}
