import { setTimeout as pause } from 'node:timers/promises';
import { DAY, SECOND } from '../../src/domain/time';
import type { Answer, ProblemBody, Subscription } from '../scenarios/admin-api';
import { Life, type Surroundings } from '../scenarios/life';
import { type Order, orderOf } from '../scenarios/order';
import { adminApiOf, type SendContext, openGround } from '../scenarios/world';
import { waitUntil } from '../support/wait-until';
import { type CuttableLine, openLine } from './cuttable-line';
import { type BreakPoint, DoomedWorkers } from './doomed-workers';

/**
 * A worker's answer to `POST /payments` is stored in the ledger, and Temporal does not receive it. Two hours a second: a
 * window is a minute, and a worker that says nothing for six seconds counts as dead.
 */
/** Real ms after which the client at the checkout gives a call up, and makes it again. */
const GIVEN_UP = 4_000;

const CENTS = { killed: 1100, 'cut off': 2100 } as const;
type Fate = keyof typeof CENTS;

interface Made {
  readonly paymentId: string;
  readonly status: string;
  readonly workflowId: string;
  readonly consent: { readonly redirectURL?: string };
}

type PaymentOrder = Pick<Order, 'amount' | 'returnURL' | 'billingAddress'> & { readonly plan: string };

interface Orders {
  readonly subscription: Order;
  readonly single: PaymentOrder;
  readonly dependent: PaymentOrder;
}

type MadeOfEach = Readonly<Record<keyof Orders, Made>>;

let ground: SendContext;
let surroundings: Surroundings;
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
});

/** Of one test: the next one has workers of its own. */
afterEach(() => {
  workers?.end();
  workers = null;
});

afterAll(async () => {
  line.repair();
  await ground.close();
  await line.close();
});

/** Known before anything is ordered, so that a worker can be armed with it. */
const idOf = (fate: Fate) => `${fate.replace(' ', '-')}-${process.pid}`;

/** One of each plan, each of an amount of its own. */
function ordersOf(fate: Fate): Orders {
  const terms = { name: fate, subscriptionId: idOf(fate), cents: CENTS[fate], lead: 4 * DAY };
  const subscription = orderOf(terms, ground.clock.now());
  const { returnURL, billingAddress } = subscription;
  const payment = (plan: string, value: number): PaymentOrder => {
    return { plan, amount: { value, currency: 'EUR' }, returnURL, billingAddress };
  };
  return {
    subscription,
    single: payment('SINGLE', CENTS[fate] + 1),
    dependent: payment('EVENT_DEPENDENT', CENTS[fate] + 2),
  };
}

/** What the service has of the order; by the amount, as its answer is what may be lost. */
const atService = ({ amount }: { readonly amount: { readonly value: number } }) =>
  surroundings.sandbox.payments().filter((each) => each.amount.value === amount.value);

/** Calls again and again, with one key and one body, and gives each call up soon: at last it is answered with what was created. */
async function callUntilMade(path: string, order: Order | PaymentOrder): Promise<Made> {
  const key = `checkout-${order.amount.value}`;
  const call = () => surroundings.admin.post<Made & ProblemBody>(path, order, key);
  let answer: Answer<Made & ProblemBody> | null = null;
  const isMade = async () => {
    answer = (await Promise.race([call(), pause(GIVEN_UP, null)])) ?? answer;
    if (answer?.status === 201) return true;
    if (answer !== null) expect(answer.body.code).toMatch(/^(idempotency_in_progress|not_ready)$/);
    await pause(SECOND / 2);
    return false;
  };
  await waitUntil(`${key} is made`, isMade);
  const made = answer!.body;
  expect(made).toMatchObject({ status: 'pending_consent', consent: { redirectURL: expect.stringMatching(/^http/) } });
  // The same call answers with what is known by then: the consent may have been checked meanwhile.
  const consent = { redirectURL: made.consent.redirectURL, status: 'pending' };
  expect((await call()).body).toMatchObject({ paymentId: made.paymentId, consent });
  expect(atService(order)).toMatchObject([{ paymentId: made.paymentId }]);
  return made;
}

async function paymentBecomes({ paymentId }: Made, status: string): Promise<void> {
  const view = async () => (await surroundings.admin.get<Made>(`/v1/payments/${paymentId}`)).body;
  await waitUntil(`${paymentId} is ${status}`, async () => (await view()).status === status);
}

/** Approved by the payer and booked by the service: the ledger has it. */
async function expectCaptured(single: Made): Promise<void> {
  surroundings.sandbox.payer(single.paymentId).approve();
  await paymentBecomes(single, 'captured');
}

/** Approved by the payer, and captured as ordered. */
async function expectCapturedByOrder(dependent: Made, { amount }: { readonly amount: object }): Promise<void> {
  surroundings.sandbox.payer(dependent.paymentId).approve();
  await paymentBecomes(dependent, 'authorized');
  const order = { amount, finalCapture: true };
  expect([200, 201, 202]).toContain(
    (await surroundings.admin.post(`/v1/payments/${dependent.paymentId}/captures`, order)).status,
  );
  await paymentBecomes(dependent, 'captured');
}

