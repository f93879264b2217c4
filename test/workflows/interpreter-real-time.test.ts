import { ApplicationFailure } from '@temporalio/common';
import { DAY, SECOND } from '../../src/domain/time';
import { FINISH, inOrder, type ScriptedLife, START, step, StepWorld } from '../support/step-world';
import { waitUntil } from '../support/wait-until';

/**
 * Tests on the development server, on which an activity may be cancelled between two runs or as it ends, and a child may outlive
 * its parent. The time-skipping server loses the workflow's task if an activity ends while the task that cancels it is under way.
 */
const world = StepWorld.onDevServer();

const attempt = { cycle: 0, attempt: 0 };

test('an activity waiting for a retry ends at once when a change comes', async () => {
  const later = () => Promise.reject(ApplicationFailure.create({ message: 'not now', nextRetryDelay: '1 hour' }));
  const life = await world.begin(
    'changed while an attempt waits to be repeated',
    inOrder(step('collect', { attempt }), later, step('wait', { until: START + DAY, revision: 5 })),
  );
  const isWaiting = async () => ((await life.handle.describe()).raw.pendingActivities?.[0]?.attempt ?? 0) > 1;
  await waitUntil('it waits to be tried again', isWaiting);
  await life.changed(5);
  await waitUntil('the ledger was asked', () => life.calls.length === 3);
  expect(life.calls[2]).toMatchObject({ name: 'decide', input: { revision: 5 } });
});

test('the workflow that follows an attempt outlives that of the subscription', async () => {
  const order: string[] = [];
  const life: ScriptedLife = await world.begin('an attempt followed past the end', async ({ name }) => {
    if (name !== 'followAttempt') return order.push(name) === 1 ? step('follow', { attempt }) : FINISH;
    await life.handle.result();
    order.push(name);
    return FINISH;
  });
  await waitUntil('its outcome is known', () => order.length === 3);
  expect(order).toEqual(['decide', 'decide', 'followAttempt']);
});

test('a decision overtaken by a change is dropped and requested again', async () => {
  const life: ScriptedLife = await world.begin(
    'changed during a decision',
    inOrder(
      () => Promise.reject(ApplicationFailure.retryable('asked for on the queue')),
      async () => {
        await life.changed(5);
        return step('collect', { attempt, revision: 4 });
      },
      step('wait', { until: null, revision: 5 }),
    ),
  );
  await waitUntil('the ledger was asked again', () => life.calls.length === 3);
  expect(life.calls[2]).toMatchObject({ name: 'decide', input: { revision: 5 } });
});

test('a change during the last step of a run is not lost: the ledger is asked, and the next run has its revision', async () => {
  const life: ScriptedLife = await world.begin('changed as a run ends', async (_call, nth) => {
    if (nth > 6) return step('wait', { until: null, revision: 8 });
    if (nth === 6) await life.changed(8);
    return step('collect', { attempt: { cycle: nth, attempt: 0 } });
  });
  await waitUntil('the ledger was asked again', () => life.calls.length === 8);
  expect(life.calls[7]).toMatchObject({ name: 'decide', input: { revision: 8 } });
  await waitUntil('the run has ended', async () => (await life.runs()).length === 2);
  expect((await life.inputs())[1]).toMatchObject({ subscriptionId: life.id, revision: 8 });
});

test('an attempt within the workflow task takes 3 state transitions a cycle', async () => {
  const beganAt = START + 2 * SECOND;
  const due = (cycle: number) => ({
    ...step('wait', { until: beganAt + cycle * 3 * SECOND, then: { cycle, attempt: 0 } }),
    on: 'here' as const,
  });
  const life = await world.begin(
    'attempts within the task, in real time',
    inOrder(due(0), due(1), due(2), step('wait', { until: null })),
  );
  const transitions: number[] = [];
  for (const cycle of [0, 1, 2]) {
    await waitUntil(`cycle ${cycle} is collected`, () => life.calls.length === cycle + 2);
    const last = cycle === 2 ? 'markerRecordedEventAttributes' : 'timerStartedEventAttributes';
    const isAtRest = async () => (await life.events()).at(-1)?.[last] != null;
    await waitUntil('its task has ended', isAtRest);
    const { raw } = await life.handle.describe();
    transitions.push(Number(raw.workflowExecutionInfo?.stateTransitionCount));
  }
  expect(transitions[1]! - transitions[0]!).toBe(3);
});

test('an attempt within the workflow task runs again if a change comes with the last step', async () => {
  const life: ScriptedLife = await world.begin('an attempt within the task, twice', async ({ name }, nth) => {
    if (name === 'decide') return { ...step('collect', { attempt }), on: 'here' };
    if (nth === 1) await life.changed(5);
    return FINISH;
  });
  await life.handle.result();
  // Temporal refuses the end of the run, and repeats the whole workflow task.
  expect(life.names).toEqual(['decide', 'collectPayment', 'decide', 'collectPayment']);
  expect(await life.failedTasks()).toBe(1);
});
