import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { Client as Postgres } from 'pg';
import { spreadOf } from '../../src/temporal';
import type { VariableName } from '../../src/config/variables';
import { SUBSCRIPTION_WORKFLOW } from '../../src/contract/messages';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/domain/time';
import type { SubscriptionId } from '../../src/domain/ids';
import { createPool } from '../../src/ledger';
import { traceIdsOf } from '../../src/platform/tracing/subject';
import { runDueday } from '../cli/dueday-process';
import { authorizedPayment } from '../ledger/payment-fixture';
import { createAdminApi } from '../scenarios/admin-api';
import { orderOf } from '../scenarios/order';
import type { Life } from '../scenarios/life';
import { waitUntil } from '../support/wait-until';
import { openLine } from '../faults/cuttable-line';
import { openTlsDatabase } from '../support/tls-database';
import { play, type Plays } from './plays';
import { CERTIFICATE_FILE } from './tls-server';
import {
  ADMIN_KEY,
  CODEC_HOST,
  CODEC_KEY,
  CODEC_ORIGIN,
  ENCRYPTION_KEY_ID,
  METRICS_HOST,
  OLD_EVENT,
  OLD_PAYER,
  openWired,
  reconciled,
  SPEED,
  SPREAD_SECONDS,
  TEMPORAL_API_KEY,
  TOKEN_PATH,
  type Wired,
} from './wired';

let wired: Wired;
let plays: Plays;

beforeAll(async () => {
  wired = await openWired();
  plays = play(wired);
});
afterAll(() => (wired as Wired | undefined)?.close());

