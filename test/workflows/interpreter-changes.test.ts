import { Context } from '@temporalio/activity';
import { type Call, inOrder, type ScriptedLife, START, step, StepWorld } from '../support/step-world';
import { waitUntil } from '../support/wait-until';
import { DAY } from '../../src/domain/time';

const world = StepWorld.skippingTime();

const until = (days: number) => START + days * DAY;
const attempt = { cycle: 0, attempt: 0 };
const asleep = step('wait', { until: null, revision: 9 });

async function untilCalled(life: ScriptedLife, times: number): Promise<void> {
  await waitUntil(`an activity was called ${times} times`, () => life.calls.length >= times);
}

const revisions = ({ calls }: ScriptedLife) => calls.map(({ name, input }: Call) => [name, input.revision]);

/** Runs until it is asked to stop. */
async function untilStopped(): Promise<void> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), 20);
  try {
    await context.cancelled.catch(() => undefined);
  } finally {
    clearInterval(beat);
  }
}

test('a change during a wait ends the wait, and the ledger is asked with the newest revision', async () => {
  const life = await world.begin(
    'changed in a wait',
    inOrder(step('wait', { until: until(9), then: attempt }), asleep),
  );
  await life.pass(DAY);
  await life.changed(2);
  await untilCalled(life, 2);
  await life.pass(20 * DAY);
  expect(revisions(life)).toEqual([
    ['decide', 0],
    ['decide', 2],
  ]);
});

test('only a change ends a wait without a limit', async () => {
  const life = await world.begin(
    'asleep until a change',
    inOrder(asleep, step('wait', { until: until(900), revision: 10 })),
  );
  await life.pass(800 * DAY);
  expect(life.names).toEqual(['decide']);
  await life.changed(10);
  await untilCalled(life, 2);
  await waitUntil('the new wait has a timer', async () => (await life.timers()).length === 1);
});

test('an older revision that arrives late leads to asking the ledger, and is not passed on', async () => {
  const life = await world.begin('changes out of order', inOrder(asleep, asleep, asleep));
  await untilCalled(life, 1);
  await life.changed(7);
  await untilCalled(life, 2);
  await life.changed(3);
  await untilCalled(life, 3);
  expect(revisions(life).map(([, revision]) => revision)).toEqual([0, 7, 7]);
});

/** An activity that ends once it is asked to stop, with a step of this revision. */
const stoppedAt = (revision: number) => async () => {
  await untilStopped();
  return step('wait', { until: until(1), then: { cycle: 0, attempt: 1 }, revision });
};

test('a running activity is asked to stop at a change, and a step that it returns for the new revision is used', async () => {
  const life = await world.begin(
    'changed during an attempt',
    inOrder(step('collect', { attempt }), stoppedAt(5), asleep),
  );
  await untilCalled(life, 2);
  await life.changed(5);
  await life.pass(2 * DAY);
  expect(revisions(life)).toEqual([
    ['decide', 0],
    ['collectPayment', 0],
    ['collectPayment', 5],
  ]);
  const requested = (await life.events()).filter(
    ({ activityTaskCancelRequestedEventAttributes: asked }) => asked != null,
  );
  expect(requested).toHaveLength(1);
});

test('the step of a running activity is dropped if the activity did not know of the change', async () => {
  const life = await world.begin('an outdated step', inOrder(step('collect', { attempt }), stoppedAt(4), asleep));
  await untilCalled(life, 2);
  await life.changed(5);
  await life.pass(2 * DAY);
  expect(revisions(life)).toEqual([
    ['decide', 0],
    ['collectPayment', 0],
    ['decide', 5],
  ]);
});

test('the next step is requested again with the new revision if a change came before the first answer', async () => {
  const life = await world.begin('changed before it was asked', inOrder(asleep, asleep), { input: { revision: 8 } });
  await life.changed(9);
  await untilCalled(life, 1);
  await waitUntil('the newest revision was handed on', () => life.calls.at(-1)?.input.revision === 9);
});

const FORGED: readonly unknown[][] = [
  [],
  [null],
  ['5'],
  ['changed'],
  [true],
  [-1],
  [1.5],
  [1e300],
  [{ revision: 5 }],
  [[5]],
  [{ unreadable: 'nothing' }],
  ['5', 5],
];

test('a forged signal of any shape is ignored, and fails nothing', async () => {
  const life = await world.begin('forged signals', inOrder(step('wait', { until: until(3) }), asleep, asleep));
  await untilCalled(life, 1);
  for (const args of FORGED) await life.changed(...args);
  await life.pass(DAY);
  expect(life.names).toEqual(['decide']);
  expect(await life.timers()).toHaveLength(1);
  await life.changed(2, 'and more');
  await untilCalled(life, 2);
  expect(revisions(life)[1]).toEqual(['decide', 2]);
  expect(await life.failedTasks()).toBe(0);
});
