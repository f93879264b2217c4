import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import type { Step } from '../../src/contract/steps';
import { attemptWorkflowId } from '../../src/contract/workflows';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/domain/time';
import { FINISH, inOrder, type ScriptedLife, START, step, StepWorld } from '../support/step-world';
import { waitUntil } from '../support/wait-until';

const world = StepWorld.skippingTime();

const until = (days: number) => START + days * DAY;
const first = { cycle: 0, attempt: 0 };
const active = { status: 'active', standing: 'good', repetition: 'MONTHLY' };

/** Each activity with the day on which it was called, counted from the beginning. */
function days({ calls }: ScriptedLife): [string, number][] {
  return calls.map(({ name, at }) => [name, Math.floor((at - START) / DAY)]);
}

async function status({ handle }: ScriptedLife): Promise<string> {
  return (await handle.describe()).status.name;
}

/** A promise that a test resolves with `open`. */
function gate(): { readonly opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

test('each step is carried out by the activity of its name, in the order of a life, until it finishes', async () => {
  const life = await world.begin(
    'the order of a life',
    inOrder(
      step('request_consent'),
      step('await_consent'),
      step('wait', { until: until(1), then: first }),
      step('wait', { until: until(2), then: { cycle: 0, attempt: 1 } }),
      step('wait', { until: until(31) }),
      step('collect', { attempt: { cycle: 1, attempt: 0 } }),
      step('cancel_consent'),
      FINISH,
    ),
  );
  await life.pass(32 * DAY);
  expect(days(life)).toEqual([
    ['decide', 0],
    ['requestConsent', 0],
    ['awaitConsent', 0],
    ['collectPayment', 1],
    ['collectPayment', 2],
    ['decide', 31],
    ['collectPayment', 31],
    ['cancelConsent', 31],
  ]);
  expect(await status(life)).toBe('COMPLETED');
});

test('a step named in the input is carried out without asking the ledger', async () => {
  const life = await world.begin(
    'a first step that is known',
    inOrder(step('wait', { until: until(1), then: first })),
    {
      input: { step: step('request_consent'), revision: 4 },
    },
  );
  await life.pass(2 * DAY);
  expect(life.names).toEqual(['requestConsent', 'collectPayment']);
  expect(life.calls[0]?.input.revision).toBe(4);
  expect(await status(life)).toBe('COMPLETED');
});

test('the step after a timer follows at once, and activities get only references', async () => {
  const mark = { position: 7, signature: 'signed' } as unknown as NonNullable<Step['mark']>;
  const life = await world.begin(
    'a timer and an attempt',
    inOrder(step('wait', { until: until(3), then: { cycle: 2, attempt: 1 }, mark }), step('wait', { until: null })),
    { input: { revision: 3 } },
  );
  await life.pass(4 * DAY);
  const [, collect] = life.calls;
  expect(life.names).toEqual(['decide', 'collectPayment']);
  expect(collect!.at - until(3)).toBeGreaterThanOrEqual(0);
  expect(collect!.at - until(3)).toBeLessThan(SECOND);
  expect(collect?.input).toEqual({ subscriptionId: life.id, revision: 3, followed: [], cycle: 2, attempt: 1, mark });
});

test('after a step that names no activity or lacks its attempt, the workflow asks the ledger', async () => {
  const life = await world.begin(
    'steps without an attempt',
    inOrder(step('wait', { until: until(-1) }), step('collect'), step('follow'), step('wait', { until: until(1) })),
  );
  await life.pass(2 * DAY);
  expect(days(life)).toEqual([
    ['decide', 0],
    ['decide', 0],
    ['decide', 0],
    ['decide', 0],
    ['decide', 1],
  ]);
});

test('an attempt beside the cycles is followed by one workflow, and by another one if it is reopened', async () => {
  const beside = [first];
  const asked = gate();
  const follow = step('follow', { attempt: first });
  const ledger = inOrder(
    follow,
    step('follow', { attempt: first, beside }),
    step('wait', { until: until(30), beside }),
    // The workflow is notified of the attempt's end.
    step('wait', { until: until(40), revision: 1 }),
    step('follow', { attempt: first, revision: 2 }),
    step('wait', { until: until(50), beside, revision: 2 }),
    step('wait', { until: until(60), revision: 2 }),
  );
  let decided = 0;
  const follows: number[] = [];
  const life = await world.begin('an attempt beside', async (call) => {
    if (call.name !== 'followAttempt') return ledger(call, decided++);
    follows.push(call.at);
    if (follows.length === 1) await asked.opened;
    return step('finish', { revision: follows.length });
  });
  const decisions = () => life.calls.filter(({ name }) => name === 'decide');
  await waitUntil('it is followed, and the ledger was asked about the rest', () => decisions().length === 3);
  await waitUntil('it is followed', () => follows.length === 1);
  expect(decisions().map(({ input }) => input.followed)).toEqual([[], [first], [first, first]]);
  asked.open();
  await waitUntil('the subscription was notified', () => decisions().length === 4);
  await life.pass(HOUR);
  expect(decisions()[3]?.input).toMatchObject({ revision: 1, followed: [first, first] });
  await life.changed(2);
  await waitUntil('it was followed again', () => decisions().length >= 6);
  await life.pass(HOUR);
  expect(decisions()[4]?.input).toMatchObject({ revision: 2, followed: [] });
  expect(follows).toHaveLength(2);
  const started = (await life.events()).filter(({ childWorkflowExecutionStartedEventAttributes: child }) => child);
  expect(
    started.map((event) => event.childWorkflowExecutionStartedEventAttributes?.workflowExecution?.workflowId),
  ).toEqual([attemptWorkflowId(life.id, first), attemptWorkflowId(life.id, first)]);
  await world.keepHistory(attemptWorkflowId(life.id, first), 'an attempt followed to its outcome');
});

test('search attributes are upserted only when they change', async () => {
  const life = await world.begin(
    'search attributes',
    inOrder(
      step('wait', { until: until(1), show: active }),
      step('wait', { until: until(2), show: active }),
      step('wait', { until: until(3) }),
      step('wait', { until: until(4), show: { ...active, standing: 'dunning' } }),
      step('wait', { until: until(5), show: { ...active, standing: 'dunning' } }),
    ),
  );
  await life.pass(6 * DAY);
  const upserts = (await life.events()).flatMap(
    ({ upsertWorkflowSearchAttributesEventAttributes: upsert }) => upsert?.searchAttributes?.indexedFields ?? [],
  );
  expect(upserts.map((fields) => Object.keys(fields).toSorted())).toEqual([
    ['DuedayRepetition', 'DuedayStanding', 'DuedayStatus'],
    ['DuedayStanding'],
  ]);
});

test('timers and activities say what they are for, and the details of the workflow show what the ledger says', async () => {
  const [due, retry] = ['cycle 0, 19.99 EUR', 'retry 1 of cycle 0, 19.99 EUR'];
  const life = await world.begin(
    'summaries and details',
    inOrder(
      step('wait', { until: until(1), then: first, summary: due, details: '- **active**' }),
      step('wait', { until: until(2), then: { cycle: 0, attempt: 1 }, summary: retry, details: '' }),
      step('wait', { until: null, details: '- **paused**' }),
    ),
  );
  await life.pass(HOUR);
  expect(await life.details()).toBe(`- Now: ${due}\n- **active**`);
  await life.pass(DAY);
  // A step without details leaves them as they are.
  expect(await life.details()).toBe(`- Now: ${due}\n- **active**`);
  await life.pass(DAY);
  expect(await life.details()).toBe('- Now: wait\n- **paused**');
  expect(await life.summaries()).toEqual([expect.any(String), due, due, retry, retry]);
});

test('a decision that fails within the workflow task is retried on the queue until it is answered', async () => {
  const refused = () => Promise.reject(ApplicationFailure.retryable('PostgreSQL is away'));
  const life = await world.begin(
    'a decision on the queue',
    inOrder(refused, refused, refused, step('wait', { until: until(1) })),
  );
  await life.pass(2 * HOUR);
  expect(life.names).toEqual(['decide', 'decide', 'decide', 'decide']);
  const scheduled = (await life.events()).flatMap(
    ({ activityTaskScheduledEventAttributes: activity }) => activity ?? [],
  );
  expect(scheduled.map(({ activityType }) => activityType?.name)).toEqual(['decide']);
  expect(await life.timers()).toHaveLength(1);
  expect(await life.failedTasks()).toBe(0);
});

test('after a final activity failure the ledger decides', async () => {
  const life = await world.begin(
    'a request that fails for good',
    inOrder(
      step('request_consent'),
      () => Promise.reject(ApplicationFailure.nonRetryable('refused')),
      step('wait', { until: until(1) }),
    ),
  );
  await life.pass(HOUR + MINUTE);
  expect(life.names).toEqual(['decide', 'requestConsent', 'decide']);
  expect(await status(life)).toBe('RUNNING');
});

test('no workflow code is patched, because it contains no rules', () => {
  const folder = join(__dirname, '../../workflows');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  expect(files).toContain('subscription.ts');
  expect(files.filter((file) => /\b(patched|deprecatePatch)\(/.test(readFileSync(join(folder, file), 'utf8')))).toEqual(
    [],
  );
});

test('an attempt that is handed over within the workflow task is made on the queue', async () => {
  const life = await world.begin(
    'an attempt handed over',
    inOrder(
      step('wait', { until: until(1), then: first, on: 'here' }),
      step('collect', { attempt: first, on: 'queue', summary: 'collect cycle 0' }),
      step('wait', { until: null }),
    ),
  );
  await life.pass(2 * DAY);
  expect(life.calls.map(({ name, isLocal }) => [name, isLocal])).toEqual([
    ['decide', true],
    ['collectPayment', true],
    ['collectPayment', false],
  ]);
  expect(await life.summaries()).toContain('collect cycle 0');
});

test('an attempt that fails within the workflow task is not repeated there, but made on the queue', async () => {
  const life = await world.begin(
    'an attempt that fails within the task',
    inOrder(
      step('wait', { until: until(1), then: first, on: 'here' }),
      () => Promise.reject(ApplicationFailure.retryable('no answer', 'service_unreadable')),
      step('wait', { until: null }),
    ),
  );
  await life.pass(2 * DAY);
  expect(life.calls.map(({ name, isLocal }) => [name, isLocal])).toEqual([
    ['decide', true],
    ['collectPayment', true],
    ['collectPayment', false],
  ]);
});

test('a run ends after six cycles, and a cycle that was handed over to the queue counts once', async () => {
  const life = await world.begin('handed over in every cycle', ({ name, isLocal }, nth) => {
    const cycle = Math.floor(nth / 2);
    const attempt = { cycle, attempt: 0 };
    if (name === 'collectPayment' && isLocal === true) return step('collect', { attempt, on: 'queue' });
    return step('wait', { until: until(cycle + 1), then: attempt, on: 'here' });
  });
  await life.pass(5.5 * DAY);
  expect(await life.runs()).toHaveLength(1);
  await life.pass(DAY);
  expect(await life.runs()).toHaveLength(2);
});
