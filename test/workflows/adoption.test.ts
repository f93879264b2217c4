import { euros } from '../../src/domain/money';
import { type Order, WorkflowWorld } from '../support/workflow-world';

const world = WorkflowWorld.skippingTime();

const order = (path: Order['path'], changes: Partial<Order> = {}): Order => {
  return { path, now: '2026-06-15T08:00:00Z', firstPaymentAt: '2026-01-31T10:00:00Z', ...changes };
};
const NOW = { collectFrom: '2026-06-15T08:00:00Z' };

test('collects from the first due date that is ours; what fell due before is neither collected nor missed', async () => {
  const { subscription, answer } = await world.adopt(order('mandate adopted'), NOW);
  expect(answer).toMatchObject({ kind: 'adopted', consentAmount: euros(1999) });
  expect(subscription.bank.row).toMatchObject({ status: 'active', nextDueAt: Date.parse('2026-06-30T10:00:00Z') });
  expect(await subscription.searchAttributes()).toMatchObject({ DuedayStatus: 'active' });

  await subscription.advanceTo('2026-09-01T00:00:00Z');

  expect(subscription.sent).toEqual(['5/0 2026-06-30 10:00', '6/0 2026-07-31 10:00', '7/0 2026-08-31 10:00']);
  expect(subscription.bank.cycleRecords).toEqual([]);
  expect(subscription.bank.callsOf('requestConsent')).toEqual([]);
});

test('leaves alone a cycle that fell due before, though its window is still open', async () => {
  const { subscription } = await world.adopt(order('mandate adopted in a window', { now: '2026-05-31T10:00:01Z' }), {
    collectFrom: '2026-05-31T10:00:01Z',
  });
  await subscription.advanceTo('2026-07-01T00:00:00Z');
  expect(subscription.sent).toEqual(['5/0 2026-06-30 10:00']);
});

test('takes the service’s word of the consent’s amount, and collects its own', async () => {
  const { subscription } = await world.adopt(
    order('mandate with no amount of its own'),
    { ...NOW, cents: 1500 },
    (bank) => {
      bank.adoption = () => ({
        kind: 'adopted',
        consentAmount: euros(2500),
        collectedOnce: true,
        lastIncreaseAt: 5,
        warnings: [],
      });
    },
  );
  await subscription.advanceTo('2026-07-01T00:00:00Z');
  expect(await subscription.state()).toMatchObject({
    terms: { consentAmount: euros(2500) },
    collectedOnce: true,
    lastIncreaseAt: 5,
  });
  expect(subscription.bank.sends.map(({ cents }) => cents)).toEqual([1500]);
});

test('refused by the service: answered with every fault, the draft discarded, the workflow ended', async () => {
  const faults = [{ path: 'paymentId', message: 'expected a consent that is successful; got one that is failed' }];
  const { subscription, answer } = await world.adopt(order('mandate refused'), NOW, (bank) => {
    bank.adoption = () => ({ kind: 'refused', faults });
  });
  expect(answer).toEqual({ kind: 'refused', faults });
  await subscription.ended();
  expect(subscription.bank.row).toBeNull();
  expect(subscription.bank.changes).toEqual([]);
  expect(subscription.sent).toEqual([]);
});

test('not to be read: answered, nothing left', async () => {
  const { subscription, answer } = await world.adopt(order('mandate unavailable'), NOW, (bank) => {
    bank.adoption = () => ({ kind: 'unavailable', reason: 'down' });
  });
  expect(answer).toEqual({ kind: 'unavailable', reason: 'down' });
  await subscription.ended();
  expect(subscription.bank.row).toBeNull();
});

test('cancelled right after it was adopted: nothing is collected', async () => {
  const { subscription } = await world.adopt(order('mandate cancelled once adopted'), NOW);
  await subscription.cancel();
  await subscription.ended();
  expect(subscription.bank.row).toMatchObject({ status: 'cancelled', cancelledBy: 'merchant' });
  expect(subscription.sent).toEqual([]);
});
