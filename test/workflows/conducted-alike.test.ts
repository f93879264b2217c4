import { ApplicationFailure } from '@temporalio/common';
import type { Step } from '../../src/contract/steps';
import { DAY, HOUR, MINUTE } from '../../src/domain/time';
import type { PathName } from '../replay/paths';
import { conduct } from '../simulation/conducted';
import { type Call, FINISH, inOrder, type Script, START, step, StepWorld } from '../support/step-world';
import { waitUntil } from '../support/wait-until';

/** The workflow and the conductor of simulations carry out the same steps with the same calls. */

const world = StepWorld.skippingTime();

const until = (days: number) => START + days * DAY;
const first = { cycle: 0, attempt: 0 };
const asleep = step('wait', { until: null, revision: 9 });
const mark = { epoch: 1, entry: 7, mac: 'signed' };

interface ScriptedLife {
  readonly path: PathName;
  readonly script: () => Script;
  /** The revision that is signalled after 23 hours. */
  readonly changed?: number;
}

const stop = () => ApplicationFailure.create({ type: 'pending', nextRetryDelay: 10 * MINUTE });

/**
 * A ledger that returns these steps in order. The activity that follows an attempt stops once, so that it ends while the
 * subscription waits: the calls of two workflows that run at the same time have no defined order.
 */
function besideLedger(...steps: readonly Step[]): () => Script {
  return () => {
    const ledger = inOrder(...steps);
    const follower = inOrder(() => Promise.reject(stop()), step('finish', { revision: 3 }));
    let decided = 0;
    let followed = 0;
    return (call) => (isOfAttempt(call) ? follower(call, followed++) : ledger(call, decided++));
  };
}

/** Whether the call is made by the workflow of an attempt, and not by that of the subscription. */
const isOfAttempt = ({ name }: Call) => name === 'followAttempt';

const LIVES: readonly (readonly [string, ScriptedLife])[] = [
  [
    'the steps of a life in their usual order',
    {
      path: 'the order of a life',
      script: () =>
        inOrder(
          step('request_consent'),
          step('await_consent'),
          step('wait', { until: until(1), then: first }),
          step('wait', { until: until(2), then: { cycle: 0, attempt: 1 }, mark }),
          step('wait', { until: until(31) }),
          step('collect', { attempt: { cycle: 1, attempt: 0 } }),
          step('cancel_consent'),
          FINISH,
        ),
    },
  ],
  [
    'attempts within the workflow task',
    {
      path: 'attempts within the task',
      script: () =>
        inOrder(
          step('wait', { until: until(1), then: first, on: 'here' }),
          step('collect', { attempt: first, on: 'queue' }),
          step('wait', { until: until(31), then: { cycle: 1, attempt: 0 }, on: 'here' }),
          () => Promise.reject(stop()),
          asleep,
        ),
    },
  ],
  [
    'a change during a wait',
    {
      path: 'changed in a wait',
      script: () => inOrder(step('wait', { until: until(9), then: first }), asleep),
      changed: 2,
    },
  ],
  [
    'an attempt beside the current cycle',
    {
      path: 'an attempt beside',
      script: besideLedger(
        step('follow', { attempt: first }),
        step('wait', { until: until(5), beside: [first] }),
        step('wait', { until: until(6), revision: 3 }),
        asleep,
      ),
    },
  ],
  [
    'an activity that stops for now',
    {
      path: 'a timer and an attempt',
      script: () =>
        inOrder(
          step('wait', { until: until(1), then: first }),
          () => Promise.reject(stop()),
          () => Promise.reject(stop()),
          asleep,
        ),
    },
  ],
  [
    'a failed request for a consent',
    {
      path: 'a request that fails for good',
      script: () => inOrder(step('request_consent'), () => Promise.reject(stop()), asleep),
    },
  ],
  [
    'an activity that fails for good',
    {
      path: 'a request that fails for good',
      script: () =>
        inOrder(step('await_consent'), () => Promise.reject(ApplicationFailure.nonRetryable('refused')), asleep),
    },
  ],
  [
    'steps that name no attempt',
    {
      path: 'steps without an attempt',
      script: () => inOrder(step('collect'), step('follow'), step('wait', { until: until(-1) }), asleep),
    },
  ],
  [
    'the same step again and again',
    { path: 'the same step for ever', script: () => (_call, nth) => (nth < 40 ? step('await_consent') : asleep) },
  ],
];

/** The calls of each workflow as texts, with input and minute. */
function described(calls: readonly Call[]): string[] {
  const byWorkflow = [...calls.filter((each) => !isOfAttempt(each)), ...calls.filter(isOfAttempt)];
  return byWorkflow.map(({ name, at, isLocal, input: { subscriptionId: _id, ...input } }) =>
    [
      name,
      name === 'decide' || isLocal !== true ? 'queue' : 'here',
      JSON.stringify(sorted(input)),
      `minute ${Math.floor((at - START) / MINUTE)}`,
    ].join(' '),
  );
}

const sorted = (input: object) =>
  Object.fromEntries(Object.entries(input).sort(([one], [other]) => (one < other ? -1 : 1)));

test.each(LIVES)('the simulation conducts %s as the workflow does', async (_what, { path, script, changed }) => {
  const conducted = conduct(script());
  const life = await world.begin(path, script());
  for (const each of [conducted, life]) await each.pass(DAY - HOUR);
  if (changed !== undefined) {
    conducted.conductor.changed(conducted.id, changed);
    const before = life.calls.length;
    await life.changed(changed);
    await waitUntil('the workflow has asked', () => life.calls.length > before);
  }
  for (const each of [conducted, life]) await each.pass(40 * DAY);
  expect(life.calls.length).toBeGreaterThan(1);
  expect(described(conducted.calls)).toEqual(described(life.calls));
});
