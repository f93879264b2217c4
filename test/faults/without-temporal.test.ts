import { Client as TemporalClient, Connection } from '@temporalio/client';
import { Client } from 'pg';
import type { SubscriptionId } from '../../src/domain/ids';
import { HOUR, MINUTE, SECOND } from '../../src/domain/time';
import { getSubscription } from '../../src/ledger';
import { openProcessStack, type ProcessStack } from '../processes/local-stack';
import type { Program } from '../processes/program';
import type { Answer, Subscription } from '../scenarios/admin-api';
import type { Life } from '../scenarios/life';
import { placeOrder } from '../scenarios/world';
import { waitUntil } from '../support/wait-until';
import { untilAtRest } from './workflow-ends';

/**
 * Temporal is killed, and every subscription can be steered as before: each request takes effect in the ledger at once. Twenty
 * minutes pass in a second, so that nothing falls due meanwhile. With `EACH=100` every verb is used on a hundred subscriptions, and
 * the 99th percentile must be within a second. That takes a quarter of an hour, and two minutes pass in a second.
 */
const EACH = Number(process.env['EACH'] ?? 1);
/** Slow enough that no retry is made while other subscriptions are still being created. */
const SPEED = EACH > 10 ? 120 : 1_200;

let stack: ProcessStack;
let programs: readonly Program[];
let ledger: Client;

beforeAll(async () => {
  const env = {
    PAYMENT_SERVICE_SETTLE_SECONDS: '1',
    PAYMENT_SERVICE_TIMEOUT_MS: '4000',
    NOTICE_BACKOFF_SECONDS: '0.5',
  };
  stack = await openProcessStack({ startAt: Date.parse('2027-01-29T08:00:00.000Z'), speed: SPEED, env });
  programs = [stack.program('worker'), stack.program('api')];
  await Promise.all(programs.map((program) => program.start()));
  ledger = new Client({ connectionString: stack.databaseUrl });
  await ledger.connect();
});

afterAll(async () => {
  await ledger.end();
  await Promise.all(programs.map((program) => program.stop()));
  await stack.close();
});

const order = async (name: string, wallet = 'approves') =>
  (await placeOrder(stack, stack.clock, { name, cents: 1500, lead: 10 * HOUR })).approvedWith(wallet);

const changeTo = (life: Life, value: number) =>
  stack.admin.post(`/v1/subscriptions/${life.id}/amount-changes`, { amount: { value, currency: 'EUR' } });

interface Dunning {
  items: { status: string; nextAttemptAt?: string }[];
}

/** Waits until the first payment was refused and the payer was notified, so that a retry is possible. */
async function enterDunning(life: Life): Promise<void> {
  await waitUntil('its payer is notified of the refusal', async () => {
    const { rowCount } = await ledger.query(
      `select from notices where subscription_id = $1 and type = 'payment.failed' and state = 'delivered'`,
      [life.id],
    );
    return rowCount === 1;
  });
  await waitUntil('its cycle waits for the retry', async () => {
    const { body } = await stack.admin.get<Dunning>(`/v1/subscriptions/${life.id}/cycles`);
    return body.items[0]?.status === 'dunning';
  });
}

/** Creates a subscription whose debit was sent and accepted but is in no list, for an operator to resolve. */
async function createUnlisted(name: string): Promise<Life> {
  const life = await order(name, 'slow-3600');
  const match = { method: 'POST', path: `^/${life.paymentId}/authorizations$` } as const;
  stack.sandbox.faults.add({ kind: 'late_listing', delayMs: HOUR, match });
  return life;
}

const attentionOf = async ({ id }: Life): Promise<readonly string[]> => {
  const subscription = await getSubscription(ledger, id as SubscriptionId);
  return subscription!.attention;
};

/** Subscriptions whose workflows have not acknowledged their newest revision. */
async function unacknowledged(): Promise<string[]> {
  const { rows } = await ledger.query<{ id: string }>(
    `select subscription_id as id from subscriptions
     where acknowledged_revision < revision and status in ('pending_consent', 'active', 'paused')`,
  );
  return rows.map(({ id }) => id);
}

type Verb = keyof typeof STATUS;

/** The answer to each verb. */
const STATUS = {
  ...{ pause: 200, resume: 200, cancel: 202, skip: 200, retry: 202 },
  ...{ change: 200, withdraw: 200, acknowledge: 200, resolve: 200, payer: 200 },
} as const;
const VERBS = Object.keys(STATUS) as Verb[];

const of = ({ id }: Life) => `/v1/subscriptions/${id}`;
const why = { reason: 'Temporal is away' };

const ASK: Readonly<Record<Verb, (life: Life) => Promise<Answer<unknown>>>> = {
  pause: (life) => life.steer('pause', why),
  resume: (life) => life.steer('resume', why),
  cancel: (life) => life.steer('cancel', why),
  skip: (life) => life.steer('cycles/1/skip', why),
  retry: (life) => stack.admin.post(`${of(life)}/cycles/0/retry`, why),
  change: (life) => changeTo(life, 1200),
  withdraw: (life) => stack.admin.delete(`${of(life)}/amount-changes/pending`),
  acknowledge: (life) => stack.admin.post(`${of(life)}/acknowledge`, why),
  resolve: (life) =>
    stack.admin.post(`${of(life)}/cycles/0/resolve`, { outcome: 'collected', evidence: 'the bank says so' }),
  payer: (life) => stack.admin.patch(`${of(life)}/payer`, { email: 'new@payer.example' }),
};

