import type { Step } from '../../src/contract/steps';
import { DAY, MINUTE, SECOND } from '../../src/domain/time';
import { inOrder, type Script, START, step, StepWorld } from '../support/step-world';
import { waitUntil } from '../support/wait-until';

const world = StepWorld.skippingTime();

const until = (days: number) => START + days * DAY;
const first = { cycle: 0, attempt: 0 };
const mark = { position: 7, signature: 'signed' } as unknown as NonNullable<Step['mark']>;

/** The most activities per minute, on average: a workflow that asks for ever asks once a minute in the end. */
const MAX_PER_MINUTE = 10;

test.each<[string, Script]>([
  ['the first attempt of a cycle', () => step('collect', { attempt: first })],
  ['a retry', () => step('collect', { attempt: { cycle: 0, attempt: 1 } })],
  ['a consent that is asked for', () => step('await_consent')],
  ['a wait that is over already', () => step('wait', { until: until(-1) })],
  ['an attempt whose time has come already', () => step('wait', { until: until(-1), then: first })],
  ['a wait of half a second', ({ at }) => step('wait', { until: at + SECOND / 2 })],
  ['a step that lacks its attempt', () => step('collect')],
])('if the answer is always %s, the timers grow to a minute', async (_what, script) => {
  const life = await world.begin('the same step for ever', script);
  await life.pass(20 * MINUTE);
  expect(life.calls.length).toBeLessThan(20 * MAX_PER_MINUTE);
  // The workflow continues to ask.
  expect(life.calls.at(-1)!.at).toBeGreaterThan(START + 18 * MINUTE);
  expect(Math.max(...(await life.timers()))).toBe(MINUTE);
  expect(await life.failedTasks()).toBe(0);
});

test('steps a day apart are not delayed', async () => {
  const life = await world.begin(
    'a step a day',
    inOrder(
      ...Array.from({ length: 20 }, (_, day) =>
        step('wait', { until: until(day + 1), then: { cycle: 0, attempt: 1 } }),
      ),
    ),
  );
  await life.pass(21 * DAY);
  expect(life.calls.slice(1).map(({ at }) => Math.floor((at - START) / DAY))).toEqual(
    Array.from({ length: 20 }, (_, day) => day + 1),
  );
  expect(life.calls.slice(1).every(({ at }) => (at - START) % DAY < SECOND)).toBe(true);
});

test('after a step of an unknown kind the ledger is asked again after a minute, and then at intervals that grow to an hour', async () => {
  const newer = step('levitate' as Step['kind']);
  const life = await world.begin('a step of a newer release', (_call, nth) =>
    nth < 10 ? newer : step('wait', { until: null }),
  );
  await life.pass(DAY);
  const gaps = life.calls.slice(1).map(({ at }, index) => Math.round((at - life.calls[index]!.at) / MINUTE));
  expect(gaps).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
  expect(await life.failedTasks()).toBe(0);
});

test('a change ends the wait for a newer release', async () => {
  const newer = step('levitate' as Step['kind']);
  const life = await world.begin(
    'a step of a newer release, changed',
    inOrder(newer, step('wait', { until: null, revision: 1 })),
  );
  await waitUntil('it was asked', () => life.calls.length === 1);
  await life.changed(1);
  await waitUntil('it was asked again', () => life.calls.length === 2);
  expect(life.calls[1]!.at - life.calls[0]!.at).toBeLessThan(MINUTE);
});

/** Each cycle is collected by its first attempt, a month after the one before. */
const monthly: Script = (_call, nth) =>
  step('wait', { until: until(30 * (nth + 1)), then: { cycle: nth, attempt: 0 }, mark, beside: [first], revision: 3 });

test('a run ends after six cycles, and the next one continues with its state', async () => {
  const life = await world.begin('continued every six cycles', monthly, {
    input: { revision: 3, followed: [first, { cycle: 9, attempt: 0 }] },
  });
  await life.pass((30 * 14 + 1) * DAY);
  expect(life.names).toEqual(['decide', ...Array<string>(14).fill('collectPayment')]);
  const [, second, third] = await life.inputs();
  const carried = { subscriptionId: life.id, clock: life.clock, revision: 3, followed: [first], mark };
  expect(second).toMatchObject({ ...carried, step: { kind: 'wait', then: { cycle: 6, attempt: 0 } } });
  expect(third).toMatchObject({ ...carried, step: { kind: 'wait', then: { cycle: 12, attempt: 0 } } });
  expect((await life.runs()).length).toBe(3);
  expect(life.calls.at(-1)?.input).toMatchObject({ revision: 3, followed: [first], mark });
});

test('retries do not count as cycles, so they do not end a run', async () => {
  const life = await world.begin('retries in one run', (_call, nth) =>
    step('wait', { until: until(nth + 1), then: { cycle: 0, attempt: 1 + (nth % 3) } }),
  );
  await life.pass(20 * DAY);
  expect(life.calls.length).toBeGreaterThan(15);
  expect(await life.runs()).toHaveLength(1);
});

test('a run ends after a thousand signals, including forged ones', async () => {
  const life = await world.begin('continued after a thousand signals', () => step('wait', { until: until(700) }));
  await waitUntil('it was asked', () => life.calls.length === 1);
  for (let sent = 0; sent < 1_000; sent += 50) await Promise.all(Array.from({ length: 50 }, () => life.changed('x')));
  await life.changed(6);
  await waitUntil('the run has ended', async () => (await life.runs()).length === 2);
  const [, second] = await life.inputs();
  expect(second).toMatchObject({ subscriptionId: life.id, clock: life.clock, revision: 6, followed: [] });
  expect(await life.failedTasks()).toBe(0);
});

test('a workflow moves from the interactive queue to the ordinary one once its payer has answered', async () => {
  const life = await world.begin(
    'moved from the interactive queue',
    inOrder(
      step('request_consent'),
      step('await_consent'),
      step('wait', { until: until(1), then: first }),
      step('wait', { until: null }),
    ),
    { isAwaited: true },
  );
  await life.pass(2 * DAY);
  expect(life.names).toEqual(['decide', 'requestConsent', 'awaitConsent', 'collectPayment']);
  const queues = (await life.runs()).map(
    ([started]) => started?.workflowExecutionStartedEventAttributes?.taskQueue?.name,
  );
  expect(queues).toEqual([`${world.taskQueue}/interactive`, world.taskQueue]);
  expect((await life.inputs())[1]?.step).toMatchObject({ kind: 'wait', then: first });
});
