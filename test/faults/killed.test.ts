import { DAY, HOUR, SECOND } from '../../src/domain/time';
import { arrivedOf, type Attempt, reconcile } from '../scenarios/admin-api';
import type { Life, Surroundings } from '../scenarios/life';
import type { Terms } from '../scenarios/order';
import { adminApiOf, type SendContext, openGround, placeOrder } from '../scenarios/world';
import { eachOf } from '../support/each-of';
import { untilInstant, waitUntil } from '../support/wait-until';
import { type BreakPoint, DoomedWorkers } from './doomed-workers';

/**
 * Real workers, each struck by a real signal at one very point of one attempt; others take over what it held once its
 * heartbeat has been missed. Two hours a second: a window is a minute.
 */

type Name = keyof typeof DOOMS;
const DOOMS = {
  beforeTheRow: ['before the commit of the row', 'SIGKILL'],
  beforeThePost: ['before the POST', 'SIGKILL'],
  atTheAnswer: ['at the answer', 'SIGKILL'],
  beforeTheOutcome: ['before the outcome pending', 'SIGKILL'],
  afterTheOutcome: ['after the commit of the outcome successful', 'SIGKILL'],
  frozenBeforeThePost: ['before the POST', 'SIGSTOP'],
} as const satisfies Record<string, readonly [BreakPoint['point'], BreakPoint['signal']]>;
const NAMES = Object.keys(DOOMS) as Name[];
const KILLED = NAMES.filter((name) => DOOMS[name][1] === 'SIGKILL');

let ground: SendContext;
let surroundings: Surroundings;
let workers: DoomedWorkers;
const strikes = new Map<Name, Promise<Strike>>();

/** Ids are known before anything is ordered, so that workers can be armed with them. */
const ids = Object.fromEntries(NAMES.map((name) => [name, `${name}-${process.pid}`])) as Record<Name, string>;

beforeAll(async () => {
  ground = await openGround();
  const { sandbox, url } = await ground.openSandbox();
  // No service is silent here: a busy machine is not to be taken for one.
  const env = { PAYMENT_SERVICE_BASE_URL: url, PAYMENT_SERVICE_TIMEOUT_MS: '15000' };
  const breakPoints = NAMES.map((name): BreakPoint => {
    const [point, signal] = DOOMS[name];
    return { subscriptionId: ids[name], point, signal };
  });
  workers = new DoomedWorkers(ground, env, breakPoints);
  const [admin] = await Promise.all([adminApiOf(ground.start('api', env)), workers.start(), workers.start()]);
  surroundings = { admin, sandbox, sandboxUrl: url, receiver: ground.receiver };
  await orderEach();
});

afterAll(async () => {
  workers.end();
  await ground.close();
});

/**
 * Due one after the other, so that no strike falls into what another worker takes over, twelve hours after the last one.
 * Ordered one after the other, too: the first requests of a program that has just started take seconds where processors
 * are few, and what a person asks is refused after ten. The first is due in 20 s.
 */
async function orderEach(): Promise<void> {
  const first = Math.ceil(ground.clock.now() / HOUR) * HOUR + 40 * HOUR;
  for (const [index, name] of KILLED.entries()) {
    const life = await order(name, { firstPaymentAt: first + index * 20 * HOUR });
    const strike = awaitStrike(name, life);
    strike.catch(() => undefined);
    strikes.set(name, strike);
  }
}

interface Strike {
  readonly life: Life;
  /** As the service had them in that moment: another worker continues soon after it. */
  readonly authorizations: Life['atService']['authorizations'];
}

async function awaitStrike(name: Name, life: Life): Promise<Strike> {
  const worker = await workers.struckAt(ids[name]);
  const { authorizations } = life.atService;
  expect(await worker.ended).toEqual({ code: null, signal: 'SIGKILL' });
  return { life, authorizations };
}

async function order(name: Name, due: Pick<Terms, 'lead' | 'firstPaymentAt'>): Promise<Life> {
  const terms = { name, subscriptionId: ids[name], cents: 1000 + NAMES.indexOf(name), ...due };
  const life = await placeOrder(surroundings, ground.clock, terms);
  return life.approvedWith();
}

function struck(name: Name): Promise<Strike> {
  const strike = strikes.get(name);
  if (strike === undefined) throw new Error(`no worker is to be killed at ${name}`);
  return strike;
}

/** What it came to: collected once, by either worker, and the ledger equal to the service's own record. */
async function collectedOnce(life: Life): Promise<Attempt[]> {
  await life.collected(1);
  expect(life.atService.authorizations).toHaveLength(1);
  expect(life.atService.debits).toHaveLength(1);
  await life.agrees();
  return [...(await life.cycles())[0]!.attempts];
}

/** How many workers Temporal has given up for dead with an activity of this subscription that was answered in the end. */
async function missedHeartbeats({ id }: Life): Promise<number> {
  const { events } = await ground.temporal.workflow.getHandle(`subscription/${id}`).fetchHistory();
  const starts = (events ?? []).map(({ activityTaskStartedEventAttributes: start }) => start);
  return starts.filter((start) => start?.lastFailure?.timeoutFailureInfo != null).length;
}

const ONCE = [[0, 'successful']];

/** What was struck has never left, and the same attempt was sent again. */
function expectSentAgain([struckSend, ...more]: readonly Attempt[]): void {
  expect(struckSend).toMatchObject({ attempt: 0, send: 0, outcome: 'not_sent' });
  expect(arrivedOf(more)).toEqual(ONCE);
}

