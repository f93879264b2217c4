import { setTimeout as pause } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** A process's own metrics, in Prometheus form. */
export interface Telemetry {
  readonly registry: Registry;
  /** One call to the payment service: by operation and outcome, with its real duration in ms. */
  readonly recordServiceCall: (call: { operation: string; outcome: string; ms: number }) => void;
  /** One POST of an attempt that was actually sent: business ms after its planned instant. */
  readonly recordLateness: (ms: number) => void;
  /** One recorded state of an attempt: `pending`, `successful`, `rejected`, … */
  readonly recordAttempt: (outcome: string) => void;
  /** One refused Temporal message, by kind: its payload is unreadable, or was created for another purpose. */
  readonly recordRefusal: (kind: string) => void;
  /** Shows how long ago a poll of each task queue was last answered, in real seconds; each scrape calls `ages`. */
  readonly showPolls: (ages: () => ReadonlyMap<string, number>) => void;
  /** The circuit breaker's state for calls to the payment service. */
  readonly recordCircuit: (state: 'closed' | 'open' | 'half_open') => void;
}

const CIRCUIT_STATES = ['closed', 'open', 'half_open'] as const;
const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Seconds of business time, up to the length of a collection window. */
const LATENESS = [1, 5, 15, 60, 300, 900, 3600, 14_400, 43_200, 86_400, 172_800, 259_200, 345_600, 432_000];

/** The current use of connections, as reported by a pool of `pg`. */
interface PoolUse {
  readonly totalCount: number;
  readonly idleCount: number;
  /** How many callers wait for one. */
  readonly waitingCount: number;
  readonly options: { readonly max: number };
}

/** Writes to the ledger: `check` makes one unless the last is recent, `sinceCommit` returns the seconds since the last commit. */
export interface WatchedWrites {
  check(): Promise<void>;
  sinceCommit(): number;
}

/**
 * @param pools the pools of this process by purpose; read on every scrape
 * @param writes left out if no ledger is written
 */
export function createTelemetry(pools: Readonly<Record<string, PoolUse>>, writes?: WatchedWrites): Telemetry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'dueday_' });
  measurePools(registry, pools);
  measureWrites(registry, writes);
  const calls = new Counter({
    name: 'dueday_payment_service_calls_total',
    help: 'Calls to the payment service by operation and outcome',
    labelNames: ['operation', 'outcome'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'dueday_payment_service_call_seconds',
    help: 'Duration of calls to the payment service by operation',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers: [registry],
  });
  const circuit = new Gauge({
    name: 'dueday_payment_service_circuit',
    help: "1 for the current state of the payment service's circuit breaker",
    labelNames: ['state'],
    registers: [registry],
  });
  const lateness = new Histogram({
    name: 'dueday_attempt_lateness_seconds',
    help: 'Business time from the planned instant of an attempt to its POST',
    buckets: LATENESS,
    registers: [registry],
  });
  const attempts = new Counter({
    name: 'dueday_attempts_total',
    help: 'Recorded states of attempts by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'dueday_refused_messages_total',
    help: 'Temporal messages with a refused payload by kind',
    labelNames: ['kind'],
    registers: [registry],
  });
  const recordCircuit = (now: (typeof CIRCUIT_STATES)[number]) =>
    CIRCUIT_STATES.forEach((state) => circuit.set({ state }, state === now ? 1 : 0));
  recordCircuit('closed');
  return {
    registry,
    recordCircuit,
    showPolls: measurePolls(registry),
    recordLateness: (ms) => lateness.observe(Math.max(0, ms) / 1000),
    recordRefusal: (kind) => refusals.inc({ kind }),
    recordAttempt: (outcome) => attempts.inc({ outcome }),
    recordServiceCall({ operation, outcome, ms }) {
      calls.inc({ operation, outcome });
      durations.observe({ operation }, ms / 1000);
    },
  };
}

function measurePolls(registry: Registry): Telemetry['showPolls'] {
  let shown: () => ReadonlyMap<string, number> = () => new Map();
  new Gauge({
    name: 'dueday_temporal_last_poll_seconds',
    help: "Seconds since Temporal last answered one of the worker's polls, by task queue",
    labelNames: ['task_queue'],
    registers: [registry],
    collect() {
      for (const [taskQueue, age] of shown()) this.set({ task_queue: taskQueue }, age);
    },
  });
  return (ages) => {
    shown = ages;
  };
}

/** A scrape does not wait longer for a silent server. Real ms. */
const WRITE_TIMEOUT = 2_000;

function measureWrites(registry: Registry, writes: WatchedWrites | undefined): void {
  new Gauge({
    name: 'dueday_ledger_last_commit_seconds',
    help: 'Seconds since the last committed write to the ledger; each scrape makes one',
    registers: [registry],
    async collect() {
      if (writes === undefined) return;
      // A failed write shows in the metric's value.
      await Promise.race([writes.check(), pause(WRITE_TIMEOUT, undefined, { ref: false })]).catch(() => undefined);
      this.set(writes.sinceCommit());
    },
  });
}

function measurePools(registry: Registry, pools: Readonly<Record<string, PoolUse>>): void {
  const gauge = (name: string, help: string, read: (use: PoolUse) => number) =>
    new Gauge({
      name: `dueday_database_${name}`,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const [pool, use] of Object.entries(pools)) this.set({ pool }, read(use));
      },
    });
  gauge('connections', 'Open connections', ({ totalCount }) => totalCount);
  gauge('connections_used', 'Connections in use', ({ totalCount, idleCount }) => totalCount - idleCount);
  gauge('connections_max', 'Maximum number of connections', ({ options }) => options.max);
  gauge('connections_wanted', 'Callers waiting for a connection', ({ waitingCount }) => waitingCount);
}
