import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createAdmin } from '../admin';
import { type Config, databaseOf, retryPolicyOf, templatesOf } from '../config';
import { announceAheadOf } from '../domain/subscription/amount-request';
import type { SubscriptionId } from '../domain/ids';
import { HOUR, MINUTE, SECOND } from '../domain/time';
import { startAll, type Stops } from '../embedded/server-life';
import {
  createPaymentWorkflows,
  createReconciliationWorkflows,
  createRefundWorkflows,
  createSubscriptionWorkflows,
  listClosed,
  startAttempt,
  startImported,
} from '../temporal';
import { restartWorkflows } from '../jobs/restart-workflows';
import { startWorkflows } from '../jobs/start-workflows';
import { watchOverdue } from '../jobs/watch-overdue';
import { createPool } from '../ledger';
import { payerChannelSettings, previewEmail } from '../notices';
import { reaching } from './command-error';
import { refuseListeningEverywhere } from './command';
import type { Dependencies } from './dependencies';
import { addressCheckOf, secretBoxOf } from './messages';
import type { Observation } from './observation/observation';
import { connectTemporal } from './temporal';
import { ownVersion } from './version';

export interface RunningApi {
  /** The address it listens on, without a trailing slash. */
  readonly url: string;
  /** Notifies the workflow of a subscription of its row's revision. @throws if Temporal cannot be reached. */
  notify(this: void, subscriptionId: SubscriptionId, revision: number): Promise<void>;
  stop(): Promise<void>;
}

/** Real ms: several tries to renew the lease of an idempotency key fit within the lease. */
const LEASE_TIMEOUT = 2 * SECOND;

/** Serves the admin API, and does its background work. */
export function startApi(parts: Dependencies, observation: Observation): Promise<RunningApi> {
  return startAll((stops) => serve(parts, observation, stops));
}