/** An effect of each variable that is visible from outside, and does not occur with the default. */
const EFFECTS: Readonly<Record<VariableName, readonly [effect: string, isSeen: () => Promise<void>]>> = {
  DATABASE_URL: ['the ledger is there', () => isInLedger()],
  DATABASE_REPLICA_URL: ['lists are read there, and a single subscription is not', () => listsFromReplica()],
  DATABASE_ROLE: ['the role may do what the program needs', () => grantsToRole()],
  DATABASE_CA: ['a server whose certificate it has signed is trusted', () => trustsDatabase()],
  DATABASE_POOL_SIZE: ['no pool opens more than its share, however many requests arrive', () => keepsToItsShares()],
  DATABASE_PREPARED_STATEMENTS: ['no statement has a name', () => namesNoStatement()],
  TEMPORAL_ADDRESS: ['the workflows are there', () => hasWorkflow()],
  TEMPORAL_NAMESPACE: ['the workflows are in it', () => hasWorkflow()],
  TEMPORAL_UI_URL: [
    "the console's links to workflows point there",
    async () => {
      const { workflowsUrl } = await openSession();
      expect(workflowsUrl).toMatch(/^http:\/\/temporal\.internal:8233\/namespaces\/[^/]+\/workflows\/$/);
    },
  ],
  CONSOLE_URL: [
    'workflows keep it when they continue as new',
    async () => {
      expect(await opened(await inputOf(await plays.refused))).toContain('(https://billing.wiring/subscriptions/');
    },
  ],
  TEMPORAL_API_KEY: [
    'every call carries it',
    async () => expect(await caller()).toMatchObject({ authorization: `Bearer ${TEMPORAL_API_KEY}` }),
  ],
  TEMPORAL_TLS_CERT: [
    'is shown to the server',
    async () => expect(await caller()).toMatchObject({ certificate: 'wiring.test' }),
  ],
  TEMPORAL_TLS_KEY: [
    'proves that the certificate is ours',
    async () => expect(await caller()).toMatchObject({ certificate: 'wiring.test' }),
  ],
  WORKFLOW_CACHE_SIZE: [
    'this many workflows are cached, as logged at the start',
    async () => expect(await wired.daemon.says('worker started')).toMatchObject({ cachedWorkflows: 321 }),
  ],
  COLLECT_IN_PLACE: [
    'its slots are logged at the start, and an attempt has been made within a workflow task',
    async () => {
      expect(await wired.daemon.says('worker started')).toMatchObject({ inPlace: 100 });
      expect(await hasCollectedInPlace()).toBe(true);
    },
  ],
  ACTIVITY_SLOTS: [
    'this many slots of each queue, as logged at the start',
    async () => {
      const { slots } = await wired.daemon.says('worker started');
      expect(slots).toEqual({ collecting: 150, others: 150 });
    },
  ],
  TEMPORAL_TLS: ['a server without TLS cannot be reached', () => refusesPlainTemporal()],
  TEMPORAL_TLS_CA: ['what it has signed is trusted', async () => expect(await caller()).toBeDefined()],
  TEMPORAL_TLS_SERVER_NAME: ['the certificate has to bear it', async () => expect(await caller()).toBeDefined()],
  TEMPORAL_TASK_QUEUE: [
    'workflows are started on it',
    async () => expect((await describe(await plays.refused)).taskQueue).toBe(wired.taskQueue),
  ],
  PAYLOAD_ENCRYPTION_KEYS: ['what Temporal stores is sealed with the first', () => isSealed()],
  PAYLOAD_ENCRYPTION: ['production starts without keys only if it is off', () => refusesPlainPayloads()],
  PAYLOAD_PLAIN_ALLOWED: ['what is sent unencrypted is read', () => readsPlain()],
  PAYMENT_SERVICE_ENVIRONMENT: ['production creates no subscriptions', () => isRefusedUnreleased()],
  LISTEN_EVERYWHERE_ALLOWED: ['production listens at every address', () => allowsEverywhere()],
  PLAINTEXT_ALLOWED: ['production speaks to the host without TLS', () => allowsPlain()],
  PAYMENT_SERVICE_SUBSCRIPTIONS_RELEASED: [
    'production creates subscriptions: a request is validated',
    async () => expect((await orderInProduction(wired.released, 5001)).status).toBe(400),
  ],
  PAYMENT_SERVICE_BASE_URL: ['the service there is asked', () => isAtService()],
  PAYMENT_SERVICE_TOKEN_URL: [
    'tokens are requested there',
    async () => expect(wired.tokens.seen).toContainEqual(expect.objectContaining({ method: 'POST', path: TOKEN_PATH })),
  ],
  PAYMENT_SERVICE_CLIENT_ID: ['the service takes no other', () => isAtService()],
  PAYMENT_SERVICE_CLIENT_SECRET: ['the service takes no other', () => isAtService()],
  PAYMENT_SERVICE_API_KEY: ['the service takes no call without it', () => isAtService()],
  PAYMENT_SERVICE_TIMEOUT_MS: ['a call that is not answered is given up after it', () => isGivenUp()],
  PAYMENT_SERVICE_SETTLE_SECONDS: ['what never arrived is sent again after it', () => isSentAgain()],
  PAYMENT_SERVICE_LIST_DAYS: ['an older debit may be missing from the list', () => isCollectedUnlisted()],
  PAYMENT_SERVICE_TRANSIT_SECONDS: ['a capture is refused that long before its deadline', () => isTooLate()],
  PAYMENT_SERVICE_MAX_RPS: ['no second has more calls than this', () => keepsToItsRate()],
  ADMIN_HOST: ['the API is reached at an address that is not the default one', () => listensElsewhere()],
  ADMIN_PORT: [
    'the API listens on it',
    async () => expect((await fetch(`http://127.0.0.1:${wired.adminPort}/healthz`)).status).toBe(200),
  ],
  ADMIN_TRUSTED_PROXIES: ['callers have the addresses that the proxy names', () => countsByAddress()],
  ADMIN_DOCS_OPEN: [
    'the description of the API is not shown without a key',
    async () => expect((await fetch(`http://127.0.0.1:${wired.adminPort}/openapi.json`)).status).toBe(401),
  ],
  ADMIN_UNKNOWN_KEYS_PER_MINUTE: ['only this many unknown keys of one address are checked', () => countsByAddress()],
  ADMIN_REQUESTS_PER_MINUTE: ['is in every answer', () => answersItsLimit()],
  SESSION_IDLE_MINUTES: ['a session ends this long after its last use', () => sessionLasts('idleEndsAt', 7 * MINUTE)],
  SESSION_HOURS: ['a session lasts no longer than this', () => sessionLasts('endsAt', 3 * HOUR)],
  APPROVAL_ABOVE_CENTS: ['what is above it waits for a second person', () => waitsForAnother()],
  ADMIN_BOOTSTRAP_KEY: ['opens the API', () => opensTheApi()],
  METRICS_HOST: ['metrics are at the address, and no longer at the API', () => showsMetricsElsewhere()],
  METRICS_PORT: ['metrics are on the port, and no longer on that of the API', () => showsMetricsElsewhere()],
  NOTICE_WEBHOOK_URL: ['payers are notified over it', () => notifiesByWebhook()],
  NOTICE_WEBHOOK_SECRET: ['signs what payers receive', () => notifiesByWebhook()],
  SMTP_URL: [
    'payers are notified by e-mail',
    async () => expect((await mail()).to).toEqual([(await plays.refused).order.payer.email]),
  ],
  NOTICE_FROM: [
    'is the sender of the e-mail',
    async () =>
      expect(await mail()).toMatchObject({
        from: 'wiring@shop.example',
        raw: expect.stringMatching(/^From: Wiring <wiring@shop.example>\r$/m),
      }),
  ],
  EVENT_WEBHOOK_URL: ['the merchant is notified over it', () => notifiesMerchant()],
  EVENT_WEBHOOK_SECRET: ['signs what the merchant receives', () => notifiesMerchant()],
  EVENT_BACKOFF_SECONDS: ['a delivery has one try more than there are waits', () => isGivenUpAtEndpoint()],
  EVENT_DISABLE_AFTER_SECONDS: ['an endpoint that fails for this long is disabled', () => isGivenUpAtEndpoint()],
  EVENT_ENDPOINT_NETWORKS: ['an endpoint may have an address in these networks', () => takesOwnNetwork()],
  EVENT_RETENTION_DAYS: ['an older event is removed', () => forgetsOldEvent()],
  PAYER_RETENTION_DAYS: ['a payer without subscriptions and payments is erased', () => forgetsOldPayer()],
  CYCLE_UPCOMING_DAYS: ['a cycle is announced that long before', () => announcesUpcoming()],
  PAYER_UPCOMING_DAYS: ['the payer is notified of a debit that long before', () => notifiesOfUpcoming()],
  SECRETS_KEYS: ["an endpoint's secret is sealed with the first", () => isSealedInLedger()],
  NOTICE_TEMPLATES: [
    'its text is in the e-mail',
    async () => expect((await mail()).raw).toContain('Subject: Wired: 10.00 EUR'),
  ],
  NOTICE_BACKOFF_SECONDS: ['a delivery is tried again after it', () => isDeliveredAgain()],
  NOTICE_PAYMENT_LINK: ['the last notice of a failed payment says where to pay it', () => namesPaymentPage()],
  PAYMENT_PAGE_URL: ['the last notice of a failed payment names this page', () => namesPaymentPage()],
  INCREASE_NOTICE_DAYS: ['the payer is notified of an increase that long before it', () => isAnnouncedLate()],
  RETRY_OFFSETS_HOURS: ['the retry follows the failure after this time', () => isRetriedLater()],
  RETRY_MIN_GAP_HOURS: ['a subscription keeps it in its retry policy', () => keepsGap()],
  RECONCILE_EVERY_DAYS: ['a payment is compared again after as many days', () => isComparedAgain()],
  SPREAD_SECONDS: ['the first attempt waits for its share of it', () => isSpread()],
  MERCHANT_CATEGORY_CODE: ['in one of the five categories no more than 50.00 EUR can be requested', () => isCapped()],
  LONG_CAPTURE_PERMITTED: [
    'ten days to capture are accepted',
    async () => expect((await plays.givenBack).timeToCapture).toBe(864_000),
  ],
  EVENT_DEPENDENT_REFUNDS: [
    'a capture of an Event Dependent payment can be refunded',
    async () => expect((await plays.givenBack).refunds).toMatchObject([{ amount: { value: 500 } }]),
  ],
  CODEC_SERVER_KEY: ['opens what Temporal has stored', () => isOpened()],
  CODEC_SERVER_HOST: ['the codec server listens there', () => opensElsewhere()],
  CODEC_SERVER_PORT: ['the codec server listens on it', () => opensElsewhere()],
  CODEC_SERVER_ORIGINS: ['its pages may call the codec server from a browser', () => isOpened()],
  DUEDAY_URL: ['the API there is called', () => commandIsAnswered()],
  DUEDAY_KEY: ['opens the API to a command', () => commandIsAnswered()],
  LOG_LEVEL: [
    'more detailed lines are logged',
    async () => expect(wired.daemon.log()).toContainEqual(expect.objectContaining({ level: 20 })),
  ],
  TEST_CLOCK: [
    'business time is that of the clock',
    async () => expect((await plays.refused).sentFor(0)[0]).toBeGreaterThan(Date.parse('2027-01-31')),
  ],
  SANDBOX_PORT: [
    'the simulator listens on it',
    async () => expect(new URL(wired.simulator.url).port).toBe(String(wired.simulator.port)),
  ],
  SANDBOX_CLIENT_ID: ['the simulator gives it a token', () => hasToken()],
  SANDBOX_CLIENT_SECRET: ['the simulator gives a token for it', () => hasToken()],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['one cycle is one trace there, and in the log', () => isTraced()],
};

