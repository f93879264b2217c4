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

/** The share that this process has of the capped calls. */
export interface RateLease extends CallShare {
  /** Begins to share: a newcomer has to wait until all others have seen it. */
  join(): void;
  stop(): Promise<void>;
}

interface RateLeaseOptions extends DatabaseAddress {
  /** Calls a second, of all processes together. */
  readonly callsPerSecond: number;
  /** Real ms without a call after which the share is left to the others; kept for good if left out. */
  readonly idleMs?: number;
  readonly log: Logger;
}

/** What was seen last. `validUntil` is by this process's monotonic clock, counted from before PostgreSQL was asked. */
interface Seen {
  readonly leases: readonly Lease[];
  readonly isRestored: boolean;
  readonly validUntil: number;
}

/**
 * How far PostgreSQL's clock is ahead of the monotonic one, as one answer shows it; half of `within` off at the most.
 */
interface Offset {
  readonly ms: number;
  readonly within: number;
}

/** A look that takes longer shows the clock too inexactly to call by it. */
const LONGEST_LOOK = 100;
/** Looks of which the one that was answered most quickly gives the offset. */
const OFFSETS_KEPT = 8;

/**
 * A process that calls nobody for so long leaves its share of the calls to others: an API that imports nothing, and any while a
 * restored ledger sends nothing. Real ms.
 */
const IDLE = 15 * SECOND;

/** Shares from the first call that is wanted, or from {@link RateLease.join}, until it is stopped. */
export function openRateLease({ callsPerSecond, idleMs = Infinity, log, ...address }: RateLeaseOptions): RateLease {
  const permits = permitsOf(callsPerSecond);
  const limits = { statementTimeoutMs: 2 * SECOND, patienceMs: 2 * SECOND, answerMs: 2 * SECOND };
  // A connection of its own: calls must not stop because others keep all of a pool's busy.
  const db = createPool({ ...address, purpose: 'rate', max: 1, ...limits, log });
  const stopping = new AbortController();
  let id = randomUUID() as string;
  let seen: Seen = { leases: [], isRestored: false, validUntil: -Infinity };
  let offsets: readonly Offset[] = [];
  let renewing: Promise<void> | null = null;
  let wantedAt = -Infinity;
  let lookedUp: { readonly seen: Seen | null; readonly own: OwnPermits } = {
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
    const asked = performance.now();
    const { at, leases, isRestored } = await readRateLeases(db);
    const answered = performance.now();
    offsets = [...offsets.slice(1 - OFFSETS_KEPT), { ms: at - (asked + answered) / 2, within: answered - asked }];
    seen = { leases, isRestored, validUntil: asked + VALID_FOR };
  }

  async function keepRenewing(): Promise<void> {
    // While nothing is sent, the comparison after a restore has the shares of all who call nobody.
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
      if (offset().within > LONGEST_LOOK) return null;
      const at = now();
      if (at >= seen.validUntil + offset().ms) return null;
      if (lookedUp.seen !== seen || at >= lookedUp.own.until) {
        lookedUp = { seen, own: ownPermits(permits, seen.leases, id, at) };
      }
      return lookedUp.own;
    },
    async stop() {
      stopping.abort();
      await renewing;
      await db.end();
    },
  };
}

/** What every running part of the daemon shares in one process. */
export interface Dependencies {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly ledgers: Ledgers;
  /** Whether the ledger can be written. */
  readonly writes: LedgerWrites;
  readonly service: PaymentService;
  /** The service as imports ask it. */
  readonly imports: PaymentService;
  readonly telemetry: Telemetry;
  /** The share of capped calls; null where they are not capped, or this process makes none but for imports. */
  readonly lease: RateLease | null;
  /** Names this process in the ledger. */
  readonly owner: string;
  close(): Promise<void>;
}

/** Where the payment service is, and what opens it. @throws Error where a variable that it needs is missing. */
export function serviceAccess(config: Config) {
  return {
    baseUrl: needed(config.PAYMENT_SERVICE_BASE_URL, 'PAYMENT_SERVICE_BASE_URL'),
    tokenUrl: config.PAYMENT_SERVICE_TOKEN_URL,
    clientId: needed(config.PAYMENT_SERVICE_CLIENT_ID, 'PAYMENT_SERVICE_CLIENT_ID'),
    clientSecret: needed(config.PAYMENT_SERVICE_CLIENT_SECRET, 'PAYMENT_SERVICE_CLIENT_SECRET'),
    apiKey: config.PAYMENT_SERVICE_API_KEY,
  };
}

/** @throws Error where a variable that {@link DAEMON_NEEDS} names is missing: the caller loads the configuration with them. */
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
  // The API alone asks the service for nothing but its token, for readiness, and for the mandates of an import.
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
