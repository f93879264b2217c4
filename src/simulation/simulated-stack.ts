import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { NO_COUNTING, NO_POLLING } from '../../activities';
import type { Clock } from '../clock';
import type { SubscriptionId } from '../domain/ids';
import { type Instant, SECOND } from '../domain/time';
import type { RetryPolicy } from '../domain/subscription/retries';
import { startTemporaryPostgres } from '../embedded/postgres/temporary';
import { startAll, type Stops } from '../embedded/server-life';
import { createPool, migrate, watchWrites } from '../ledger';
import type { Logger } from '../log';
import { createPaymentService } from '../payment-service';
import { type BreakableRule, createSandbox, type Sandbox } from '../sandbox';
import { endRuntime } from './quiet-runtime';
import { createSimulatedMessenger, type SimulatedMessenger } from './simulated-messenger';
import { notifySubscription, startSimulatedWorker } from './simulated-worker';
import { followSkippedTime, type SkippedTime } from './skipped-time';
import { startSkippingTemporal } from './skipping-temporal';

export interface SimulatedStackOptions {
  /** Business time at which the simulation begins. */
  readonly startAt: Instant;
  readonly retryPolicy: RetryPolicy;
  /** Hears of programs that are fetched: once, and for minutes. */
  readonly progress: Logger;
  readonly log: Logger;
  /** Rules that the payment service does not hold, on purpose. */
  readonly brokenRules?: readonly BreakableRule[];
}

/** Everything of ours as it is, on embedded PostgreSQL and skipped time, against the payment service's simulator. */
export interface SimulatedStack {
  readonly time: SkippedTime;
  readonly clock: Clock;
  readonly client: Client;
  readonly ledger: ReturnType<typeof createPool>;
  readonly sandbox: Sandbox;
  readonly messenger: SimulatedMessenger;
  readonly retryPolicy: RetryPolicy;
  stop(): Promise<void>;
}

/** Skipped, but the unknown is settled well inside a collection window. */
const SETTLE = 60 * SECOND;
const NOTICE_BACKOFF_SECONDS = [30, 600, 7200];
/** Real time, as are all requests. */
const REQUEST_TIMEOUT = 10 * SECOND;
/** No answer is held back here: what takes longer than a request may is a busy machine, and no silent service. */
const PATIENCE = 120 * SECOND;
const LEDGER_CONNECTIONS = 20;

/** Starts it all, or nothing. Temporal's runtime is the caller's to install, before. */
export async function openSimulatedStack(options: SimulatedStackOptions): Promise<SimulatedStack> {
  try {
    return await startAll((stops) => startParts(options, stops));
  } catch (error) {
    await endRuntime();
    throw error;
  }
}

async function startParts(options: SimulatedStackOptions, stops: Stops): Promise<Omit<SimulatedStack, 'stop'>> {
  const { log, startAt, brokenRules = [] } = options;
  const opening = [openLedger(log, stops), startSkippingTemporal(options, stops)] as const;
  // Where one fails, the other comes up first: what came up after all had been stopped would stay for ever.
  await Promise.allSettled(opening);
  const [ledger, env] = await Promise.all(opening);
  const time = await followSkippedTime(env, startAt);
  const { clock } = time;
  const credentials = { clientId: 'simulation', clientSecret: randomBytes(24).toString('base64url') };
  const sandbox = createSandbox({ ...credentials, clock, logger: log, bookingDelayMs: 0, brokenRules });
  stops.push(() => sandbox.close());
  const { url } = await sandbox.listen(0);
  const service = createPaymentService({
    ...credentials,
    clock,
    logger: log,
    baseUrl: url,
    timeoutMs: PATIENCE,
    // A real pause would be months here.
    circuit: { failuresInARow: Infinity, firstPauseMs: 1, lastPauseMs: 1 },
  });
  stops.push(() => service.close());
  const messenger = createSimulatedMessenger(clock);
  const settings = {
    settle: SETTLE,
    requestTimeout: REQUEST_TIMEOUT,
    noticeBackoff: NOTICE_BACKOFF_SECONDS,
    reconcileEveryDays: 1,
    owner: 'simulation',
  };
  // No daily work is done here, which alone would ask.
  const workflows = {
    isRunning: () => Promise.resolve(true),
    notify: (id: SubscriptionId, revision: number) => notifySubscription(env.client, id, revision),
  };
  // On skipped time nothing passes while an activity waits.
  const polling = NO_POLLING;
  const writes = watchWrites(ledger);
  const world = { service, notifier: messenger, clock, log, workflows, polling, counting: NO_COUNTING, settings };
  const deps = { ...world, ledger, steering: ledger, writes };
  const worker = await startSimulatedWorker(env, time, deps);
  stops.push(() => worker.stop());
  return { time, clock, client: env.client, ledger, sandbox, messenger, retryPolicy: options.retryPolicy };
}

async function openLedger(log: Logger, stops: Stops): Promise<ReturnType<typeof createPool>> {
  const server = await startTemporaryPostgres(log);
  stops.push(() => server.stop());
  await migrate({ databaseUrl: server.url });
  const pool = createPool({ databaseUrl: server.url, max: LEDGER_CONNECTIONS, log });
  stops.push(() => pool.end());
  return pool;
}