const ROWS = Object.entries(EFFECTS).map(([name, [effect, isSeen]]) => ({ name, effect, isSeen }));

test.each(ROWS)('$name takes effect: $effect', ({ isSeen }) => isSeen());

test('calls and their outcomes are counted in the metrics of the process that made them', async () => {
  await plays.refused;
  const page = await (await fetch(`http://${METRICS_HOST}:${wired.metricsPort}/metrics`)).text();
  const counted = (line: string) =>
    Number(
      page
        .split('\n')
        .find((each) => each.startsWith(line))
        ?.slice(line.length),
    );
  expect(counted('dueday_attempt_lateness_seconds_count ')).toBeGreaterThan(0);
  expect(counted('dueday_attempts_total{outcome="rejected_retryable"} ')).toBeGreaterThan(0);
});

test('every variable in docs/reference/configuration.md is tested here, and no other', () => {
  const page = readFileSync(join(__dirname, '../../docs/reference/configuration.md'), 'utf8');
  const [, variables = ''] = /\n## Variables\n([^]*?)\n## /.exec(page) ?? [];
  const cells = variables.split('\n').flatMap((line) => /^\| (`[^|]+) \|/.exec(line)?.[1] ?? []);
  const documented = cells.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name));
  expect(Object.keys(EFFECTS).toSorted()).toEqual(documented.toSorted());
});

async function query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const client = new Postgres({ connectionString: wired.database.url });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows as Row[];
  } finally {
    await client.end();
  }
}

async function isInLedger(): Promise<void> {
  const { id } = await plays.refused;
  expect(await query('select from subscriptions where subscription_id = $1', [id])).toHaveLength(1);
}

async function listsFromReplica(): Promise<void> {
  const { id } = await plays.refused;
  const { body } = await wired.unreleased.get<{ items: { subscriptionId: string }[] }>('/v1/subscriptions?limit=200');
  expect(body.items.map(({ subscriptionId }) => subscriptionId)).toContain(id);
  expect((await wired.unreleased.get(`/v1/subscriptions/${id}`)).status).toBe(404);
}

async function grantsToRole(): Promise<void> {
  const role = `wired_${randomBytes(4).toString('hex')}`;
  const powers = () =>
    query(
      `select has_table_privilege($1, 'events', 'insert') as writes, has_table_privilege($1, 'events', 'delete') as removes`,
      [role],
    );
  await query(`create role ${role} login`);
  try {
    expect(await powers()).toEqual([{ writes: false, removes: false }]);
    const { code } = await runDueday(['migrate'], { DATABASE_URL: wired.database.url, DATABASE_ROLE: role });
    expect([code, await powers()]).toEqual([0, [{ writes: true, removes: false }]]);
  } finally {
    await query(`drop owned by ${role}; drop role ${role}`);
  }
}

async function trustsDatabase(): Promise<void> {
  const behind = await openTlsDatabase(wired.database.url);
  const keys = (variables: Readonly<Record<string, string>>) =>
    runDueday(['keys', 'list'], { DATABASE_URL: behind.url, ...variables });
  try {
    const [without, trusted] = [await keys({}), await keys({ DATABASE_CA_FILE: CERTIFICATE_FILE })];
    expect([without.code, trusted.code]).toEqual([1, 0]);
  } finally {
    await behind.close();
  }
}

/**
 * With 4 connections, two steer for the worker, one for the API, and one reads. With the default of 20, nineteen could steer and
 * five read.
 */
async function keepsToItsShares(): Promise<void> {
  const { id } = await plays.refused;
  const asked = Array.from({ length: 60 }, async (_, index) =>
    index % 2 === 0
      ? wired.admin.get(`/v1/subscriptions?limit=${1 + index}`)
      : wired.admin.post(`/v1/subscriptions/${id}/pause`, { reason: 'it has ended' }),
  );
  // On few processors those that wait longest may time out; this test is only about connections.
  const answers = (await Promise.all(asked)).map(({ status }) => status);
  expect([...new Set(answers)].filter((status) => status !== 503).toSorted()).toEqual([200, 409]);
  const open = await query<{ purpose: string; connections: number }>(
    `select application_name as purpose, count(*)::int as connections from pg_stat_activity
     where datname = current_database() and application_name in ('dueday steering', 'dueday reading')
     group by application_name order by application_name`,
  );
  const [reading, steering] = open;
  expect(open.map(({ purpose }) => purpose)).toEqual(['dueday reading', 'dueday steering']);
  // An idle connection that the pool has closed may still be visible beside its replacement.
  expect(reading?.connections).toBeLessThanOrEqual(2);
  expect(steering?.connections).toBeLessThanOrEqual(4);
}

async function namesNoStatement(): Promise<void> {
  const url = new URL(wired.database.programUrl);
  const said = async (variables: Readonly<Record<string, string>>) => {
    let text = '';
    const line = await openLine(url.host, (bytes) => (text += bytes.toString('latin1')));
    try {
      await reconciled(wired, {
        DATABASE_URL: wired.database.programUrl.replace(url.host, line.address),
        ...variables,
      });
      return text;
    } finally {
      await line.close();
    }
  };
  // A parse message to PostgreSQL contains the statement's name, then its text.
  const named = /dueday_\d+\0\s*(?:select|insert|update|with)/;
  expect(await said({})).toMatch(named);
  expect(await said({ DATABASE_PREPARED_STATEMENTS: 'false' })).not.toMatch(named);
}

async function describe({ id }: Life) {
  return wired.temporal.workflow.getHandle(`subscription/${id}`).describe();
}

async function hasWorkflow(): Promise<void> {
  expect((await describe(await plays.refused)).type).toBe('subscription');
}

/** A marker is what Temporal keeps of a local activity; its name is not encrypted. */
async function hasCollectedInPlace(): Promise<boolean> {
  const { events } = await wired.temporal.workflow.getHandle(`subscription/${(await plays.refused).id}`).fetchHistory();
  const kept = (events ?? []).map(({ markerRecordedEventAttributes: marker }) =>
    Buffer.from(marker?.details?.['data']?.payloads?.[0]?.data ?? []).toString(),
  );
  return kept.some((each) => each.includes('"activity_type":"collectPayment"'));
}

async function isSealed(): Promise<void> {
  const payload = await inputOf(await plays.refused);
  const metadata = Object.values(payload!.metadata!).map((value) => Buffer.from(value).toString());
  const place = [wired.namespace, `subscription/${(await plays.refused).id}`];
  expect(metadata).toEqual(expect.arrayContaining(['binary/encrypted', ENCRYPTION_KEY_ID, ...place]));
}

/** This client does not encrypt; a workflow whose input is refused would never end. */
async function readsPlain(): Promise<void> {
  const handle = await wired.temporal.workflow.start(SUBSCRIPTION_WORKFLOW, {
    workflowId: 'subscription/of-a-client-that-encrypts-nothing',
    taskQueue: wired.taskQueue,
    args: [{ subscriptionId: 'sub_of_a_client_that_encrypts_nothing', clock: null }],
  });
  await waitUntil('it has ended', async () => (await handle.describe()).status.name === 'COMPLETED');
}

async function isOpened(): Promise<void> {
  const life = await plays.refused;
  expect(await opened(await inputOf(life))).toContain(life.id);
}

/** The input of the newest run, as stored by Temporal. */
async function inputOf({ id }: Life) {
  const { events } = await wired.temporal.workflow.getHandle(`subscription/${id}`).fetchHistory();
  return events![0]!.workflowExecutionStartedEventAttributes!.input!.payloads![0];
}

interface Sealed {
  readonly metadata?: Record<string, Uint8Array> | null;
  readonly data?: Uint8Array | null;
}

/** Decodes a payload at the codec server, which is called as the Web UI does, with its origin. */
async function opened(payload: Sealed | null | undefined): Promise<string> {
  const base64 = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('base64');
  const fields = Object.entries(payload?.metadata ?? {}).map(([name, value]) => [name, base64(value)]);
  const answer = await fetch(`${wired.codecServer.url}/decode`, {
    method: 'POST',
    headers: { authorization: `Bearer ${CODEC_KEY}`, origin: CODEC_ORIGIN, 'content-type': 'application/json' },
    body: JSON.stringify({
      payloads: [{ metadata: Object.fromEntries(fields) as unknown, data: base64(payload?.data) }],
    }),
  });
  expect(answer.headers.get('access-control-allow-origin')).toBe(CODEC_ORIGIN);
  const { payloads } = (await answer.json()) as { payloads: { data: string }[] };
  return Buffer.from(payloads[0]!.data, 'base64').toString();
}

async function opensElsewhere(): Promise<void> {
  const { url, port } = wired.codecServer;
  expect(url).toBe(`http://${CODEC_HOST}:${port}`);
  expect((await fetch(url)).status).toBe(401);
}

async function caller() {
  await waitUntil('the cluster is called', () => wired.cluster.callers.length > 0);
  return wired.cluster.callers[0];
}

function orderInProduction(api: Wired['released'], cents: number) {
  return api.post<{ code: string; errors?: { path: string }[] }>(
    '/v1/subscriptions',
    orderOf({ name: 'production', cents }, Date.now() + DAY),
  );
}

async function isRefusedUnreleased(): Promise<void> {
  const { status, body } = await orderInProduction(wired.unreleased, 1000);
  expect({ status, body }).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
}

async function isCapped(): Promise<void> {
  const { status, body } = await orderInProduction(wired.released, 5001);
  expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path: 'amount.value' }] } });
}

