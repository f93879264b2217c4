import { setTimeout as realPause } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { CYCLES_PER_RUN } from '../../src/contract/messages';
import { DAY, HOUR, toIso } from '../../src/domain/time';
import { collected, pendingUntil } from '../support/workflow-fates';
import type { RunningSubscription } from '../support/workflow-subscription';
import { WorkflowWorld } from '../support/workflow-world';

const world = WorkflowWorld.skippingTime();

const at = (iso: string) => Date.parse(iso);
const WEEKLY = { now: '2027-01-15T08:00:00Z', firstPaymentAt: '2027-02-01T10:00:00Z', repetition: 'WEEKLY' as const };

test('a run holds twelve cycles; the next takes over the whole state, the pending attempt too', async () => {
  const subscription = await world.subscribe({ path: 'continued every twelve cycles', ...WEEKLY }, (bank) =>
    bank.attempt(10, 0, pendingUntil(at('2027-06-01T00:00:00Z'), collected)),
  );
  // The window of cycle 10 ends on 17 April; cycle 11, the last of the run, is due on the 19th.
  await subscription.advanceTo('2027-04-19T00:00:00Z');
  expect(await world.runsOf(subscription)).toHaveLength(1);
  const before = await subscription.state();

  await subscription.advanceTo('2027-04-20T00:00:00Z');
  expect(await world.runsOf(subscription)).toHaveLength(2);
  expect(await subscription.state()).toEqual({
    ...before,
    cycle: 12,
    currentOf: 11,
    pending: [expect.objectContaining({ cycle: 10, settleOnly: true })],
    standing: { ...before.standing, attention: ['pending_past_window:10'] },
  });

  await subscription.advanceTo('2027-07-20T00:00:00Z');
  const runs = await world.runsOf(subscription);
  expect(runs.map((run) => run.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes != null)).toEqual([
    true,
    true,
    false,
  ]);
  expect(await subscription.state()).toMatchObject({ cycle: 25, pending: [], standing: { attention: [] } });
  expect(subscription.sent).toHaveLength(25);
});

test('each run of one subscription holds as many cycles as its first was told', async () => {
  const cyclesPerRun = CYCLES_PER_RUN;
  const subscription = await world.subscribe({ path: 'continued every six cycles', ...WEEKLY, cyclesPerRun });
  const hourBefore = (cycle: number) => toIso(at(WEEKLY.firstPaymentAt) + cycle * 7 * DAY - HOUR);
  for (const run of [1, 2]) {
    await subscription.advanceTo(hourBefore(run * cyclesPerRun - 1));
    expect(await world.runsOf(subscription)).toHaveLength(run);
    await subscription.advanceTo(hourBefore(run * cyclesPerRun));
    expect(await world.runsOf(subscription)).toHaveLength(run + 1);
  }
  expect(subscription.sent).toHaveLength(2 * cyclesPerRun);
});

test('keys of changes are unique over the runs', async () => {
  const subscription = await world.subscribe({ path: 'paused in each run', ...WEEKLY });
  for (const month of ['02', '05', '08']) {
    await subscription.advanceTo(`2027-${month}-10T00:00:00Z`);
    await subscription.pause();
    await subscription.resume();
  }

  expect((await world.runsOf(subscription)).length).toBeGreaterThan(1);
  const keys = subscription.bank.changes.map(({ key }) => key);
  expect(new Set(keys).size).toBe(7);
});

test('a pause that arrives with the last cycle of a run is kept by the next', async () => {
  const subscription = await world.subscribe({ path: 'paused while continuing', ...WEEKLY });
  const asked: Promise<void>[] = [];
  subscription.bank.duringCollect = async ({ cycle }) => {
    if (cycle !== 11) return;
    subscription.bank.delayNext('record', 60_000);
    asked.push(subscription.pause());
    await subscription.until('the pause is being recorded', (bank) => !bank.isDelayed('record'));
  };

  await subscription.advanceTo('2027-04-20T00:00:00Z');
  await Promise.all(asked);

  expect(asked).toHaveLength(1);
  expect(await world.runsOf(subscription)).toHaveLength(2);
  expect(subscription.bank.row).toMatchObject({ status: 'paused', hold: 'pause' });
  expect(await subscription.state()).toMatchObject({ status: 'paused', cycle: 12 });

  await subscription.advanceTo('2027-05-01T00:00:00Z');
  expect(subscription.sent).toHaveLength(12);
  await subscription.resume();
  await subscription.advanceTo('2027-05-04T00:00:00Z');
  expect(subscription.sent.at(-1)).toBe('13/0 2027-05-03 10:00');
});

/** Temporal hands an update that meets the end of a run to the next one; its time-skipping server says that the run is over. */
async function pauseRunAtHand(subscription: RunningSubscription): Promise<void> {
  try {
    await subscription.pause();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    await subscription.pause();
  }
}

test.each([0, 5, 20, 60])('no pause is lost that arrives %d ms after the last attempt of a run', async (delay) => {
  const subscription = await world.subscribe({ path: 'paused between two runs', ...WEEKLY });
  let asked: Promise<void> = Promise.resolve();
  subscription.bank.duringCollect = ({ cycle }) => {
    if (cycle === 11) asked = realPause(delay).then(() => pauseRunAtHand(subscription));
  };

  await subscription.advanceTo('2027-04-20T00:00:00Z');
  await asked;
  const sent = subscription.bank.sends.length;
  await subscription.advanceTo('2027-06-01T00:00:00Z');

  expect(await world.runsOf(subscription)).toHaveLength(2);
  expect(await subscription.state()).toMatchObject({ status: 'paused' });
  expect(subscription.bank.row).toMatchObject({ status: 'paused', hold: 'pause' });
  expect(subscription.bank.sends).toHaveLength(sent);
});
