import { randomUUID } from 'node:crypto';
import { type CollectionSum, type Expected, Forecast, type ForecastDay } from '../../src/domain/reports/forecast';
import { dueAt, REPETITIONS, shortestInterval } from '../../src/domain/subscription/schedule';
import { DAY, HOUR, type Instant, MINUTE, toIso, type Period } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { CycleStatus } from '../../src/domain/subscription/state';
import { applyChange, countWaiting, readExpectedDays, sumCollections } from '../../src/ledger';
import { readExpected } from '../../src/ledger/reports/expected';
import { emptyLedger } from '../support/empty-ledger';
import { draft, DUE, NOW, sendOf, settle, startDebit, subscribe, type Subscribed, useLedger } from './ledger-fixture';

const ledger = useLedger();
afterEach(() => emptyLedger(ledger.pool));

const LONG_AFTER = NOW + 400 * DAY;
const EVER: Period = { from: NOW - 365 * DAY, to: NOW + 365 * DAY };
const AT_DUE: Period = { from: DUE, to: DUE + 1 };

function patch(given: Subscribed, assignments: string): Promise<unknown> {
  return ledger.pool.query(`update subscriptions set ${assignments} where subscription_id = $1`, [
    given.subscriptionId,
  ]);
}

let changes = 0;

/** Writes a cycle with its state, without a history. */
async function cycle(given: Subscribed, n: number, due: Instant, status: CycleStatus, cents = 1999): Promise<void> {
  changes += 1;
  await applyChange(ledger.pool, {
    subscriptionId: given.subscriptionId,
    key: `change ${changes}`,
    at: due + MINUTE,
    actor: 'dueday',
    events: [],
    cycle: { cycle: n, dueAt: due, collectBy: due + 5 * DAY, amount: euros(cents), status },
  });
}

/** Creates a subscription without another due date. */
async function subscribeWithoutDueDate(): Promise<Subscribed> {
  const given = await subscribe(ledger.pool);
  await patch(given, 'next_due_at = null');
  return given;
}

async function refund(given: Subscribed, cents: number, state: 'pending' | 'successful' | 'failed'): Promise<void> {
  const refundId = `ref_${randomUUID()}`;
  await ledger.pool.query(
    `insert into orders (kind, order_id, subscription_id, cycle, payment_id, capture_id, amount, actor, created_at, created_real_at)
     select 'refund', $1, subscription_id, cycle, payment_id, capture_id, $3, 'till', now(), now()
     from attempts where subscription_id = $2 and state = 'successful'`,
    [refundId, given.subscriptionId, cents],
  );
  await ledger.pool.query(
    `insert into order_sends (order_id, send, payment_id, state, at, sending_real_at, owner)
     values ($1, 0, $2, 'sending', now(), now(), 'worker-1')`,
    [refundId, given.paymentId],
  );
  await ledger.pool.query(
    `update order_sends set state = $2::text, service_id = $1, outcome_at = case when $2 <> 'pending' then now() end
     where order_id = $1`,
    [refundId, state],
  );
}

/** The sums as texts: `day status count cents`. */
function told(sums: readonly CollectionSum[]): string[] {
  return sums.map(({ day, status, count, amount }) => `${toIso(day).slice(0, 10)} ${status} ${count} ${amount.value}`);
}

const collections = async (period: Period = EVER, now = LONG_AFTER) =>
  told(await sumCollections(ledger.pool, period, now));

test('collections are summed by the UTC day of the due date and by status', async () => {
  const [a, b] = [await subscribeWithoutDueDate(), await subscribeWithoutDueDate()];
  const midnight = Date.UTC(2027, 2, 1);
  await cycle(a, 1, midnight - 1, 'collected', 100);
  await cycle(b, 1, midnight, 'collected', 20);
  await cycle(a, 2, midnight + DAY - 1, 'collected', 3);
  await cycle(b, 2, midnight + DAY, 'failed', 7);
  await cycle(a, 3, midnight + DAY + 1, 'missed', 8);
  expect(await collections()).toEqual([
    '2027-02-28 collected 1 100',
    '2027-03-01 collected 2 23',
    '2027-03-02 failed 1 7',
    '2027-03-02 missed 1 8',
  ]);
});

test('the period of collections includes its start and excludes its end', async () => {
  await cycle(await subscribeWithoutDueDate(), 0, DUE, 'skipped');
  const seen = ['2027-01-31 skipped 1 1999'];
  expect(await collections({ from: DUE, to: DUE + 1 })).toEqual(seen);
  expect(await collections({ from: DUE - 1, to: DUE })).toEqual([]);
  expect(await collections({ from: DUE + 1, to: DUE + DAY })).toEqual([]);
});

