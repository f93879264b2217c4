import { setTimeout as pause } from 'node:timers/promises';
import { DAY, HOUR, toIso } from '../../src/domain/instant';
import { openProcessHouse, type ProcessHouse } from '../processes/house';
import { type Cycle, reconcile } from '../scenarios/admin-api';
import type { Life } from '../scenarios/life';
import { placeOrder } from '../scenarios/world';
import { waitUntil } from '../support/wait-until';
import { Deck, Draw } from '../torture/draw';
import { ON_DEBIT, ON_QUESTION } from '../torture/fault-deck';
import { KeptProgram, Kills } from '../torture/kills';
import { TARGETS } from '../torture/plan';

/**
 * PostgreSQL and Temporal as real servers, killed with SIGKILL and brought up again on the same data and port. Four hours a
 * second: a server that comes back after two seconds was down for eight hours, a window is 30 s, and six days are 36 s.
 */
const SPEED = 14_400;
const PATIENCE = 120_000;

let house: ProcessHouse;
let workers: readonly KeptProgram[];
let api: KeptProgram;

beforeAll(async () => {
  const startAt = Date.parse('2027-01-29T08:00:00.000Z');
  const env = {
    PAYMENT_SERVICE_SETTLE_SECONDS: '1',
    PAYMENT_SERVICE_TIMEOUT_MS: '4000',
    NOTICE_BACKOFF_SECONDS: '0.5',
  };
  house = await openProcessHouse({ startAt, speed: SPEED, env });
  const kept = (command: 'worker' | 'api', name: string) => new KeptProgram(house.program(command, name), null);
  workers = [kept('worker', 'one worker'), kept('worker', 'another worker')];
  api = kept('api', 'the API');
  await Promise.all([...workers, api].map((program) => program.start()));
}, PATIENCE);

afterAll(async () => {
  await Promise.all([...workers, api].map((program) => program.stop()));
  await house.close();
}, PATIENCE);

async function order(name: string, lead: number, lasts?: number): Promise<Life> {
  const terms = { name, cents: 1500, lead, ...(lasts === undefined ? {} : { lasts }) };
  return (await placeOrder(house, house.clock, terms)).approvedWith();
}

/** Waits for business time. */
async function reach(at: number): Promise<void> {
  const bound = Math.max(0, at - house.clock.now()) / SPEED + 5_000;
  await waitUntil(`it is ${toIso(at)}`, () => house.clock.now() >= at, bound);
}

async function readiness(): Promise<{ readonly status: number; readonly failed?: readonly string[] }> {
  const answer = await house.admin.get<{ failed?: readonly string[] }>('/readyz');
  return { status: answer.status, ...(answer.body.failed === undefined ? {} : { failed: answer.body.failed }) };
}

async function firstCycle(life: Life): Promise<Cycle> {
  return (await life.cycles())[0]!;
}

const outcomesOf = ({ attempts }: Cycle) => attempts.map(({ send, outcome }) => [send, outcome]);

/**
 *   approved   ● sent: its answer finds no PostgreSQL    PostgreSQL is back: ● found
 *   approved        due: PostgreSQL is down              PostgreSQL is back: ● collected
 */
test(
  'fault 17: PostgreSQL killed before one row and after the POST of another: no POST, the outcome when it is back, nothing lost',
  async () => {
    const sent = await order('sent', DAY);
    const unsent = await order('unsent', DAY + 4 * HOUR);
    const path = `^/${sent.paymentId}/authorizations$`;
    house.sandbox.faults.add({ kind: 'delay', delayMs: 1_500, match: { method: 'POST', path } });
    await waitUntil('the debit is made, and not answered', () => sent.atService.authorizations.length === 1, 20_000);

    await house.postgres.kill();

    await waitUntil('the API says that it is not ready', async () => (await readiness()).status === 503);
    expect((await readiness()).failed).toEqual(['postgresql']);
    expect((await house.admin.get(`/v1/subscriptions/${sent.id}`)).status).toBe(503);
    await reach(unsent.due(0) + 4 * HOUR);
    await pause(1_500);
    expect(unsent.atService.authorizations).toEqual([]);
    expect(sent.atService.authorizations).toHaveLength(1);

    await house.postgres.start();

    await Promise.all([sent.collected(1), unsent.collected(1)]);
    expect(outcomesOf(await firstCycle(sent))).toEqual([[0, 'successful']]);
    expect((await firstCycle(unsent)).status).toBe('collected');
    await Promise.all([sent.agrees(), unsent.agrees()]);
    await waitUntil('the API is ready again', async () => (await readiness()).status === 200, 60_000);
    expect([...workers, api].flatMap(({ endings }) => endings)).toEqual([]);
  },
  PATIENCE,
);

