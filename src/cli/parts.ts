import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import { createClock, type Clock } from '../clock';
import type { Config } from '../config';
import { type Duties, type Ledgers, openLedgers, shareOut } from '../ledger';
import type { Logger } from '../log';
import { createCallRate, createPaymentService, type PaymentService } from '../payment-service';
import { createTelemetry, type Telemetry } from '../telemetry';
import { openRateLease, type RateLease } from './rate-lease';

/** What every running part of the daemon shares in one process. */
export interface Parts {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly ledgers: Ledgers;
  readonly service: PaymentService;
  readonly telemetry: Telemetry;
  /** The share of capped calls; null where they are not capped, or this process makes none. */
  readonly lease: RateLease | null;
  /** Names this process in the ledger. */
  readonly owner: string;
  close(): Promise<void>;
}

/** @throws Error where a variable that {@link DAEMON_NEEDS} names is missing: the caller loads the configuration with them. */
export function openParts(config: Config, log: Logger, duties: Duties): Parts {
  const clock = createClock(config.TEST_CLOCK ?? null);
  const telemetry = createTelemetry();
  const databaseUrl = needed(config.DATABASE_URL, 'DATABASE_URL');
  const ledgers = openLedgers({ databaseUrl, shares: shareOut(config.DATABASE_POOL_SIZE, duties), log });
  const callsPerSecond = config.PAYMENT_SERVICE_MAX_RPS;
  // The API alone asks the service for nothing but its token, for readiness.
  const lease =
    callsPerSecond === undefined || !duties.works ? null : openRateLease({ databaseUrl, callsPerSecond, log });
  const service = createPaymentService({
    baseUrl: needed(config.PAYMENT_SERVICE_BASE_URL, 'PAYMENT_SERVICE_BASE_URL'),
    tokenUrl: config.PAYMENT_SERVICE_TOKEN_URL,
    clientId: needed(config.PAYMENT_SERVICE_CLIENT_ID, 'PAYMENT_SERVICE_CLIENT_ID'),
    clientSecret: needed(config.PAYMENT_SERVICE_CLIENT_SECRET, 'PAYMENT_SERVICE_CLIENT_SECRET'),
    apiKey: config.PAYMENT_SERVICE_API_KEY,
    timeoutMs: config.PAYMENT_SERVICE_TIMEOUT_MS,
    clock,
    logger: log,
    ...(lease === null ? {} : { rate: createCallRate(lease) }),
    onCall: telemetry.recordServiceCall,
    onCircuit: telemetry.recordCircuit,
  });
  return {
    ...{ config, clock, log, ledgers, service, telemetry, lease },
    owner: `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`,
    async close() {
      service.stopWaiting();
      await service.close();
      await lease?.stop();
      await ledgers.close();
    },
  };
}

export function needed<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`${name} is needed here and not set`);
  return value;
}
