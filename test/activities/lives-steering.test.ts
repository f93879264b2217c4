import { euros } from '../../src/domain/money';
import { livesOfTests } from './lives-of-tests';

const test = livesOfTests();

const FIRST = '0/0 2027-01-31 10:00 successful';

test('a subscription skips due dates inside a pause and collects on the next date after it is resumed', async (subscribe) => {
  const subscription = await subscribe();
  await subscription.until('2027-02-10T00:00:00Z');
  await subscription.pause(null);
  // The window of 31 March is still open.
  await subscription.until('2027-04-02T00:00:00Z');
  await subscription.resume();
  await subscription.until('2027-05-01T00:00:00Z');

  expect(await subscription.sent()).toEqual([FIRST, '3/0 2027-04-30 10:00 successful']);
  expect(await subscription.ends()).toEqual(['0 collected', '1 skipped paused', '2 skipped paused', '3 collected']);
  expect(await subscription.row()).toMatchObject({ status: 'active', stoppedBy: null, standing: 'good' });
});

test('a subscription resumes by itself at the end of a pause, and collects a due date at that instant', async (subscribe) => {
  const subscription = await subscribe();
  await subscription.until('2027-02-10T00:00:00Z');
  await subscription.pause(Date.parse('2027-02-28T10:00:00Z'));
  await subscription.until('2027-03-01T00:00:00Z');

  expect(await subscription.sent()).toEqual([FIRST, '1/0 2027-02-28 10:00 successful']);
  expect(await subscription.row()).toMatchObject({ status: 'active', stoppedBy: null, pausedUntil: null });
  expect(await subscription.auditLog()).toContain('subscription.resumed');
});

test('a subscription skips a due date at the instant of the pause', async (subscribe) => {
  const subscription = await subscribe();
  await subscription.until('2027-02-28T10:00:00Z');
  await subscription.pause(null);
  await subscription.until('2027-03-30T00:00:00Z');

  expect(await subscription.sent()).toEqual([FIRST]);
  expect(await subscription.ends()).toEqual(['0 collected', '1 skipped paused']);
});

test('a subscription makes a retry that a pause stopped if it is resumed in time', async (subscribe) => {
  const subscription = await subscribe({ wallet: 'insufficient-funds-1' });
  await subscription.until('2027-02-01T08:00:00Z');
  await subscription.pause(null);
  await subscription.until('2027-02-02T00:00:00Z');
  expect(await subscription.sent()).toEqual(['0/0 2027-01-31 10:00 rejected_retryable']);
  await subscription.resume();
  await subscription.until('2027-02-02T01:00:00Z');
  const sent = await subscription.sent();
  expect(sent).toEqual(['0/0 2027-01-31 10:00 rejected_retryable', '0/1 2027-02-02 00:00 successful']);
});

test('a subscription ends the consent at the service and collects nothing more when cancelled while waiting', async (subscribe) => {
  const subscription = await subscribe();
  await subscription.until('2027-02-10T00:00:00Z');
  await subscription.cancel();
  await subscription.until('2027-03-05T00:00:00Z');

  expect(await subscription.row()).toMatchObject({ status: 'cancelled', cancelledBy: 'merchant', nextDueAt: null });
  expect(subscription.consent()).toBe('cancelled');
  expect(await subscription.sent()).toEqual([FIRST]);
  expect(subscription.notified('subscription.cancelled')).toHaveLength(1);
  expect(subscription.isOver()).toBe(true);
});

test('a subscription makes no retry when cancelled in dunning: the open cycle fails', async (subscribe) => {
  const subscription = await subscribe({ wallet: 'insufficient-funds-1' });
  await subscription.until('2027-02-01T00:00:00Z');
  await subscription.cancel();
  await subscription.until('2027-02-05T00:00:00Z');

  expect(await subscription.sent()).toEqual(['0/0 2027-01-31 10:00 rejected_retryable']);
  expect(await subscription.ends()).toEqual(['0 failed consent_ended']);
  expect(await subscription.row()).toMatchObject({ status: 'cancelled' });
});

