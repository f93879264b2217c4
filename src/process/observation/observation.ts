import type { FastifyInstance } from 'fastify';
import { countedMetrics, createObserver, type Probe, type ReadMetrics } from '../../admin';
import { type MetricsAddress, metricsAddress } from '../../config';
import { startAll, type Stops } from '../../embedded/server-life';
import { type LedgerWrites, ping } from '../../ledger';
import { type Logger, loggable } from '../../platform/log';
import { reaching } from '../command-error';
import type { Dependencies } from '../dependencies';
import { LongPolls, watchPolls } from './long-polls';
import { refuseListeningEverywhere } from '../command';
import { connectTemporal } from '../temporal';
import type { RunningPart } from '../worker';

/** How a process is watched from outside. */
export interface Observation {
  readonly probes: readonly Probe[];
  /** Null where the admin API leaves `/metrics` to the listener of this one. */
  readonly metricsOfApi: ReadMetrics | null;
  /** Where its own listener is, without a closing slash; null where it has none. */
  readonly url: string | null;
  stop(): Promise<void>;
}

/** What of this process is to be shown. */
export interface Observed {
  /** Whether it has an admin API. */
  readonly serves: boolean;
  /** Null where it runs none. */
  readonly worker: RunningPart | null;
  /** What Temporal Core counts about this process's worker; null where it runs none. */
  readonly core: ReadMetrics | null;
}

/** Listens where the configuration says; the admin API, where there is one, shows the same probes. */
export async function observe(parts: Dependencies, observed: Observed): Promise<Observation> {
  const { config, ledgers, log } = parts;
  await refuseListeningEverywhere(config, ['METRICS_HOST']);
  const address = metricsAddress(observed.serves, config);
  return startAll(async (stops) => {
    const { connection } = await connectTemporal(config);
    stops.push(() => connection.close());
    const polls = watchOwnPolls(parts, observed, stops);
    const probes = [...ownProbes(parts, connection), ...workerProbes(observed, polls), serviceProbe(parts)];
    const metrics = joinMetrics(ownMetrics(parts, observed.serves), observed.core, log);
    const deps = { db: ledgers.steering, probes, metrics, logger: log };
    const listening = address === null ? null : await listen(() => createObserver(deps), address, log);
    stops.push(async () => listening?.app.close());
    return { probes, metricsOfApi: listening === null ? metrics : null, url: listening?.url ?? null };
  });
}

interface Listening {
  readonly app: FastifyInstance;
  readonly url: string;
}

const PORTS_TRIED = 100;

/** A port that was seen free may be taken a moment later: binding it is what tells. Exported for its cases alone. */
export async function listen(
  create: () => FastifyInstance,
  { host, port, mayMove }: MetricsAddress,
  log: Logger,
): Promise<Listening> {
  for (let tried = 0; ; tried += 1) {
    const app = create();
    try {
      const where = `the metrics cannot listen on ${host}:${port + tried}`;
      const url = await reaching(where, () => app.listen({ host, port: port + tried }));
      if (tried > 0)
        log.warn({ url }, `port ${port} is taken: metrics are on ${url}; set METRICS_PORT where they are scraped`);
      return { app, url };
    } catch (error) {
      await app.close();
      if (!mayMove || tried === PORTS_TRIED || !isTaken(error)) throw error;
    }
  }
}

function isTaken(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
}

type Temporal = Awaited<ReturnType<typeof connectTemporal>>['connection'];

function ownProbes({ config, ledgers, writes }: Dependencies, connection: Temporal): readonly Probe[] {
  const namespace = config.TEMPORAL_NAMESPACE;
  return [
    { name: 'postgresql', check: () => ping(ledgers.steering) },
    { name: 'postgresql_writes', check: () => checkWritable(ledgers.steering, writes) },
    ...replicaProbe(ledgers),
    {
      name: 'temporal',
      async check() {
        await connection.workflowService.describeNamespace({ namespace });
      },
    },
  ];
}

/** Where PostgreSQL cannot be reached at all, the probe of that name says so alone. */
async function checkWritable(db: Dependencies['ledgers']['steering'], writes: LedgerWrites): Promise<void> {
  try {
    await writes.check();
  } catch (error) {
    const isReachable = await ping(db).then(
      () => true,
      () => false,
    );
    if (isReachable) throw error;
  }
}

/** Shown beside: without it lists and reports are missing, and nothing that collects or stops. */
function replicaProbe({ replica }: Dependencies['ledgers']): readonly Probe[] {
  return replica === null ? [] : [{ name: 'postgresql_replica', beside: true, check: () => ping(replica) }];
}

/** Null where there is no worker, or where what Core counts cannot be had. */
function watchOwnPolls({ telemetry }: Dependencies, { worker, core }: Observed, stops: Stops): LongPolls | null {
  if (worker === null || core === null) return null;
  const polls = new LongPolls(worker.taskQueues);
  const watching = watchPolls(polls, core);
  stops.push(() => watching.stop());
  telemetry.showPolls(() => polls.ages());
  return polls;
}

function workerProbes({ worker }: Observed, polls: LongPolls | null): readonly Probe[] {
  if (worker === null) return [];
  return [
    {
      name: 'worker',
      async check() {
        const idle = worker.notPolling();
        if (idle.length > 0) throw new Error(`not polled: ${idle.join(', ')}`);
        const unanswered = polls?.unanswered() ?? [];
        if (unanswered.length > 0) throw new Error(`polls that are not answered: ${unanswered.join(', ')}`);
      },
    },
  ];
}

function serviceProbe({ service }: Dependencies): Probe {
  return {
    name: 'payment_service',
    beside: true,
    circuit: () => service.circuitState(),
    async check() {
      const access = await service.checkAccess();
      if (access.kind !== 'accepted') throw new Error('no token can be had');
    },
  };
}

type Counted = Pick<Dependencies, 'ledgers' | 'clock' | 'log' | 'telemetry'>;

/**
 * The whole ledger is counted by processes with an admin API alone: each worker would count the same again. Readers who
 * keep all of theirs busy take no connection from it: alerts stand on it.
 */
export function ownMetrics({ ledgers, clock, log, telemetry }: Counted, serves: boolean): ReadMetrics {
  const { registry } = telemetry;
  if (!serves) return () => registry.metrics();
  return countedMetrics({ reading: ledgers.counting, clock, logger: log, registry });
}

/** One page; what Temporal Core counts is left out where it cannot be read. */
function joinMetrics(own: ReadMetrics, core: ReadMetrics | null, log: Logger): ReadMetrics {
  if (core === null) return own;
  const coreOrNothing = () =>
    core().catch((error: unknown) => {
      log.warn({ err: loggable(error) }, "Temporal Core's metrics could not be read");
      return '';
    });
  return async () => (await Promise.all([own(), coreOrNothing()])).join('\n');
}
