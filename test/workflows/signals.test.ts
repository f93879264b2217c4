import { lookAtConsentSignal, replacementSignal } from '../../src/contract/messages';
import type { SubscriptionId } from '../../src/domain/ids';
import { HOUR } from '../../src/domain/time';
import { WorkflowWorld } from '../support/workflow-world';

/** A signal has no answer: what cannot be done is in the trail, and the workflow goes on. */

const world = WorkflowWorld.skippingTime();

const JANUARY = { now: '2027-01-15T08:00:00Z', firstPaymentAt: '2027-01-31T10:00:00Z' };

test('one that has come to its end before it can be cancelled for another says so, and ends as it would have', async () => {
  const subscription = await world.subscribe({ path: 'replaced as its consent is declined', ...JANUARY }, (bank) =>
    bank.consentAnsweredAt(Date.parse('2027-01-15T08:05:00Z'), { kind: 'failed', reason: 'declined' }),
  );
  subscription.bank.delayNext('record', HOUR);
  const from = Date.parse('2027-03-01T10:00:00Z');
  await subscription.handle.signal(replacementSignal, { by: 'sub_2' as SubscriptionId, from, stage: 'granted' });
  await subscription.until('the news is being recorded', (bank) => !bank.isDelayed('record'));
  await subscription.advanceTo('2027-01-15T10:00:00Z');

  await subscription.ended();
  expect(subscription.bank.row).toMatchObject({ status: 'consent_failed' });
  const refused = subscription.bank.changes.flatMap(({ events }) =>
    events.filter(({ type }) => type === 'request.refused'),
  );
  expect(refused).toEqual([
    {
      type: 'request.refused',
      data: {
        request: 'cancel',
        code: 'state_conflict',
        message: 'the subscription is consent_failed; nothing is left to cancel',
      },
    },
  ]);
});

test('a look at the consent that fails for good leaves the subscription as it is', async () => {
  const subscription = await world.subscribe({ path: 'a look that fails', ...JANUARY });
  subscription.bank.lookFault = 'the ledger has no such row';
  await subscription.handle.signal(lookAtConsentSignal);
  await subscription.until('it is in the trail', ({ trail }) => trail.includes('request.refused'));
  await subscription.advanceTo('2027-02-10T00:00:00Z');
  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00']);
  const { data } = subscription.bank.changes
    .flatMap(({ events }) => events)
    .find(({ type }) => type === 'request.refused')!;
  expect(data).toEqual({ request: 'check_consent', code: 'fault', message: 'the ledger has no such row' });
});
