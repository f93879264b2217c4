import { setTimeout as pause } from 'node:timers/promises';
import type { ReadMetrics } from '../admin';
import type { Config } from '../config';
import { MINUTE } from '../domain/time';
import { startAll, stopEach } from '../embedded/server-life';
import { logged, repeat, type Repeated } from '../jobs/repeated-work';
import { noticeRestore } from '../ledger';
import { createLogger } from '../platform/log';
import { startTracing } from '../platform/tracing';
import { type RunningApi, startApi } from './api';
import { refuseOldSchema, refuseOwner, untilSignal } from './command';
import { reaching } from './command-error';
import { openDependencies, type Dependencies } from './dependencies';
import { startMessages } from './messages';
import { acceptOwnTemporal, refuseOtherNamespace, registerOwnSettings, watchSettings } from './installation';
import { observe, type Observation } from './observation/observation';
import { registerSearchAttributes, withTemporal } from './temporal';
import { ownVersion } from './version';
import { promoteOwn, watchRelease } from './versions/release';
import { endRuntime, startHousekeeping, installRuntime, type RunningPart, startWorker } from './worker';

export type Role = 'daemon' | 'worker' | 'api';

/** Real ms that stopping may take beyond the time-out of a call to the service: a POST in flight ends first. */
const STOP_MARGIN = 30_000;
/** Requests in progress may need the worker: it keeps running for them for at most this long, then both drain. Real ms. */
const REQUESTS_FIRST = 5_000;

/** Runs the worker, the admin API, or both, until a signal; then drains the work in progress. */
export async function runDaemon(role: Role, config: Config): Promise<void> {
  const log = createLogger(config.LOG_LEVEL, { pretty: process.stdout.isTTY });
  const core = role === 'api' ? null : await installRuntime(log);
  const parts = openDependencies(config, log, { works: role !== 'api', serves: role !== 'worker' });
  const stopping = new AbortController();
  const starting = startRoles(role, parts, core, { stopping: stopping.signal }).catch(async (error: unknown) => {
    await parts.close();
    if (core !== null) await endRuntime();
    throw error;
  });
  const stop = async () => {
    const reason = new Error('a signal to stop arrived');
    stopping.abort(reason);
    const running = await starting.catch((error: unknown) => {
      if (error !== reason) throw error;
      return null;
    });
    await running?.stop();
  };
  // Signals are also handled during the start: the worker takes tasks before the rest is up.
  const failed = starting.then((running) => running.failed);
  await untilSignal(log, stop, failed, config.PAYMENT_SERVICE_TIMEOUT_MS + STOP_MARGIN);
}

