import { collected, unresolvedUntil } from '../support/workflow-fates';
import { refusalOf, type RunningSubscription } from '../support/workflow-subscription';
import { type Order, WorkflowWorld } from '../support/workflow-world';

const world = WorkflowWorld.skippingTime();

const JANUARY = { now: '2027-01-15T08:00:00Z', firstPaymentAt: '2027-01-31T10:00:00Z' };

/** The service's answer fits nothing, and goes on doing so. */
async function unresolvedInJanuary(path: Order['path'], more: Partial<Order> = {}): Promise<RunningSubscription> {
  const subscription = await world.subscribe({ path, ...JANUARY, ...more }, (bank) =>
    bank.attempt(0, 0, unresolvedUntil(Date.parse('2027-12-01T00:00:00Z'), collected)),
  );
  await subscription.advanceTo('2027-02-10T00:00:00Z');
  expect(subscription.bank.row).toMatchObject({ attention: ['unresolved:0'] });
  return subscription;
}

test('resolved as collected, the cycle is over and the next one comes', async () => {
  const subscription = await unresolvedInJanuary('resolved as collected');
  await subscription.resolve(0, 'collected');
  expect(subscription.bank.row).toMatchObject({ attention: [], pastDue: false });

  await subscription.advanceTo('2027-03-10T00:00:00Z');
  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00', '1/0 2027-02-28 10:00']);
  expect((await subscription.state()).collectedOnce).toBe(true);
  expect((await refusalOf(subscription.resolve(0, 'failed'))).type).toBe('state_conflict');
});

test('resolved as failed, the cycle ends failed and the next one comes', async () => {
  const subscription = await unresolvedInJanuary('resolved as failed');
  await subscription.resolve(0, 'failed');
  await subscription.advanceTo('2027-03-10T00:00:00Z');

  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00', '1/0 2027-02-28 10:00']);
  expect(subscription.bank.cycleRecords).toEqual([
    [0, 'unresolved', 'outcome_not_known'],
    [0, 'failed', 'rejected'],
  ]);
});

test('resolved after a cancellation, the subscription has come to its end', async () => {
  const subscription = await unresolvedInJanuary('resolved after the end');
  await subscription.cancel();
  subscription.bank.resolveStands = true;
  expect((await refusalOf(subscription.resolve(0, 'collected'))).message).toMatch('the service has told the outcome');
  subscription.bank.resolveStands = false;
  await subscription.resolve(0, 'collected');
  await subscription.ended();
  expect(subscription.bank.row).toMatchObject({ status: 'cancelled', attention: ['debit_after_cancel:0'] });
});
