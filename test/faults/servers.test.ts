import { Client, Connection } from '@temporalio/client';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/domain/time';
import { requestFaultSchema } from '../../src/sandbox/faults/faults';
import { openProcessStack, type ProcessStack } from '../processes/local-stack';
import { arrivedOf, type Cycle, reconcile } from '../scenarios/admin-api';
import type { Life } from '../scenarios/life';
import { placeOrder, SPEED } from '../scenarios/world';
import { eachOf } from '../support/each-of';
import { untilInstant, waitUntil } from '../support/wait-until';
import { Deck, Draw } from '../torture/draw';
import { type Fault, ON_DEBIT, ON_QUESTION } from '../torture/fault-deck';
import { KeptProgram, Kills } from '../torture/kills';
import { TARGETS } from '../torture/plan';

/**
 * PostgreSQL and Temporal as real servers, killed with SIGKILL and brought up again on the same data and port. Two hours a
 * second: a server that comes back after two seconds was down for four hours, a window is a minute, and six days are 72 s.
 */

let stack: ProcessStack;
let workers: readonly KeptProgram[];
let api: KeptProgram;
/** The number of subscriptions created so far. */
let placed = 0;

beforeAll(async () => {
  const startAt = Date.parse('2027-01-29T08:00:00.000Z');
  const env = {
    PAYMENT_SERVICE_SETTLE_SECONDS: '1',
    PAYMENT_SERVICE_TIMEOUT_MS: '4000',
    NOTICE_BACKOFF_SECONDS: '0.5',
  };
  stack = await openProcessStack({ startAt, speed: SPEED, env });
  const kept = (command: 'worker' | 'api', name: string) => new KeptProgram(stack.program(command, name), null);
  workers = [kept('worker', 'one worker'), kept('worker', 'another worker')];
  api = kept('api', 'the API');
  await Promise.all([...workers, api].map((program) => program.start()));
});

afterAll(async () => {
  await Promise.all([...workers, api].map((program) => program.stop()));
  await stack.close();
});

async function order(name: string, lead: number, lasts?: number): Promise<Life> {
  const terms = { name, cents: 1500, lead, ...(lasts === undefined ? {} : { lasts }) };
  const life = await (await placeOrder(stack, stack.clock, terms)).approvedWith();
  placed += 1;
  return life;
}

const reach = (at: number) => untilInstant(stack.clock, at);

async function readiness(): Promise<{ readonly status: number; readonly failed?: readonly string[] }> {
  const answer = await stack.admin.get<{ failed?: readonly string[] }>('/readyz');
  return { status: answer.status, ...(answer.body.failed === undefined ? {} : { failed: answer.body.failed }) };
}

/** Whether Temporal has retried an activity of this subscription. */
async function isTriedAgain({ id }: Life): Promise<boolean> {
  const connection = await Connection.connect({ address: stack.temporalAddress });
  try {
    const { raw } = await new Client({ connection }).workflow.getHandle(`subscription/${id}`).describe();
    return (raw.pendingActivities ?? []).some(({ attempt }) => (attempt ?? 0) > 1);
  } finally {
    await connection.close();
  }
}

async function firstCycle(life: Life): Promise<Cycle> {
  return (await life.cycles())[0]!;
}

/**
 *   approved   ● sent: its answer finds no PostgreSQL    PostgreSQL is back: ● found
 *   approved        due: PostgreSQL is down              PostgreSQL is back: ● collected
 */
test('fault 17: after PostgreSQL is killed before one row and after the POST of another, nothing is sent, and nothing is lost once it is back', async () => {
  const sent = await order('sent', 2 * DAY);
  const path = `^/${sent.paymentId}/authorizations$`;
  stack.sandbox.faults.add({ kind: 'delay', delayMs: 1_500, match: { method: 'POST', path } });
  const unsent = await order('unsent', 2 * DAY + 4 * HOUR);
  await waitUntil('the debit is made, and not answered', () => sent.atService.authorizations.length === 1);

  await stack.postgres.kill();

  await waitUntil('the API says that it is not ready', async () => (await readiness()).status === 503);
  expect((await readiness()).failed).toEqual(['postgresql']);
  expect((await stack.admin.get(`/v1/subscriptions/${sent.id}`)).status).toBe(503);
  await reach(unsent.due(0) + 4 * HOUR);
  await waitUntil('its attempt has been made in vain', () => isTriedAgain(unsent));
  expect(unsent.atService.authorizations).toEqual([]);
  expect(sent.atService.authorizations).toHaveLength(1);

  await stack.postgres.start();

  await Promise.all([sent.collected(1), unsent.collected(1)]);
  expect(arrivedOf((await firstCycle(sent)).attempts)).toEqual([[0, 'successful']]);
  expect((await firstCycle(unsent)).status).toBe('collected');
  await Promise.all([sent.agrees(), unsent.agrees()]);
  await waitUntil('the API is ready again', async () => (await readiness()).status === 200);
  expect([...workers, api].flatMap(({ endings }) => endings)).toEqual([]);
});

/**
 *   approved   ‖ Temporal is down ‖   ● in the window, once   D7 ●
 */
test('fault 19: a due date that passes while Temporal is down is collected in its window after Temporal restarts', async () => {
  const life = await order('briefly', 2 * DAY);
  await reach(life.due(0) - 4 * HOUR);

  await stack.temporal.kill();
  await waitUntil('the API says that it is not ready', async () => (await readiness()).status === 503);
  expect((await readiness()).failed).toEqual(['temporal']);
  await reach(life.due(0) + 4 * HOUR);
  expect(life.atService.authorizations).toEqual([]);
  await stack.temporal.start();

  await life.collected(1);
  expect(life.sentFor(0)).toHaveLength(1);
  expect(life.sentFor(0)[0]).toBeLessThan(life.due(0) + 5 * DAY);
  await life.agrees();
  await waitUntil('the API is ready again', async () => (await readiness()).status === 200);
});