test('collections do not count a cycle before its due date, even if it was skipped long before', async () => {
  await cycle(await subscribeWithoutDueDate(), 0, DUE, 'skipped');
  expect(await collections(EVER, DUE - 1)).toEqual([]);
  expect(await collections(EVER, DUE)).toEqual(['2027-01-31 skipped 1 1999']);
});

test('collections do not count due dates of a draft, of a subscription without consent, or of one that has ended', async () => {
  const given = await subscribe(ledger.pool);
  for (const status of ['draft', 'pending_consent', 'consent_failed', 'cancelled', 'completed']) {
    await patch(given, `status = '${status}'`);
    expect(await collections()).toEqual([]);
  }
});

test.each(['active', 'paused'])(
  'collections count a due date that was not tried, of a subscription that is %s, at its current amount',
  async (status) => {
    const given = await subscribe(ledger.pool);
    await patch(given, `status = '${status}', amount = 2500`);
    expect(await collections(AT_DUE, DUE)).toEqual(['2027-01-31 scheduled 1 2500']);
    expect(await collections(AT_DUE, DUE - 1)).toEqual([]);
  },
);

test('collections count a cycle once while its first attempt runs, at the frozen amount', async () => {
  const given = await subscribe(ledger.pool);
  await startDebit(ledger.pool, sendOf(given));
  await patch(given, 'amount = 2500');
  expect(await collections(AT_DUE)).toEqual(['2027-01-31 collecting 1 1999']);
});

test('collections count a refund by the due date of its cycle, once the service has made it', async () => {
  const given = await subscribe(ledger.pool);
  const ref = await startDebit(ledger.pool, sendOf(given));
  await settle(ledger.pool, ref, 'successful');
  await patch(given, 'next_due_at = null');
  await refund(given, 500, 'successful');
  await refund(given, 300, 'successful');
  await refund(given, 100, 'failed');
  await refund(given, 40, 'pending');
  expect(await collections(AT_DUE)).toEqual(['2027-01-31 collected 1 1999', '2027-01-31 refunded 2 800']);
  expect(await collections({ from: DUE + 1, to: DUE + DAY })).toEqual([]);
});

test('sums of collections may exceed the range of an integer column', async () => {
  const most = 2_147_483_647;
  for (let n = 0; n < 3; n += 1) await cycle(await subscribeWithoutDueDate(), 0, DUE, 'failed', most);
  expect(await collections()).toEqual([`2027-01-31 failed 3 ${3 * most}`]);
});

async function expectedOf(period: Period, atOnce?: number): Promise<(Expected & { subscriptionId: string })[]> {
  const all: (Expected & { subscriptionId: string })[] = [];
  for await (const page of readExpected(ledger.pool, period, atOnce)) all.push(...page);
  return all;
}

const period: Period = { from: DUE, to: DUE + 366 * DAY };

const countOf = (days: readonly ForecastDay[]) => days.reduce((sum, { count }) => sum + count, 0);

function forecastOf(expected: readonly Expected[], within: Period): ForecastDay[] {
  const forecast = new Forecast(within);
  expected.forEach((each) => forecast.add(each));
  return forecast.days();
}

/** Counts subscriptions whose schedules are calculated, and those with a single due date, which PostgreSQL sums. */
async function countExpected(): Promise<number> {
  const calculated = await expectedOf(period);
  return (
    calculated.length + countOf(await readExpectedDays(ledger.pool, period)) - countOf(forecastOf(calculated, period))
  );
}

test('the forecast reads everything on which the due dates and amounts of a subscription depend', async () => {
  const endAt = DUE + 100 * DAY;
  const given = await subscribe(ledger.pool, { endAt, repetition: 'WEEKLY' });
  await patch(given, `amount = 2500, status = 'paused', paused_until = '${toIso(DUE + 9 * DAY)}'`);
  await cycle(given, 1, DUE + 7 * DAY, 'skipped');
  await cycle(given, 3, DUE + 21 * DAY, 'skipped');
  expect(await expectedOf(period)).toEqual([
    {
      subscriptionId: given.subscriptionId,
      status: 'paused',
      firstPaymentAt: DUE,
      repetition: 'WEEKLY',
      endAt,
      nextDueAt: DUE,
      pausedUntil: DUE + 9 * DAY,
      amount: euros(2500),
      pendingChange: null,
      skipped: [DUE + 7 * DAY, DUE + 21 * DAY],
    },
  ]);
});

