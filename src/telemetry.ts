import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What a process counts about itself, as Prometheus reads it. */
export interface Telemetry {
  readonly registry: Registry;
  /** One call to the payment service: by operation and outcome, with its real duration in ms. */
  readonly recordServiceCall: (call: { operation: string; outcome: string; ms: number }) => void;
  /** Whether calls to the payment service are let through. */
  readonly recordCircuit: (state: 'closed' | 'open' | 'half_open') => void;
}

const CIRCUIT_STATES = ['closed', 'open', 'half_open'] as const;
const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createTelemetry(): Telemetry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'dueday_' });
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
  const recordCircuit = (now: (typeof CIRCUIT_STATES)[number]) =>
    CIRCUIT_STATES.forEach((state) => circuit.set({ state }, state === now ? 1 : 0));
  recordCircuit('closed');
  return {
    registry,
    recordCircuit,
    recordServiceCall({ operation, outcome, ms }) {
      calls.inc({ operation, outcome });
      durations.observe({ operation }, ms / 1000);
    },
  };
}
