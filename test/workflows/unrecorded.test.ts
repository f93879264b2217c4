import { HOUR } from '../../src/domain/time';
import { rejected } from '../support/workflow-fates';
import { refusalOf } from '../support/workflow-subscription';
import { WorkflowWorld } from '../support/workflow-world';

/** Updates that no request of the API stands behind: the ledger refuses them, and nothing follows from them. */

const world = WorkflowWorld.skippingTime();

const JANUARY = { now: '2027-01-15T08:00:00Z', firstPaymentAt: '2027-01-31T10:00:00Z' };
const WHY = 'the admin API has no such request on record';
const REFUSED = { type: 'state_conflict', message: WHY };

test('each is refused, the state is as before, and the payer is told of no increase', async () => {
  const subscription = await world.subscribe({ path: 'requests not on record', ...JANUARY });
  await subscription.advanceTo('2027-02-10T00:00:00Z');
  const before = await subscription.state();
  subscription.bank.unrecorded = WHY;
  for (const ask of [
    () => subscription.pause(),
    () => subscription.skip(2),
    () => subscription.changeAmount(2999),
    () => subscription.cancel(),
  ]) {
    expect(await refusalOf(ask())).toEqual(REFUSED);
  }
  expect(await subscription.state()).toEqual(before);

  await subscription.advanceTo('2027-03-10T00:00:00Z');
  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00', '1/0 2027-02-28 10:00']);
  expect(subscription.bank.callsOf('announceIncrease')).toEqual([]);
  expect(subscription.bank.callsOf('cancelConsent')).toEqual([]);
});

test('a pause that the ledger is long in refusing skips nothing that falls due meanwhile', async () => {
  const subscription = await world.subscribe({ path: 'a pause not on record, long refused', ...JANUARY });
  await subscription.advanceTo('2027-01-31T09:30:00Z');
  subscription.bank.unrecorded = WHY;
  subscription.bank.delayNext('record', HOUR);
  const refused = refusalOf(subscription.pause());
  await subscription.until('it is being recorded', (bank) => !bank.isDelayed('record'));
  await subscription.advanceTo('2027-02-10T00:00:00Z');

  expect(await refused).toEqual(REFUSED);
  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:30']);
  expect(subscription.bank.cycleRecords).toEqual([]);
});

test('what was paused stays paused, what waits for a retry goes on waiting, what was changed stays changed', async () => {
  const subscription = await world.subscribe({ path: 'requests not on record, in dunning', ...JANUARY }, (bank) =>
    bank.attempt(1, 0, rejected),
  );
  await subscription.advanceTo('2027-02-10T00:00:00Z');
  await subscription.changeAmount(1500, 2);
  await subscription.advanceTo('2027-02-28T12:00:00Z');
  subscription.bank.unrecorded = WHY;
  expect(await refusalOf(subscription.retryNow(1))).toEqual(REFUSED);
  expect(await refusalOf(subscription.withdrawChange())).toEqual(REFUSED);
  subscription.bank.unrecorded = null;
  await subscription.advanceTo('2027-03-03T00:00:00Z');
  await subscription.pause();
  subscription.bank.unrecorded = WHY;
  expect(await refusalOf(subscription.resume())).toEqual(REFUSED);
  expect(await subscription.state()).toMatchObject({ status: 'paused', pendingChange: { fromCycle: 2 } });

  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00', '1/0 2027-02-28 10:00', '1/1 2027-03-01 10:00']);
});
