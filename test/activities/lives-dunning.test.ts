import { livesOfTests } from './lives-of-tests';

const test = livesOfTests();

/*
 * due 31 Jan 10:00    +24 h              +48 h              +71 h       window closes 5 Feb 10:00
 *  |------------------|------------------|------------------|----------------|
 *  first attempt      retry 1            retry 2            retry 3
 */
const REFUSED = [
  '0/0 2027-01-31 10:00 rejected_retryable',
  '0/1 2027-02-01 10:00 rejected_retryable',
  '0/2 2027-02-02 10:00 rejected_retryable',
  '0/3 2027-02-03 09:00 rejected_retryable',
] as const;

test('a subscription retries at +24, +48 and +71 h, each after its own notice, and collects with the third', async (subscribe) => {
  const subscription = await subscribe({ wallet: 'insufficient-funds-3' });
  await subscription.until('2027-02-01T09:00:00Z');
  expect(await subscription.sent()).toEqual(REFUSED.slice(0, 1));
  expect(subscription.notified('payment.failed')).toEqual(['2027-01-31 10:00']);
  expect(await subscription.row()).toMatchObject({ standing: 'dunning' });

  await subscription.until('2027-02-04T00:00:00Z');
  expect(await subscription.sent()).toEqual([...REFUSED.slice(0, 3), '0/3 2027-02-03 09:00 successful']);
  expect(subscription.notified('payment.failed')).toEqual(['2027-01-31 10:00', '2027-02-01 10:00', '2027-02-02 10:00']);
  const [cycle] = await subscription.cycles();
  for (const { at, payerNotifiedAt } of cycle!.attempts.slice(0, 3)) {
    const next = cycle!.attempts.find((each) => each.at > at);
    expect(payerNotifiedAt! + 60_000).toBeLessThanOrEqual(next!.at);
  }
  expect(await subscription.row()).toMatchObject({ standing: 'good', cyclesCollected: 1 });
});

test('a subscription is past due until the next cycle after three retries if onExhausted is continue', async (subscribe) => {
  const subscription = await subscribe({ wallet: 'insufficient-funds-4' });
  await subscription.until('2027-02-28T09:00:00Z');
  expect(await subscription.sent()).toEqual(REFUSED);
  expect(await subscription.ends()).toEqual(['0 failed retries_used']);
  expect(await subscription.row()).toMatchObject({ status: 'active', standing: 'past_due' });

  await subscription.until('2027-03-01T00:00:00Z');
  expect(await subscription.sent()).toEqual([...REFUSED, '1/0 2027-02-28 10:00 successful']);
  expect(await subscription.row()).toMatchObject({ standing: 'good' });
});

test('a subscription skips later due dates until it is resumed if onExhausted is pause', async (subscribe) => {
  const subscription = await subscribe({ wallet: 'insufficient-funds-4', onExhausted: 'pause' });
  await subscription.until('2027-03-15T00:00:00Z');
  expect(await subscription.row()).toMatchObject({ status: 'paused', stoppedBy: 'pause', pausedUntil: null });
  expect(await subscription.ends()).toEqual(['0 failed retries_used', '1 skipped paused']);

  await subscription.resume();
  await subscription.until('2027-04-01T00:00:00Z');
  expect(await subscription.sent()).toEqual([...REFUSED, '2/0 2027-03-31 10:00 successful']);
});

test('a subscription ends the consent at the service and then the workflow if onExhausted is cancel', async (subscribe) => {
  const subscription = await subscribe({ wallet: 'insufficient-funds-always', onExhausted: 'cancel' });
  await subscription.until('2027-02-04T00:00:00Z');

  expect(await subscription.sent()).toEqual(REFUSED);
  expect(await subscription.row()).toMatchObject({ status: 'cancelled', cancelledBy: 'merchant' });
  expect(subscription.consent()).toBe('cancelled');
  expect(subscription.isOver()).toBe(true);
});

test('a subscription fails a cycle after a final refusal, without a retry and without onExhausted', async (subscribe) => {
  const subscription = await subscribe({ wallet: 'final-rejection', onExhausted: 'cancel' });
  await subscription.until('2027-02-10T00:00:00Z');
  subscription.setWallet('approves');
  await subscription.until('2027-03-01T00:00:00Z');

  expect(await subscription.sent()).toEqual(['0/0 2027-01-31 10:00 rejected', '1/0 2027-02-28 10:00 successful']);
  expect(await subscription.ends()).toEqual(['0 failed rejected', '1 collected']);
});

test('a subscription fails a cycle whose capture fails, and never authorizes it again, though its window is open', async (subscribe) => {
  const subscription = await subscribe({ wallet: 'capture-fails' });
  await subscription.until('2027-02-01T00:00:00Z');
  subscription.setWallet('approves');
  await subscription.until('2027-03-01T00:00:00Z');

  expect(await subscription.sent()).toEqual(['0/0 2027-01-31 10:00 capture_failed', '1/0 2027-02-28 10:00 successful']);
  expect(await subscription.ends()).toEqual(['0 failed capture_failed', '1 collected']);
  expect((await subscription.row()).attention).toEqual(['capture_failed:0']);
});

test('a subscription makes no retry while its notice is undelivered, and fails the cycle at the limit', async (subscribe) => {
  const subscription = await subscribe({ wallet: 'insufficient-funds-1', onExhausted: 'cancel' });
  subscription.messenger.cutOff(subscription.id);
  await subscription.until('2027-02-03T09:00:00Z');
  expect(await subscription.ends()).toEqual(['0 dunning']);

  await subscription.until('2027-02-10T00:00:00Z');
  expect(await subscription.sent()).toEqual(REFUSED.slice(0, 1));
  expect(await subscription.ends()).toEqual(['0 failed notice_undeliverable']);
  expect(await subscription.row()).toMatchObject({ status: 'active', attention: ['notice_undeliverable:0'] });
});

test('a subscription makes a requested retry at once after its notice, and not before', async (subscribe) => {
  const subscription = await subscribe({ wallet: 'insufficient-funds-1' });
  await subscription.until('2027-01-31T12:00:00Z');
  expect(subscription.notified('payment.failed')).toEqual(['2027-01-31 10:00']);
  await subscription.retry(0);
  await subscription.until('2027-01-31T13:00:00Z');

  expect(await subscription.sent()).toEqual([REFUSED[0], '0/1 2027-01-31 12:00 successful']);
  expect(await subscription.row()).toMatchObject({ standing: 'good' });
});

test('a subscription makes a retry at the requested time instead of the planned time', async (subscribe) => {
  const subscription = await subscribe({ wallet: 'insufficient-funds-1' });
  await subscription.until('2027-01-31T12:00:00Z');
  await subscription.retry(0, Date.parse('2027-02-02T08:00:00Z'));
  await subscription.until('2027-02-02T07:59:00Z');
  expect(await subscription.sent()).toEqual([REFUSED[0]]);
  await subscription.until('2027-02-02T09:00:00Z');

  expect(await subscription.sent()).toEqual([REFUSED[0], '0/1 2027-02-02 08:00 successful']);
  expect(await subscription.row()).toMatchObject({ standing: 'good' });
});
