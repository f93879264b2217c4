import { randomBytes } from 'node:crypto';
import { createActivities, NO_COUNTING, NO_POLLING } from '../../activities';
import type { SubscriptionId } from '../domain/ids';
import { type Instant, SECOND } from '../domain/time';
import type { RetryPolicy } from '../domain/subscription/retries';
import { startTemporaryPostgres } from '../embedded/postgres/temporary';
import { startAll, type Stops } from '../embedded/server-life';
import { createPool, migrate, watchWrites } from '../ledger';
import type { Logger } from '../platform/log';
import { createPaymentService } from '../payment-service';
import { type BreakableRule, createSandbox, type Sandbox } from '../sandbox';
import { Conductor, deliveringFrom } from './conductor';
import { HandClock } from './hand-clock';
import { createSimulatedMessenger, type SimulatedMessenger } from './simulated-messenger';

export interface SimulatedStackOptions {
  /** Business time at which the simulation starts. */
  readonly startAt: Instant;
  readonly retryPolicy: RetryPolicy;
  readonly log: Logger;
  /** Rules that the payment service breaks on purpose. */
  readonly brokenRules?: readonly BreakableRule[];
}

/**
 * The worker's real activities on embedded PostgreSQL, against the payment service's simulator, run without Temporal on a clock
 * that jumps to the next event.
 */
export interface SimulatedStack {
  readonly clock: HandClock;
  readonly conductor: Conductor;
  readonly ledger: ReturnType<typeof createPool>;
  readonly sandbox: Sandbox;
  readonly messenger: SimulatedMessenger;
  readonly retryPolicy: RetryPolicy;
  stop(): Promise<void>;
}

/** Unknown outcomes are settled well within a collection window. */
const SETTLE = 60 * SECOND;
const NOTICE_BACKOFF_SECONDS = [30, 600, 7200];
/** The request time-out from which the activities derive their limits. Real ms. */
const REQUEST_TIMEOUT = 10 * SECOND;
/** The client's own time-out. No answer is withheld here: a slow request means a busy machine, not a silent service. */
const SERVICE_TIMEOUT = 120 * SECOND;
const LEDGER_CONNECTIONS = 20;

/** Starts everything, or nothing. */
export function openSimulatedStack(options: SimulatedStackOptions): Promise<SimulatedStack> {
  return startAll((stops) => startParts(options, stops));
}

async function startParts(options: SimulatedStackOptions, stops: Stops): Promise<Omit<SimulatedStack, 'stop'>> {
  const { log, startAt, retryPolicy, brokenRules = [] } = options;
  const ledger = await openLedger(log, stops);
  const clock = new HandClock(startAt);
  const credentials = { clientId: 'simulation', clientSecret: randomBytes(24).toString('base64url') };
  const sandbox = createSandbox({ ...credentials, clock, logger: log, bookingDelayMs: 0, brokenRules });
  stops.push(() => sandbox.close());
  const { url } = await sandbox.listen(0);
  const service = createPaymentService({
    ...credentials,
    clock,
    logger: log,
    baseUrl: url,
    timeoutMs: SERVICE_TIMEOUT,
    // Months of simulated time may pass during a real pause of the circuit.
    circuit: { failuresInARow: Infinity, firstWaitMs: 1, lastWaitMs: 1 },
  });
  stops.push(() => service.close());
  const messenger = createSimulatedMessenger(clock);
  const settings = {
    settle: SETTLE,
    requestTimeout: REQUEST_TIMEOUT,
    reconcileEveryDays: 1,
    owner: 'simulation',
  };
  const workflows = {
    isRunning: async (workflowId: string) => conductor.isWorkflowRunning(workflowId),
    notify: async (id: SubscriptionId, revision: number) => conductor.changed(id, revision),
  };
  // Time passes only between activities, so a wait within an activity would not end.
  const polling = NO_POLLING;
  const writes = watchWrites(ledger);
  const world = { service, clock, log, workflows, polling, counting: NO_COUNTING, settings };
  const activities = createActivities({ ...world, ledger, steering: ledger, writes });
  const outbox = {
    db: ledger,
    notifier: messenger,
    noticeBackoff: NOTICE_BACKOFF_SECONDS,
    paymentPage: null,
    clock,
    logger: log,
  };
  const conductor = new Conductor(clock, activities, deliveringFrom(outbox));
  return { clock, conductor, ledger, sandbox, messenger, retryPolicy };
}

async function openLedger(log: Logger, stops: Stops): Promise<ReturnType<typeof createPool>> {
  const server = await startTemporaryPostgres(log);
  stops.push(() => server.stop());
  await migrate({ databaseUrl: server.url });
  const pool = createPool({ databaseUrl: server.url, max: LEDGER_CONNECTIONS, log });
  stops.push(() => pool.end());
  return pool;
}