test('a subscription still records a debit that is found after a cancellation with an unknown outcome', async (subscribe) => {
  const subscription = await subscribe();
  await subscription.until('2027-01-31T09:00:00Z');
  subscription.loseNextAnswer();
  const recover = subscription.breakListsOnceSent();
  await subscription.until('2027-02-01T00:00:00Z');
  expect(await subscription.sent()).toEqual(['0/0 2027-01-31 10:00 unknown']);
  await subscription.cancel();
  await subscription.until('2027-02-01T06:00:00Z');
  expect(await subscription.row()).toMatchObject({ status: 'cancelled' });
  recover();
  await subscription.until('2027-02-02T12:00:00Z');

  expect(await subscription.sent()).toEqual([FIRST]);
  expect(subscription.debited()).toEqual([1999]);
  expect((await subscription.row()).attention).toEqual(['debit_after_cancel:0']);
});

test("a subscription's increase is announced a week ahead and collected from its cycle on", async (subscribe) => {
  const subscription = await subscribe();
  await subscription.until('2027-02-10T00:00:00Z');
  await subscription.changeAmount(2, euros(2999));
  await subscription.until('2027-05-15T00:00:00Z');

  expect(subscription.notified('payment.increase_announced')).toEqual(['2027-03-24 10:00']);
  expect(subscription.debited()).toEqual([1999, 1999, 2999, 2999]);
  expect(await subscription.row()).toMatchObject({ amount: euros(2999), pendingChange: null });
});

test('a subscription collects the old amount once a change is withdrawn', async (subscribe) => {
  const subscription = await subscribe();
  await subscription.until('2027-02-10T00:00:00Z');
  await subscription.changeAmount(1, euros(2999));
  await subscription.withdrawChange();
  await subscription.until('2027-03-15T00:00:00Z');
  expect(subscription.debited()).toEqual([1999, 1999]);
});

test('a subscription drops an increase that the payer was not notified of and collects the old amount on time', async (subscribe) => {
  const subscription = await subscribe();
  await subscription.until('2027-02-10T00:00:00Z');
  subscription.messenger.cutOff(subscription.id);
  await subscription.changeAmount(1, euros(2999));
  await subscription.until('2027-03-15T00:00:00Z');

  expect(await subscription.sent()).toEqual([FIRST, '1/0 2027-02-28 10:00 successful']);
  expect(subscription.debited()).toEqual([1999, 1999]);
  const { attention, pendingChange } = await subscription.row();
  expect([attention, pendingChange]).toEqual([['amount_change_dropped'], null]);
});

test('a subscription is cancelled when its replacement is granted, which then collects', async (subscribe) => {
  const old = await subscribe();
  await old.until('2027-02-27T00:00:00Z');
  const young = await subscribe({ firstPaymentAt: '2027-02-28T10:00:00Z', replaces: old });
  await old.until('2027-03-05T00:00:00Z');

  expect(await old.sent()).toEqual([FIRST]);
  expect(await young.sent()).toEqual(['0/0 2027-02-28 10:00 successful']);
  expect(await old.row()).toMatchObject({ status: 'cancelled', cancelledBy: 'merchant', replacedBy: young.id });
  expect(old.consent()).toBe('cancelled');
});

test('a subscription ends without a send at the next check after the payer has cancelled', async (subscribe) => {
  const subscription = await subscribe();
  await subscription.until('2027-02-10T00:00:00Z');
  subscription.payer.cancel();
  await subscription.until('2027-03-01T00:00:00Z');

  expect(await subscription.sent()).toEqual([FIRST]);
  expect(await subscription.ends()).toEqual(['0 collected', '1 skipped consent_ended']);
  expect(await subscription.row()).toMatchObject({ status: 'cancelled', cancelledBy: 'payer' });
  expect(subscription.notified('subscription.cancelled')).toHaveLength(1);
});
