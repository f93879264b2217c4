import type { Registry } from 'prom-client';
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Language, PAYER_NOTICES } from '../contract/notices';
import type { FourEyes } from '../domain/approvals';
import { HOUR, MINUTE } from '../domain/time';
import type { RetryPolicy } from '../domain/subscription/retries';
import type { ReconciliationWorkflows } from '../temporal';
import type { JobDeps } from '../jobs/repeated-work';
import type { CollectingLimits, Pool, Role } from '../ledger';
import type { SecretBox } from '../platform/secret-box';
import { ERROR_RESPONSES } from './http/problems';
import type { PaymentService } from '../payment-service';
import type { NeededScope } from './http/caller';

/** A check of one part of the installation. */
export interface Probe {
  readonly name: string;
  /** Rejects if the part is not available. The error goes to the log, not to the caller. */
  check(): Promise<void>;
  /** The part is shown but not needed for readiness: operators can still halt sending without it. */
  readonly isOptional?: boolean;
  /** The state of the part's circuit breaker, if it has one. */
  readonly circuit?: () => 'closed' | 'open' | 'half_open';
}

/** Text for Prometheus, read again at each scrape. */
export type ReadMetrics = () => Promise<string>;

/**
 * Provided by the process (`src/process/api.ts`) or a test. `db` is for authentication, writes, and reads before and
 * after a write.
 */
export interface AdminDeps extends JobDeps {
  /** For renewing leases, so that renewals never wait behind other work; `db` by default. */
  readonly leases?: Pool | undefined;
  /** For requests that only read, by `readList` and `readReport`. */
  readonly reading: Pool;
  /** A copy of the ledger that may be a moment behind, see {@link listing}. */
  readonly replica?: Pool | null | undefined;
  readonly reconciliation: ReconciliationWorkflows;
  readonly probes: readonly Probe[];
  readonly registry: Registry;
  /** What `/metrics` returns: {@link countedMetrics} by default; null if a separate listener serves metrics. */
  readonly metrics?: ReadMetrics | null | undefined;
  /** The first admin key, named `bootstrap`. */
  readonly bootstrapKey?: string | undefined;
  readonly policy: Policy;
  readonly events: EventAccess;
  readonly imports: ImportAccess;
  /** The e-mail of a notice to an invented payer, from the templates in use. */
  readonly previewEmail: (type: PayerNotice, language: Language) => PreviewedEmail;
  readonly limits?: Partial<Limits> | undefined;
  /** Whether `/openapi.json` and `/docs` need an API key; by default they are public. */
  readonly docsNeedKey?: boolean | undefined;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted; none by default. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** The folder of the built console, served at `/`; without it, no console is served. */
  readonly consoleFolder?: string | undefined;
  /** The built site of the documentation; without it `/docs` only links to the description of the API. */
  readonly docsFolder?: string | undefined;
  /** Base address of workflows in Temporal's Web UI; the workflow id is appended. Without it, no link is shown. */
  readonly workflowsUrl?: string | undefined;
  /** Shown in the API's description; `dueday`'s own version. */
  readonly version?: string | undefined;
}

type PayerNotice = (typeof PAYER_NOTICES)[number];

interface PreviewedEmail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What is needed to count metrics. */
export type CountingDeps = Pick<AdminDeps, 'reading' | 'clock' | 'logger' | 'registry'> & {
  /** Left out where no calls to the payment service are made. */
  readonly collecting?: CollectingLimits | undefined;
};

/** What the event and webhook calls need besides the ledger. */
export interface EventAccess {
  readonly secrets: SecretBox;
  /** Why an endpoint may not use this host, in plain words; null if it may. */
  readonly refusalOf: (hostname: string) => Promise<string | null>;
  /** `EVENT_WEBHOOK_URL`; null if it is not set. */
  readonly envUrl: string | null;
}

/** The calls with which an import checks a mandate. */
export type MandateService = Pick<PaymentService, 'getConsent' | 'listAuthorizations' | 'as'>;

/** What an import needs besides the ledger. */
export interface ImportAccess {
  /** Its calls count against the cap on calls like all others. */
  readonly service: MandateService;
  /** For new subscriptions, which keep this policy and spread. */
  readonly retryPolicy: RetryPolicy;
  readonly spreadSeconds: number;
  /** Ms from the announcement of an increase to the payer until the due date of the increased amount. */
  readonly increaseNotice: number;
}

/** What this deployment allows. */
export interface Policy extends FourEyes {
  /** Whether the payment service has released the Subscription plan; only considered in production. */
  readonly subscriptionsReleased: boolean;
  readonly merchantCategoryCode?: string;
  /** Whether timeToCapture may be above 604800 (rule 26). */
  readonly longCapturePermitted: boolean;
  /** Whether Event Dependent payments may be refunded (rule 27). */
  readonly eventDependentRefunds: boolean;
  /** Sending stops this many ms before a time limit of the service, because the service checks on arrival. */
  readonly transit: number;
  /** Cap on calls to the payment service per second of real time; undefined if there is none. */
  readonly callsPerSecond?: number;
  /** The channels on which payers are notified. */
  readonly payerChannels: readonly ('webhook' | 'email')[];
}

/** Generous: limits are meant for runaway clients, not for busy ones. */
const DEFAULT_LIMITS = {
  /** Requests per key and minute. */
  requestsPerMinute: 12_000,
  /** Failed authentications per address and minute: unknown keys and ended sessions. Beyond that the answer is 429. */
  failedKeysPerMinute: 60,
  /** Concurrent connections; further ones are closed immediately. */
  connections: 2_000,
  /** Ms within which the headers of a request must arrive. */
  headersTimeoutMs: 10_000,
  /** Ms within which a JSON body must arrive; a streamed one may pause four times as long. */
  bodyTimeoutMs: 15_000,
  /** Ms for which unreadable answers about mandates are retried, for each batch of lines. */
  mandatesMs: 8_000,
  /** Maximum event loop delay in ms: beyond it requests are refused, as timers and polls of the same process would be late. */
  eventLoopDelayMs: 5_000,
  /** Time-out of a readiness probe in ms: the whole check answers within two seconds, whatever is down. */
  probeTimeoutMs: 1_500,
  /** Time-out of an optional probe in ms: a part that is not required must not use up the time of the whole check. */
  optionalTimeoutMs: 1_000,
  // Time limits of a session: see `access/session-ring.ts`.
  sessionIdleMs: 30 * MINUTE,
  sessionMs: 12 * HOUR,
};

export type Limits = Readonly<typeof DEFAULT_LIMITS>;

export function limitsOf({ limits }: Pick<AdminDeps, 'limits'>): Limits {
  return { ...DEFAULT_LIMITS, ...limits };
}

/** The pool for long lists, searches and reports: the replica if there is one. */
export function listing({ replica, reading }: Pick<AdminDeps, 'replica' | 'reading'>): Pool {
  return replica ?? reading;
}

/** An app whose handlers are typed by their zod schemas. */
export type TypedApp = Parameters<FastifyPluginAsyncZod>[0];

/** An operation as the API description shows it. */
interface Described extends FastifySchema {
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly summary: string;
  readonly response: Readonly<Record<number, unknown>>;
  /** Route configuration other than role and scope. */
  readonly config?: Omit<FastifyContextConfig, 'role' | 'scope'>;
}

/** Options of a route below /v1 that keys with this role and scope may call. Adds the error responses that all share. */
export function call<const Call extends Described>(role: Role, scope: NeededScope, { config, ...schema }: Call) {
  return {
    config: { role, scope, ...config },
    schema: { ...schema, response: { ...schema.response, ...ERROR_RESPONSES } },
  };
}
