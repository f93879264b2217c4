import { HOUR } from '../../src/domain/time';
import type { SubscriptionId } from '../../src/domain/ids';
import { waitUntil } from '../support/wait-until';
import { refusalOf, type RunningSubscription } from '../support/workflow-subscription';
import { type Order, WorkflowWorld } from '../support/workflow-world';

const world = WorkflowWorld.skippingTime();

const JANUARY = { now: '2027-01-15T08:00:00Z', firstPaymentAt: '2027-01-31T10:00:00Z' };
const at = (iso: string) => Date.parse(iso);
const ANSWERED = at('2027-02-27T00:05:00Z');

/** One that has collected in January, and one that is to take its place from 28 February on. */
async function replaceInFebruary(
  paths: readonly [Order['path'], Order['path']],
  payer: 'approves' | 'declines' | 'approves later',
): Promise<[RunningSubscription, RunningSubscription]> {
  const old = await world.subscribe({ path: paths[0], ...JANUARY });
  await old.advanceTo('2027-02-27T00:00:00Z');
  const replaces = old.handle.workflowId.replace('subscription/', '') as SubscriptionId;
  const order = { path: paths[1], now: '2027-02-27T00:00:00Z', firstPaymentAt: '2027-02-28T10:00:00Z', replaces };
  const young = await world.subscribe(order, (bank) => {
    if (payer === 'declines') bank.consentAnsweredAt(ANSWERED, { kind: 'failed', reason: 'declined' });
    if (payer === 'approves later') bank.consentAnsweredAt(ANSWERED, { kind: 'granted' });
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

/** The old one goes on by its own calendar, and is not being replaced. */
async function expectLivesOn(old: RunningSubscription): Promise<void> {
  await old.advanceTo('2027-03-05T00:00:00Z');
  expect(old.sent).toEqual(['0/0 2027-01-31 10:00', '1/0 2027-02-28 10:00']);
  expect(old.bank.row).toMatchObject({ status: 'active', replacedBy: null, nextDueAt: at('2027-03-31T10:00:00Z') });
  expect(await old.state()).toMatchObject({ replacements: [], cancellation: null });
}

test('a replacement that is cancelled before its payer approves ends nothing: the old one collects on', async () => {
  const paths = [
    'replacement cancelled before its payer approves',
    'cancelled in the place of another, then approved',
  ] as const;
  const [old, young] = await replaceInFebruary(paths, 'approves later');
  await old.until('the old one has heard of it', ({ trail }) => trail.includes('subscription.replacement_requested'));
  young.bank.cancelIsConfirmedAt(at('2027-03-04T00:00:00Z'));
  const cancelled = young.cancel();
  await old.until('it goes on at once', ({ trail }) => trail.includes('subscription.replacement_failed'));
  expect(old.bank.row).toMatchObject({ nextDueAt: at('2027-02-28T10:00:00Z') });

  await expectLivesOn(old);
  await cancelled;
  expect(young.sent).toEqual([]);
  expect(young.bank.trail).toEqual(expect.arrayContaining(['consent.granted', 'subscription.cancelled']));
});

test('one that is cancelled while its consent is being granted ends nothing either', async () => {
  const paths = [
    'replacement cancelled as it is granted',
    'cancelled in the place of another as it is granted',
  ] as const;
  const [old, young] = await replaceInFebruary(paths, 'approves later');
  young.bank.delayNext('record', HOUR);
  await young.advanceTo('2027-02-27T00:10:00Z');
  await young.until('the grant is being recorded', (bank) => !bank.isDelayed('record'));
  const cancelled = young.cancel();
  await expectLivesOn(old);
  await cancelled;
});

test('one that is cancelled in the ledger, of which its workflow has not heard, ends nothing either', async () => {
  const paths = ['replacement cancelled in the ledger', 'cancelled in the ledger in the place of another'] as const;
  const [old, young] = await replaceInFebruary(paths, 'approves later');
  const cancellation = { at: at('2027-02-27T00:01:00Z'), actor: 'ops', reason: null };
  young.bank.steerBeside({ hold: 'cancel', cancellation });
  await young.advanceTo('2027-02-27T00:10:00Z');
  await young.until('granted', ({ trail }) => trail.includes('consent.granted'));
  await old.until('it goes on', ({ trail }) => trail.includes('subscription.replacement_failed'));
  await young.until('cancelled', ({ row }) => row?.status === 'cancelled');
  await expectLivesOn(old);
});
