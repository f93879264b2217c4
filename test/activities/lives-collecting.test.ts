import { HOUR, MINUTE } from '../../src/domain/time';
import { livesOfTests } from './lives-of-tests';

const test = livesOfTests();

/** The last day of each month from January 2027 on. */
function monthEnds(months: number): string[] {
  return Array.from({ length: months }, (_, month) =>
    new Date(Date.UTC(2027, month + 1, 0)).toISOString().slice(0, 10),
  );
}

test('a subscription collects sixty months from 31 January on the last day of each month, through a leap year', async (subscribe) => {
  const subscription = await subscribe({ endAt: '2032-01-31T10:00:00Z' });
  await subscription.until('2032-02-01T00:00:00Z');

  expect(await subscription.sent()).toEqual(monthEnds(60).map((day, cycle) => `${cycle}/0 ${day} 10:00 successful`));
  expect(await subscription.row()).toMatchObject({ status: 'completed', standing: 'good', nextDueAt: null });
  expect(subscription.isOver()).toBe(true);
});

for (const [title, endAt, cycles] of [
  ['on a due date', '2027-04-05T09:00:00Z', 5],
  ['two minutes after a due date', '2027-04-05T09:02:00Z', 6],
] as const) {
  test(`a subscription collects weekly until its end ${title}, but no due date at or after its end`, async (subscribe) => {
    const subscription = await subscribe({ repetition: 'WEEKLY', firstPaymentAt: '2027-03-01T09:00:00Z', endAt });
    await subscription.until('2027-05-01T00:00:00Z');

    const days = ['03-01', '03-08', '03-15', '03-22', '03-29', '04-05'].slice(0, cycles);
    expect(await subscription.sent()).toEqual(days.map((day, cycle) => `${cycle}/0 2027-${day} 09:00 successful`));
    expect(await subscription.row()).toMatchObject({ status: 'completed', cyclesCollected: cycles });
    expect(subscription.isOver()).toBe(true);
  });
}

test('a subscription makes the first attempt later by the spread, with the same due date', async (subscribe) => {
  const subscription = await subscribe({ spread: 6 * HOUR });
  await subscription.until('2027-03-01T00:00:00Z');

  expect(await subscription.sent()).toEqual(['0/0 2027-01-31 16:00 successful', '1/0 2027-02-28 16:00 successful']);
  expect((await subscription.row()).nextDueAt).toBe(Date.parse('2027-03-31T10:00:00Z'));
});

test('a subscription misses a cycle whose window closes while the service cannot be reached, and collects the next', async (subscribe) => {
  const subscription = await subscribe();
  await subscription.until('2027-01-31T09:00:00Z');
  const recover = subscription.breakQuestions();
  await subscription.until('2027-02-06T09:00:00Z');
  recover();
  expect(await subscription.ends()).toEqual(['0 missed window_closed']);
  expect(await subscription.row()).toMatchObject({ status: 'active', pastDue: true });

  await subscription.until('2027-03-01T00:00:00Z');
  expect(await subscription.sent()).toEqual(['1/0 2027-02-28 10:00 successful']);
  expect(await subscription.row()).toMatchObject({ pastDue: false, cyclesCollected: 1 });
});

test('a subscription waits for an authorization that is pending for a day, and sends nothing else', async (subscribe) => {
  const subscription = await subscribe({ wallet: `slow-${24 * 3600}`, endAt: '2027-02-20T00:00:00Z' });
  await subscription.until('2027-02-01T09:00:00Z');
  expect(await subscription.sent()).toEqual(['0/0 2027-01-31 10:00 pending']);
  expect(await subscription.row()).toMatchObject({ standing: 'good', cyclesCollected: 0 });

  await subscription.until('2027-02-01T20:00:00Z');
  expect(await subscription.sent()).toEqual(['0/0 2027-01-31 10:00 successful']);
  expect(await subscription.row()).toMatchObject({ standing: 'good', cyclesCollected: 1 });
});

/*
 * 1 Feb 10:00   3 Feb 21:59   6 Feb 10:00     8 Feb 10:00   10 Feb, before noon   10 Feb 21:59   15 Feb
 * due           sent          window closes   cycle 1 due   authorized            cycle 1 sent   captured
 */
const PENDING_PAST_WINDOW = {
  repetition: 'WEEKLY',
  firstPaymentAt: '2027-02-01T10:00:00Z',
  endAt: '2027-02-20T00:00:00Z',
  // The later the debit is sent, the shorter it is pending, and the fewer polls the test needs.
  spread: 60 * HOUR - MINUTE,
  wallet: 'slow-999999',
} as const;

test('a subscription collects late a debit that is pending past its window, and the next cycle on its date', async (subscribe) => {
  const subscription = await subscribe(PENDING_PAST_WINDOW);
  await subscription.until('2027-02-10T12:00:00Z');
  subscription.setWallet('approves');
  await subscription.until('2027-02-12T00:00:00Z');
  const sent = ['0/0 2027-02-03 21:59', '1/0 2027-02-10 21:59'];
  expect(await subscription.sent()).toEqual([`${sent[0]} pending`, `${sent[1]} successful`]);
  expect((await subscription.row()).attention).toEqual(['pending_past_window:0']);

  await subscription.until('2027-02-16T12:00:00Z');
  expect(await subscription.sent()).toEqual(sent.map((each) => `${each} successful`));
  expect(await subscription.ends()).toEqual(['0 collected', '1 collected']);
  expect(await subscription.row()).toMatchObject({ attention: [], standing: 'good' });
  expect(await subscription.auditLog()).toEqual(
    expect.arrayContaining(['attempt.pending_past_window', 'cycle.collected_late']),
  );
});

test('a subscription fails a cycle whose capture fails past its window, and never authorizes it again', async (subscribe) => {
  const subscription = await subscribe(PENDING_PAST_WINDOW);
  await subscription.until('2027-02-09T12:00:00Z');
  expect((await subscription.row()).attention).toEqual(['pending_past_window:0']);
  subscription.setWallet('capture-fails');
  await subscription.until('2027-02-10T12:00:00Z');
  subscription.setWallet('approves');
  expect(await subscription.ends()).toEqual(['0 failed capture_failed']);

  await subscription.until('2027-02-16T12:00:00Z');
  expect(await subscription.ends()).toEqual(['0 failed capture_failed', '1 collected']);
  expect(await subscription.sent()).toEqual(['0/0 2027-02-03 21:59 capture_failed', '1/0 2027-02-10 21:59 successful']);
  expect((await subscription.row()).attention).toEqual(['capture_failed:0']);
});

test('a subscription fails a cycle whose refusal is known only past its window', async (subscribe) => {
  const subscription = await subscribe({ wallet: 'rejected-late-once' });
  const recover = subscription.breakListsOnceSent();
  await subscription.until('2027-02-06T00:00:00Z');
  expect((await subscription.row()).attention).toEqual(['pending_past_window:0']);
  recover();
  await subscription.until('2027-02-07T00:00:00Z');
  expect(await subscription.ends()).toEqual(['0 failed rejected']);

  await subscription.until('2027-03-01T00:00:00Z');
  expect(await subscription.ends()).toEqual(['0 failed rejected', '1 collected']);
  expect(await subscription.row()).toMatchObject({ attention: [], standing: 'good' });
});
