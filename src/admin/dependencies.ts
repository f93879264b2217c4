import type { Registry } from 'prom-client';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { ReconciliationGateway } from '../gateway';
import type { JobDeps } from '../jobs/repeated-work';
import type { Pool } from '../ledger';

/** Rejects where what it asks is not there. Its words go to the log, not to the caller. */
export interface Probe {
  readonly name: string;
  check(): Promise<void>;
  /** It is shown and not needed: people reach what stops sending without it. */
  readonly beside?: boolean;
  /** The circuit breaker before it, where it has one. */
  readonly circuit?: () => 'closed' | 'open' | 'half_open';
}

/** Handed in by whoever composes the program. `db`: for callers, writes, and what is read before and after a write. */
export interface AdminDeps extends JobDeps {
  /** For renewing leases, so that it never waits behind other work; `db` where none is given. */
  readonly leases?: Pool | undefined;
  /** For what is only read, by `readList` and `readReport`. */
  readonly reading: Pool;
  readonly reconciliation: ReconciliationGateway;
  readonly probes: readonly Probe[];
  readonly registry: Registry;
  /** An admin key to begin with, named `bootstrap`. */
  readonly bootstrapKey?: string | undefined;
  readonly policy: Policy;
  readonly limits?: Partial<Limits> | undefined;
  /** Shown in the API's description; `dueday`'s own version. */
  readonly version?: string | undefined;
}

/** What the deployment allows. */
export interface Policy {
  readonly environment: 'sandbox' | 'production';
  /** Production takes subscriptions only once the service has released them. */
  readonly subscriptionsReleased: boolean;
  readonly merchantCategoryCode?: string;
  /** Whether timeToCapture may be above 604800 (rule 26). */
  readonly longCapturePermitted: boolean;
  /** Whether Event Dependent payments may be refunded (rule 27). */
  readonly eventDependentRefunds: boolean;
  /** Ms before a limit of the service from which on nothing is sent any more: it judges on arrival. */
  readonly transit: number;
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

/** An app whose handlers get the types that their zod schemas give. */
export type TypedApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;
