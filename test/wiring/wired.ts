import { randomBytes } from 'node:crypto';
import { Client as Postgres } from 'pg';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { type Clock, createClock } from '../../src/platform/clock';
import { createSandbox } from '../../src/sandbox';
import { type DuedayProcess, runDueday, startDueday } from '../cli/dueday-process';
import { type MailServer, startMailServer } from '../notices/mail-server';
import { portToKeep } from '../processes/servers';
import { type AdminApi, createAdminApi } from '../scenarios/admin-api';
import type { Surroundings } from '../scenarios/life';
import { type NoticeReceiver, startNoticeReceiver } from '../scenarios/notice-receiver';
import { terminateUnlessEnded } from '../support/at-rest';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { silentLog } from '../support/silent-log';
import { partOfRun } from '../support/test-run';
import { waitUntil } from '../support/wait-until';
import { openOtlpReceiver, type OtlpReceiver } from '../tracing/otlp-receiver';
import { type Forwarder, openForwarder } from './forwarder';
import { CERTIFICATE_FILE, KEY_FILE, openTlsServer, type TlsServer } from './tls-server';

type Variables = Readonly<Record<string, string>>;

/** Business ms per real ms: a week is a minute, and a window is longer than the pauses of a busy machine. */
export const SPEED = 10_000;
const START = Date.parse('2027-01-29T08:00:00.000Z');

/** Random, as production refuses secrets in the project's files. */
export const ADMIN_KEY = randomBytes(24).toString('base64url');
export const API_KEY = randomBytes(24).toString('base64url');
export const ENCRYPTION_KEY_ID = 'wiring';
/** Fifty hours: far more than the delays of a busy machine. */
export const SPREAD_SECONDS = 180_000;
export const SENDER = 'Wiring <wiring@shop.example>';
/** This machine, by an address that no default uses. */
export const METRICS_HOST = '127.0.0.2';
/** This machine, by another such address. */
export const CODEC_HOST = '127.0.0.3';
export const CODEC_KEY = randomBytes(24).toString('base64url');
export const CODEC_ORIGIN = 'http://temporal.wiring';
export const TOKEN_PATH = '/elsewhere/token';
export const TEMPORAL_API_KEY = randomBytes(24).toString('base64url');
const SERVICE = { clientId: 'merchant-of-the-wiring', clientSecret: randomBytes(24).toString('base64url') };

/**
 * Real processes that together have no variable at its default: `daemon` on a test clock, three APIs in production, one
 * of which connects to Temporal over TLS, the simulator, and the codec server.
 */
export interface Wired extends Surroundings {
  readonly clock: Clock;
  readonly database: TestDatabase;
  /** The database of the APIs in production. */
  readonly otherDatabase: TestDatabase;
  readonly temporal: Client;
  readonly namespace: string;
  readonly taskQueue: string;
  /** Receives events for the merchant; `receiver` gets notices for payers. */
  readonly events: NoticeReceiver;
  readonly mails: MailServer;
  /** Receives the daemon's traces. */
  readonly collector: OtlpReceiver;
  readonly tokens: Forwarder;
  readonly daemon: DuedayProcess;
  readonly env: Variables;
  /** The variables that the APIs in production share. */
  readonly production: Variables;
  readonly adminPort: number;
  readonly metricsPort: number;
  /** An API in production, without released subscriptions. */
  readonly unreleased: AdminApi;
  /** An API in production, with released subscriptions and category 4111. */
  readonly released: AdminApi;
  readonly cluster: TlsServer;
  readonly codecServer: { readonly url: string; readonly port: number };
  readonly simulator: {
    readonly url: string;
    readonly port: number;
    readonly clientId: string;
    readonly clientSecret: string;
  };
  close(): Promise<void>;
}

