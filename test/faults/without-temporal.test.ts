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
 * Temporal is killed, and every subscription can be steered as before: what is asked holds at once, by the ledger. Twenty minutes
 * a second, so that nothing falls due meanwhile.
 */

let stack: ProcessStack;
let programs: readonly Program[];
let ledger: Client;

beforeAll(async () => {
  const env = {
    PAYMENT_SERVICE_SETTLE_SECONDS: '1',
    PAYMENT_SERVICE_TIMEOUT_MS: '4000',
    NOTICE_BACKOFF_SECONDS: '0.5',
  };
  stack = await openProcessStack({ startAt: Date.parse('2027-01-29T08:00:00.000Z'), speed: 1_200, env });
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

/** Its first payment was refused, and its payer has been notified: the retry may come. */
async function inDunning(life: Life): Promise<void> {
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

/** Sent and accepted, and no list shows it: for an operator to find out. */
async function unlisted(name: string): Promise<Life> {
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

interface Timed<T> {
  readonly ms: number;
  readonly answer: Answer<T>;
}

async function timed<T>(ask: () => Promise<Answer<T>>): Promise<Timed<T>> {
  const askedAt = performance.now();
  const answer = await ask();
  return { ms: performance.now() - askedAt, answer };
}

test('fault 19: with Temporal killed each verb answers within a second and holds; each workflow agrees within a minute of its return', async () => {
  const names = ['pause', 'resume', 'cancel', 'skip', 'change', 'withdraw', 'payer'] as const;
  const lives = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await order(name)] as const)),
  ) as Record<(typeof names)[number], Life>;
  const retried = await order('retried', 'insufficient-funds-once');
  const seen = await order('seen', 'capture-fails');
  const resolved = await unlisted('resolved');
  await Promise.all([lives.change.collected(1), lives.withdraw.collected(1), lives.skip.collected(1)]);
  await inDunning(retried);
  await waitUntil('its failed capture needs attention', async () =>
    (await attentionOf(seen)).includes('capture_failed:0'),
  );
  await waitUntil('its attempt is in no list', async () => (await attentionOf(resolved)).includes('unlisted:0'));
  expect((await lives.resume.steer('pause')).status).toBe(200);
  expect((await changeTo(lives.withdraw, 1200)).status).toBe(200);
  await waitUntil('all of that is acknowledged', async () => (await unacknowledged()).length === 0);
  // The first call of a connection is not what is measured.
  await lives.payer.view();

  await stack.temporal.kill();

  const { admin } = stack;
  const of = ({ id }: Life) => `/v1/subscriptions/${id}`;
  const why = { reason: 'Temporal is away' };
  const asked: Record<string, Timed<unknown>> = {
    pause: await timed(() => lives.pause.steer('pause', why)),
    resume: await timed(() => lives.resume.steer('resume', why)),
    cancel: await timed(() => lives.cancel.steer('cancel', why)),
    skip: await timed(() => lives.skip.steer('cycles/1/skip', why)),
    retry: await timed(() => admin.post(`${of(retried)}/cycles/0/retry`, why)),
    change: await timed(() => changeTo(lives.change, 1200)),
    withdraw: await timed(() => admin.delete(`${of(lives.withdraw)}/amount-changes/pending`)),
    acknowledge: await timed(() => admin.post(`${of(seen)}/acknowledge`, why)),
    resolve: await timed(() =>
      admin.post(`${of(resolved)}/cycles/0/resolve`, { outcome: 'collected', evidence: 'the bank says so' }),
    ),
    payer: await timed(() => admin.patch(`${of(lives.payer)}/payer`, { email: 'new@payer.example' })),
  };

  expect(Object.entries(asked).map(([verb, { answer }]) => [verb, answer.status])).toEqual([
    ...['pause', 'resume'].map((verb) => [verb, 200]),
    ['cancel', 202],
    ['skip', 200],
    ['retry', 202],
    ...['change', 'withdraw', 'acknowledge', 'resolve', 'payer'].map((verb) => [verb, 200]),
  ]);
  expect(Object.entries(asked).filter(([, { ms }]) => ms >= SECOND)).toEqual([]);

  const shown = async (life: Life) => (await admin.get<Subscription>(of(life))).body;
  expect(await shown(lives.pause)).toMatchObject({ status: 'paused' });
  expect(await shown(lives.resume)).toMatchObject({ status: 'active' });
  expect(await shown(lives.cancel)).toMatchObject({ status: 'active', cancelling: true });
  expect(await lives.skip.statuses()).toEqual(['collected', 'skipped']);
  expect(await shown(lives.change)).toMatchObject({ pendingAmountChange: { amount: { value: 1200 } } });
  expect(await shown(lives.withdraw)).not.toHaveProperty('pendingAmountChange');
  expect(await attentionOf(seen)).toEqual([]);
  expect(await shown(resolved)).toMatchObject({ cyclesCollected: 1 });
  expect(await shown(lives.payer)).toMatchObject({ payer: { email: 'new@payer.example' } });
  expect(retried.sentFor(0)).toHaveLength(1);

  await stack.temporal.start();

  await waitUntil('each workflow has acknowledged', async () => (await unacknowledged()).length === 0, MINUTE);
  await waitUntil('the consent is cancelled', async () => (await shown(lives.cancel)).status === 'cancelled', MINUTE);
  await waitUntil('the retry is made', () => retried.sentFor(0).length === 2, MINUTE);
  const connection = await Connection.connect({ address: stack.temporalAddress });
  const temporal = new TemporalClient({ connection });
  await untilAtRest(temporal, `subscription/${lives.pause.id}`, /\*\*paused\*\*/);
  await untilAtRest(temporal, `subscription/${lives.resume.id}`, /\*\*active\*\*/);
  await untilAtRest(temporal, `subscription/${lives.skip.id}`, /\(cycle 2\)/);
  await connection.close();
  await Promise.all([retried, lives.change, lives.cancel].map((life) => life.agrees()));
});
