import { livesOfTests } from './lives-of-tests';

const test = livesOfTests();

const FIRST = '0/0 2027-01-31 10:00 successful';
const REFUSED = '0/0 2027-01-31 10:00 rejected_retryable';

// In the drawings: ● collected, ○ refused, ✉ notice delivered, ‖ hold begins, ▶ hold ends.

/**
 *   31 Jan   27 Feb   28 Feb   2 Mar   31 Mar
 *   ●        ‖        (due)    ● ▶     ●        (the hold ends by itself)
 */
test('a subscription collects a cycle that fell due on hold at the end of the hold, and keeps its dates', async (subscribe) => {
  const subscription = await subscribe();
  await subscription.until('2027-02-27T00:00:00Z');
  await subscription.hold(Date.parse('2027-03-02T00:00:00Z'));
  await subscription.until('2027-03-01T23:59:00Z');
  expect(await subscription.sent()).toEqual([FIRST]);
  await subscription.until('2027-04-01T00:00:00Z');

  const late = ['1/0 2027-03-02 00:00 successful', '2/0 2027-03-31 10:00 successful'];
  expect(await subscription.sent()).toEqual([FIRST, ...late]);
  expect(await subscription.ends()).toEqual(['0 collected', '1 collected', '2 collected']);
  expect(await subscription.row()).toMatchObject({ status: 'active', standing: 'good' });
});

/**
 *   31 Jan   27 Feb   28 Feb   1 Mar         30 Mar
 *   ●        ‖        (due)    ▶ lifted ●    hold would end
 */
test('a subscription collects at once when a hold of a month is lifted', async (subscribe) => {
  const subscription = await subscribe();
  await subscription.until('2027-02-27T00:00:00Z');
  const lift = await subscription.hold(Date.parse('2027-03-30T00:00:00Z'));
  await subscription.until('2027-03-01T08:00:00Z');
  expect(await subscription.sent()).toEqual([FIRST]);
  await lift();
  await subscription.until('2027-03-01T08:01:00Z');

  expect(await subscription.sent()).toEqual([FIRST, '1/0 2027-03-01 08:00 successful']);
});

/**
 *   31 Jan   27 Feb   28 Feb   5 Mar    6 Mar   31 Mar
 *   ●        ‖        (due)    missed   ▶       ●
 */
test('a subscription misses a cycle whose window ends on hold, and collects the next one', async (subscribe) => {
  const subscription = await subscribe();
  await subscription.until('2027-02-27T00:00:00Z');
  await subscription.hold(Date.parse('2027-03-06T00:00:00Z'));
  await subscription.until('2027-04-01T00:00:00Z');

  expect(await subscription.sent()).toEqual([FIRST, '2/0 2027-03-31 10:00 successful']);
  expect(await subscription.ends()).toEqual(['0 collected', '1 missed window_closed', '2 collected']);
});

/**
 *   31 Jan   1 Feb 8:00   1 Feb 10:00   2 Feb
 *   ○ ✉      ‖            (retry)       ● ▶
 */
test('a subscription makes a retry whose time has come on hold at the end of the hold', async (subscribe) => {
  const subscription = await subscribe({ wallet: 'insufficient-funds-1' });
  await subscription.until('2027-02-01T08:00:00Z');
  await subscription.hold(Date.parse('2027-02-02T00:00:00Z'));
  await subscription.until('2027-02-02T01:00:00Z');

  expect(await subscription.sent()).toEqual([REFUSED, '0/1 2027-02-02 00:00 successful']);
});

/** The answer to the second cycle's attempt is lost. During the hold dueday still polls the service, and finds the debit. */
test('a subscription settles an unknown outcome on hold, without sending anything', async (subscribe) => {
  const subscription = await subscribe();
  await subscription.until('2027-02-28T09:59:00Z');
  subscription.loseNextAnswer();
  await subscription.until('2027-02-28T10:00:01Z');
  await subscription.hold(Date.parse('2027-03-02T00:00:00Z'));
  await subscription.until('2027-03-01T00:00:00Z');

  expect(await subscription.sent()).toEqual([FIRST, '1/0 2027-02-28 10:00 successful']);
});

test('a subscription can be paused and cancelled while it is on hold', async (subscribe) => {
  const subscription = await subscribe();
  await subscription.until('2027-02-27T00:00:00Z');
  await subscription.hold(Date.parse('2027-03-02T00:00:00Z'));
  await subscription.pause(null);
  await subscription.until('2027-03-01T00:00:00Z');
  expect(await subscription.ends()).toEqual(['0 collected', '1 skipped paused']);
  await subscription.cancel();
  await subscription.until('2027-03-10T00:00:00Z');

  expect(await subscription.sent()).toEqual([FIRST]);
  expect(await subscription.row()).toMatchObject({ status: 'cancelled' });
});