async function serve(parts: Dependencies, observation: Observation, stops: Stops): Promise<Omit<RunningApi, 'stop'>> {
  const { config, clock } = parts;
  const { steering, reading, replica, answers } = parts.ledgers;
  const { client, connection } = await connectTemporal(config);
  stops.push(() => connection.close());
  const consoleUrl = config.CONSOLE_URL;
  const access = {
    client,
    clock,
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    ...(consoleUrl === undefined ? {} : { consoleUrl }),
  };
  const transit = config.PAYMENT_SERVICE_TRANSIT_SECONDS * SECOND;
  const subscriptions = createSubscriptionWorkflows({
    ...access,
    db: steering,
    answers,
    retryPolicy: retryPolicyOf(config),
    spreadSeconds: config.SPREAD_SECONDS,
    increaseNotice: announceAheadOf(config.INCREASE_NOTICE_DAYS),
  });
  const leases = createPool({
    ...databaseOf(config),
    purpose: 'leases',
    max: 1,
    timeoutMs: LEASE_TIMEOUT,
    answerMs: LEASE_TIMEOUT,
    log: parts.log,
  });
  stops.push(() => leases.end());
  const templates = templatesOf(config);
  const payments = createPaymentWorkflows({ ...access, db: steering, answers, transit });
  const refunds = createRefundWorkflows(access);
  const admin = await createAdmin({
    db: steering,
    reading,
    replica,
    leases,
    subscriptions,
    payments,
    refunds,
    reconciliation: createReconciliationWorkflows({ ...access, db: steering }),
    clock,
    logger: parts.log,
    registry: parts.telemetry.registry,
    probes: observation.probes,
    metrics: observation.metricsOfApi,
    bootstrapKey: config.ADMIN_BOOTSTRAP_KEY,
    version: ownVersion(),
    consoleFolder: findSite('console'),
    docsFolder: findSite('docs'),
    workflowsUrl: workflowsUrlOf(config),
    docsNeedKey: !(config.ADMIN_DOCS_OPEN ?? config.PAYMENT_SERVICE_ENVIRONMENT === 'sandbox'),
    trustedProxies: config.ADMIN_TRUSTED_PROXIES,
    limits: {
      requestsPerMinute: config.ADMIN_REQUESTS_PER_MINUTE,
      failedKeysPerMinute: config.ADMIN_UNKNOWN_KEYS_PER_MINUTE,
      sessionIdleMs: config.SESSION_IDLE_MINUTES * MINUTE,
      sessionMs: config.SESSION_HOURS * HOUR,
    },
    events: {
      secrets: secretBoxOf(parts),
      refusalOf: addressCheckOf(parts).refusalOf,
      envUrl: config.EVENT_WEBHOOK_URL ?? null,
    },
    previewEmail: (type, language) => previewEmail(type, language, templates),
    imports: {
      service: parts.imports,
      retryPolicy: retryPolicyOf(config),
      spreadSeconds: config.SPREAD_SECONDS,
      increaseNotice: announceAheadOf(config.INCREASE_NOTICE_DAYS),
    },
    policy: {
      environment: config.PAYMENT_SERVICE_ENVIRONMENT,
      subscriptionsReleased: config.PAYMENT_SERVICE_SUBSCRIPTIONS_RELEASED,
      ...(config.MERCHANT_CATEGORY_CODE === undefined ? {} : { merchantCategoryCode: config.MERCHANT_CATEGORY_CODE }),
      longCapturePermitted: config.LONG_CAPTURE_PERMITTED,
      eventDependentRefunds: config.EVENT_DEPENDENT_REFUNDS,
      transit,
      payerChannels: payerChannelsOf(config),
      ...(config.PAYMENT_SERVICE_MAX_RPS === undefined ? {} : { callsPerSecond: config.PAYMENT_SERVICE_MAX_RPS }),
      ...(config.APPROVAL_ABOVE_CENTS === undefined ? {} : { approvalAboveCents: config.APPROVAL_ABOVE_CENTS }),
    },
  });
  stops.push(() => admin.close());
  const restarting = restartWorkflows({
    db: steering,
    subscriptions,
    payments,
    refunds,
    clock,
    logger: parts.log,
    listClosed: (sinceReal) => listClosed(access, sinceReal),
    startAttempt: (subscriptionId, attempt) => startAttempt(access, subscriptionId, attempt),
  });
  stops.push(() => restarting.stop());
  const starting = startWorkflows({
    db: steering,
    logger: parts.log,
    start: (due) => startImported(access, due),
  });
  stops.push(() => starting.stop());
  const watching = watchOverdue({
    db: reading,
    clock,
    logger: parts.log,
    settle: config.PAYMENT_SERVICE_SETTLE_SECONDS * SECOND,
    callsPerSecond: config.PAYMENT_SERVICE_MAX_RPS ?? null,
  });
  stops.push(() => watching.stop());
  const { ADMIN_HOST: host, ADMIN_PORT: port } = config;
  await refuseListeningEverywhere(config, ['ADMIN_HOST']);
  const where = `the admin API cannot listen on ${host}:${port} (ADMIN_HOST, ADMIN_PORT)`;
  const url = await reaching(where, () => admin.listen({ host, port }));
  return { url, notify: (subscriptionId, revision) => subscriptions.notify(subscriptionId, revision) };
}

function payerChannelsOf(config: Config): readonly ('webhook' | 'email')[] {
  const { payerWebhook, smtp } = payerChannelSettings(config);
  return [
    ...(payerWebhook === undefined ? [] : ['webhook' as const]),
    ...(smtp === undefined ? [] : ['email' as const]),
  ];
}

/** The site's folder next to the compiled program; undefined if the site was not built, or the program runs from source. */
function findSite(name: 'console' | 'docs'): string | undefined {
  const folder = join(__dirname, '..', '..', name);
  return existsSync(join(folder, 'index.html')) ? folder : undefined;
}

/** The address of a workflow in Temporal's Web UI, without its id. */
function workflowsUrlOf({ TEMPORAL_UI_URL: url, TEMPORAL_NAMESPACE: namespace }: Config): string | undefined {
  if (url === undefined) return undefined;
  return `${url.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows/`;
}