/** Creates a subscription for a request of this kind, and waits until the request is possible. */
async function prepare(verb: Verb, number: number): Promise<Life> {
  const name = `${verb}-${number}`;
  if (verb === 'resolve') return createUnlisted(name);
  const wallets: Partial<Record<Verb, string>> = { retry: 'insufficient-funds-once', acknowledge: 'capture-fails' };
  return order(name, wallets[verb]);
}

const READY: Readonly<Partial<Record<Verb, (life: Life) => Promise<unknown>>>> = {
  skip: (life) => life.collected(1),
  change: (life) => life.collected(1),
  withdraw: async (life) => {
    await life.collected(1);
    expect((await changeTo(life, 1200)).status).toBe(200);
  },
  retry: enterDunning,
  resume: async (life) => expect((await life.steer('pause')).status).toBe(200),
  acknowledge: (life) =>
    waitUntil('its failed capture needs attention', async () => (await attentionOf(life)).includes('capture_failed:0')),
  resolve: (life) =>
    waitUntil('its attempt is in no list', async () => (await attentionOf(life)).includes('unlisted:0')),
};

type Lives = Readonly<Record<Verb, readonly Life[]>>;

async function prepareAll(): Promise<Lives> {
  const lives = Object.fromEntries(VERBS.map((verb) => [verb, [] as Life[]])) as Record<Verb, Life[]>;
  for (let number = 0; number < EACH; number += 1)
    await Promise.all(VERBS.map(async (verb) => lives[verb].push(await prepare(verb, number))));
  for (const verb of VERBS) for (const life of lives[verb]) await READY[verb]?.(life);
  return lives;
}

/** Makes the requests one after the other. @returns their durations in ms, ascending */
async function askAll(verb: Verb, lives: readonly Life[]): Promise<readonly number[]> {
  const times: number[] = [];
  for (const life of lives) {
    const askedAt = performance.now();
    const { status } = await ASK[verb](life);
    times.push(performance.now() - askedAt);
    expect([verb, status]).toEqual([verb, STATUS[verb]]);
  }
  return times.sort((one, other) => one - other);
}

const shown = async (life: Life) => (await stack.admin.get<Subscription>(of(life))).body;

const HOLDS: Readonly<Record<Verb, (life: Life) => Promise<unknown>>> = {
  pause: async (life) => expect(await shown(life)).toMatchObject({ status: 'paused' }),
  resume: async (life) => expect(await shown(life)).toMatchObject({ status: 'active' }),
  cancel: async (life) => expect(await shown(life)).toMatchObject({ status: 'active', cancelling: true }),
  skip: async (life) => expect(await life.statuses()).toEqual(['collected', 'skipped']),
  retry: async (life) => expect(life.sentFor(0)).toHaveLength(1),
  change: async (life) => expect(await shown(life)).toMatchObject({ pendingAmountChange: { amount: { value: 1200 } } }),
  withdraw: async (life) => expect(await shown(life)).not.toHaveProperty('pendingAmountChange'),
  acknowledge: async (life) => expect(await attentionOf(life)).toEqual([]),
  resolve: async (life) => expect(await shown(life)).toMatchObject({ cyclesCollected: 1 }),
  payer: async (life) => expect(await shown(life)).toMatchObject({ payer: { email: 'new@payer.example' } }),
};

async function forEach(lives: Lives, verbs: readonly Verb[], work: (life: Life, verb: Verb) => unknown): Promise<void> {
  for (const verb of verbs) for (const life of lives[verb]) await work(life, verb);
}

test('fault 19: while Temporal is down, each request of an operator is answered within a second and takes effect, and each workflow follows within a minute after Temporal is back', async () => {
  const lives = await prepareAll();
  await waitUntil('all of that is acknowledged', async () => (await unacknowledged()).length === 0);
  // The first call opens the connection, which is not measured.
  await lives.payer[0]!.view();

  await stack.temporal.kill();

  const slow: [Verb, number][] = [];
  for (const verb of VERBS) {
    const p99 = (await askAll(verb, lives[verb])).at(Math.ceil(EACH * 0.99) - 1)!;
    if (p99 >= SECOND) slow.push([verb, p99]);
  }
  expect(slow).toEqual([]);
  await forEach(lives, VERBS, (life, verb) => HOLDS[verb](life));

  await stack.temporal.start();

  await waitUntil('each workflow has acknowledged', async () => (await unacknowledged()).length === 0, MINUTE);
  await forEach(lives, ['cancel'], (life) =>
    waitUntil('the consent is cancelled', async () => (await shown(life)).status === 'cancelled', MINUTE),
  );
  await forEach(lives, ['retry'], (life) => waitUntil('the retry is made', () => life.sentFor(0).length === 2, MINUTE));
  const connection = await Connection.connect({ address: stack.temporalAddress });
  const temporal = new TemporalClient({ connection });
  const atRest = { pause: /\*\*paused\*\*/, resume: /\*\*active\*\*/, skip: /\(cycle 2\)/ };
  for (const [verb, state] of Object.entries(atRest))
    await forEach(lives, [verb as Verb], ({ id }) => untilAtRest(temporal, `subscription/${id}`, state));
  await connection.close();
  await forEach(lives, ['retry', 'change', 'cancel'], (life) => life.agrees());
});
