import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { Client as Postgres } from 'pg';
import { spreadOf } from '../../src/gateway';
import type { VariableName } from '../../src/config-variables';
import { DAY, HOUR, SECOND } from '../../src/domain/time';
import type { SubscriptionId } from '../../src/domain/ids';
import { createPool } from '../../src/ledger';
import { runDueday } from '../cli/dueday-process';
import { authorizedPayment } from '../ledger/payment-fixture';
import { orderOf } from '../scenarios/order';
import type { Life } from '../scenarios/life';
import { waitUntil } from '../support/wait-until';
import { play, type Plays } from './plays';
import {
  ADMIN_KEY,
  ENCRYPTION_KEY_ID,
  openWired,
  reconciled,
  SPEED,
  SPREAD_SECONDS,
  TEMPORAL_API_KEY,
  TOKEN_PATH,
  type Wired,
} from './wired';

const PATIENCE = 300_000;

let wired: Wired;
let plays: Plays;

beforeAll(async () => {
  wired = await openWired();
  plays = play(wired);
}, PATIENCE);
afterAll(() => (wired as Wired | undefined)?.close(), PATIENCE);

/** What is seen from outside of a process that has the variable, and of none that has its default. */
const EFFECTS: Readonly<Record<VariableName, readonly [effect: string, isSeen: () => Promise<void>]>> = {
  DATABASE_URL: ['the ledger is there', () => isInLedger()],
  DATABASE_POOL_SIZE: ['no more connections than its shares, however many ask', () => keepsToItsShares()],
  TEMPORAL_ADDRESS: ['the workflows are there', () => hasWorkflow()],
  TEMPORAL_NAMESPACE: ['the workflows are in it', () => hasWorkflow()],
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
  ACTIVITY_SLOTS: [
    'so many slots of each queue are told as the worker comes up',
    async () => {
      const { slots } = await wired.daemon.says('worker runs');
      expect(slots).toEqual({ collecting: 150, others: 150 });
    },
  ],
  TEMPORAL_TASK_QUEUE: [
    'workflows are started on it',
    async () => expect((await describe(await plays.refused)).taskQueue).toBe(wired.taskQueue),
  ],
  PAYLOAD_ENCRYPTION_KEYS: ['what Temporal stores is sealed with the first', () => isSealed()],
  PAYMENT_SERVICE_ENVIRONMENT: ['production creates no subscriptions', () => isRefusedUnreleased()],
  PAYMENT_SERVICE_SUBSCRIPTIONS_RELEASED: [
    'production creates them: an order is judged',
    async () => expect((await orderInProduction(wired.released, 5001)).status).toBe(400),
  ],
  PAYMENT_SERVICE_BASE_URL: ['the service there is asked', () => isAtService()],
  PAYMENT_SERVICE_TOKEN_URL: [
    'tokens are had there',
    async () => expect(wired.tokens.seen).toContainEqual(expect.objectContaining({ method: 'POST', path: TOKEN_PATH })),
  ],
  PAYMENT_SERVICE_CLIENT_ID: ['the service takes no other', () => isAtService()],
  PAYMENT_SERVICE_CLIENT_SECRET: ['the service takes no other', () => isAtService()],
  PAYMENT_SERVICE_API_KEY: ['the service takes no call without it', () => isAtService()],
  PAYMENT_SERVICE_TIMEOUT_MS: ['a call that is not answered is given up after it', () => isGivenUp()],
  PAYMENT_SERVICE_SETTLE_SECONDS: ['what never arrived is sent again after it', () => isSentAgain()],
  PAYMENT_SERVICE_TRANSIT_SECONDS: ['a capture is refused that long before its deadline', () => isTooLate()],
  PAYMENT_SERVICE_MAX_RPS: ['no second has more calls', () => keepsToItsRate()],
  ADMIN_HOST: ['the API is reached at an address that is not the default one', () => listensElsewhere()],
  ADMIN_PORT: [
    'the API listens on it',
    async () => expect((await fetch(`http://127.0.0.1:${wired.adminPort}/healthz`)).status).toBe(200),
  ],
  ADMIN_BOOTSTRAP_KEY: ['opens the API', () => opensTheApi()],
  NOTICE_WEBHOOK_URL: ['payers are told over it', () => isToldOverWebhook()],
  NOTICE_WEBHOOK_SECRET: ['signs what payers are told', () => isToldOverWebhook()],
  SMTP_URL: [
    'payers are told by e-mail',
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
  EVENT_WEBHOOK_URL: ['the merchant is told over it', () => isToldToMerchant()],
  EVENT_WEBHOOK_SECRET: ['signs what the merchant is told', () => isToldToMerchant()],
  NOTICE_BACKOFF_SECONDS: ['a delivery is tried again after it', () => isDeliveredAgain()],
  INCREASE_NOTICE_DAYS: ['the payer hears of an increase that long before it', () => isAnnouncedLate()],
  RETRY_OFFSETS_HOURS: ['the retry follows the failure by it', () => isRetriedLater()],
  SPREAD_SECONDS: ['the first attempt waits for its share of it', () => isSpread()],
  MERCHANT_CATEGORY_CODE: ['one of the five takes no more than 50.00 EUR', () => isCapped()],
  LONG_CAPTURE_PERMITTED: [
    'ten days to capture are taken',
    async () => expect((await plays.givenBack).timeToCapture).toBe(864_000),
  ],
  EVENT_DEPENDENT_REFUNDS: [
    'a capture of an Event Dependent payment is given back',
    async () => expect((await plays.givenBack).refunds).toMatchObject([{ amount: { value: 500 } }]),
  ],
  LOG_LEVEL: [
    'finer lines are written',
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
  OTEL_EXPORTER_OTLP_ENDPOINT: ['is checked, and no more yet', () => isChecked()],
};

const ROWS = Object.entries(EFFECTS).map(([name, [effect, isSeen]]) => ({ name, effect, isSeen }));

test.each(ROWS)('$name: $effect', ({ isSeen }) => isSeen(), PATIENCE);

test('every variable of docs/configuration.md is seen here, and no other', () => {
  const page = readFileSync(join(__dirname, '../../docs/configuration.md'), 'utf8');
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

/** Of 4: 3 to collect, 1 + 1 to steer, 1 to read, and one for leases. Those of the default size would be more. */
async function keepsToItsShares(): Promise<void> {
  const { id } = await plays.refused;
  const asked = Array.from({ length: 60 }, async (_, index) =>
    index % 2 === 0
      ? wired.admin.get(`/v1/subscriptions?limit=${1 + index}`)
      : wired.admin.post(`/v1/subscriptions/${id}/pause`, { reason: 'it has ended' }),
  );
  expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200, 409]));
  const open = await query(
    `select from pg_stat_activity where datname = current_database() and application_name = 'dueday'`,
  );
  expect(open.length).toBeLessThanOrEqual(7);
}

async function describe({ id }: Life) {
  return wired.temporal.workflow.getHandle(`subscription/${id}`).describe();
}

async function hasWorkflow(): Promise<void> {
  expect((await describe(await plays.refused)).type).toBe('subscription');
}

async function isSealed(): Promise<void> {
  const { id } = await plays.refused;
  const { events } = await wired.temporal.workflow.getHandle(`subscription/${id}`).fetchHistory();
  const [payload] = events![0]!.workflowExecutionStartedEventAttributes!.input!.payloads!;
  const metadata = Object.values(payload!.metadata!).map((value) => Buffer.from(value).toString());
  expect(metadata.toSorted()).toEqual(['binary/encrypted', ENCRYPTION_KEY_ID]);
}

async function caller() {
  await waitUntil('the cluster is called', () => wired.cluster.callers.length > 0, 60_000);
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

/** Types of the trail with their business times, oldest first. */
async function trailOf({ id }: Life): Promise<{ readonly type: string; readonly at: number }[]> {
  const { body } = await wired.admin.get<{ items: { type: string; at: string }[] }>(
    `/v1/subscriptions/${id}/events?limit=200`,
  );
  return body.items.toReversed().map(({ type, at }) => ({ type, at: Date.parse(at) }));
}

/** Real ms between two entries of a trail, each the first of its type, the second after the first. */
async function realBetween(life: Life, one: string, other: string): Promise<number> {
  const trail = await trailOf(life);
  const from = trail.findIndex(({ type }) => type === one);
  const to = trail.findIndex(({ type }, index) => index > from && type === other);
  expect([one, from < 0, other, to < 0]).toEqual([one, false, other, false]);
  return (trail[to]!.at - trail[from]!.at) / SPEED;
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

/** Half an hour before its deadline: an hour of transit is too much, the default minute would not be. */
async function isTooLate(): Promise<void> {
  const pool = createPool({ databaseUrl: wired.otherDatabase.url });
  const { paymentId } = await authorizedPayment(pool, {}, Date.now() - 7 * DAY + HOUR / 2).finally(() => pool.end());
  const body = { amount: { value: 100, currency: 'EUR' } };
  const answer = await wired.unreleased.post<{ rule?: string }>(`/v1/payments/${paymentId}/captures`, body);
  expect(answer).toMatchObject({ status: 409, body: { rule: 'deadline' } });
}

const MAX_RPS = 10;

async function keepsToItsRate(): Promise<void> {
  await Promise.all(Object.values(plays) as Promise<unknown>[]);
  const calls = await reconciled(wired, { PAYMENT_SERVICE_MAX_RPS: String(MAX_RPS) });
  const times = calls.filter(({ method }) => method === 'GET').map(({ at }) => at);
  expect(times.length).toBeGreaterThan(MAX_RPS);
  // They arrive a little later or earlier than they were let out.
  times.slice(MAX_RPS).forEach((at, index) => expect(at - times[index]!).toBeGreaterThan(0.9 * SECOND));
}

/** An address of this machine that is not the default one; on Linux each of 127.0.0.0/8 is. */
async function listensElsewhere(): Promise<void> {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const own = all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.2';
  expect((await fetch(`http://${own}:${wired.adminPort}/healthz`)).status).toBe(200);
}

async function opensTheApi(): Promise<void> {
  const statusWith = async (key: string) =>
    (await fetch(`http://127.0.0.1:${wired.adminPort}/v1/keys`, { headers: { authorization: `Bearer ${key}` } }))
      .status;
  expect([await statusWith(ADMIN_KEY), await statusWith(`${ADMIN_KEY}x`)]).toEqual([200, 401]);
}

/** The receiver accepts what is signed with its own secret alone. */
async function isToldOverWebhook(): Promise<void> {
  const { id } = await plays.refused;
  expect(wired.receiver.told(id, 'payment.failed')).toHaveLength(1);
  expect(wired.receiver.forged).toEqual([]);
}

async function isToldToMerchant(): Promise<void> {
  const { id } = await plays.declined;
  expect(wired.events.told(id, 'consent.failed')).toHaveLength(1);
  expect(wired.events.forged).toEqual([]);
}

async function mail() {
  const { order } = await plays.refused;
  return wired.mails.mails.find(({ to }) => to.includes(order.payer.email))!;
}

/** By default the second delivery would come after five seconds. */
async function isDeliveredAgain(): Promise<void> {
  const { id } = await plays.declined;
  const [first, second] = wired.events.deliveries.filter(({ data }) => data.subscriptionId === id);
  const waited = (second!.at - first!.at) / SPEED;
  expect(waited).toBeGreaterThanOrEqual(SECOND - 50);
  expect(waited).toBeLessThan(4.9 * SECOND);
}

async function isAnnouncedLate(): Promise<void> {
  const life = await plays.raised;
  const [told] = wired.receiver.told(life.id, 'payment.increase_announced');
  expect(told!.at).toBeGreaterThanOrEqual(life.due(1) - 2 * DAY);
  expect(life.atService.debits.map(({ amount }) => amount.value)).toEqual([1000, 1100]);
}

async function isRetriedLater(): Promise<void> {
  const [failed, retried] = (await plays.refused).sentFor(0);
  expect(retried! - failed!).toBeGreaterThanOrEqual(40 * HOUR);
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

async function isChecked(): Promise<void> {
  const check = (value: string) => runDueday(['config', 'check'], { OTEL_EXPORTER_OTLP_ENDPOINT: value });
  const [good, bad] = await Promise.all([check('http://collector.example:4318'), check('collector')]);
  expect([good.code, good.stdout]).toEqual([
    0,
    expect.stringMatching(/^OTEL_EXPORTER_OTLP_ENDPOINT +http:\/\/collector/m),
  ]);
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('OTEL_EXPORTER_OTLP_ENDPOINT: expected')]);
}
