import type { FastifyInstance } from 'fastify';
import type { SubscriptionId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { dueAt } from '../../src/domain/subscription/schedule';
import type { Terms } from '../../src/domain/subscription/state';
import { DAY, HOUR, type Instant, MINUTE } from '../../src/domain/time';
import { openSimulatedStack, type SimulatedStack } from '../../src/simulation/simulated-stack';
import { type SimulatedSubscription, subscribe } from '../../src/simulation/simulated-subscription';
import { type AdminUnderTest, BOOTSTRAP_KEY, startAdmin } from '../admin/admin-under-test';
import { importFile } from '../support/import-call';
import { silentLog } from '../support/silent-log';

const FIRST = Date.parse('2027-01-31T09:00:00.123Z');
const WEEK = 7 * DAY;
/** Three cycles have been collected, the fourth is due in six days. */
const MOVED_AT = FIRST + 2 * WEEK + DAY;

/** What is asked for, and when. */
type Asked = readonly [at: Instant, (subscription: SimulatedSubscription, stack: SimulatedStack) => unknown];

const wallet = (name: string): Asked => [
  FIRST - HOUR,
  ({ paymentId }, { sandbox }) => sandbox.setWallet(paymentId, name),
];
const fault = (kind: 'lost_answer' | 'swallowed'): Asked => [
  FIRST - HOUR,
  ({ paymentId }, { sandbox }) =>
    sandbox.faults.add({ kind, match: { method: 'POST', path: `^/${paymentId}/authorizations$` } }),
];

/** As the demo's stories, and more. */
const LIVES: Readonly<Record<string, readonly Asked[]>> = {
  plain: [],
  retried: [wallet('insufficient-funds-once')],
  'past-due': [wallet('insufficient-funds-4')],
  'lost-answer': [fault('lost_answer')],
  swallowed: [fault('swallowed')],
  paused: [[FIRST + DAY, ({ pause }) => pause(null)]],
  resumed: [[FIRST + DAY, ({ pause }) => pause(FIRST + 2 * WEEK)]],
  'paused-until': [[FIRST + 8 * DAY, ({ pause }) => pause(FIRST + 5 * WEEK)]],
  skipped: [[FIRST + DAY, ({ skip }) => skip(4)]],
  'next-skipped': [[FIRST + 15 * DAY, ({ skip }) => skip(3)]],
  postponed: [[FIRST + DAY, ({ postpone, terms }) => postpone(3, dueAt(terms, 3) + 2 * DAY)]],
  reduced: [[FIRST + DAY, ({ changeAmount }) => changeAmount(2, euros(999))]],
  changing: [
    [FIRST + DAY, ({ changeAmount }) => changeAmount(1, euros(999))],
    [FIRST + 15 * DAY, ({ changeAmount }) => changeAmount(6, euros(1500))],
  ],
};

const termsOf = (name: string): Terms => ({
  subscriptionId: name as SubscriptionId,
  repetition: 'WEEKLY',
  startAt: FIRST - DAY,
  firstPaymentAt: FIRST,
  endAt: FIRST + 26 * WEEK,
  consentAmount: euros(1999),
  onExhausted: 'continue',
});

/** Plays all lives until they are moved, and two that are cancelled, by the payer and by the merchant. */
async function playLives(stack: SimulatedStack): Promise<void> {
  const { conductor, sandbox } = stack;
  const passUntil = (at: Instant) => conductor.passUntil(at);
  const due: { at: Instant; run: () => unknown }[] = [];
  const ended: Readonly<Record<string, readonly Asked[]>> = {
    'payer-cancelled': [[FIRST + DAY, ({ paymentId }) => sandbox.payer(paymentId).cancel()]],
    'merchant-cancelled': [[FIRST + DAY, ({ cancel }) => cancel()]],
  };
  for (const [name, asked] of Object.entries({ ...LIVES, ...ended })) {
    const subscription = await subscribe(stack, termsOf(name), passUntil);
    sandbox.payer(subscription.paymentId).approve();
    due.push(...asked.map(([at, act]) => ({ at, run: () => act(subscription, stack) })));
  }
  for (const { at, run } of due.toSorted((one, other) => one.at - other.at)) {
    await passUntil(at);
    await run();
  }
  await passUntil(MOVED_AT);
}

let stack: SimulatedStack;
let left: FastifyInstance;
let entered: AdminUnderTest;

beforeAll(async () => {
  const retryPolicy = { offsets: [DAY, 2 * DAY], transit: MINUTE, gap: 6 * HOUR };
  stack = await openSimulatedStack({ startAt: FIRST - DAY, retryPolicy, log: silentLog() });
  await playLives(stack);
  entered = await startAdmin({ clock: stack.clock });
  left = await entered.another({ db: stack.ledger, reading: stack.ledger });
});
afterAll(async () => {
  await left.close();
  await entered.stop();
  await stack.stop();
});

async function read(app: FastifyInstance, key: string, url: string) {
  const answer = await app.inject({ url, headers: { authorization: `Bearer ${key}` } });
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.body}`);
  return answer;
}

const schedule = async (app: FastifyInstance, key: string, id: string) =>
  (await read(app, key, `/v1/subscriptions/${id}/schedule?count=30`)).json<{ items: unknown[] }>().items;

test('lives that were collected here have the same schedule elsewhere, to the cent and millisecond', async () => {
  const { body } = await read(left, BOOTSTRAP_KEY, '/v1/subscriptions/export');
  const url = await entered.app.listen({ port: 0, host: '127.0.0.1' });

  const answers = await importFile(url, entered.keys.admin, body);

  const refused = answers.filter(({ problem }) => problem !== undefined);
  const hasEnded = [{ path: 'state.status', message: expect.stringContaining('the subscription has ended') }];
  expect(refused.map(({ problem }) => problem?.errors)).toEqual([hasEnded, hasEnded]);
  expect(answers).toHaveLength(Object.keys(LIVES).length + 2);
  for (const id of Object.keys(LIVES)) {
    const before = await schedule(left, BOOTSTRAP_KEY, id);
    expect([id, before.length > 20]).toEqual([id, id !== 'paused']);
    expect([id, await schedule(entered.app, entered.keys.admin, id)]).toEqual([id, before]);
  }
});

test('what was imported is exported as the same lines again', async () => {
  const linesOf = async (app: FastifyInstance, key: string) =>
    (await read(app, key, '/v1/subscriptions/export')).body.split('\n').toSorted();
  const before = await linesOf(left, BOOTSTRAP_KEY);
  const after = await linesOf(entered.app, entered.keys.admin);
  expect(after).toEqual(before.filter((line) => !line.includes('"cancelled"')));
});
