import { setTimeout as pause } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What a process counts about itself, as Prometheus reads it. */
export interface Telemetry {
  readonly registry: Registry;
  /** One call to the payment service: by operation and outcome, with its real duration in ms. */
  readonly recordServiceCall: (call: { operation: string; outcome: string; ms: number }) => void;
  /** One POST of an attempt that was not refused unread: business ms after the instant it was planned for. */
  readonly recordLateness: (ms: number) => void;
  /** One step that an attempt was recorded to make: `pending`, `successful`, `rejected`, … */
  readonly recordAttempt: (outcome: string) => void;
  /** One message of Temporal that was refused, by what it was for: its payload is unreadable, or was made for something else. */
  readonly recordRefusal: (kind: string) => void;
  /** Shows how long ago a poll of each task queue was last answered, in real seconds; it is asked each time that metrics are read. */
  readonly showPolls: (ages: () => ReadonlyMap<string, number>) => void;
  /** Whether calls to the payment service are let through. */
  readonly recordCircuit: (state: 'closed' | 'open' | 'half_open') => void;
}

const CIRCUIT_STATES = ['closed', 'open', 'half_open'] as const;
const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Business seconds, up to the length of a collection window. */
const LATENESS = [1, 5, 15, 60, 300, 900, 3600, 14_400, 43_200, 86_400, 172_800, 259_200, 345_600, 432_000];

/** How connections are used at this moment, as a pool of `pg` tells it. */
interface PoolUse {
  readonly totalCount: number;
  readonly idleCount: number;
  /** How many wait for one. */
  readonly waitingCount: number;
  readonly options: { readonly max: number };
}

/** Of the ledger: {@link check} makes a write, {@link sinceCommit} says how many seconds ago one was taken. */
export interface WatchedWrites {
  check(): Promise<void>;
  sinceCommit(): number;
}

/**
 * @param pools of this process, by what they are for; read anew each time that the metrics are
 * @param writes left out where no ledger is written
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
    help: '1 for the state that the circuit breaker before the payment service is in',
    labelNames: ['state'],
    registers: [registry],
  });
  const lateness = new Histogram({
    name: 'dueday_attempt_lateness_seconds',
    help: 'Business time from the instant that an attempt was planned for to its POST',
    buckets: LATENESS,
    registers: [registry],
  });
  const attempts = new Counter({
    name: 'dueday_attempts_total',
    help: 'Steps that attempts were recorded to make, by what became of them',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'dueday_refused_messages_total',
    help: 'Messages of Temporal whose payload was refused, by what they were for',
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
    help: 'Seconds since Temporal last answered a poll of the worker, by task queue',
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

/** Whoever scrapes is not kept waiting for a silent server. Real ms. */
const WRITE_PATIENCE = 2_000;

function measureWrites(registry: Registry, writes: WatchedWrites | undefined): void {
  new Gauge({
    name: 'dueday_ledger_last_commit_seconds',
    help: 'Seconds since a write to the ledger was last committed; each reading makes one',
    registers: [registry],
    async collect() {
      if (writes === undefined) return;
      // What refuses the write is told by the figure.
      await Promise.race([writes.check(), pause(WRITE_PATIENCE, undefined, { ref: false })]).catch(() => undefined);
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
  gauge('connections', 'Connections that are open', ({ totalCount }) => totalCount);
  gauge('connections_used', 'Connections in use', ({ totalCount, idleCount }) => totalCount - idleCount);
  gauge('connections_max', 'Connections at most', ({ options }) => options.max);
  gauge('connections_wanted', 'How many wait for a connection', ({ waitingCount }) => waitingCount);
}
