import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { hostname } from 'node:os';
import { createClock, type Clock } from '../platform/clock';
import { type Config, databaseOf, needed } from '../config';
import { type Lease, type OwnPermits, ownPermits, permitsOf, RENEW_EVERY, VALID_FOR } from '../domain/call-permits';
import { SECOND } from '../domain/time';
import {
  createPool,
  type DatabaseAddress,
  readRateLeases,
  renewRateLease,
  takeRateLease,
  type Duties,
  type Ledgers,
  type LedgerWrites,
  openLedgers,
  shareOut,
  watchWrites,
} from '../ledger';
import { type Logger, loggable } from '../platform/log';
import { type CallShare, createCallRate, createPaymentService, type PaymentService } from '../payment-service';
import { createTelemetry, type Telemetry } from '../platform/metrics';

/** This process's share of the capped calls. */
export interface RateLease extends CallShare {
  /** Starts sharing. A new process must wait until all others have seen its lease. */
  join(): void;
  stop(): Promise<void>;
}

interface RateLeaseOptions extends DatabaseAddress {
  /** Calls per second of all processes together. */
  readonly callsPerSecond: number;
  /** Real ms without a wanted call after which the share goes to the other processes; never if left out. */
  readonly idleMs?: number;
  readonly log: Logger;
}

/** The last reading. `validUntil` is on this process's monotonic clock, counted from before the query. */
interface Reading {
  readonly leases: readonly Lease[];
  readonly isRestored: boolean;
  readonly validUntil: number;
}

/**
 * How far PostgreSQL's clock is ahead of the monotonic one, as measured by one query; the error is at most half of `within`.
 */
interface Offset {
  readonly ms: number;
  readonly within: number;
}

/** A query that takes longer measures the clock too imprecisely. */
const MAX_QUERY_TIME = 100;
/** Number of measurements kept; the fastest one gives the offset. */
const OFFSETS_KEPT = 8;

/**
 * A process that makes no calls for this long leaves its share to others: an API that imports nothing, and any process while a
 * restored ledger sends nothing. Real ms.
 */
const IDLE = 15 * SECOND;

