import { euros } from '../../src/domain/money';
import { collected } from '../support/workflow-fates';
import { WorkflowWorld } from '../support/workflow-world';

const world = WorkflowWorld.skippingTime();

/** The last day of each month from January 2027 on. */
function monthEnds(months: number): string[] {
  return Array.from({ length: months }, (_, month) => {
    return new Date(Date.UTC(2027, month + 1, 0)).toISOString().slice(0, 10);
  });
}

test('collects sixty monthly cycles from 31 January, each on its date, in five years', async () => {
  const subscription = await world.subscribe({
    path: 'five years monthly',
    now: '2027-01-15T08:00:00Z',
    firstPaymentAt: '2027-01-31T10:00:00Z',
    endAt: '2032-01-31T10:00:00Z',
  });

  await subscription.advanceTo('2032-02-01T00:00:00Z');
  await subscription.ended();

  expect(subscription.sent).toEqual(monthEnds(60).map((day, cycle) => `${cycle}/0 ${day} 10:00`));
  expect(subscription.bank.trail).toEqual(['consent.granted', 'subscription.completed']);
  expect(subscription.bank.row).toMatchObject({ status: 'completed', nextDueAt: null, pastDue: false });
});

test.each([
  ['weekly, the end on a due date', '2027-04-05T09:00:00Z', 5],
  ['weekly, the end two minutes after a due date', '2027-04-05T09:02:00Z', 6],
] as const)('collects %s: the end is exclusive', async (path, endAt, cycles) => {
  const subscription = await world.subscribe({
    path,
    endAt,
    repetition: 'WEEKLY',
    now: '2027-02-26T08:00:00Z',
    firstPaymentAt: '2027-03-01T09:00:00Z',
  });

  await subscription.advanceTo('2027-05-01T00:00:00Z');
  await subscription.ended();

  expect(subscription.sent).toEqual(
    ['03-01', '03-08', '03-15', '03-22', '03-29', '04-05']
      .slice(0, cycles)
      .map((day, cycle) => `${cycle}/0 2027-${day} 09:00`),
  );
});

test('makes the first attempt later by the spread, and the due date stays', async () => {
  const subscription = await world.subscribe({
    path: 'spread',
    now: '2027-01-15T08:00:00Z',
    firstPaymentAt: '2027-01-31T10:00:00Z',
    spread: 6 * 3_600_000,
  });

  await subscription.advanceTo('2027-03-01T00:00:00Z');

  expect(subscription.sent).toEqual(['0/0 2027-01-31 16:00', '1/0 2027-02-28 16:00']);
  expect(subscription.bank.callsOf('collectPayment').map(({ input }) => input)).toMatchObject([
    { plannedAt: Date.parse('2027-01-31T16:00:00Z') },
    { plannedAt: Date.parse('2027-02-28T16:00:00Z') },
  ]);
  expect(subscription.bank.row?.nextDueAt).toBe(Date.parse('2027-03-31T10:00:00Z'));
});

test('misses a cycle whose window closes with nothing sent, and goes on with the next', async () => {
  const subscription = await world.subscribe(
    { path: 'window closed', now: '2027-01-15T08:00:00Z', firstPaymentAt: '2027-01-31T10:00:00Z' },
    (bank) => bank.delayNext('collectPayment', 121 * 3_600_000),
  );

  await subscription.advanceTo('2027-02-06T00:00:00Z');
  expect(subscription.bank.cycleRecords).toEqual([[0, 'missed', 'window_closed']]);
  expect(subscription.bank.noticesOrdered).toEqual(['cycle.missed']);
  expect(subscription.bank.row).toMatchObject({ pastDue: true, nextDueAt: Date.parse('2027-02-28T10:00:00Z') });

  await subscription.advanceTo('2027-03-01T00:00:00Z');
  expect(subscription.sent).toEqual(['1/0 2027-02-28 10:00']);
  expect(subscription.bank.row).toMatchObject({ pastDue: false });
});

describe('past a window the ledger is asked before anything is missed (rule 4)', () => {
  const JANUARY = { now: '2027-01-15T08:00:00Z', firstPaymentAt: '2027-01-31T10:00:00Z' };

  test('a cycle that it has as over is left to it, and so is every one up to where it stands', async () => {
    const subscription = await world.subscribe({ path: 'missed here, collected by the ledger', ...JANUARY }, (bank) => {
      bank.attempt(0, 0, () => ({ kind: 'window_closed' }));
      bank.lastOver = 1;
    });

    await subscription.advanceTo('2027-04-01T00:00:00Z');

    expect(subscription.bank.cycleRecords).toEqual([]);
    expect(subscription.sent.slice(1)).toEqual(['2/0 2027-03-31 10:00']);
  });

  test('a cycle that it has in doubt is asked about, and then collected', async () => {
    const begun = { cycle: 0, collectBy: Date.parse('2027-02-05T10:00:00Z'), amount: euros(1999), retryNow: false };
    const nothing = { authorizationId: null, captureId: null, detail: null, description: null };
    const doubtful = { attempt: 0, state: 'unknown', reopened: false, at: 0, ...nothing } as const;
    const subscription = await world.subscribe({ path: 'missed here, in doubt by the ledger', ...JANUARY }, (bank) => {
      bank.attempt(0, 0, () => ({ kind: 'window_closed' }), collected);
      bank.begun.push({ ...begun, status: 'collecting', attempts: [doubtful], notices: [] });
    });

    await subscription.advanceTo('2027-02-10T00:00:00Z');

    expect(subscription.bank.cycleRecords).toEqual([]);
    expect(subscription.bank.callsOf('collectPayment').at(-1)?.input).toMatchObject({ cycle: 0, settleOnly: true });
    expect(subscription.bank.row).toMatchObject({ pastDue: false, nextDueAt: Date.parse('2027-02-28T10:00:00Z') });
  });
});