async function isAtService(): Promise<void> {
  const { paymentId } = await plays.refused;
  expect(wired.sandbox.payments().map((each) => each.paymentId)).toContain(paymentId);
}

/** Real ms from the first audit entry of one type to the first entry of the other type after it. */
async function realBetween(life: Life, one: string, other: string): Promise<number> {
  const auditLog = await life.auditLog();
  const from = auditLog.findIndex(({ type }) => type === one);
  const to = auditLog.findIndex(({ type }, index) => index > from && type === other);
  expect([one, from < 0, other, to < 0]).toEqual([one, false, other, false]);
  return (auditLog[to]!.at - auditLog[from]!.at) / SPEED;
}

async function isGivenUp(): Promise<void> {
  const waited = await realBetween(await plays.hanging, 'attempt.sending', 'attempt.unknown');
  expect(waited).toBeGreaterThanOrEqual(3 * SECOND - 100);
  expect(waited).toBeLessThan(25 * SECOND);
}

async function isSentAgain(): Promise<void> {
  const waited = await realBetween(await plays.swallowed, 'attempt.unknown', 'attempt.sending');
  expect(waited).toBeGreaterThanOrEqual(2 * SECOND - 100);
  expect((await plays.swallowed).atService.debits).toHaveLength(1);
}

/** Half an hour before its deadline: too late with an hour of transit, but not with the default minute. */
async function isTooLate(): Promise<void> {
  const pool = createPool({ databaseUrl: wired.otherDatabase.url });
  try {
    const { paymentId } = await authorizedPayment(pool, {}, Date.now() - 7 * DAY + HOUR / 2);
    const body = { amount: { value: 100, currency: 'EUR' } };
    const answer = await wired.unreleased.post<{ rule?: string }>(`/v1/payments/${paymentId}/captures`, body);
    expect(answer).toMatchObject({ status: 409, body: { rule: 'deadline' } });
  } finally {
    await pool.end();
  }
}

