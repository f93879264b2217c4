import { setTimeout as pause } from 'node:timers/promises';
import type { ReadMetrics } from '../admin';
import type { Config } from '../config';
import { startAll } from '../embedded/server-life';
import { noticeRestore } from '../ledger';
import { createLogger } from '../log';
import { startTracing } from '../tracing';
import { type RunningApi, startApi } from './api';
import { refuseOldSchema, refuseOwner, untilSignal } from './command';
import { reaching } from './command-error';
import { openDependencies, type Dependencies } from './dependencies';
import { startEvents } from './events';
import { observe, type Observation } from './observation';
import { registerSearchAttributes, withTemporal } from './temporal';
import { ownVersion } from './version';
import { makeOwnCurrent, watchRelease } from './versions/release';
import { startHousekeeping, installRuntime, type RunningPart, startWorker } from './worker';

export type Role = 'daemon' | 'worker' | 'api';

/** Longer than the longest drain: a POST in flight ends first. */
const STOP_MARGIN = 30_000;
/** Requests under way may need the worker: so long it goes on for them, then both drain at once. Real ms. */
const REQUESTS_FIRST = 5_000;

/** Runs the worker, the admin API, or both, until a signal; then lets what is under way end. */
export async function runDaemon(role: Role, config: Config): Promise<void> {
  const log = createLogger(config.LOG_LEVEL, { pretty: process.stdout.isTTY });
  const core = role === 'api' ? null : await installRuntime(log);
  const parts = openDependencies(config, log, { works: role !== 'api', serves: role !== 'worker' });
  const running = await startRoles(role, parts, core).catch(async (error: unknown) => {
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

/**
 * Starts what the role names, and its traces; nothing runs on where one part cannot start.
 * @param core what Temporal Core counts; null where no worker runs
 */
export async function startRoles(role: Role, parts: Dependencies, core: ReadMetrics | null): Promise<Running> {
  const { config, log, owner } = parts;
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  return startAll(async (stops) => {
    const tracing = await startTracing({ endpoint, role, version: ownVersion(), instance: owner, log });
    stops.push(() => tracing.stop());
    const running = await startParts(role, parts, core);
    stops.push(() => running.stop());
    return running;
  });
}

async function startParts(role: Role, parts: Dependencies, core: ReadMetrics | null): Promise<Running> {
  const { config, ledgers, clock, log } = parts;
  await refuseOldSchema(ledgers.steering);
  if (config.PAYMENT_SERVICE_ENVIRONMENT === 'production') await refuseOwner(ledgers.steering);
  // A process that is started on a restored ledger says so at once; it sends nothing until that is accepted.
  await noticeRestore(ledgers.steering, { at: clock.now(), realAt: clock.realNow(), log });
  await prepareTemporal(parts);
  if (role !== 'api') await startHousekeeping(parts);
  const worker = role === 'api' ? null : await startWorker(parts);
  let [observation, api, events]: [Observation | null, RunningApi | null, Stoppable | null] = [null, null, null];
  let release: Stoppable | null = null;
  const stop = async () => {
    const requestsEnded = Promise.resolve(api?.stop());
    await Promise.race([requestsEnded, pause(REQUESTS_FIRST, undefined, { ref: false })]);
    const stopWorker = async () => {
      await release?.stop();
      await worker?.stop();
    };
    await Promise.all([requestsEnded, events?.stop(), stopWorker()]);
    // It is watched until all else has ended.
    await observation?.stop();
  };
  try {
    if (worker !== null && role === 'daemon') await makeOwnCurrent(parts, worker.buildId);
    observation = await observe(parts, { serves: role !== 'worker', worker, core });
    api = role === 'worker' ? null : await startApi(parts, observation);
    events = api === null ? null : startEvents(parts);
    release = worker === null ? null : watchRelease(parts, worker.buildId);
  } catch (error) {
    await stop();
    throw error;
  }
  tellStarted(parts, { api, worker, observation });
  return {
    apiUrl: api?.url ?? null,
    failed: worker?.failed ?? new Promise(() => undefined),
    async stop() {
      await stop();
      await parts.close();
    },
  };
}

interface Stoppable {
  stop(): Promise<void>;
}

interface Started {
  readonly api: RunningApi | null;
  readonly worker: RunningPart | null;
  readonly observation: Observation;
}

function tellStarted({ config, log }: Dependencies, { api, worker, observation }: Started): void {
  if (api !== null) log.info({ url: api.url }, `admin API on ${api.url}`);
  if (observation.url !== null) log.info({ url: observation.url }, `metrics on ${observation.url}/metrics`);
  if (worker === null) return;
  const { buildId, sizes } = worker;
  log.info({ taskQueue: config.TEMPORAL_TASK_QUEUE, buildId, ...sizes }, 'worker runs');
}

async function prepareTemporal({ config }: Dependencies): Promise<void> {
  await reaching(`Temporal cannot be reached at ${config.TEMPORAL_ADDRESS ?? ''}`, () =>
    withTemporal(config, ({ connection }) => registerSearchAttributes(connection, config.TEMPORAL_NAMESPACE)),
  );
}
