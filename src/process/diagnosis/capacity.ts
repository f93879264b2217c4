/** What follows from the configuration alone: neither PostgreSQL nor Temporal is asked. */
import type { Config } from '../../config';
import { shareOut } from '../../ledger';

/** Connections of a process besides those of DATABASE_POOL_SIZE: for messages, idempotency keys, metrics, and the share of calls. */
const BESIDE = { messages: 4, leases: 1, metrics: 1, rate: 1 };

interface RoleConnections {
  readonly worker: number;
  readonly api: number;
  readonly daemon: number;
}

/** Connections to PostgreSQL that a process of each role opens at most. */
export function connectionsOf({
  DATABASE_POOL_SIZE: size,
  PAYMENT_SERVICE_MAX_RPS: cap,
}: Pick<Config, 'DATABASE_POOL_SIZE' | 'PAYMENT_SERVICE_MAX_RPS'>): RoleConnections {
  const shared = BESIDE.messages + (cap === undefined ? 0 : BESIDE.rate);
  const served = BESIDE.leases + BESIDE.metrics;
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

/** In words, why calls that are not capped are a danger; null where they are capped, or where it is no production. */
export function uncappedInProduction(
  config: Pick<Config, 'PAYMENT_SERVICE_ENVIRONMENT' | 'PAYMENT_SERVICE_MAX_RPS'>,
): string | null {
  if (config.PAYMENT_SERVICE_ENVIRONMENT !== 'production' || config.PAYMENT_SERVICE_MAX_RPS !== undefined) return null;
  return 'PAYMENT_SERVICE_MAX_RPS is not set: after an outage everything that fell due meanwhile is sent in the same second';
}