/** A low cap: without it a run would end much earlier. */
const MAX_RPS = 2;

async function keepsToItsRate(): Promise<void> {
  await Promise.all(Object.values(plays) as Promise<unknown>[]);
  const startedAt = performance.now();
  const calls = await reconciled(wired, { PAYMENT_SERVICE_MAX_RPS: String(MAX_RPS) });
  const times = calls.filter(({ method }) => method === 'GET').map(({ at }) => at);
  expect(times.length).toBeGreaterThan(7 * MAX_RPS);
  // A late call may be followed by the next at once, so intervals are measured from the first call.
  times.forEach((at, index) => expect(at - startedAt).toBeGreaterThanOrEqual(Math.floor(index / MAX_RPS) * SECOND));
}

/** A non-default address of this machine; on Linux all of 127.0.0.0/8 are. */
async function listensElsewhere(): Promise<void> {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const own = all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.2';
  expect((await fetch(`http://${own}:${wired.adminPort}/healthz`)).status).toBe(200);
}

/** Ended days ago and unchanged, but still compared: by default that would happen after a week. */
async function isComparedAgain(): Promise<void> {
  const { id } = await plays.refused;
  const [ended] = await query<{ at: Date }>('select max(at) as at from events where subscription_id = $1', [id]);
  const days = (since: Date | undefined) => (wired.clock.now() - (since?.getTime() ?? NaN)) / DAY;
  await waitUntil('it has ended six days ago', () => days(ended?.at) > 6);
  const [row] = await query<{ since: Date }>('select waits_since as since from comparisons where position = $1', [id]);
  expect(days(row?.since)).toBeLessThan(5);
}