/** Approved by the payer, collected when due, once; then cancelled. */
async function expectCollectedAndCancelled({ paymentId }: Made, order: Order): Promise<void> {
  const life = new Life(surroundings, order, paymentId);
  await life.approvedWith();
  await life.collected(1);
  expect(life.atService.debits).toHaveLength(1);
  await life.agrees();
  const { status } = await life.steer('cancel');
  expect([200, 202]).toContain(status);
  await life.until('cancelled', (subscription: Subscription) => subscription.status === 'cancelled');
}

async function makeEach({ subscription, single, dependent }: Orders): Promise<MadeOfEach> {
  const made = await Promise.all([
    callUntilMade('/v1/subscriptions', subscription),
    callUntilMade('/v1/payments', single),
    callUntilMade('/v1/payments', dependent),
  ]);
  return { subscription: made[0], single: made[1], dependent: made[2] };
}

async function expectEachToGoOn(made: MadeOfEach, orders: Orders): Promise<void> {
  await Promise.all([
    expectCollectedAndCancelled(made.subscription, orders.subscription),
    expectCaptured(made.single),
    expectCapturedByOrder(made.dependent, orders.dependent),
  ]);
}

/** Whether Temporal has given the worker up for dead that asked for the consent. */
async function isGivenUp({ workflowId }: Pick<Made, 'workflowId'>): Promise<boolean> {
  const { events } = await ground.temporal.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).some(({ activityTaskTimedOutEventAttributes: timedOut }) => timedOut != null);
}

interface Listed extends Made {
  readonly amount: { readonly value: number };
}

/** Waits until the ledger has the order; as the admin API lists it. */
async function recorded(path: string, { amount }: Order | PaymentOrder): Promise<Listed> {
  let found: Listed | undefined;
  await waitUntil(`${amount.value} is on record`, async () => {
    const { items } = (await surroundings.admin.get<{ items: Listed[] }>(`${path}?limit=20`)).body;
    found = items.find((each) => each.amount.value === amount.value);
    return found !== undefined;
  });
  return found!;
}

test('fault 29: a worker killed with the answer to its request stored and Temporal not notified: payments of each plan continue', async () => {
  const names = [idOf('killed'), 'SINGLE', 'EVENT_DEPENDENT'];
  const point = 'after the commit of the session';
  const breakPoints = names.map((subscriptionId): BreakPoint => ({ subscriptionId, point, signal: 'SIGKILL' }));
  workers = new DoomedWorkers(ground, env, breakPoints);
  await Promise.all([workers.start(), workers.start()]);
  const orders = ordersOf('killed');
  // One after the other: who dies takes the requests along that are still on their way.
  const made = {
    subscription: await callUntilMade('/v1/subscriptions', orders.subscription),
    single: await callUntilMade('/v1/payments', orders.single),
    dependent: await callUntilMade('/v1/payments', orders.dependent),
  };
  for (const name of names) {
    expect(await (await workers.struckAt(name)).ended).toEqual({ code: null, signal: 'SIGKILL' });
  }
  // The caller is answered from the ledger, before Temporal knows.
  for (const each of Object.values(made)) await waitUntil('Temporal has given it up', () => isGivenUp(each));
  await expectEachToGoOn(made, orders);
});

test('fault 29: a worker cut off from Temporal while its request is answered: payments of each plan go on', async () => {
  const slow = { PAYMENT_SERVICE_TIMEOUT_MS: '15000' };
  const worker = ground.start('worker', { ...env, ...slow, TEMPORAL_ADDRESS: line.address });
  await worker.says('worker started');
  const orders = ordersOf('cut off');
  const match = { method: 'POST', path: '^/payments$' } as const;
  // None is answered before the last has been asked for and the line is cut.
  surroundings.sandbox.faults.add({ kind: 'delay', delayMs: 6 * SECOND, times: 3, match });
  const making = makeEach(orders);
  const areAsked = () =>
    [orders.subscription, orders.single, orders.dependent].every((order) => atService(order).length === 1);
  await waitUntil('the service has them, and has not answered', areAsked);

  line.cut();
  const onRecord = await Promise.all([
    recorded('/v1/subscriptions', orders.subscription),
    recorded('/v1/payments', orders.single),
    recorded('/v1/payments', orders.dependent),
  ]);
  const areGivenUp = async () => (await Promise.all(onRecord.map(isGivenUp))).every(Boolean);
  await waitUntil('Temporal has given them up', areGivenUp);
  line.repair();

  const made = await making;
  expect(Object.values(made).map(({ paymentId }) => paymentId)).toEqual(onRecord.map(({ paymentId }) => paymentId));
  await expectEachToGoOn(made, orders);
});
