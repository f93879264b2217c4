import { createPool, importMandates, type Pool, steer } from '../../src/ledger';
import { mandateOf } from '../ledger/mandate';
import { createTestDatabase } from '../support/database';
import { activitiesOf, type Subscribed, World } from './activity-world';
import { MessageCounter } from './message-counts';
import { notified } from './notified';

/**
 * What a piece of work costs in messages, counted against PostgreSQL and the simulated service over HTTP. The numbers are what it
 * costs now: lower it here when you lower the cost, and explain a cost that rises.
 */
interface Cost {
  /** Messages to PostgreSQL, each awaited before the next. */
  readonly messages: number;
  /** Transactions that wrote. */
  readonly commits: number;
  /** HTTP calls to the service, without those for tokens. */
  readonly calls: number;
  /** New connections, to PostgreSQL and to the service. */
  readonly connections: number;
}

let pool: Pool;
let drop: () => Promise<void>;
let counter: MessageCounter;
let world: World;
let activities: ReturnType<typeof activitiesOf>;
let opened = 0;

beforeAll(async () => {
  const database = await createTestDatabase();
  drop = database.drop;
  pool = createPool({ databaseUrl: database.url, keepsStatements: true, max: 3 });
  counter = new MessageCounter(pool);
});
afterAll(async () => {
  await pool.end();
  await drop();
});
beforeEach(async () => {
  world = await World.open(pool, { sandbox: { bookingDelayMs: 0 } });
  activities = activitiesOf(world);
  world.sandbox.app.server.on('connection', () => (opened += 1));
});
afterEach(() => world.close());

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  counter.take();
  opened = 0;
  world.requests.length = 0;
  await work();
  const { messages, commits, connections } = counter.take();
  const calls = world.requests.filter((each) => !each.includes('/oauth/')).length;
  return { messages, commits, calls, connections: connections + opened };
}

function collect(subscribed: Subscribed, attempt: { readonly cycle?: number; readonly attempt?: number } = {}) {
  const input = { ...world.reference(subscribed), cycle: 0, attempt: 0, ...attempt };
  return world.driver.drive(() => activities.collectPayment(input));
}

/** At the due date of its second cycle, by a worker that has collected before. */
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
    connections: 2,
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
  await notified(world, subscribed);
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

test.each([
  ['pause', { messages: 14, commits: 1, calls: 0 }],
  ['cancel', { messages: 10, commits: 1, calls: 0 }],
] as const)('a request to %s costs one commit before it is answered', async (verb, cost) => {
  const subscribed = await secondDue();
  const moment = { at: world.clock.now(), realAt: world.clock.realNow() };
  const request = { actor: 'test', reason: null, until: null };
  expect(await costOf(() => steer(pool, verb, subscribed.subscriptionId, request, moment))).toMatchObject(cost);
});

test('a cancellation that is carried out costs 17 messages to PostgreSQL', async () => {
  const subscribed = await secondDue();
  const moment = { at: world.clock.now(), realAt: world.clock.realNow() };
  await steer(pool, 'cancel', subscribed.subscriptionId, { actor: 'test', reason: null }, moment);
  const cancel = () => world.driver.drive(() => activities.cancelConsent(world.reference(subscribed)));
  expect(await costOf(cancel)).toMatchObject({ messages: 17, commits: 1, calls: 2 });
});

test('a creation costs 18 messages to PostgreSQL', async () => {
  expect(await costOf(() => world.requested())).toMatchObject({ messages: 18, commits: 4, calls: 1 });
});

test('a hundred lines of an import cost 4 messages to PostgreSQL and one commit', async () => {
  const mandates = Array.from({ length: 100 }, () => mandateOf());
  const by = { actor: 'test', at: world.clock.now() };
  expect(await costOf(() => importMandates(pool, mandates, by))).toMatchObject({ messages: 4, commits: 1, calls: 0 });
});
