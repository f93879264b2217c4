import { DAY } from '../../src/domain/time';
import { inOrder, type ScriptedLife, START, step, StepWorld } from '../support/step-world';

/**
 * What Temporal keeps of a life. Each number is the present cost: lower it here when you lower the cost.
 * `npm run bench -- history` also measures state transitions.
 */

const world = StepWorld.skippingTime();

async function events({ handle }: ScriptedLife): Promise<number> {
  return (await handle.fetchHistory()).events?.length ?? 0;
}

/** A wait until noon of a day, and then the attempt. */
function due(day: number, attempt: number, cycle = day) {
  return step('wait', { until: START + (day + 0.5) * DAY, then: { cycle, attempt } });
}

/** A wait until noon of a day, and then a first attempt within the workflow task. */
function dueHere(day: number) {
  return { ...due(day, 0), on: 'here' } as const;
}

/** How many history events each of the next days adds. */
async function eventsOfDays(life: ScriptedLife, days: number): Promise<readonly number[]> {
  const grown: number[] = [];
  let before = await events(life);
  for (let day = 0; day < days; day += 1) {
    await life.pass(DAY);
    const now = await events(life);
    grown.push(now - before);
    before = now;
  }
  return grown;
}

test('a collected cycle takes 11 history events', async () => {
  const life = await world.begin(
    'a step a day',
    inOrder(due(0, 0), due(1, 0), due(2, 0), due(3, 0), step('wait', { until: null })),
  );
  const [, second, third] = await eventsOfDays(life, 3);
  expect([second, third]).toEqual([11, 11]);
});

test('a retry takes as many events as a cycle: its notice adds none', async () => {
  const life = await world.begin(
    'retries in one run',
    inOrder(due(0, 0), due(1, 1, 0), due(2, 2, 0), due(3, 3, 0), step('wait', { until: null })),
  );
  const [, second, third] = await eventsOfDays(life, 3);
  expect([second, third]).toEqual([11, 11]);
});

test('a cycle collected within the workflow task takes 6 history events', async () => {
  const life = await world.begin(
    'attempts within the task',
    inOrder(dueHere(0), dueHere(1), dueHere(2), dueHere(3), step('wait', { until: null })),
  );
  const [, second, third] = await eventsOfDays(life, 3);
  expect([second, third]).toEqual([6, 6]);
  expect(life.calls.filter(({ name }) => name === 'collectPayment').map(({ isLocal }) => isLocal)).toEqual([
    true,
    true,
    true,
  ]);
});