/**
 *   approved   ‖ D0, D5: Temporal is down, six days ‖   missed, never collected later   D7 ●
 */
test('fault 19: after Temporal was down for six days, a due date whose window has closed is missed, and the next one is collected', async () => {
  const life = await order('for-days', 2 * DAY);
  await reach(life.due(0) - 4 * HOUR);

  await stack.temporal.kill();
  // Readiness is polled as by monitoring, which makes the API try to reach Temporal again and again.
  const watched = setInterval(() => void readiness().catch(() => null), SECOND);
  await reach(life.due(0) + 6 * DAY);
  clearInterval(watched);
  await stack.temporal.start();

  await life.collected(1);
  expect((await life.cycles()).slice(0, 2).map(({ status, reason }) => [status, reason])).toEqual([
    ['missed', 'window_closed'],
    ['collected', undefined],
  ]);
  expect(life.sentFor(0)).toEqual([]);
  expect(life.sentFor(1)).toHaveLength(1);
  expect(await life.told('cycle.missed')).toBe(1);
  await life.agrees();
  // Within seconds the API finds it again, too, however long it was away: gRPC alone would wait for up to two minutes.
  await waitUntil('the API is ready again', async () => (await readiness()).status === 200, 30 * SECOND);
});

const SEED = 20_270_131;
const KILLED = 10;
/** Lives whose dates fall due, one every four hours, while servers are killed. */
const STRUCK = 16;
/** How many more lives a round has, without kills, to meet the faults that no life has met yet; and the most rounds. */
const [CALM, MAX_ROUNDS] = [8, 4];

test('the faults of this test include every kind that the simulator has for requests', () => {
  const known = requestFaultSchema.options.map(({ shape }) => shape.kind.value);
  expect(new Set(ON_DEBIT.map(({ kind }) => kind))).toEqual(new Set(known));
});

/** Adds these faults in random sequence: each applies to the next matching request, of any subscription. */
function deal(draw: Draw, cards: readonly Fault[], match: { readonly method: string; readonly path: string }): void {
  for (const card of draw.shuffled(cards)) stack.sandbox.faults.add({ ...card, match } as never);
}

const unmet = () => stack.sandbox.faults.list().filter(({ taken }) => taken === 0);
/** How often each of the added faults was applied. */
const met = () => stack.sandbox.faults.list().map(({ taken }) => taken);

/** Creations at a time: all at once would be too many, and an operator's request is refused after ten seconds. */
const CALLERS = 4;

/** A window ends with the agreement, after two days. */
async function orderMany(count: number, name: string, lead: number): Promise<readonly Life[]> {
  const lives: Life[] = [];
  await eachOf(count, CALLERS, async (index) => {
    lives[index] = await order(`${name}-${index}`, lead + index * 4 * HOUR, 2 * DAY);
  });
  return lives;
}

/** Expects the subscription to be debited once and collected, or missed and never debited. */
async function endsWell(life: Life): Promise<void> {
  await life.until('completed', ({ status }) => status === 'completed');
  expect(life.atService.debits.length).toBeLessThanOrEqual(1);
  const [cycle] = await life.cycles();
  expect(cycle!.status).toBe(life.atService.debits.length === 1 ? 'collected' : 'missed');
  await life.agrees();
}

/**
 * Dates fall due all along; the requests that debit, and those that ask, are spoilt in every way that the simulator knows. A date may
 * pass while what collects it is down. It is then missed, and never debited later.
 */
test(
  `faults 1 to 13, 17 and 19: no debit is made twice in ten kills at random moments with every fault of the service (seed ${SEED})`,
  async () => {
    const draw = new Draw(SEED);
    stack.sandbox.faults.clear();
    const lives = await orderMany(STRUCK, 'struck', 3 * DAY);
    deal(draw, ON_DEBIT, { method: 'POST', path: '/authorizations$' });
    deal(draw, ON_QUESTION, { method: 'GET', path: '/(authorizations|consents|captures)$' });
    const victims = { worker: workers, api: [api], temporal: [stack.temporal], postgres: [stack.postgres] };
    const kills = new Kills(stack, () => undefined, victims);
    const targets = new Deck(draw, TARGETS);
    const from = lives[0]!.due(0) - 4 * HOUR;
    const moments = Array.from({ length: KILLED }, (_, index) => from + (index + draw.fraction()) * 6 * HOUR);
    await kills.execute(moments.map((at) => ({ at, target: targets.deal(), which: draw.fraction() })));

    expect(kills.count).toBe(KILLED);
    const isBack = async () => (await readiness().catch(() => null))?.status === 200;
    await waitUntil('all of it is back', isBack);
    for (const life of lives) await endsWell(life);
    for (let round = 0; round < MAX_ROUNDS && unmet().length > 0; round += 1)
      for (const life of await orderMany(CALM, `calm-${round}`, 2 * DAY)) await endsWell(life);

    expect(met()).toEqual([...ON_DEBIT, ...ON_QUESTION].map(() => 1));
    expect(lives.some(({ atService }) => atService.debits.length === 1)).toBe(true);
  },
  15 * MINUTE,
);

test('after the kills and faults of this file a reconciliation asks the service about each payment and finds no difference', async () => {
  const reconciled = await reconcile(stack.admin, stack.clock.now() - 60 * DAY, stack.clock.now() + DAY);
  expect(reconciled).toMatchObject({ compared: placed, report: { items: [] } });
});