test.each<[string, number, string]>([
  ['an active subscription', 1, ''],
  ['a subscription due a millisecond before the end of the period', 1, `next_due_at = '${toIso(period.to - 1)}'`],
  ['a subscription due at the end of the period', 0, `next_due_at = '${toIso(period.to)}'`],
  ['a subscription without another due date', 0, 'next_due_at = null'],
  [
    'a subscription that ends a millisecond after the start of the period',
    1,
    `first_payment_at = first_payment_at - interval '1 day', end_at = '${toIso(period.from + 1)}'`,
  ],
  [
    'a subscription that ends at the start of the period',
    0,
    `first_payment_at = first_payment_at - interval '1 day', end_at = '${toIso(period.from)}'`,
  ],
  ['a subscription that is being cancelled', 0, `stopped_by = 'cancel'`],
  ['a subscription that is being paused', 1, `stopped_by = 'pause'`],
  ['a subscription in a pause without an end', 0, `status = 'paused', stopped_by = 'pause'`],
  [
    'a subscription in a pause that ends before the end of the period',
    1,
    `status = 'paused', paused_until = '${toIso(period.to - 1)}'`,
  ],
  [
    'a subscription in a pause that ends at the end of the period',
    0,
    `status = 'paused', paused_until = '${toIso(period.to)}'`,
  ],
  ['a subscription without consent', 0, `status = 'pending_consent'`],
  ['a cancelled subscription', 0, `status = 'cancelled'`],
  ['a completed subscription', 0, `status = 'completed'`],
  ['a draft', 0, `status = 'draft'`],
])('for %s, the number of subscriptions with expected payments is %i', async (_what, count, assignments) => {
  const given = await subscribe(ledger.pool);
  if (assignments !== '') await patch(given, assignments);
  expect(await countExpected()).toBe(count);
});

/** Creates a subscription. @returns it as the forecast reads it */
async function createExpected(
  nextDueAt: Instant,
  { skips = false, ...changes }: Partial<Expected> & { skips?: boolean } = {},
) {
  const given = await subscribe(ledger.pool);
  const basis = { status: 'active', firstPaymentAt: nextDueAt, repetition: 'MONTHLY', endAt: null, nextDueAt } as const;
  const rest = { pausedUntil: null, amount: euros(1000 + (nextDueAt % 997)), pendingChange: null };
  const expected: Expected = { ...basis, ...rest, skipped: skips ? [nextDueAt] : [], ...changes };
  const time = (instant: Instant | null) => (instant === null ? 'null' : `'${toIso(instant)}'`);
  await patch(
    given,
    `status = '${expected.status}', first_payment_at = ${time(nextDueAt)}, next_due_at = ${time(nextDueAt)},
     repetition = '${expected.repetition}', end_at = ${time(expected.endAt)}, paused_until = ${time(expected.pausedUntil)},
     amount = ${expected.amount.value}`,
  );
  if (skips) await cycle(given, 0, nextDueAt, 'skipped');
  return expected;
}

test.each([1, 7, 28, 29, 31, 95])(
  'the forecast of %d days equals the sum of the schedules of all subscriptions',
  async (days) => {
    const within: Period = { from: DUE, to: DUE + days * DAY };
    const all: Expected[] = [];
    for (const repetition of REPETITIONS) {
      const interval = shortestInterval(repetition);
      for (const nextDueAt of [
        DUE - DAY,
        DUE - 1,
        DUE,
        DUE + 1,
        within.to - interval - 1,
        within.to - interval,
        within.to - 1,
      ])
        if (nextDueAt < within.to) all.push(await createExpected(nextDueAt, { repetition }));
    }
    const last = within.to - 1;
    all.push(await createExpected(last, { endAt: last + 1 }));
    all.push(await createExpected(DUE, { endAt: DUE + 1 }));
    all.push(await createExpected(DUE, { status: 'paused', pausedUntil: last }));
    all.push(await createExpected(last, { skips: true }));
    all.push(await createExpected(DUE, { skips: true, repetition: 'WEEKLY' }));
    expect(await readExpectedDays(ledger.pool, within)).toEqual(forecastOf(all, within));
    expect(await expectedOf(within)).not.toHaveLength(all.length);
  },
);