export interface Running {
  /** The address of the admin API; null if it does not run here. */
  readonly apiUrl: string | null;
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

/** How a start differs from that of a daemon with existing servers. */
export interface StartOptions {
  /** Aborts the start, which then fails with its reason once everything started has stopped. */
  readonly stopping?: AbortSignal;
  /** Temporal was started for this run: its namespace is accepted, whichever one the ledger knows. */
  readonly ownsTemporal?: boolean;
}

/**
 * Starts the parts of the role, and tracing; if one part cannot start, all are stopped.
 * @param core Temporal Core's metrics; null if no worker runs
 */
export async function startRoles(
  role: Role,
  parts: Dependencies,
  core: ReadMetrics | null,
  how: StartOptions = {},
): Promise<Running> {
  const { config, log, owner } = parts;
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  return startAll(async (stops) => {
    const tracing = await startTracing({ endpoint, role, version: ownVersion(), instance: owner, log });
    stops.push(() => tracing.stop());
    const running = await startParts(role, parts, core, how);
    stops.push(() => running.stop());
    return running;
  });
}

async function startParts(
  role: Role,
  parts: Dependencies,
  core: ReadMetrics | null,
  how: StartOptions = {},
): Promise<Running> {
  const { config, ledgers, clock, log } = parts;
  const { stopping, ownsTemporal = false } = how;
  await refuseOldSchema(ledgers.steering);
  if (config.PAYMENT_SERVICE_ENVIRONMENT === 'production') await refuseOwner(ledgers.steering);
  await registerOwnSettings(parts);
  // A process on a restored ledger reports that at once, and sends nothing until the ledger is accepted.
  await noticeRestore(ledgers.steering, { at: clock.now(), realAt: clock.realNow(), log });
  if (ownsTemporal) await acceptOwnTemporal(parts);
  await prepareTemporal(parts);
  if (role !== 'api') await startHousekeeping(parts);
  // If a signal has arrived meanwhile, the worker is not started.
  stopping?.throwIfAborted();
  const worker = role === 'api' ? null : await startWorker(parts);
  let [observation, api, messages]: [Observation | null, RunningApi | null, Stoppable | null] = [null, null, null];
  let watching: readonly Repeated[] = [];
  let refuse = (_reason: string): void => undefined;
  const refused = new Promise<string>((resolve) => {
    refuse = resolve;
  });
  const stop = () => {
    const requestsEnded = Promise.resolve(api?.stop());
    const stopWatching = () => Promise.all(watching.map((each) => each.stop()));
    const stopWorker = () => stopEach([stopWatching, async () => worker?.stop()]);
    return stopEach([
      () => Promise.race([requestsEnded, pause(REQUESTS_FIRST, undefined, { ref: false })]),
      async () => {
        const ending = [requestsEnded, Promise.resolve(messages?.stop()), stopWorker()];
        await Promise.allSettled(ending);
        await Promise.all(ending);
      },
      // Metrics and probes stay available until everything else has ended.
      async () => observation?.stop(),
    ]);
  };
  try {
    if (worker !== null && role === 'daemon') await promoteOwn(parts, worker.buildId, stopping);
    observation = await observe(parts, { serves: role !== 'worker', worker, core });
    api = role === 'worker' ? null : await startApi(parts, observation);
    const delivers = { notices: worker !== null, events: api !== null };
    const notify = api?.notify ?? worker?.notify;
    messages = notify === undefined ? null : startMessages(parts, delivers, notify);
    watching = [
      watchSettings(parts, (reason) => refuse(reason)),
      ...(worker === null ? [] : [watchRelease(parts, worker.buildId), watchHousekeeping(parts)]),
    ];
  } catch (error) {
    await stop();
    throw error;
  }
  logStarted(parts, { api, worker, observation });
  return {
    apiUrl: api?.url ?? null,
    failed: Promise.race([refused, ...(worker === null ? [] : [worker.failed])]),
    stop: () => stopEach([stop, () => parts.close()]),
  };
}

interface Stoppable {
  stop(): Promise<void>;
}

/** Real ms within which daily work that was terminated or lost is restarted. */
const RESTARTED_EVERY = 5 * MINUTE;

/**
 * Restarts the daily work every few minutes, which has no effect while it runs. The first time nothing is done, as the process has
 * just started it.
 */
export function watchHousekeeping(parts: Dependencies): Repeated {
  let hasJustStarted = true;
  return repeat(
    RESTARTED_EVERY,
    logged(parts.log, 'the daily work could not be restarted', async () => {
      if (!hasJustStarted) await startHousekeeping(parts);
      hasJustStarted = false;
    }),
  );
}

interface Started {
  readonly api: RunningApi | null;
  readonly worker: RunningPart | null;
  readonly observation: Observation;
}

function logStarted({ config, log }: Dependencies, { api, worker, observation }: Started): void {
  if (api !== null) log.info({ url: api.url }, `admin API on ${api.url}`);
  const url = observation.url ?? api?.url;
  log.info({ url }, `metrics on ${url}/metrics`);
  if (worker === null) return;
  const { buildId, sizes } = worker;
  log.info({ taskQueue: config.TEMPORAL_TASK_QUEUE, buildId, ...sizes }, 'worker started');
}

async function prepareTemporal(parts: Dependencies): Promise<void> {
  const { config } = parts;
  await reaching(`Temporal cannot be reached at ${config.TEMPORAL_ADDRESS ?? ''}`, () =>
    withTemporal(config, async (temporal) => {
      await refuseOtherNamespace(parts, temporal);
      await registerSearchAttributes(temporal.connection, config.TEMPORAL_NAMESPACE);
    }),
  );
}