/**
 *   approved   ‖ Temporal is down ‖   ● in the window, once   D7 ●
 */
test(
  'fault 19: Temporal killed over a due date and restarted: timers resume, and the date is collected in its window',
  async () => {
    const life = await order('briefly', DAY);
    await reach(life.due(0) - 4 * HOUR);

    await house.temporal.kill();
    await waitUntil('the API says that it is not ready', async () => (await readiness()).status === 503);
    expect((await readiness()).failed).toEqual(['temporal']);
    await reach(life.due(0) + 4 * HOUR);
    expect(life.atService.authorizations).toEqual([]);
    await house.temporal.start();

    await life.collected(1);
    expect(life.sentFor(0)).toHaveLength(1);
    expect(life.sentFor(0)[0]).toBeLessThan(life.due(0) + 5 * DAY);
    await life.agrees();
    await waitUntil('the API is ready again', async () => (await readiness()).status === 200, 60_000);
  },
  PATIENCE,
);

/**
 *   approved   ‖ D0, D5: Temporal is down, six days ‖   missed, never collected later   D7 ●
 */
test(
  'fault 19: Temporal down for six days: the date whose window has closed is missed, and the next one collected',
  async () => {
    const life = await order('for-days', DAY);
    await reach(life.due(0) - 4 * HOUR);

    await house.temporal.kill();
    await reach(life.due(0) + 6 * DAY);
    await house.temporal.start();

    await life.collected(1);
    expect((await life.cycles()).slice(0, 2).map(({ status, reason }) => [status, reason])).toEqual([
      ['missed', 'window_closed'],
      ['collected', undefined],
    ]);
    expect(life.sentFor(0)).toEqual([]);
    expect(life.sentFor(1)).toHaveLength(1);
    expect(await life.told('cycle.missed')).toBe(1);
    await life.agrees();
  },
  PATIENCE,
);

const SEED = 20_270_131;
const KILLED = 10;

/**
 * Dates fall due all along; every request that debits or asks may be spoilt in any way that the simulator knows. A window
 * ends with the agreement, after two days: a date may pass while what collects it is down. It is then missed, and never debited later.
 */
test(
  `faults 1 to 13, 17 and 19: ten kills at random moments with every fault of the service (seed ${SEED}): no debit twice`,
  async () => {
    const draw = new Draw(SEED);
    const [onDebit, onQuestion] = [new Deck(draw, ON_DEBIT), new Deck(draw, ON_QUESTION)];
    const lives = await Promise.all(
      Array.from({ length: 8 }, (_, index) => order(`struck-${index}`, 2 * DAY + index * 4 * HOUR, 2 * DAY)),
    );
    for (const { paymentId } of lives) {
      house.sandbox.faults.add({ ...onDebit.deal(), match: { method: 'POST', paymentId } } as never);
      house.sandbox.faults.add({ ...onQuestion.deal(), match: { method: 'GET', paymentId } } as never);
    }
    const victims = { worker: workers, api: [api], temporal: [house.temporal], postgres: [house.postgres] };
    const kills = new Kills(house, () => undefined, victims);
    const targets = new Deck(draw, TARGETS);
    const from = lives[0]!.due(0) - 4 * HOUR;
    const moments = Array.from({ length: KILLED }, (_, index) => from + (index + draw.fraction()) * 6 * HOUR);
    await kills.carryOut(moments.map((at) => ({ at, target: targets.deal(), which: draw.fraction() })));

    expect(kills.count).toBe(KILLED);
    const isBack = async () => (await readiness().catch(() => null))?.status === 200;
    await waitUntil('all of it is back', isBack, 60_000);
    for (const life of lives) {
      await life.until('completed', ({ status }) => status === 'completed');
      expect(life.atService.debits.length).toBeLessThanOrEqual(1);
      const [cycle] = await life.cycles();
      expect(cycle!.status).toBe(life.atService.debits.length === 1 ? 'collected' : 'missed');
      await life.agrees();
    }
    expect(lives.some(({ atService }) => atService.debits.length === 1)).toBe(true);
  },
  PATIENCE,
);

test('after every fault: the reconciliation asks the service about each of them, and finds no difference', async () => {
  const report = await reconcile(house.admin, house.clock.now() - 60 * DAY, house.clock.now() + DAY);
  expect(report).toMatchObject({ status: 200, body: { payments: 12, items: [] } });
});
