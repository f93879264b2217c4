import { SECOND } from '../../src/domain/time';
import type { Surroundings } from '../scenarios/life';
import { adminApiOf, type Ground, openGround } from '../scenarios/world';
import { waitUntil } from '../support/wait-until';
import { Checkout, type Made, ordersOfEach } from './checkout';
import { type CuttableLine, openLine } from './cuttable-line';
import { type BreakPoint, DoomedWorkers } from './doomed-workers';

/**
 * The answer to a worker's `POST /payments` is stored in the ledger, but Temporal does not receive it. Two hours a second: a
 * window is a minute, and a worker that says nothing for six seconds counts as dead.
 */

const CENTS = { killed: 1100, 'cut off': 2100 } as const;
type Fate = keyof typeof CENTS;

let ground: Ground;
let surroundings: Surroundings;
let checkout: Checkout;
let line: CuttableLine;
let workers: DoomedWorkers | null = null;
let env: Record<string, string>;

beforeAll(async () => {
  ground = await openGround();
  const { sandbox, url } = await ground.openSandbox();
  env = { PAYMENT_SERVICE_BASE_URL: url };
  line = await openLine(ground.env['TEMPORAL_ADDRESS']!);
  const admin = await adminApiOf(ground.start('api', env));
  surroundings = { admin, sandbox, sandboxUrl: url, receiver: ground.receiver };
  checkout = new Checkout(surroundings);
});

/** Each test has its own workers. */
afterEach(() => {
  workers?.end();
  workers = null;
});

afterAll(async () => {
  line.repair();
  await ground.close();
  await line.close();
});

/** The id of a subscription, known before its creation, so that a worker can be started with a break point for it. */
const idOf = (fate: Fate) => `${fate.replace(' ', '-')}-${process.pid}`;
const ordersOf = (fate: Fate) => ordersOfEach(fate, idOf(fate), CENTS[fate], ground.clock.now());

/** Whether Temporal has given up the worker that requested the consent. */
async function isGivenUp({ workflowId }: Pick<Made, 'workflowId'>): Promise<boolean> {
  const { events } = await ground.temporal.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).some(({ activityTaskTimedOutEventAttributes: timedOut }) => timedOut != null);
}

test('fault 29: payments of each plan continue after a worker is killed before Temporal receives the stored answer to its request', async () => {
  const names = [idOf('killed'), 'SINGLE', 'EVENT_DEPENDENT'];
  const point = 'after the commit of the session';
  const breakPoints = names.map((subscriptionId): BreakPoint => ({ subscriptionId, point, signal: 'SIGKILL' }));
  workers = new DoomedWorkers(ground, env, breakPoints);
  await Promise.all([workers.start(), workers.start()]);
  const orders = ordersOf('killed');
  // One after the other, because a worker that dies also loses the requests that it still handles.
  const made = {
    subscription: await checkout.callUntilMade('/v1/subscriptions', orders.subscription),
    single: await checkout.callUntilMade('/v1/payments', orders.single),
    dependent: await checkout.callUntilMade('/v1/payments', orders.dependent),
  };
  for (const name of names) {
    expect(await (await workers.struckAt(name)).ended).toEqual({ code: null, signal: 'SIGKILL' });
  }
  // The caller is answered from the ledger, before Temporal knows.
  for (const each of Object.values(made)) await waitUntil('Temporal has given it up', () => isGivenUp(each));
  await checkout.expectEachToGoOn(made, orders);
});

test('fault 29: payments of each plan continue if a worker is cut off from Temporal while its request is answered', async () => {
  const slow = { PAYMENT_SERVICE_TIMEOUT_MS: '15000' };
  const worker = ground.start('worker', { ...env, ...slow, TEMPORAL_ADDRESS: line.address });
  await worker.says('worker started');
  const orders = ordersOf('cut off');
  const match = { method: 'POST', path: '^/payments$' } as const;
  // No request is answered before the last one was made and the connection is cut.
  surroundings.sandbox.faults.add({ kind: 'delay', delayMs: 6 * SECOND, times: 3, match });
  const making = checkout.makeEach(orders);
  const areAsked = () =>
    [orders.subscription, orders.single, orders.dependent].every((order) => checkout.atService(order).length === 1);
  await waitUntil('the service has them, and has not answered', areAsked);

  line.cut();
  const onRecord = await Promise.all([
    checkout.recorded('/v1/subscriptions', orders.subscription),
    checkout.recorded('/v1/payments', orders.single),
    checkout.recorded('/v1/payments', orders.dependent),
  ]);
  const areGivenUp = async () => (await Promise.all(onRecord.map(isGivenUp))).every(Boolean);
  await waitUntil('Temporal has given them up', areGivenUp);
  line.repair();

  const made = await making;
  expect(Object.values(made).map(({ paymentId }) => paymentId)).toEqual(onRecord.map(({ paymentId }) => paymentId));
  await checkout.expectEachToGoOn(made, orders);
});
