import { DAY, HOUR, SECOND } from '../../src/domain/time';
import { arrivedOf, reconcile } from '../scenarios/admin-api';
import type { Life } from '../scenarios/life';
import { placeOrder } from '../scenarios/world';
import { eachOf } from '../support/each-of';
import { untilInstant, waitUntil } from '../support/wait-until';
import {
  collectedOnce,
  DOOM_NAMES,
  expectFrozenSendsNothing,
  expectSentAgain,
  ONCE,
  StruckWorkers,
} from './struck-workers';

let struck: StruckWorkers;

beforeAll(async () => {
  struck = await StruckWorkers.open();
});

afterAll(() => struck.close());

/** How many activities of this subscription completed only after Temporal had given up a worker that sent no heartbeat. */
async function missedHeartbeats({ id }: Life): Promise<number> {
  const { events } = await struck.ground.temporal.workflow.getHandle(`subscription/${id}`).fetchHistory();
  const starts = (events ?? []).map(({ activityTaskStartedEventAttributes: start }) => start);
  return starts.filter((start) => start?.lastFailure?.timeoutFailureInfo != null).length;
}

test('fault 1: after a worker process is killed before its row "sending" commits, another one runs the attempt again', async () => {
  const { life, authorizations } = await struck.at('beforeTheRow');
  expect(authorizations).toEqual([]);
  expect(arrivedOf(await collectedOnce(life))).toEqual(ONCE);
});

test('fault 2: after a worker process is killed between its row and the POST, dueday asks the service for the settle time, then sends in the window', async () => {
  const { life } = await struck.at('beforeThePost');
  expectSentAgain(await collectedOnce(life));
});

test('fault 3: a debit whose worker process is killed before it reads the answer is found by GET and never sent again', async () => {
  const { life, authorizations } = await struck.at('atTheAnswer');
  expect(authorizations).toHaveLength(1);
  expect(arrivedOf(await collectedOnce(life))).toEqual(ONCE);
});

test('fault 4: a debit whose worker process is killed before it writes the outcome is found by GET and never sent again', async () => {
  const { life } = await struck.at('beforeTheOutcome');
  expect(arrivedOf(await collectedOnce(life))).toEqual(ONCE);
});

test('fault 5: after a worker process is killed before Temporal receives its outcome, another one reports the stored outcome', async () => {
  const { life } = await struck.at('afterTheOutcome');
  expect(arrivedOf(await collectedOnce(life))).toEqual(ONCE);
  const isTold = async () => (await missedHeartbeats(life)) > 0;
  await waitUntil('Temporal has missed the first one, and received another', isTold);
  expect(life.atService.authorizations).toHaveLength(1);
});

const MANY = 60;
/** Creations at a time: all at once would be too many, and an operator's request is refused after ten seconds. */
const CALLERS = 2;

/**
 * Creates {@link MANY} subscriptions, each caller one after the other, and approves them. The thirty rounds end within a week of
 * business time, 84 s here, if a creation takes less than three seconds on average.
 */
async function orderMany(firstPaymentAt: number): Promise<Life[]> {
  const many: Life[] = [];
  await eachOf(MANY, CALLERS, async () => {
    const terms = { name: 'many', cents: 1000, firstPaymentAt, lasts: 6 * DAY };
    const life = await placeOrder(struck.surroundings, struck.ground.clock, terms);
    struck.surroundings.sandbox.payer(life.paymentId).approve('approves');
    many.push(life);
  });
  return many;
}

describe('workers', () => {
  let due: number;
  let many: readonly Life[];

  beforeAll(async () => {
    // Some workers were killed; this test must not create subscriptions while workers start.
    await Promise.all(struck.workers.living.map((worker) => worker.says('worker started')));
    due = Math.ceil((struck.ground.clock.now() + 7 * DAY) / HOUR) * HOUR;
    many = await orderMany(due);
  });

  test('fault 21: a worker process that was frozen before its POST, and resumes after another one has collected, sends nothing', async () => {
    await expectFrozenSendsNothing(struck);
  });

  test('fault 25: workers that are asked to stop with a POST in flight store its answer and exit with 0', async () => {
    await Promise.all(struck.workers.living.map((worker) => worker.says('worker started')));
    const drained = await placeOrder(struck.surroundings, struck.ground.clock, {
      name: 'drained',
      cents: 2000,
      lead: 20 * HOUR,
    });
    const path = `^/${drained.paymentId}/authorizations$`;
    struck.surroundings.sandbox.faults.add({ kind: 'delay', delayMs: 2 * SECOND, match: { method: 'POST', path } });
    await drained.approvedWith();
    const isMade = () => drained.atService.authorizations.length === 1;
    await waitUntil('the debit is made, and not answered yet', isMade);

    const endings = await Promise.all(struck.workers.living.map((worker) => worker.stop()));

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
    await untilInstant(struck.ground.clock, due);

    const waits: number[] = [];
    const isCollected = async () => {
      const asked = performance.now();
      expect((await struck.surroundings.admin.get(`/v1/subscriptions/${many[0]!.id}`)).status).toBe(200);
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
  const reconciled = await reconcile(
    struck.surroundings.admin,
    struck.ground.clock.now() - 60 * DAY,
    struck.ground.clock.now() + DAY,
  );
  expect(reconciled).toMatchObject({ compared: DOOM_NAMES.length + 1 + MANY, report: { items: [] } });
});
