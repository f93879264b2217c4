import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import { createClock, type Clock } from '../clock';
import type { Config } from '../config';
import { createPool } from '../ledger';
import type { Logger } from '../log';
import { createPaymentService, type PaymentService } from '../payment-service';
import { createTelemetry, type Telemetry } from '../telemetry';

/** What every running part of the daemon shares in one process. */
export interface Parts {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly ledger: ReturnType<typeof createPool>;
  readonly service: PaymentService;
  readonly telemetry: Telemetry;
  /** Names this process in the ledger. */
  readonly owner: string;
  close(): Promise<void>;
}

const LEDGER_CONNECTIONS = 20;

/** @throws Error where a variable that {@link DAEMON_NEEDS} names is missing: the caller loads the configuration with them. */
export function openParts(config: Config, log: Logger): Parts {
  const clock = createClock(config.TEST_CLOCK ?? null);
  const telemetry = createTelemetry();
  const databaseUrl = needed(config.DATABASE_URL, 'DATABASE_URL');
  const ledger = createPool({ databaseUrl, max: LEDGER_CONNECTIONS, log });
  const service = createPaymentService({
    baseUrl: needed(config.PAYMENT_SERVICE_BASE_URL, 'PAYMENT_SERVICE_BASE_URL'),
    tokenUrl: config.PAYMENT_SERVICE_TOKEN_URL,
    clientId: needed(config.PAYMENT_SERVICE_CLIENT_ID, 'PAYMENT_SERVICE_CLIENT_ID'),
    clientSecret: needed(config.PAYMENT_SERVICE_CLIENT_SECRET, 'PAYMENT_SERVICE_CLIENT_SECRET'),
    apiKey: config.PAYMENT_SERVICE_API_KEY,
    timeoutMs: config.PAYMENT_SERVICE_TIMEOUT_MS,
    clock,
    logger: log,
    onCall: telemetry.recordServiceCall,
    onCircuit: telemetry.recordCircuit,
  });
  return {
    ...{ config, clock, log, ledger, service, telemetry },
    owner: `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`,
    async close() {
      await service.close();
      await ledger.end();
    },
  };
}

export function needed<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`${name} is needed here and not set`);
  return value;
}
