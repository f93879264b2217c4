import { DAY, HOUR } from '../../src/domain/time';
import { waitUntil } from '../support/wait-until';
import { rejected } from '../support/workflow-fates';
import type { RunningSubscription } from '../support/workflow-subscription';
import { type Order, WorkflowWorld } from '../support/workflow-world';

/** The development server counts events as a cluster does. Business time runs fast, time itself is not skipped. */
const world = WorkflowWorld.onDevServer();

/** Leaves a second and more for each limit of a retry, five to send a cycle in, and seven to ask for the consent before the first. */
const DAY_A_SECOND = { speed: DAY / 1000, firstPaymentAt: '2027-01-22T08:00:00Z' };
const WEEKLY = { now: '2027-01-15T08:00:00Z', firstPaymentAt: '2027-01-29T08:00:00Z', repetition: 'WEEKLY' as const };
const order = (path: Order['path'], more: Partial<Order>): Order => ({ path, ...WEEKLY, ...more });

type Event = NonNullable<Awaited<ReturnType<WorkflowWorld['runsOf']>>[number]['events']>[number];

async function events(subscription: RunningSubscription): Promise<Event[]> {
  return (await world.runsOf(subscription)).flatMap((run) => run.events ?? []);
}

/** Ids of the timers' starts: each cycle begins with one. */
function cycleStarts(history: readonly Event[]): number[] {
  return history.flatMap((event) => (event.timerStartedEventAttributes == null ? [] : [Number(event.eventId)]));
}

function typesOf(history: readonly Event[]): string[] {
  return history.map((event) => {
    return (
      Object.keys(event)
        .find((key) => key.endsWith('EventAttributes'))
        ?.replace('EventAttributes', '') ?? ''
    );
  });
}

test('a cycle that succeeds at once adds exactly 11 events', async () => {
  const subscription = await world.subscribe(order('eleven events a cycle', { ...DAY_A_SECOND, cyclesPerRun: 3 }));
  await subscription.until('the cycle after the first run is collected', (bank) => bank.sends.length >= 4);

  const [first] = await world.runsOf(subscription);
  const history = first?.events ?? [];
  const starts = cycleStarts(history);
  const between = starts.slice(1).map((id, index) => typesOf(history.slice((starts[index] ?? 0) - 1, id - 1)));
  // A machine that stands still for a week has no timer for the cycle behind it.
  const alone = between.filter((types) => types.filter((type) => type === 'activityTaskScheduled').length === 1);
  expect(alone.length).toBeGreaterThan(0);
  for (const cycle of alone) {
    expect(cycle).toEqual([
      'timerStarted',
      'timerFired',
      ...['workflowTaskScheduled', 'workflowTaskStarted', 'workflowTaskCompleted'],
      ...['activityTaskScheduled', 'activityTaskStarted', 'activityTaskCompleted'],
      ...['workflowTaskScheduled', 'workflowTaskStarted', 'workflowTaskCompleted'],
    ]);
  }
  expect(typesOf(history).at(-1)).toBe('workflowExecutionContinuedAsNew');

  // The search attributes have gone over, and only the consent has changed one.
  expect(await subscription.searchAttributes()).toEqual({
    DuedayStatus: 'active',
    DuedayStanding: 'good',
    DuedayRepetition: 'WEEKLY',
  });
  const upserts = typesOf(await events(subscription)).filter((type) => type === 'upsertWorkflowSearchAttributes');
  expect(upserts).toHaveLength(1);
});

test('a retry adds 17 events and two upserts; coming back while the service says pending adds none', async () => {
  // A second and a half to tell the payer in, as one told too late has no timer before the retry, and as long to send it in.
  const terms = { ...DAY_A_SECOND, offsets: [36 * HOUR] };
  const subscription = await world.subscribe(order('seventeen events a retry', terms), (bank) => {
    bank.attempt(1, 0, rejected);
    bank.delayNext('collectPayment', 200);
  });
  await subscription.until('the third cycle is collected', (bank) => bank.sends.length >= 4);

  const history = await events(subscription);
  const [cycle0 = 0, cycle1 = 0, retry = 0, cycle2 = 0] = cycleStarts(history);
  // The delayed first attempt, then the refused one: due timer, attempt, notice, retry timer, attempt.
  expect(cycle1 - cycle0).toBe(11);
  expect(cycle2 - cycle1).toBe(11 + 17 + 2);
  const refused = typesOf(history.slice(cycle1 - 1, cycle2 - 1));
  expect(refused.filter((type) => type === 'upsertWorkflowSearchAttributes')).toHaveLength(2);
  expect(refused.filter((type) => type === 'activityTaskScheduled')).toHaveLength(3);
  expect(retry - cycle1).toBe(18);
});

test('timers and activities say what they are for, current details tell the state, search attributes follow it', async () => {
  const slow = { speed: 1, firstPaymentAt: '2027-01-15T08:00:06Z' };
  const subscription = await world.subscribe(order('shown in the Web UI', slow), (bank) =>
    bank.attempt(0, 0, rejected),
  );
  await subscription.until('the payer has been told', (bank) => bank.callsOf('notifyPayer').length === 1);
  await subscription.until('the payer is known to have been told', (bank) => bank.row?.dunning === true);
  const isRetryAwaited = async () => (await subscription.summaries()).some((summary) => summary.endsWith('(retry)'));
  await waitUntil('the retry is waited for', isRetryAwaited);

  expect(await subscription.currentDetails()).toEqual(
    expect.stringMatching(
      /^- \*\*active\*\*, standing \*\*dunning\*\*\n- Now: wait until .*\n- Why: the payer was told of the retry and its time \(rule 14\)\n- \[In the console\]\(https:\/\/billing\.test\/subscriptions\/.+\)\n[^]*Cycle 0 open, 19.99 EUR, last rejected at 2027-01-15T08:00:\d\d/,
    ),
  );
  const summaries = await subscription.summaries();
  expect(summaries).toEqual([
    'WEEKLY subscription',
    'ask the service for a consent session',
    "wait for the payer's answer",
    'record consent.granted',
    'wait until 2027-01-15T08:00:06.000Z (due)',
    'collect cycle 0, 19.99 EUR, due 2027-01-15T08:00:06.000Z',
    expect.stringMatching(/^tell the payer of the rejection; retry at 2027-01-16T08:00:\d\d/),
    expect.stringMatching(/^wait until 2027-01-16T08:00:\d\d.*\(retry\)$/),
  ]);
  expect(await subscription.searchAttributes()).toEqual({
    DuedayStatus: 'active',
    DuedayStanding: 'dunning',
    DuedayRepetition: 'WEEKLY',
  });
});

/** Until it is said otherwise, ms. */
const MANY_TIMES = Array.from({ length: 500 }, () => 200);

test('notices are delivered by workflows of their own, which outlive the one that ordered them', async () => {
  const subscription = await world.subscribe(
    order('notices delivered', { ...DAY_A_SECOND, endAt: '2027-01-26T00:00:00Z' }),
    (bank) => bank.delayNext('deliverNotice', ...MANY_TIMES),
  );
  await subscription.ended();
  expect(subscription.bank.deliveredNotices).toEqual([]);
  subscription.bank.delayNext('deliverNotice');

  await subscription.until('the notice is delivered', (bank) => bank.deliveredNotices.length === 1);

  const [noticeId = ''] = subscription.bank.deliveredNotices;
  await world.keepHistory(`notice/${noticeId}`, 'notice');
  expect(subscription.bank.noticesOrdered).toEqual(['subscription.completed']);
});