test('the forecast of a week calculates the schedule of a subscription whose amount changes, and sums the others', async () => {
  const within: Period = { from: DUE, to: DUE + 7 * DAY };
  const changing = await subscribe(ledger.pool);
  const change = { amount: euros(2500), effectiveAt: DUE, announcement: null, fromCycle: 0 };
  await ledger.pool.query('update subscriptions set pending_change = $2 where subscription_id = $1', [
    changing.subscriptionId,
    change,
  ]);
  await subscribe(ledger.pool);
  expect((await expectedOf(within)).map(({ subscriptionId }) => subscriptionId)).toEqual([changing.subscriptionId]);
  const [day] = await readExpectedDays(ledger.pool, within);
  expect(day).toMatchObject({ count: 2, amount: euros(2500 + 1999) });
});

test('pages of expected payments contain each subscription once, whatever their size', async () => {
  for (let n = 1; n <= 7; n += 1) await patch(await subscribe(ledger.pool), `amount = ${n}`);
  for (const atOnce of [1, 2, 3, 6, 7, 8]) {
    const amounts = (await expectedOf(period, atOnce)).map(({ amount }) => amount.value);
    expect(amounts.sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  }
  for await (const page of readExpected(ledger.pool, period, 3)) expect(page.length).toBeLessThanOrEqual(3);
});

test('expected payments of 5001 subscriptions are read in pages of at most 2000, and summed', async () => {
  const many = 5001;
  await subscribeMany(many);
  const forecast = new Forecast(period);
  const pages: number[] = [];
  for await (const page of readExpected(ledger.pool, period)) {
    pages.push(page.length);
    page.forEach((expected) => forecast.add(expected));
  }
  expect(pages).toEqual([2000, 2000, 1001]);
  const days = forecast.days().filter(({ count }) => count > 0);
  const calendar = { firstPaymentAt: DUE, repetition: 'MONTHLY', endAt: null } as const;
  const dates = Array.from({ length: 13 }, (_, n) => toIso(dueAt(calendar, n)).slice(0, 10));
  expect(days.map(({ day }) => toIso(day).slice(0, 10))).toEqual(dates);
  expect(new Set(days.map(({ count, amount }) => `${count} ${amount.value}`))).toEqual(
    new Set([`${many} ${many * 1999}`]),
  );
});

test.each<[string, Instant, Instant, string, number]>([
  ['due a millisecond before the given limit counts as waiting', DUE + 1, DUE + 1, '', 1],
  ['due at the given limit does not count as waiting', DUE, DUE + DAY, '', 0],
  ['due a millisecond ago counts as waiting', DUE + DAY, DUE + 1, '', 1],
  ['due now does not count as waiting yet', DUE + DAY, DUE, '', 0],
  ['of a paused subscription does not count as waiting', DUE + 1, DUE + 1, `status = 'paused'`, 0],
  ['of a subscription that is being paused does not count as waiting', DUE + 1, DUE + 1, `stopped_by = 'pause'`, 0],
])('for the forecast, a first attempt %s', async (_what, before, now, assignments, firstAttempts) => {
  const given = await subscribe(ledger.pool);
  if (assignments !== '') await patch(given, assignments);
  expect(await countWaiting(ledger.pool, before, now)).toEqual({ firstAttempts, retries: 0, pending: 0 });
});

test('the forecast counts an authorization as polled once it has been pending for more than an hour', async () => {
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(await subscribeWithoutDueDate())), 'pending');
  const pending = async (now: Instant) => (await countWaiting(ledger.pool, NOW, now)).pending;
  expect(await pending(NOW + HOUR)).toBe(0);
  expect(await pending(NOW + HOUR + 1)).toBe(1);
});

async function subscribeMany(many: number): Promise<void> {
  const { firstPaymentAt } = draft();
  const payer = randomUUID();
  await ledger.pool.query('insert into payers (payer_id) values ($1)', [payer]);
  await ledger.pool.query(
    `insert into subscriptions (
       subscription_id, payer_id, payment_id, workflow_id, repetition, consent_amount, start_at, first_payment_at,
       on_exhausted, status, amount, next_due_at, created_at, drafted_real_at, retry_policy, spread
     )
     select 'many_' || n, $1, 'pay_many_' || n, 'subscription/many_' || n, 'MONTHLY', 1999, $2, $2,
       'continue', 'active', 1999, $2, $2, now(), '{}', 0
     from generate_series(1, $3) as n`,
    [payer, toIso(firstPaymentAt), many],
  );
}
