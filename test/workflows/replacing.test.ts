import type { SubscriptionId } from '../../src/domain/ids';
import { waitUntil } from '../support/wait-until';
import { refusalOf, type RunningSubscription } from '../support/workflow-subscription';
import { type Order, WorkflowWorld } from '../support/workflow-world';

const world = WorkflowWorld.skippingTime();

const JANUARY = { now: '2027-01-15T08:00:00Z', firstPaymentAt: '2027-01-31T10:00:00Z' };
const at = (iso: string) => Date.parse(iso);

/** One that has collected in January, and one that is to take its place from 28 February on. */
async function replaceInFebruary(
  paths: readonly [Order['path'], Order['path']],
  payer: 'approves' | 'declines',
): Promise<[RunningSubscription, RunningSubscription]> {
  const old = await world.subscribe({ path: paths[0], ...JANUARY });
  await old.advanceTo('2027-02-27T00:00:00Z');
  const replaces = old.handle.workflowId.replace('subscription/', '') as SubscriptionId;
  const order = { path: paths[1], now: '2027-02-27T00:00:00Z', firstPaymentAt: '2027-02-28T10:00:00Z', replaces };
  const young = await world.subscribe(order, (bank) => {
    if (payer === 'declines')
      bank.consentAnsweredAt(at('2027-02-27T00:05:00Z'), { kind: 'failed', reason: 'declined' });
  });
  return [old, young];
}

test('the old one collects nothing from the new first payment on, and is cancelled once the new one is active', async () => {
  const paths = ['replaced once another is active', 'takes the place of another'] as const;
  const [old, young] = await replaceInFebruary(paths, 'approves');
  await waitUntil('cancelled', () => old.bank.row?.status === 'cancelled');
  await young.advanceTo('2027-03-05T00:00:00Z');

  expect(old.sent).toEqual(['0/0 2027-01-31 10:00']);
  expect(young.sent).toEqual(['0/0 2027-02-28 10:00']);
  expect(old.bank.row).toMatchObject({ cancelledBy: 'merchant', replacedBy: expect.any(String) });
  expect(old.bank.trail).toEqual(
    expect.arrayContaining(['subscription.replacement_requested', 'subscription.replaced', 'subscription.cancelled']),
  );
});

test('a new consent that is declined changes nothing: the old one collects on', async () => {
  const paths = ['replacement declined', 'fails to take the place of another'] as const;
  const [old, young] = await replaceInFebruary(paths, 'declines');
  await old.until('the old one has heard of it', ({ trail }) => trail.includes('subscription.replacement_requested'));
  expect((await old.state()).replacements).toHaveLength(1);
  expect(old.bank.row).toMatchObject({ nextDueAt: null });

  await old.advanceTo('2027-03-05T00:00:00Z');
  expect(old.sent).toEqual(['0/0 2027-01-31 10:00', '1/0 2027-02-28 10:00']);
  expect(young.bank.row).toMatchObject({ status: 'consent_failed' });
  expect(old.bank.row).toMatchObject({ status: 'active', replacedBy: null, nextDueAt: at('2027-03-31T10:00:00Z') });
  expect((await refusalOf(old.resolve(1, 'failed'))).type).toBe('state_conflict');
});
