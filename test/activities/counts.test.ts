import { writeFileSync } from 'node:fs';
import { createPool, importMandates, type Pool } from '../../src/ledger';
import { createSteering } from '../../src/temporal';
import { UNNOTIFIED } from '../admin/fake-subscriptions';
import { mandateOf } from '../ledger/mandate';
import { createTestDatabase } from '../support/database';
import { activitiesOf, type Subscribed, World } from './activity-world';
import { MessageCounter } from './message-counts';
import { reachRetry } from './deliver-notice';

/**
 * What a piece of work costs in messages, counted against PostgreSQL and the simulated service over HTTP. The numbers are what it
 * costs now: lower them here when you lower the cost, and explain a cost that rises.
 */
interface Cost {
  /** Messages to PostgreSQL, each awaited before the next. */
  readonly messages: number;
  /** Transactions that wrote. */
  readonly commits: number;
  /** HTTP calls to the service, without those for tokens. */
  readonly calls: number;
  /** Signals sent to workflows. */
  readonly signals: number;
  /** New connections to PostgreSQL, not to the service: how often those are reused depends on the time between two calls. */
  readonly connections: number;
}

let pool: Pool;
let drop: () => Promise<void>;
let counter: MessageCounter;
let world: World;
let activities: ReturnType<typeof activitiesOf>;
let signals = 0;
const counted: Record<string, Cost> = {};

beforeAll(async () => {
  const database = await createTestDatabase();
  drop = database.drop;
  pool = createPool({ databaseUrl: database.url, keepsStatements: true, max: 3 });
  counter = new MessageCounter(pool);
});
afterAll(async () => {
  // `npm run bench -- counts` prints the numbers in this file.
  const { COUNTS_FILE: file } = process.env;
  if (file !== undefined) writeFileSync(file, JSON.stringify(counted));
  await pool.end();
  await drop();
});
beforeEach(async () => {
  world = await World.open(pool, { sandbox: { bookingDelayMs: 0 } });
  activities = activitiesOf(world);
});
afterEach(() => world.close());

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  counter.take();
  signals = 0;
  world.requests.length = 0;
  await work();
  const { messages, commits, connections } = counter.take();
  const calls = world.requests.filter((each) => !each.includes('/oauth/')).length;
  const cost = { messages, commits, calls, signals, connections };
  counted[expect.getState().currentTestName ?? ''] = cost;
  return cost;
}

function collect(subscribed: Subscribed, attempt: { readonly cycle?: number; readonly attempt?: number } = {}) {
  const input = { ...world.reference(subscribed), cycle: 0, attempt: 0, ...attempt };
  return world.driver.drive(() => activities.collectPayment(input));
}

/** Brings a subscription to the due date of its second cycle, on a worker that has collected before. */
async function secondDue(wallet = 'approves'): Promise<Subscribed> {
  const subscribed = await world.due(wallet);
  await collect(subscribed);
  const { until } = await world.decide(subscribed);
  world.clock.passUntil(until!);
  return subscribed;
}

test('a collected cycle costs 4 messages to PostgreSQL, 3 commits and 5 calls to the service', async () => {
  const subscribed = await secondDue();
  expect(await costOf(() => collect(subscribed, { cycle: 1 }))).toEqual({
    messages: 4,
    commits: 3,
    calls: 5,
    signals: 0,
    connections: 0,
  });
  expect(world.debits(subscribed)).toHaveLength(2);
});

test('a refused attempt and its decision cost 16 messages to PostgreSQL', async () => {
  const subscribed = await world.due('insufficient-funds-once');
  expect(await costOf(() => collect(subscribed))).toMatchObject({ messages: 16, commits: 3, calls: 3 });
});

test('a retry that collects costs 5 messages to PostgreSQL', async () => {
  await collect(await world.due());
  const subscribed = await world.due('insufficient-funds-once');
  await collect(subscribed);
  await reachRetry(world, subscribed);
  expect(await costOf(() => collect(subscribed, { attempt: 1 }))).toMatchObject({
    messages: 5,
    commits: 3,
    calls: 6,
  });
  expect(world.debits(subscribed)).toHaveLength(1);
});

test('a decision that writes nothing costs 1 message to PostgreSQL and no commit', async () => {
  const subscribed = await secondDue();
  expect(await costOf(() => world.driver.drive(() => activities.decide(world.reference(subscribed))))).toMatchObject({
    messages: 1,
    commits: 0,
  });
});

function steer(verb: 'pause' | 'cancel', { subscriptionId }: Subscribed) {
  const steering = createSteering({
    ...{ db: pool, answers: UNNOTIFIED, clock: world.clock, increaseNotice: 0, cancelMs: 0 },
    notify: async () => void (signals += 1),
  });
  return steering.steer(verb, subscriptionId, { actor: 'test', reason: null, until: null });
}

test.each([
  ['pause', { messages: 14, commits: 1, calls: 0, signals: 1, connections: 0 }],
  // Includes two reads that a pause does not need: whether the service has confirmed the cancellation.
  ['cancel', { messages: 12, commits: 1, calls: 0, signals: 1, connections: 0 }],
] as const)('a request to %s costs one commit and one signal before it is answered', async (verb, cost) => {
  const subscribed = await secondDue();
  expect(await costOf(() => steer(verb, subscribed))).toEqual(cost);
});

test('a cancellation that is carried out costs 17 messages to PostgreSQL', async () => {
  const subscribed = await secondDue();
  await steer('cancel', subscribed);
  const cancel = () => world.driver.drive(() => activities.cancelConsent(world.reference(subscribed)));
  expect(await costOf(cancel)).toMatchObject({ messages: 17, commits: 1, calls: 2 });
});

test('a creation costs 18 messages to PostgreSQL, 4 commits and 1 call to the service', async () => {
  await world.requested();
  expect(await costOf(() => world.requested())).toEqual({
    messages: 18,
    commits: 4,
    calls: 1,
    signals: 0,
    connections: 0,
  });
});

test('a hundred lines of an import cost 4 messages to PostgreSQL and one commit', async () => {
  const mandates = Array.from({ length: 100 }, () => mandateOf());
  const by = { actor: 'test', at: world.clock.now() };
  expect(await costOf(() => importMandates(pool, mandates, by))).toEqual({
    messages: 4,
    commits: 1,
    calls: 0,
    signals: 0,
    connections: 0,
  });
});
