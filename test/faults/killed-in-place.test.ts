import { DAY } from '../../src/domain/time';
import { arrivedOf, reconcile } from '../scenarios/admin-api';
import type { Life } from '../scenarios/life';
import { waitUntil } from '../support/wait-until';
import {
  collectedOnce,
  DOOM_NAMES,
  type DoomName,
  expectFrozenSendsNothing,
  expectSentAgain,
  ONCE,
  StruckWorkers,
} from './struck-workers';

/** The kills of killed.test.ts, for workers that make attempts within workflow tasks (`COLLECT_IN_PLACE`). */

let struck: StruckWorkers;

beforeAll(async () => {
  struck = await StruckWorkers.open({ COLLECT_IN_PLACE: 'true' });
});

afterAll(() => struck.close());

/** How many workflow tasks of this subscription Temporal has given up because their worker did not answer. */
async function tasksGivenUp({ id }: Life): Promise<number> {
  const { events } = await struck.ground.temporal.workflow.getHandle(`subscription/${id}`).fetchHistory();
  return (events ?? []).filter((event) => event.workflowTaskTimedOutEventAttributes != null).length;
}

test.each<[string, DoomName]>([
  ['fault 1: in place, after a worker process is killed before its row "sending" commits', 'beforeTheRow'],
  ['fault 3: in place, after a worker process is killed before it reads the answer', 'atTheAnswer'],
  ['fault 4: in place, after a worker process is killed before it writes the outcome', 'beforeTheOutcome'],
])('%s, another one takes over, and there is one debit', async (_what, name) => {
  const { life } = await struck.at(name);
  expect(arrivedOf(await collectedOnce(life))).toEqual(ONCE);
  expect(await tasksGivenUp(life)).toBeGreaterThan(0);
});

test('fault 2: in place, a worker process killed between its row and the POST is followed by another one, which sends after the settle time', async () => {
  const { life } = await struck.at('beforeThePost');
  expectSentAgain(await collectedOnce(life));
  expect(await tasksGivenUp(life)).toBeGreaterThan(0);
});

test('fault 5: in place, the outcome of a worker process killed before Temporal receives it is taken from the ledger', async () => {
  const { life } = await struck.at('afterTheOutcome');
  expect(arrivedOf(await collectedOnce(life))).toEqual(ONCE);
  const isGivenUp = async () => (await tasksGivenUp(life)) > 0;
  await waitUntil('Temporal has given the task to another one', isGivenUp);
  expect(life.atService.authorizations).toHaveLength(1);
});

test('fault 21: in place, a worker process frozen before its POST, and resumed after another one has collected, sends nothing', async () => {
  await Promise.all(struck.workers.living.map((worker) => worker.says('worker started')));
  await expectFrozenSendsNothing(struck);
});

test('faults 1 to 5, 21: in place, the reconciliation asks the service about each payment and finds no difference', async () => {
  const { admin } = struck.surroundings;
  const now = struck.ground.clock.now();
  const reconciled = await reconcile(admin, now - 60 * DAY, now + DAY);
  expect(reconciled).toMatchObject({ compared: DOOM_NAMES.length, report: { items: [] } });
});
