import type { Registry } from 'prom-client';
import type { Clock } from '../clock';
import type { Pool } from '../ledger';
import type { Logger } from '../log';
import type { Check } from './schemas/readiness';
import type { Policy } from './creation-rules';
import type { PaymentGateway } from './payment-gateway';
import type { ReconciliationGateway } from './reconciliation-gateway';
import type { RefundGateway } from './refund-gateway';
import type { SubscriptionGateway } from './subscription-gateway';

/** Rejects where what it asks is not there. Its words go to the log, not to the caller. */
export interface Probe {
  readonly name: string;
  check(): Promise<void>;
  /** It is shown and not needed: people reach what stops sending without it. */
  readonly beside?: boolean;
  /** The circuit breaker before it, where it has one. */
  readonly circuit?: () => Check['circuit'];
}

/** Handed in by whoever composes the program. */
export interface AdminDeps {
  /** Connections for callers, writes, and what is read before and after a write. */
  readonly db: Pool;
  /** For renewing leases, so that it never waits behind other work; `db` where none is given. */
  readonly leases?: Pool | undefined;
  /** For what is only read, by `readList` and `readReport`. */
  readonly reading: Pool;
  readonly subscriptions: SubscriptionGateway;
  readonly payments: PaymentGateway;
  readonly refunds: RefundGateway;
  readonly reconciliation: ReconciliationGateway;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly probes: readonly Probe[];
  readonly registry: Registry;
  /** An admin key to begin with, named `bootstrap`. */
  readonly bootstrapKey?: string | undefined;
  readonly policy: Policy;
  readonly limits?: Partial<Limits> | undefined;
  /** Shown in the API's description; `dueday`'s own version. */
  readonly version?: string | undefined;
}

export interface Limits {
  /** Requests of one key in a minute. */
  readonly requestsPerMinute: number;
  /** Failed authentications of one address in a minute. */
  readonly failedKeysPerMinute: number;
  /** Ms that a readiness probe may take. */
  readonly probeTimeoutMs: number;
  /** Ms that one may take which is only shown: less than whoever asks for readiness is ready to wait. */
  readonly besideTimeoutMs: number;
}

/** Generous: the limit is there for a program that runs wild, not for a busy one. */
export const DEFAULT_LIMITS: Limits = {
  requestsPerMinute: 12_000,
  failedKeysPerMinute: 60,
  probeTimeoutMs: 5_000,
  besideTimeoutMs: 1_000,
};