async function showsMetricsElsewhere(): Promise<void> {
  const { adminPort, metricsPort } = wired;
  const at = async (host: string, port: number) => (await fetch(`http://${host}:${port}/metrics`)).status;
  expect([await at(METRICS_HOST, metricsPort), await at('127.0.0.1', adminPort)]).toEqual([200, 404]);
  await expect(at('127.0.0.1', metricsPort)).rejects.toThrow();
}

async function opensTheApi(): Promise<void> {
  const statusWith = async (key: string) =>
    (await fetch(`http://127.0.0.1:${wired.adminPort}/v1/keys`, { headers: { authorization: `Bearer ${key}` } }))
      .status;
  expect([await statusWith(ADMIN_KEY), await statusWith(`${ADMIN_KEY}x`)]).toEqual([200, 401]);
}

async function openSession(): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const answer = await fetch(`http://127.0.0.1:${wired.adminPort}/v1/session`, { method: 'POST', headers });
  return (await answer.json()) as Record<string, string>;
}

async function sessionLasts(end: 'idleEndsAt' | 'endsAt', ms: number): Promise<void> {
  const asked = Date.now();
  const endsAt = Date.parse((await openSession())[end]!);
  expect(endsAt).toBeGreaterThanOrEqual(asked + ms);
  expect(endsAt).toBeLessThanOrEqual(Date.now() + ms);
}

let callersSeen = 0;

async function countsByAddress(): Promise<void> {
  const address = () => `192.0.2.${(callersSeen += 1)}`;
  const statusFrom = async (forwarded: string) => {
    const headers = { authorization: 'Bearer dd_unknown', 'x-forwarded-for': forwarded };
    return (await fetch(`http://127.0.0.1:${wired.adminPort}/v1/keys`, { headers })).status;
  };
  const [one, other] = [address(), address()];
  const statuses = [];
  for (const from of [one, one, one, other]) statuses.push(await statusFrom(from));
  expect(statuses).toEqual([401, 401, 429, 401]);
}

async function waitsForAnother(): Promise<void> {
  const { paymentId } = await plays.booked;
  // A key that was created by the bootstrap key may not request approvals.
  const wanted = ['--name', 'wiring', '--role', 'operator', '--holder', 'Grace Hopper'];
  const { stdout } = await runDueday(['keys', 'create', ...wanted], { DATABASE_URL: wired.database.url });
  const api = createAdminApi(`http://127.0.0.1:${wired.adminPort}`, stdout.trimEnd().split('\n').at(-1)!);
  const refund = (cents: number) =>
    api.post(`/v1/payments/${paymentId}/refunds`, { amount: { value: cents, currency: 'EUR' } });
  expect(await refund(4001)).toMatchObject({ status: 409, body: { code: 'approval_required' } });
  expect(await refund(4000)).toMatchObject({ status: 201 });
}

async function answersItsLimit(): Promise<void> {
  const { headers } = await fetch(`http://127.0.0.1:${wired.adminPort}/v1/keys`, {
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
  });
  expect(headers.get('x-ratelimit-limit')).toBe('11000');
}