test('fault 1: after a worker process is killed before its row "sending" commits, another one runs the attempt again', async () => {
  const { life, authorizations } = await struck('beforeTheRow');
  expect(authorizations).toEqual([]);
  expect(arrivedOf(await collectedOnce(life))).toEqual(ONCE);
});

test('fault 2: after a worker process is killed between its row and the POST, dueday asks the service for the settle time, then sends in the window', async () => {
  const { life } = await struck('beforeThePost');
  expectSentAgain(await collectedOnce(life));
});

test('fault 3: a debit whose worker process is killed before it reads the answer is found by GET and never sent again', async () => {
  const { life, authorizations } = await struck('atTheAnswer');
  expect(authorizations).toHaveLength(1);
  expect(arrivedOf(await collectedOnce(life))).toEqual(ONCE);
});

test('fault 4: a debit whose worker process is killed before it writes the outcome is found by GET and never sent again', async () => {
  const { life } = await struck('beforeTheOutcome');
  expect(arrivedOf(await collectedOnce(life))).toEqual(ONCE);
});

test('fault 5: after a worker process is killed before Temporal receives its outcome, another one reports the stored outcome', async () => {
  const { life } = await struck('afterTheOutcome');
  expect(arrivedOf(await collectedOnce(life))).toEqual(ONCE);
  const isTold = async () => (await missedHeartbeats(life)) > 0;
  await waitUntil('Temporal has missed the first one, and received another', isTold);
  expect(life.atService.authorizations).toHaveLength(1);
});

const MANY = 60;
/** Orders at a time: what comes all at once is a storm of its own, and what a person asks is refused after ten seconds. */
const CALLERS = 2;

/**
 * Orders so many, one after the other for each caller, and approves them. Thirty rounds are over before a week has passed
 * here, 84 s, as long as an order takes no three seconds on average.
 */
async function orderMany(firstPaymentAt: number): Promise<Life[]> {
  const many: Life[] = [];
  await eachOf(MANY, CALLERS, async () => {
    const terms = { name: 'many', cents: 1000, firstPaymentAt, lasts: 6 * DAY };
    const life = await placeOrder(surroundings, ground.clock, terms);
    surroundings.sandbox.payer(life.paymentId).approve('approves');
    many.push(life);
  });
  return many;
}

describe('workers', () => {
  let due: number;
  let many: readonly Life[];

  beforeAll(async () => {
    // Some were killed; how orders fare while workers come up is not the matter here.
    await Promise.all(workers.living.map((worker) => worker.says('worker started')));
    due = Math.ceil((ground.clock.now() + 7 * DAY) / HOUR) * HOUR;
    many = await orderMany(due);
  });

  test('fault 21: a worker process that was frozen before its POST, and resumes after another one has collected, sends nothing', async () => {
    const life = await order('frozenBeforeThePost', { lead: 20 * HOUR });
    const frozen = await workers.struckAt(life.id);
    try {
      expectSentAgain(await collectedOnce(life));
    } finally {
      process.kill(frozen.pid, 'SIGCONT');
    }
    const hasSeen = () => frozen.log().some(({ msg }) => msg === 'attempt.not_sent');
    await waitUntil('it has seen that it is late', hasSeen);
    await frozen.ended;

    await collectedOnce(life);
  });

  test('fault 25: workers that are asked to stop with a POST in flight store its answer and exit with 0', async () => {
    await Promise.all(workers.living.map((worker) => worker.says('worker started')));
    const drained = await placeOrder(surroundings, ground.clock, { name: 'drained', cents: 2000, lead: 20 * HOUR });
    const path = `^/${drained.paymentId}/authorizations$`;
    surroundings.sandbox.faults.add({ kind: 'delay', delayMs: 2 * SECOND, match: { method: 'POST', path } });
    await drained.approvedWith();
    const isMade = () => drained.atService.authorizations.length === 1;
    await waitUntil('the debit is made, and not answered yet', isMade);

    const endings = await Promise.all(workers.living.map((worker) => worker.stop()));

    expect(endings).toEqual(endings.map(() => ({ code: 0, signal: null })));
    expect(arrivedOf(await collectedOnce(drained))).toEqual(ONCE);
    const types = (await drained.auditLog()).map(({ type }) => type);
    expect(types).toContain('attempt.pending');
    expect(types).not.toContain('attempt.unknown');
  });

  /*
   * Scaled: ten thousand in a window of 120 h are one in 43 s. Here a window is a minute of real time, in which 60 are one
   * a second, on Temporal's development server and two cores shared with everything else.
   */
  test('fault 26: many subscriptions due in one instant are all collected in their windows, while the API keeps answering', async () => {
    await untilInstant(ground.clock, due);

    const waits: number[] = [];
    const isCollected = async () => {
      const asked = performance.now();
      expect((await surroundings.admin.get(`/v1/subscriptions/${many[0]!.id}`)).status).toBe(200);
      waits.push(performance.now() - asked);
      return many.every(({ atService }) => atService.debits.some(({ status }) => status === 'successful'));
    };
    await waitUntil('each is debited', isCollected);

    expect(Math.max(...waits)).toBeLessThan(20_000);
    for (const life of many) {
      expect(life.atService.debits).toHaveLength(1);
      expect(life.sentFor(0)[0]).toBeLessThan(due + 5 * DAY);
    }
  });
});

test('faults 1 to 5, 21, 25, 26: the reconciliation asks the service about each payment and finds no difference', async () => {
  const reconciled = await reconcile(surroundings.admin, ground.clock.now() - 60 * DAY, ground.clock.now() + DAY);
  expect(reconciled).toMatchObject({ compared: NAMES.length + 1 + MANY, report: { items: [] } });
});
