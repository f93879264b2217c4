/** Findings from the configuration alone, without asking PostgreSQL or Temporal. */
import type { Config } from '../../config';
import { capOf } from '../../domain/hours-to-collect';
import { SECOND } from '../../domain/time';
import { type CollectingLimits, shareOut } from '../../ledger';
import type { Clock } from '../../platform/clock';

/**
 * Connections of a process beyond DATABASE_POOL_SIZE: for messages, idempotency keys, metrics, notifications of answers, and the
 * share of calls.
 */
const OTHER_CONNECTIONS = { messages: 4, leases: 1, metrics: 1, answers: 1, rate: 1 };

interface RoleConnections {
  readonly worker: number;
  readonly api: number;
  readonly daemon: number;
}

/** The maximum number of connections to PostgreSQL that a process of each role opens. */
export function connectionsOf({
  DATABASE_POOL_SIZE: size,
  PAYMENT_SERVICE_MAX_RPS: cap,
}: Pick<Config, 'DATABASE_POOL_SIZE' | 'PAYMENT_SERVICE_MAX_RPS'>): RoleConnections {
  const shared = OTHER_CONNECTIONS.messages + (cap === undefined ? 0 : OTHER_CONNECTIONS.rate);
  const served = OTHER_CONNECTIONS.leases + OTHER_CONNECTIONS.metrics + OTHER_CONNECTIONS.answers;
  const ofPools = (works: boolean, serves: boolean) => {
    const { collecting, steering, reading } = shareOut(size, { works, serves });
    return (works ? collecting : 0) + steering + (serves ? reading : 0);
  };
  return {
    worker: ofPools(true, false) + shared,
    api: ofPools(false, true) + shared + served,
    daemon: ofPools(true, true) + shared + served,
  };
}

/** What decides how long collecting a day's due dates may take. */
export function collectingLimits(
  config: Pick<Config, 'PAYMENT_SERVICE_MAX_RPS' | 'SPREAD_SECONDS'>,
  { setting }: Clock,
): CollectingLimits {
  const cap = capOf(config.PAYMENT_SERVICE_MAX_RPS, setting);
  return { cap, spread: config.SPREAD_SECONDS * SECOND };
}

/** A warning about uncapped calls; null if they are capped, or outside production. */
export function uncappedInProduction(
  config: Pick<Config, 'PAYMENT_SERVICE_ENVIRONMENT' | 'PAYMENT_SERVICE_MAX_RPS'>,
): string | null {
  if (config.PAYMENT_SERVICE_ENVIRONMENT !== 'production' || config.PAYMENT_SERVICE_MAX_RPS !== undefined) return null;
  return 'PAYMENT_SERVICE_MAX_RPS is not set: after an outage, everything that fell due meanwhile is sent within the same second';
}
