import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** What a process counts about itself, as Prometheus reads it. */
export interface Telemetry {
  readonly registry: Registry;
  /** One call to the payment service: by operation and outcome, with its real duration in ms. */
  readonly recordServiceCall: (call: { operation: string; outcome: string; ms: number }) => void;
}

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
  return {
    registry,
    recordServiceCall({ operation, outcome, ms }) {
      calls.inc({ operation, outcome });
      durations.observe({ operation }, ms / 1000);
    },
  };
}
