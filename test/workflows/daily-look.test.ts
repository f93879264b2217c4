import { lookAtConsentSignal } from '../../src/contract/messages';
import type { PathName } from '../replay/paths';
import { WorkflowWorld } from '../support/workflow-world';

const world = WorkflowWorld.skippingTime();

const running = async (path: PathName) => {
  const subscription = await world.subscribe({
    path,
    now: '2027-01-15T08:00:00Z',
    firstPaymentAt: '2027-01-31T10:00:00Z',
  });
  await subscription.advanceTo('2027-02-24T03:00:00Z');
  return subscription;
};

test('a subscription that is told to look finds its consent ended, and is cancelled before it falls due', async () => {
  const subscription = await running('daily look finds a cancellation');
  subscription.bank.consentEndsAt(0);

  await subscription.handle.signal(lookAtConsentSignal);
  await subscription.ended();

  expect(subscription.bank.row).toMatchObject({ status: 'cancelled', cancelledBy: 'payer', nextDueAt: null });
  expect(subscription.bank.noticesOrdered).toEqual(['subscription.cancelled']);
  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00']);
});

test('one that finds its consent as it was goes on, and is collected', async () => {
  const subscription = await running('daily look finds nothing');

  await subscription.handle.signal(lookAtConsentSignal);
  await subscription.until('it has looked', (bank) => bank.callsOf('lookAtConsent').length === 1);
  await subscription.advanceTo('2027-03-01T00:00:00Z');

  expect(subscription.bank.row).toMatchObject({ status: 'active', cancelledBy: null });
  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00', '1/0 2027-02-28 10:00']);
});