/** Holds a share from the first wanted call, or from {@link RateLease.join}, until it is stopped, or idle for too long. */
export function openRateLease({ callsPerSecond, idleMs = Infinity, log, ...address }: RateLeaseOptions): RateLease {
  const permits = permitsOf(callsPerSecond);
  const limits = { timeoutMs: 2 * SECOND, answerMs: 2 * SECOND };
  // Its own connection: calls must not stop because other work keeps a pool busy.
  const db = createPool({ ...address, purpose: 'rate', max: 1, ...limits, log });
  const stopping = new AbortController();
  let id = randomUUID() as string;
  let seen: Reading = { leases: [], isRestored: false, validUntil: -Infinity };
  let offsets: readonly Offset[] = [];
  let renewing: Promise<void> | null = null;
  let wantedAt = -Infinity;
  let computed: { readonly seen: Reading | null; readonly own: OwnPermits } = {
    seen: null,
    own: { permits: [], until: 0 },
  };

  const offset = () =>
    offsets.reduce((best, each) => (each.within < best.within ? each : best), { ms: 0, within: Infinity });
  const now = () => performance.now() + offset().ms;

  async function renew(): Promise<void> {
    if (!(await renewRateLease(db, id))) {
      id = randomUUID();
      await takeRateLease(db, id);
    }
    const askedAt = performance.now();
    const { at, leases, isRestored } = await readRateLeases(db);
    const answeredAt = performance.now();
    offsets = [
      ...offsets.slice(1 - OFFSETS_KEPT),
      { ms: at - (askedAt + answeredAt) / 2, within: answeredAt - askedAt },
    ];
    seen = { leases, isRestored, validUntil: askedAt + VALID_FOR };
  }

  async function keepRenewing(): Promise<void> {
    // While nothing is sent, the comparison after a restore gets the shares of all idle processes.
    const leavesAfter = () => (seen.isRestored ? Math.min(idleMs, IDLE) : idleMs);
    while (!stopping.signal.aborted && performance.now() - wantedAt < leavesAfter()) {
      await renew().catch((error: unknown) =>
        log.warn({ err: loggable(error) }, 'the share of calls could not be renewed'),
      );
      await pause(RENEW_EVERY, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    renewing = null;
  }

  const join = () => {
    wantedAt = performance.now();
    if (!stopping.signal.aborted) renewing ??= keepRenewing();
  };

  return {
    interval: permits.interval,
    join,
    own() {
      join();
      if (offset().within > MAX_QUERY_TIME) return null;
      const at = now();
      if (at >= seen.validUntil + offset().ms) return null;
      if (computed.seen !== seen || at >= computed.own.until) {
        computed = { seen, own: ownPermits(permits, seen.leases, id, at) };
      }
      return computed.own;
    },
    async stop() {
      stopping.abort();
      await renewing;
      await db.end();
    },
  };
}

/** What all parts of the daemon in one process share. */
export interface Dependencies {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly ledgers: Ledgers;
  /** Whether the ledger can be written. */
  readonly writes: LedgerWrites;
  readonly service: PaymentService;
  /** The payment service as used by imports. */
  readonly imports: PaymentService;
  readonly telemetry: Telemetry;
  /** The share of capped calls; null if calls are not capped, or if this process makes calls only for imports. */
  readonly lease: RateLease | null;
  /** Identifies this process in the ledger. */
  readonly owner: string;
  close(): Promise<void>;
}

/** Address and credentials of the payment service. @throws Error if a required variable is missing. */
export function serviceAccess(config: Config) {
  return {
    baseUrl: needed(config.PAYMENT_SERVICE_BASE_URL, 'PAYMENT_SERVICE_BASE_URL'),
    tokenUrl: config.PAYMENT_SERVICE_TOKEN_URL,
    clientId: needed(config.PAYMENT_SERVICE_CLIENT_ID, 'PAYMENT_SERVICE_CLIENT_ID'),
    clientSecret: needed(config.PAYMENT_SERVICE_CLIENT_SECRET, 'PAYMENT_SERVICE_CLIENT_SECRET'),
    apiKey: config.PAYMENT_SERVICE_API_KEY,
  };
}

/** @throws Error if a variable in {@link DAEMON_NEEDS} is missing: the caller loads the configuration with them. */
export function openDependencies(config: Config, log: Logger, duties: Duties): Dependencies {
  const clock = createClock(config.TEST_CLOCK ?? null);
  const database = databaseOf(config);
  const shares = shareOut(config.DATABASE_POOL_SIZE, duties);
  const { DATABASE_REPLICA_URL: replicaUrl, DATABASE_PREPARED_STATEMENTS: keepsStatements } = config;
  const ledgers = openLedgers({ ...database, replicaUrl, shares, keepsStatements, log });
  const { collecting, steering, reading, replica } = ledgers;
  const writes = watchWrites(steering);
  const pools = { collecting, steering, reading, ...(replica === null ? {} : { replica }) };
  const telemetry = createTelemetry(pools, writes);
  const callsPerSecond = config.PAYMENT_SERVICE_MAX_RPS;
  // A lone API calls the service only to get a token, for its readiness probe, and to read imported mandates.
  const share = duties.works ? {} : { idleMs: IDLE };
  const lease = callsPerSecond === undefined ? null : openRateLease({ ...database, callsPerSecond, ...share, log });
  const connect = (rate: CallShare | null) =>
    createPaymentService({
      ...serviceAccess(config),
      timeoutMs: config.PAYMENT_SERVICE_TIMEOUT_MS,
      clock,
      logger: log,
      ...(rate === null ? {} : { rate: createCallRate(rate) }),
      onCall: telemetry.recordServiceCall,
      onCircuit: telemetry.recordCircuit,
    });
  const service = connect(duties.works ? lease : null);
  const imports = duties.works || lease === null ? service : connect(lease);
  return {
    config,
    clock,
    log,
    ledgers,
    writes,
    service,
    imports,
    telemetry,
    lease: duties.works ? lease : null,
    owner: `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`,
    async close() {
      for (const each of new Set([service, imports])) {
        each.stopWaiting();
        await each.close();
      }
      await lease?.stop();
      await ledgers.close();
    },
  };
}
