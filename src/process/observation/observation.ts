import type { FastifyInstance } from 'fastify';
import { countedMetrics, createObserver, type Probe, type ReadMetrics } from '../../admin';
import { type Config, type MetricsAddress, metricsAddress } from '../../config';
import { startAll, type Stops } from '../../embedded/server-life';
import { type LedgerWrites, ping } from '../../ledger';
import { type Logger, loggable } from '../../platform/log';
import { reaching } from '../command-error';
import type { Dependencies } from '../dependencies';
import { collectingLimits } from '../diagnosis/capacity';
import { LongPolls, watchPolls } from './long-polls';
import { refuseListeningEverywhere } from '../command';
import { connectTemporal } from '../temporal';
import type { RunningPart } from '../worker';

/** How a process is observed from outside. */
export interface Observation {
  readonly probes: readonly Probe[];
  /** Null if this observation has its own listener for `/metrics`. */
  readonly metricsOfApi: ReadMetrics | null;
  /** The address of its own listener, without a trailing slash; null if it has none. */
  readonly url: string | null;
  stop(): Promise<void>;
}

/** The parts of this process to show. */
export interface Observed {
  /** Whether the process has an admin API. */
  readonly serves: boolean;
  /** Null if the process runs no worker. */
  readonly worker: RunningPart | null;
  /** Temporal Core's metrics of this process's worker; null if there is no worker. */
  readonly core: ReadMetrics | null;
}

/** Listens at the configured address, unless that is the admin API's. The admin API, if there is one, shows the same probes. */
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

/** A free port may be taken a moment later: only binding it is conclusive. Exported for tests. */
export async function listen(
  create: () => FastifyInstance,
  { host, port, mayMove }: MetricsAddress,
  log: Logger,
): Promise<Listening> {
  for (let tried = 0; ; tried += 1) {
    const app = create();
    try {
      const where = `the metrics cannot listen on ${host}:${port + tried} (METRICS_HOST, METRICS_PORT)`;
      const url = await reaching(where, () => app.listen({ host, port: port + tried }));
      if (tried > 0)
        log.warn({ url }, `port ${port} is taken: metrics are on ${url}; set METRICS_PORT if they are scraped`);
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

/** If PostgreSQL cannot be reached at all, only the `postgresql` probe reports it. */
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

/** Optional: without it, lists and reports do not work, but collecting and halting do. */
function replicaProbe({ replica }: Dependencies['ledgers']): readonly Probe[] {
  return replica === null ? [] : [{ name: 'postgresql_replica', isOptional: true, check: () => ping(replica) }];
}

/** Null if there is no worker, or if Core's metrics are not available. */
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
        if (unanswered.length > 0) throw new Error(`polls not answered: ${unanswered.join(', ')}`);
      },
    },
  ];
}

function serviceProbe({ service }: Dependencies): Probe {
  return {
    name: 'payment_service',
    isOptional: true,
    circuit: () => service.circuitState(),
    async check() {
      const access = await service.checkAccess();
      if (access.kind !== 'accepted') throw new Error('no access token was issued');
    },
  };
}

type Counted = Pick<Dependencies, 'ledgers' | 'clock' | 'log' | 'telemetry'> & { readonly config?: Config };

/**
 * Only processes with an admin API count the whole ledger: every worker would repeat the same counts. The counts have their own
 * connection, so that busy readers cannot block them: alerts depend on them.
 */
export function ownMetrics({ config, ledgers, clock, log, telemetry }: Counted, serves: boolean): ReadMetrics {
  const { registry } = telemetry;
  if (!serves) return () => registry.metrics();
  const collecting = config === undefined ? undefined : collectingLimits(config, clock);
  return countedMetrics({ reading: ledgers.counting, clock, logger: log, registry, collecting });
}

/** Joins dueday's and Temporal Core's metrics into one page; Core's are left out if they cannot be read. */
function joinMetrics(own: ReadMetrics, core: ReadMetrics | null, log: Logger): ReadMetrics {
  if (core === null) return own;
  const coreOrNothing = () =>
    core().catch((error: unknown) => {
      log.warn({ err: loggable(error) }, "Temporal Core's metrics could not be read");
      return '';
    });
  return async () => (await Promise.all([own(), coreOrNothing()])).join('\n');
}