export async function openWired(): Promise<Wired> {
  const stops: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  try {
    return await wire(stops, close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** Still kept by default, but older than the configured number of days. */
export const OLD_EVENT = 'evt_of_three_days_ago';

/** A payer without any subscription or payment. */
export const OLD_PAYER = '5d0c9b8a-7f6e-4d5c-8b4a-3f2e1d0c9b8a';

async function keepOld(databaseUrl: string): Promise<void> {
  const client = new Postgres({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `insert into merchant_events (event_id, type, at, recorded_real_at, data, is_test)
     values ($1, 'endpoint.test', now(), now() - interval '3 days', '{}', true)`,
    [OLD_EVENT],
  );
  await client.query(`insert into payers (payer_id, email) values ($1, 'old@example.org')`, [OLD_PAYER]);
  await client.end();
}

type Stops = (() => Promise<unknown>)[];

function kept<T extends { close(): Promise<unknown> }>(stops: Stops, opened: T): T {
  stops.push(() => opened.close());
  return opened;
}

async function wire(stops: Stops, close: () => Promise<void>): Promise<Wired> {
  const clock = createClock({ virtualStart: START, realStart: Date.now(), speed: SPEED });
  const [database, otherDatabase] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  stops.push(() => Promise.all([database.drop(), otherDatabase.drop()]));
  const { namespace, temporal } = await openNamespace(stops);
  const receiver = kept(stops, await startNoticeReceiver(clock));
  const events = kept(stops, await startNoticeReceiver(clock));
  const mails = kept(stops, await startMailServer());
  const collector = kept(stops, await openOtlpReceiver());
  const limits = { longCapturePermitted: true, eventDependentRefunds: true, apiKey: API_KEY };
  const sandbox = kept(stops, createSandbox({ clock, logger: silentLog(), ...SERVICE, ...limits }));
  const { url: sandboxUrl } = await sandbox.listen(0);
  const tokens = kept(stops, await openForwarder(sandboxUrl, { [TOKEN_PATH]: '/oauth/token' }));
  const cluster = kept(stops, await openTlsServer());
  const taskQueue = `wiring-${randomBytes(4).toString('hex')}`;
  const templates = mkdtempSync(join(tmpdir(), 'dueday-wiring-'));
  stops.push(async () => rmSync(templates, { recursive: true }));
  writeFileSync(join(templates, 'payment.failed.en.txt'), 'Subject: Wired: {{amount}}\n\nNot collected.\n');
  const [adminPort, sandboxPort] = [await portToKeep('the admin API'), await portToKeep('the simulator')];
  const metricsPort = await portToKeep('the metrics');
  const codecPort = await portToKeep('the codec server');
  const service = { ...serviceAt(sandboxUrl), PAYMENT_SERVICE_API_KEY: API_KEY };
  const real = clock.setting!.realStart;
  const env: Variables = {
    PAYMENT_SERVICE_ENVIRONMENT: 'sandbox',
    DATABASE_URL: database.programUrl,
    DATABASE_POOL_SIZE: '4',
    TEMPORAL_ADDRESS: partOfRun('temporal').address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_UI_URL: 'http://temporal.internal:8233/',
    CONSOLE_URL: 'https://billing.wiring/',
    TEMPORAL_TASK_QUEUE: taskQueue,
    PAYLOAD_ENCRYPTION_KEYS: `${ENCRYPTION_KEY_ID}:${randomBytes(32).toString('base64')}`,
    PAYLOAD_PLAIN_ALLOWED: 'true',
    ...service,
    PAYMENT_SERVICE_TOKEN_URL: `${tokens.url}${TOKEN_PATH}`,
    PAYMENT_SERVICE_TIMEOUT_MS: '3000',
    PAYMENT_SERVICE_SETTLE_SECONDS: '2',
    ADMIN_HOST: '0.0.0.0',
    ADMIN_PORT: String(adminPort),
    ADMIN_BOOTSTRAP_KEY: ADMIN_KEY,
    ADMIN_TRUSTED_PROXIES: '127.0.0.0/8',
    ADMIN_DOCS_OPEN: 'false',
    ADMIN_UNKNOWN_KEYS_PER_MINUTE: '2',
    ADMIN_REQUESTS_PER_MINUTE: '11000',
    SESSION_IDLE_MINUTES: '7',
    SESSION_HOURS: '3',
    APPROVAL_ABOVE_CENTS: '4000',
    METRICS_HOST,
    METRICS_PORT: String(metricsPort),
    NOTICE_WEBHOOK_URL: receiver.url,
    NOTICE_WEBHOOK_SECRET: receiver.secret,
    EVENT_WEBHOOK_URL: events.url,
    EVENT_WEBHOOK_SECRET: events.secret,
    // Longer than the limit for a failing endpoint, even with a tenth of jitter.
    EVENT_BACKOFF_SECONDS: '2',
    EVENT_DISABLE_AFTER_SECONDS: '1',
    EVENT_ENDPOINT_NETWORKS: '10.20.0.0/16',
    EVENT_RETENTION_DAYS: '2',
    // Longer ago than the end of anything in these tests.
    PAYER_RETENTION_DAYS: '3000',
    CYCLE_UPCOMING_DAYS: '5',
    PAYER_UPCOMING_DAYS: 'WEEKLY:5,YEARLY:30',
    SECRETS_KEYS: `${ENCRYPTION_KEY_ID}:${randomBytes(32).toString('base64')}`,
    NOTICE_TEMPLATES: templates,
    SMTP_URL: mails.url,
    NOTICE_FROM: SENDER,
    NOTICE_BACKOFF_SECONDS: '7',
    NOTICE_PAYMENT_LINK: 'true',
    PAYMENT_PAGE_URL: 'https://shop.example/pay/{subscriptionId}?cycle={cycle}',
    INCREASE_NOTICE_DAYS: '3',
    RETRY_OFFSETS_HOURS: '40',
    RETRY_MIN_GAP_HOURS: '12',
    SPREAD_SECONDS: String(SPREAD_SECONDS),
    PAYMENT_SERVICE_LIST_DAYS: '7',
    RECONCILE_EVERY_DAYS: '1',
    LONG_CAPTURE_PERMITTED: 'true',
    EVENT_DEPENDENT_REFUNDS: 'true',
    LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    ACTIVITY_SLOTS: '150',
    COLLECT_IN_PLACE: 'true',
    WORKFLOW_CACHE_SIZE: '321',
    TEST_CLOCK: `${new Date(START).toISOString()}@${new Date(real).toISOString()}x${SPEED}`,
  };
  await keepOld(database.url);
  const start = (command: string, variables: Variables): DuedayProcess => {
    const program = startDueday([command], variables);
    stops.push(() => program.stop());
    return program;
  };
  const production: Variables = {
    DATABASE_URL: otherDatabase.programUrl,
    TEMPORAL_ADDRESS: partOfRun('temporal').address,
    TEMPORAL_TASK_QUEUE: taskQueue,
    ...service,
    ADMIN_PORT: '0',
    ADMIN_BOOTSTRAP_KEY: ADMIN_KEY,
    PAYMENT_SERVICE_ENVIRONMENT: 'production',
    PAYLOAD_ENCRYPTION: 'off',
  };
  const daemon = start('daemon', env);
  const unreleased = start('api', {
    ...production,
    // Not a replica of its own database but the daemon's, so that it shows which of the two is read.
    DATABASE_REPLICA_URL: database.programUrl,
    PAYMENT_SERVICE_TRANSIT_SECONDS: '3600',
  });
  const released = start('api', {
    ...production,
    PAYMENT_SERVICE_SUBSCRIPTIONS_RELEASED: 'true',
    MERCHANT_CATEGORY_CODE: '4111',
  });
  start('api', {
    ...production,
    TEMPORAL_ADDRESS: cluster.address,
    TEMPORAL_API_KEY,
    TEMPORAL_TLS_CERT_FILE: CERTIFICATE_FILE,
    TEMPORAL_TLS_KEY_FILE: KEY_FILE,
    TEMPORAL_TLS_CA_FILE: CERTIFICATE_FILE,
    TEMPORAL_TLS_SERVER_NAME: 'localhost',
  });
  const owner = { clientId: 'owner-of-the-simulator', clientSecret: 'secret-of-the-simulator' };
  const simulator = start('sandbox', {
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_CLIENT_ID: owner.clientId,
    SANDBOX_CLIENT_SECRET: owner.clientSecret,
  });
  const codecServer = start('codec-server', {
    PAYLOAD_ENCRYPTION_KEYS: env['PAYLOAD_ENCRYPTION_KEYS']!,
    CODEC_SERVER_HOST: CODEC_HOST,
    CODEC_SERVER_PORT: String(codecPort),
    CODEC_SERVER_KEY: CODEC_KEY,
    CODEC_SERVER_ORIGINS: CODEC_ORIGIN,
  });
  const apiOf = async (program: DuedayProcess) => createAdminApi((await program.says('admin API on ')).url!, ADMIN_KEY);
  await daemon.says('worker started');
  const { url: codecUrl } = await codecServer.says('codec server on ');
  const { url: simulatorUrl } = await simulator.says('sandbox payment service on ');
  return {
    clock,
    database,
    otherDatabase,
    temporal,
    namespace,
    taskQueue,
    receiver,
    events,
    mails,
    collector,
    sandbox,
    sandboxUrl,
    tokens,
    cluster,
    codecServer: { url: codecUrl!, port: codecPort },
    daemon,
    env,
    production,
    adminPort,
    metricsPort,
    close,
    admin: createAdminApi(`http://127.0.0.1:${adminPort}`, ADMIN_KEY),
    unreleased: await apiOf(unreleased),
    released: await apiOf(released),
    simulator: { url: simulatorUrl!, port: sandboxPort, ...owner },
  };
}

function serviceAt(url: string): Variables {
  return {
    PAYMENT_SERVICE_BASE_URL: url,
    PAYMENT_SERVICE_CLIENT_ID: SERVICE.clientId,
    PAYMENT_SERVICE_CLIENT_SECRET: SERVICE.clientSecret,
  };
}

/** A separate namespace on the shared server; workflows that still run in it at the end are terminated. */
async function openNamespace(stops: Stops): Promise<{ readonly namespace: string; readonly temporal: Client }> {
  const namespace = `wiring-${randomBytes(4).toString('hex')}`;
  const connection = kept(stops, await Connection.connect({ address: partOfRun('temporal').address }));
  const workflowExecutionRetentionPeriod = msToTs('1 day');
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  const isKnown = async () =>
    connection.operatorService.listSearchAttributes({ namespace }).then(
      () => true,
      () => false,
    );
  await waitUntil(`${namespace} is there`, isKnown);
  const temporal = new Client({ connection, namespace });
  stops.push(async () => {
    for await (const { workflowId } of temporal.workflow.list({ query: `ExecutionStatus = 'Running'` }))
      await terminateUnlessEnded(temporal.workflow.getHandle(workflowId));
  });
  return { namespace, temporal };
}

/** Runs `dueday reconcile` on the daemon's ledger with these variables instead of its own. @returns its calls */
export async function reconciled({ env, sandboxUrl }: Wired, variables: Variables): Promise<Forwarder['seen']> {
  const forwarder = await openForwarder(sandboxUrl);
  try {
    const asked = { PAYMENT_SERVICE_BASE_URL: forwarder.url, LOG_LEVEL: 'error', ...variables };
    const { code, stderr } = await runDueday(['reconcile'], { ...env, ...asked });
    if (code !== 0) throw new Error(`reconcile ended with ${code}: ${stderr}`);
    return forwarder.seen;
  } finally {
    await forwarder.close();
  }
}