/** The receiver accepts only messages signed with its own secret. */
async function notifiesByWebhook(): Promise<void> {
  const { id } = await plays.refused;
  expect(wired.receiver.told(id, 'payment.failed')).toHaveLength(1);
  expect(wired.receiver.forged).toEqual([]);
}

async function notifiesOfUpcoming(): Promise<void> {
  const { id } = await plays.refused;
  expect(wired.receiver.told(id, 'payment.upcoming')).toHaveLength(1);
}

async function namesPaymentPage(): Promise<void> {
  const { id } = await plays.failed;
  await waitUntil('the payer is notified', () => wired.receiver.told(id, 'payment.failed').length > 0);
  const paymentLink = `https://shop.example/pay/${id}?cycle=0`;
  expect(wired.receiver.told(id, 'payment.failed')).toMatchObject([{ data: { paymentLink } }]);
}

async function notifiesMerchant(): Promise<void> {
  const { id } = await plays.declined;
  expect(wired.events.told(id, 'consent.failed')).toHaveLength(1);
  expect(wired.events.forged).toEqual([]);
}

interface Answered {
  endpointId: string;
  disabledReason?: string;
  items: { state: string; tries: unknown[] }[];
}

async function ask(path: string, body?: object): Promise<{ status: number; answer: Answered }> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' };
  const url = `http://127.0.0.1:${wired.adminPort}/v1/${path}`;
  const answer = await fetch(
    url,
    body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
  );
  return { status: answer.status, answer: (await answer.json()) as Answered };
}

const endpointAt = (url: string) =>
  ask('webhook-endpoints', {
    url,
    types: ['cycle.upcoming'],
  });

/** Nothing listens on port 1. */
async function isGivenUpAtEndpoint(): Promise<void> {
  const { endpointId } = (await endpointAt('http://127.0.0.1:1/')).answer;
  await ask(`webhook-endpoints/${endpointId}/test`, {});
  const deliveries = () => ask(`webhook-endpoints/${endpointId}/deliveries`);
  await waitUntil('the test is given up', async () =>
    (await deliveries()).answer.items.some(({ state }) => state === 'dead'),
  );
  expect((await deliveries()).answer.items.find(({ state }) => state === 'dead')?.tries).toHaveLength(2);
  const { answer } = await ask(`webhook-endpoints/${endpointId}`);
  expect(answer.disabledReason).toBe('failing');
}

async function takesOwnNetwork(): Promise<void> {
  const statuses = [await endpointAt('http://10.20.0.1/'), await endpointAt('http://10.21.0.1/')].map(
    ({ status }) => status,
  );
  expect(statuses).toEqual([201, 400]);
}

async function forgetsOldEvent(): Promise<void> {
  const rows = () => inLedger('select from merchant_events where event_id = $1', [OLD_EVENT]);
  await waitUntil('the old event is gone', async () => (await rows()).length === 0);
}

async function forgetsOldPayer(): Promise<void> {
  const kept = () => inLedger('select from payers where payer_id = $1 and email is not null', [OLD_PAYER]);
  await waitUntil('the old payer is erased', async () => (await kept()).length === 0);
}

async function announcesUpcoming(): Promise<void> {
  await plays.refused;
  const upcoming = () => ask('events?types=cycle.upcoming');
  await waitUntil('a cycle is announced', async () => (await upcoming()).answer.items.length > 0);
}

async function isSealedInLedger(): Promise<void> {
  const { endpointId } = (await endpointAt('http://10.20.0.2/')).answer;
  const [row] = await inLedger('select secret from webhook_endpoints where endpoint_id = $1', [endpointId]);
  expect(row?.['secret']).toMatch(new RegExp(`^sealed:${ENCRYPTION_KEY_ID}:`));
}

