import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { RefundInput } from '../../src/contract/payments';
import type { Step, StepInput } from '../../src/contract/steps';
import type { SubscriptionId } from '../../src/domain/ids';
import { DAY, MINUTE } from '../../src/domain/time';
import { Conductor } from '../../src/simulation/conductor';
import { HandClock } from '../../src/simulation/hand-clock';
import { FINISH, inOrder, type Script, START, step } from '../support/step-world';
import { conduct, NO_NOTICES, scriptedActivities } from './conducted';

/** Tests of the simulation's conductor alone; test/workflows verifies that it calls the same activities as the workflow. */

const first = { cycle: 0, attempt: 0 };
const until = (days: number) => START + days * DAY;
const stop = (wait: number) => ApplicationFailure.create({ type: 'pending', nextRetryDelay: wait });

test("the simulation's clock jumps to the next due work, but not past the requested instant", async () => {
  const life = conduct(inOrder(step('wait', { until: until(3), then: first }), FINISH));
  await life.pass(2 * DAY);
  expect([life.names, life.clock.now()]).toEqual([['decide'], until(2)]);
  await life.pass(2 * DAY);
  expect([life.names, life.clock.now()]).toEqual([['decide', 'collectPayment'], until(4)]);
  expect(life.conductor.isRunning(life.id)).toBe(false);
});

test('a simulated activity that is to run again later sees the number of its runs and the time at which it was first scheduled', async () => {
  const seen: [number, number][] = [];
  const life = conduct(({ name }) => {
    if (name === 'decide') return step('wait', { until: until(1), then: first });
    const { attempt, scheduledTimestampMs } = Context.current().info;
    seen.push([attempt, life.clock.realNow() - scheduledTimestampMs]);
    if (attempt < 3) throw stop(MINUTE);
    return FINISH;
  });
  await life.pass(2 * DAY);
  expect(seen).toEqual([
    [1, 0],
    [2, MINUTE + 1],
    [3, 2 * MINUTE + 2],
  ]);
});

test('an error ends the simulation', async () => {
  const life = conduct(() => {
    throw new Error('a defect');
  });
  await expect(life.pass(DAY)).rejects.toThrow('a defect');
});

test('failed work of a simulation is repeated after the requested wait', async () => {
  const faults: unknown[] = [];
  const life = conduct(
    inOrder(() => Promise.reject(new Error('a worker died')), FINISH),
    (fault, runs) => {
      faults.push([String(fault), runs]);
      return MINUTE;
    },
  );
  await life.pass(MINUTE - 1);
  expect(life.names).toEqual(['decide']);
  await life.pass(2);
  expect([life.names, faults]).toEqual([['decide', 'decide'], [['Error: a worker died', 1]]]);
});

test.each([
  ['is used if it was decided after the change', 1, ['decide', 'awaitConsent']],
  ['is dropped if it was decided before the change', 0, ['decide', 'awaitConsent', 'decide']],
])('the result of a simulated activity during which a change comes %s', async (_what, revision, names) => {
  const life = conduct(({ name }, nth) => {
    if (nth === 0) return step('await_consent');
    if (name === 'awaitConsent') life.conductor.changed(life.id, 1);
    return step('wait', { until: null, revision });
  });
  await life.pass(DAY);
  expect(life.names).toEqual(names);
});

test('a simulated activity that is to run again later is not repeated after a change: the ledger is asked instead', async () => {
  const life = conduct(({ name }, nth) => {
    if (nth === 0) return step('await_consent');
    if (name === 'decide') return step('wait', { until: null, revision: 1 });
    life.conductor.changed(life.id, 1);
    throw stop(MINUTE);
  });
  await life.pass(DAY);
  expect(life.names).toEqual(['decide', 'awaitConsent', 'decide']);
});

test('a change starts a workflow that has ended', async () => {
  const life = conduct(inOrder(FINISH, FINISH));
  await life.pass(DAY);
  life.conductor.changed(life.id, 1);
  await life.pass(DAY);
  expect(life.names).toEqual(['decide', 'decide']);
});

test('several subscriptions are run in the order in which they are due', async () => {
  const clock = new HandClock(START);
  const called: string[] = [];
  const script: Script = ({ name, input: { subscriptionId } }) => {
    called.push(`${subscriptionId} ${name}`);
    if (name === 'collectPayment') return FINISH;
    return step('wait', { until: until(subscriptionId === 'late' ? 2 : 1), then: first });
  };
  const conductor = new Conductor(clock, scriptedActivities(clock, script, []), NO_NOTICES);
  for (const id of ['late', 'early']) conductor.start(id as SubscriptionId);
  await conductor.passUntil(until(3));
  expect(called).toEqual(['late decide', 'early decide', 'early collectPayment', 'late collectPayment']);
});

test('a refund is repeated until it is final', async () => {
  const clock = new HandClock(START);
  let runs = 0;
  const refundPayment = async () => {
    runs += 1;
    if (runs < 3) throw stop(MINUTE);
    return { kind: 'successful' } as never;
  };
  const never = (_input: StepInput): Promise<Step> => Promise.reject(new Error('nobody asks'));
  const conductor = new Conductor(
    clock,
    { ...scriptedActivities(clock, never as never, []), refundPayment },
    NO_NOTICES,
  );
  conductor.refund({ refundId: 'ref_1' } as RefundInput);
  await conductor.passUntil(START + DAY);
  expect([runs, conductor.isWorkflowRunning('refund/ref_1')]).toEqual([3, false]);
});
