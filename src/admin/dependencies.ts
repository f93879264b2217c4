import type { Registry } from 'prom-client';
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { FourEyes } from '../domain/approvals';
import { HOUR, MINUTE } from '../domain/time';
import type { RetryPolicy } from '../domain/subscription/retries';
import type { ReconciliationGateway } from '../temporal';
import type { JobDeps } from '../jobs/repeated-work';
import type { Pool, Role } from '../ledger';
import type { SecretBox } from '../platform/secret-box';
import { FAULT_ANSWERS } from './http/problems';
import type { PaymentService } from '../payment-service';
import type { NeededScope } from './http/caller';

/** Rejects where what it asks is not there. Its words go to the log, not to the caller. */
export interface Probe {
  readonly name: string;
  check(): Promise<void>;
  /** It is shown and not needed: people reach what stops sending without it. */
  readonly beside?: boolean;
  /** The circuit breaker before it, where it has one. */
  readonly circuit?: () => 'closed' | 'open' | 'half_open';
}

/** Text for Prometheus, counted anew at each reading. */
export type ReadMetrics = () => Promise<string>;

/**
 * Handed in by the process (`src/process/api.ts`) or a test. `db`: for callers, writes, and what is read before and
 * after a write.
 */
export interface AdminDeps extends JobDeps {
  /** For renewing leases, so that it never waits behind other work; `db` where none is given. */
  readonly leases?: Pool | undefined;
  /** For what is only read, by `readList` and `readReport`. */
  readonly reading: Pool;
  /** A copy that may be a moment behind, see {@link listing}. */
  readonly replica?: Pool | null | undefined;
  readonly reconciliation: ReconciliationGateway;
  readonly probes: readonly Probe[];
  readonly registry: Registry;
  /** What `/metrics` answers: {@link countedMetrics} where left out; null where a listener of its own answers. */
  readonly metrics?: ReadMetrics | null | undefined;
  /** An admin key to begin with, named `bootstrap`. */
  readonly bootstrapKey?: string | undefined;
  readonly policy: Policy;
  readonly events: EventAccess;
  readonly imports: ImportAccess;
  readonly limits?: Partial<Limits> | undefined;
  /** Whether `/openapi.json` and `/docs` are shown to callers with a key alone; to everyone where left out. */
  readonly docsNeedKey?: boolean | undefined;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed; none where left out. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** The folder of the built console, served at `/`; without one there is none. */
  readonly consoleFolder?: string | undefined;
  /** Of Temporal's Web UI, to which the id of a workflow is added; without it people are shown no link. */
  readonly workflowsUrl?: string | undefined;
  /** Shown in the API's description; `dueday`'s own version. */
  readonly version?: string | undefined;
}

/** What metrics are counted from. */
export type CountingDeps = Pick<AdminDeps, 'reading' | 'clock' | 'logger' | 'registry'>;

/** What the calls about events need besides the ledger. */
export interface EventAccess {
  readonly secrets: SecretBox;
  /** Why an endpoint may not have this host, for people; null where it may. */
  readonly refusalOf: (hostname: string) => Promise<string | null>;
  /** `EVENT_WEBHOOK_URL`; null where it is not set. */
  readonly envUrl: string | null;
}

/** The calls by which an import asks for a mandate. */
export type MandateService = Pick<PaymentService, 'getConsent' | 'listAuthorizations' | 'as'>;

/** What an import needs besides the ledger. */
export interface ImportAccess {
  /** Its calls count against the cap like all others. */
  readonly service: MandateService;
  /** Of new subscriptions, which keep both. */
  readonly retryPolicy: RetryPolicy;
  readonly spreadSeconds: number;
}

/** What the deployment allows. */
export interface Policy extends FourEyes {
  /** Production takes subscriptions only once the service has released them. */
  readonly subscriptionsReleased: boolean;
  readonly merchantCategoryCode?: string;
  /** Whether timeToCapture may be above 604800 (rule 26). */
  readonly longCapturePermitted: boolean;
  /** Whether Event Dependent payments may be refunded (rule 27). */
  readonly eventDependentRefunds: boolean;
  /** Ms before a limit of the service from which on nothing is sent any more: it judges on arrival. */
  readonly transit: number;
  /** Cap on the calls to the payment service, of real time; left out if there is none. */
  readonly callsPerSecond?: number;
  /** The ways by which payers are notified. */
  readonly payerChannels: readonly ('webhook' | 'email')[];
}

/** Generous: a limit is there for a program that runs wild, not for a busy one. */
const DEFAULT_LIMITS = {
  /** Requests of one key in a minute. */
  requestsPerMinute: 12_000,
  /** Unknown keys of one address in a minute; past it they are answered with 429. */
  failedKeysPerMinute: 60,
  /** Connections at once; further ones are closed as they come. */
  connections: 2_000,
  /** Ms in which the headers of a request must be there. */
  headersTimeoutMs: 10_000,
  /** Ms in which a JSON body must be there; a streamed one may pause four times as long. */
  bodyTimeoutMs: 15_000,
  /** Ms for which the service is asked again about mandates that it does not answer readably, for each batch of lines. */
  mandatesMs: 8_000,
  /** Ms that the event loop may take: beyond it timers and polls of the same process would come late. */
  eventLoopDelayMs: 5_000,
  /** Ms that a readiness probe may take: with it the whole check is answered within two seconds, whatever is down. */
  probeTimeoutMs: 1_500,
  /** Ms that a probe may take which is only shown: shorter than the time-out of a usual readiness check. */
  besideTimeoutMs: 1_000,
  // Of a session, as its policy has them.
  sessionIdleMs: 30 * MINUTE,
  sessionMs: 12 * HOUR,
};

export type Limits = Readonly<typeof DEFAULT_LIMITS>;

export function limitsOf({ limits }: Pick<AdminDeps, 'limits'>): Limits {
  return { ...DEFAULT_LIMITS, ...limits };
}

/** Where lists of many, searches and reports are read: a replica where there is one. */
export function listing({ replica, reading }: Pick<AdminDeps, 'replica' | 'reading'>): Pool {
  return replica ?? reading;
}

/** An app whose handlers get the types that their zod schemas give. */
export type TypedApp = Parameters<FastifyPluginAsyncZod>[0];

/** What a call takes and answers, as the description has it. */
interface Described extends FastifySchema {
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly summary: string;
  readonly response: Readonly<Record<number, unknown>>;
  /** What else holds for it than which key it needs. */
  readonly config?: Omit<FastifyContextConfig, 'role' | 'scope'>;
}

/** A call below /v1, as its route takes it: a key of this role and scope may make it. Faults are answered alike by all. */
export function call<const Call extends Described>(role: Role, scope: NeededScope, { config, ...schema }: Call) {
  return {
    config: { role, scope, ...config },
    schema: { ...schema, response: { ...schema.response, ...FAULT_ANSWERS } },
  };
}