async function inLedger(sql: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  const client = new Postgres({ connectionString: wired.database.url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(sql, values);
  await client.end();
  return rows;
}

/** The e-mail about the refusal: the payer was notified of the coming debit before. */
async function mail() {
  const { order } = await plays.refused;
  return wired.mails.mails.find(({ to, raw }) => to.includes(order.payer.email) && !raw.includes('is due soon'))!;
}

/** By default the second delivery would come after at least five seconds. */
async function isDeliveredAgain(): Promise<void> {
  const { id } = await plays.declined;
  const [first, second] = wired.events.deliveries.filter(({ data }) => data.subscriptionId === id);
  const waited = (second!.at - first!.at) / SPEED;
  expect(waited).toBeGreaterThanOrEqual(7 * SECOND - 50);
}

async function isAnnouncedLate(): Promise<void> {
  const life = await plays.raised;
  const [told] = wired.receiver.told(life.id, 'payment.increase_announced');
  expect(told!.at).toBeGreaterThanOrEqual(life.due(1) - 3 * DAY);
  expect(life.atService.debits.map(({ amount }) => amount.value)).toEqual([1000, 1100]);
}

async function isRetriedLater(): Promise<void> {
  const [failed, retried] = (await plays.refused).sentFor(0);
  expect(retried! - failed!).toBeGreaterThanOrEqual(40 * HOUR);
}

async function keepsGap(): Promise<void> {
  const { id } = await plays.refused;
  const text = `select retry_policy -> 'gap' as gap from subscriptions where subscription_id = $1`;
  expect(await query(text, [id])).toEqual([{ gap: 12 * HOUR }]);
}

async function isCollectedUnlisted(): Promise<void> {
  const life = await plays.aged;
  expect([life.sentFor(0).length, life.sentFor(2).length]).toEqual([1, 1]);
}

async function isSpread(): Promise<void> {
  const lives = [await plays.refused, await plays.hanging, await plays.raised];
  const shares = lives.map(({ id }) => spreadOf(id as SubscriptionId, SPREAD_SECONDS));
  expect(Math.max(...shares)).toBeGreaterThan(HOUR);
  lives.forEach((life, index) => expect(life.sentFor(0)[0]).toBeGreaterThanOrEqual(life.due(0) + shares[index]!));
}

async function hasToken(): Promise<void> {
  const { url, clientId, clientSecret } = wired.simulator;
  const statusFor = async (secret: string) => {
    const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
    const body = new URLSearchParams({ grant_type: 'client_credentials' });
    return (await fetch(`${url}/oauth/token`, { method: 'POST', headers: { authorization }, body })).status;
  };
  expect([await statusFor(clientSecret), await statusFor('sandbox-secret')]).toEqual([200, 401]);
}

async function refusesPlainPayloads(): Promise<void> {
  const { code, stderr } = await runDueday(['api'], { ...wired.production, PAYLOAD_ENCRYPTION: '' });
  expect([code, stderr]).toEqual([2, expect.stringContaining('PAYLOAD_ENCRYPTION: missing')]);
}

/** The tests' Temporal server has no TLS. */
async function refusesPlainTemporal(): Promise<void> {
  const { code, stderr } = await runDueday(['api'], { ...wired.production, TEMPORAL_TLS: 'true' });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Temporal cannot be reached') });
}

/** The result of `dueday config check` in production. */
async function checkProduction(variables: Readonly<Record<string, string>>): Promise<number | null> {
  return (await runDueday(['config', 'check'], { ...wired.production, ...variables })).code;
}

async function allowsPlain(): Promise<void> {
  const mail = { SMTP_URL: 'smtp://mail.internal', NOTICE_FROM: 'billing@shop.example' };
  const allowed = { ...mail, PLAINTEXT_ALLOWED: 'mail.internal' };
  expect(await Promise.all([mail, allowed].map(checkProduction))).toEqual([2, 0]);
}

async function allowsEverywhere(): Promise<void> {
  const everywhere = { METRICS_HOST: '::0' };
  const allowed = { ...everywhere, LISTEN_EVERYWHERE_ALLOWED: 'METRICS_HOST' };
  expect(await Promise.all([everywhere, allowed].map(checkProduction))).toEqual([2, 0]);
}

async function commandIsAnswered(): Promise<void> {
  const { id } = await plays.refused;
  const url = `http://127.0.0.1:${wired.adminPort}`;
  const { stdout } = await runDueday(['subscriptions', 'show', id], { DUEDAY_URL: url, DUEDAY_KEY: ADMIN_KEY });
  expect(JSON.parse(stdout)).toMatchObject({ subscriptionId: id });
}

/** Spans from a worker's activity to its calls and statements, and API requests linked to their subjects. */
async function isTraced(): Promise<void> {
  const { id } = await plays.refused;
  const cycle = traceIdsOf({ subscriptionId: id, cycle: 0 })?.traceId;
  const ofCycle = () => wired.collector.spans().filter(({ traceId }) => traceId === cycle);
  const NAMES = ['RunActivity:collectPayment', 'deliver notice', 'initiate', 'select begin_send'];
  const isWhole = () => NAMES.every((wanted) => ofCycle().some(({ name }) => name === wanted));
  await waitUntil(`the trace of ${id} is whole`, isWhole);
  expect(ofCycle()[0]?.resource).toMatchObject({ 'service.name': 'dueday', 'dueday.role': 'daemon' });
  expect(wired.daemon.log()).toContainEqual(
    expect.objectContaining({ msg: 'payment service call', trace_id: cycle, subscriptionId: id, cycle: 0 }),
  );
  const [created] = wired.collector
    .spans()
    .filter(({ name, attributes }) => name === 'StartWorkflow:subscription' && isOf(attributes, id));
  expect(created?.links).toEqual([traceIdsOf({ subscriptionId: id })]);
  const request = wired.collector.spans().find(({ spanId }) => spanId === created?.parentSpanId);
  expect(request?.name).toBe('POST /v1/subscriptions');
}

function isOf(attributes: Readonly<Record<string, unknown>>, id: string): boolean {
  return attributes['dueday.subscription_id'] === id;
}
