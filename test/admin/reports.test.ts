import { collectionWindow } from '../../src/domain/subscription/schedule';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR, type Instant, MINUTE, toIso } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { CycleStatus } from '../../src/domain/subscription/state';
import { applyChange, beginSend } from '../../src/ledger';
import { emptyLedger } from '../support/empty-ledger';
import { type AdminUnderTest, eachItems, faultPaths, faultsOf, NOW, SANDBOX, startAdmin } from './admin-under-test';
import { order } from './order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(async () => {
  await emptyLedger(admin.db);
  admin.clock.business = NOW;
});
afterAll(() => admin.stop());

const get = (path: string) => admin.call('GET', `/v1/reports/${path}`, { role: 'viewer' });
const patch = (id: string, assignments: string) =>
  admin.db.query(`update subscriptions set ${assignments} where subscription_id = $1`, [id]);
const periodOf = (from: string, to: string) => `from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`;

/** Creates an active subscription, by default first due at noon on 31 January 2027. */
async function subscribe(subscriptionId: string, fields: Record<string, unknown> = {}): Promise<void> {
  const created = await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId, ...fields }) });
  if (created.statusCode !== 201) throw new Error(created.body);
  await patch(subscriptionId, `status = 'active', next_due_at = first_payment_at`);
}

let changes = 0;

async function cycle(id: string, n: number, due: Instant, status: CycleStatus, cents = 1999): Promise<void> {
  changes += 1;
  await applyChange(admin.db, {
    subscriptionId: id as SubscriptionId,
    key: `change ${changes}`,
    at: due + MINUTE,
    actor: 'dueday',
    events: [],
    cycle: { cycle: n, dueAt: due, collectBy: due + 5 * DAY, amount: euros(cents), status },
  });
}

const figure = (value: number, count: number) => ({ amount: { value, currency: 'EUR' }, count });
const NOTHING = figure(0, 0);
const QUIET = {
  due: NOTHING,
  collected: NOTHING,
  failed: NOTHING,
  skipped: NOTHING,
  missed: NOTHING,
  open: NOTHING,
  refunded: NOTHING,
};

test('the report of collections has, for every day of the period and in total, what fell due and how it ended', async () => {
  await subscribe('sub_a');
  await subscribe('sub_b', { firstPaymentAt: '2027-02-01T12:00:00Z' });
  await cycle('sub_a', 0, NOW, 'collected', 500);
  await patch('sub_a', 'next_due_at = null');
  admin.clock.business = NOW + 2 * DAY;
  const answer = await get(`collections?${periodOf('2027-01-31T00:00:00Z', '2027-02-03T00:00:00+00:00')}`);
  const [collected, open] = [figure(500, 1), figure(1999, 1)];
  expect(answer.json()).toEqual({
    from: '2027-01-31T00:00:00.000Z',
    to: '2027-02-03T00:00:00.000Z',
    items: [
      { day: '2027-01-31', ...QUIET, due: collected, collected },
      { day: '2027-02-01', ...QUIET, due: open, open },
      { day: '2027-02-02', ...QUIET },
    ],
    total: { ...QUIET, due: figure(2499, 2), collected, open },
    nextCursor: null,
  });
});

test('the report of collections of a part of a day contains only that part: from inclusive, to exclusive', async () => {
  await subscribe('sub_a');
  await cycle('sub_a', 0, NOW, 'failed');
  const failed = async (from: Instant, to: Instant) =>
    (await get(`collections?${periodOf(toIso(from), toIso(to))}`)).json<{ total: { failed: { count: number } } }>()
      .total.failed.count;
  expect(await failed(NOW, NOW + 1)).toBe(1);
  expect(await failed(NOW - 1, NOW)).toBe(0);
  expect(await failed(NOW + 1, NOW + DAY)).toBe(0);
});

const NAMES = [
  ...(['needsAttention', 'atRisk', 'inRetry', 'pastDue', 'pastDueInAttention'] as const),
  ...(['refusedToday', 'collectedToday', 'dueToday'] as const),
];

test('the report of today covers the UTC day unless another time zone is given', async () => {
  await subscribe('sub_a');
  expect((await get('today')).json()).toEqual({
    day: '2027-01-31',
    timeZone: 'UTC',
    ...Object.fromEntries(NAMES.map((name) => [name, NOTHING])),
    dueToday: figure(1999, 1),
    successRate: { last7Days: null, previous7Days: null },
    halted: null,
  });
});

test.each([
  // The first two rows: a millisecond before midnight of 1 February in Berlin, and midnight.
  ['Europe/Berlin', Date.UTC(2027, 0, 31, 23) - 1, '2027-01-31', 1],
  ['Europe/Berlin', Date.UTC(2027, 0, 31, 23), '2027-02-01', 0],
  ['Pacific/Kiritimati', NOW, '2027-02-01', 1],
  ['America/New_York', Date.UTC(2027, 1, 1, 5) - 1, '2027-01-31', 1],
  ['America/New_York', Date.UTC(2027, 1, 1, 5), '2027-02-01', 0],
])('today begins and ends at midnight in the time zone %s, asked at %i', async (timeZone, now, day, count) => {
  await subscribe('sub_a');
  admin.clock.business = now;
  const answer = await get(`today?timeZone=${encodeURIComponent(timeZone)}`);
  expect(answer.json()).toMatchObject({ day, timeZone, dueToday: { count } });
});

test.each([
  ['2027-03-28T00:00:00Z', '2027-03-28', 23],
  ['2027-10-31T00:00:00Z', '2027-10-31', 25],
])('at %s, today in Berlin is %s and has %i hours', async (now, day, hours) => {
  const midnight = Date.parse(`${day}T00:00:00${hours === 23 ? '+01:00' : '+02:00'}`);
  for (const [id, due] of [
    ['first', midnight],
    ['last', midnight + hours * HOUR - 1],
    ['tomorrow', midnight + hours * HOUR],
  ] as const) {
    await subscribe(id, { firstPaymentAt: toIso(due) });
  }
  admin.clock.business = Date.parse(now);
  const answer = await get('today?timeZone=Europe/Berlin');
  expect(answer.json()).toMatchObject({ day, dueToday: { count: 2 } });
});

test.each(['Mars/Olympus', '+02:00', 'Berlin', ''])(
  'a request for today in the time zone "%s" is refused with what was expected',
  async (name) => {
    const answer = await get(`today?timeZone=${encodeURIComponent(name)}`);
    expect(answer.statusCode).toBe(400);
    const message = `expected an IANA time zone such as Europe/Berlin; got ${JSON.stringify(name)}`;
    expect(faultsOf(answer)).toEqual([{ path: 'timeZone', message }]);
  },
);

const forecast = async (from: string, to: string) => {
  const answer = await get(`forecast?${periodOf(from, to)}`);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  type Figure = { amount: { value: number }; count: number };
  const report = answer.json<{ items: { day: string; due: Figure }[]; total: { due: Figure } }>();
  const days = report.items.filter(({ due }) => due.count > 0);
  return {
    days: days.map(({ day, due }) => [day, due.count, due.amount.value]),
    total: [report.total.due.count, report.total.due.amount.value],
    length: report.items.length,
  };
};

test('the forecast reports what falls due each day, over month ends and up to the end of each subscription', async () => {
  await subscribe('sub_a');
  await subscribe('sub_b', { repetition: 'WEEKLY', endAt: '2027-02-14T12:00:00Z' });
  await patch('sub_b', 'amount = 1');
  expect(await forecast('2027-01-31T00:00:00Z', '2027-04-01T00:00:00Z')).toEqual({
    days: [
      ['2027-01-31', 2, 2000],
      ['2027-02-07', 1, 1],
      ['2027-02-28', 1, 1999],
      ['2027-03-31', 1, 1999],
    ],
    total: [5, 2000 + 1 + 2 * 1999],
    length: 60,
  });
});

test('the forecast says how many cycles of a day are postponed, and still counts them on their due date', async () => {
  await subscribe('sub_a');
  await subscribe('sub_b');
  await cycle('sub_a', 1, Date.UTC(2027, 1, 28, 12), 'scheduled');
  await admin.db.query(`update cycles set postponed_until = '2027-03-02T09:00:00Z' where subscription_id = 'sub_a'`);
  const days = async () => {
    const answer = await get(`forecast?${periodOf('2027-02-28T00:00:00Z', '2027-03-03T00:00:00Z')}`);
    type Day = { day: string; due: { count: number }; postponed?: number };
    return answer.json<{ items: Day[] }>().items.map(({ day, due, postponed }) => [day, due.count, postponed]);
  };
  const later = ['2027-03-01', '2027-03-02'].map((day) => [day, 0, undefined]);
  expect(await days()).toEqual([['2027-02-28', 2, 1], ...later]);
  await patch('sub_a', `status = 'paused', paused_until = '2027-02-28T12:00:00Z'`);
  expect(await days()).toEqual([['2027-02-28', 2, 1], ...later]);
  await patch('sub_a', `paused_until = '2027-02-28T12:00:00.001Z'`);
  expect(await days()).toEqual([['2027-02-28', 1, undefined], ...later]);
  await patch('sub_a', `status = 'active', stopped_by = 'cancel'`);
  expect(await days()).toEqual([['2027-02-28', 1, undefined], ...later]);
});

test('the forecast includes a due date at the start of its period, and excludes one at the end', async () => {
  await subscribe('sub_a');
  const due = async (from: Instant, to: Instant) => (await forecast(toIso(from), toIso(to))).total[0];
  expect(await due(NOW, NOW + 1)).toBe(1);
  expect(await due(NOW - 1, NOW)).toBe(0);
  expect(await due(NOW + 1, NOW + DAY)).toBe(0);
});

test('the forecast omits cycles that an operator skipped, and due dates in a pause', async () => {
  await subscribe('sub_a');
  await cycle('sub_a', 1, Date.UTC(2027, 1, 28, 12), 'skipped');
  const days = async () => (await forecast('2027-01-01T00:00:00Z', '2027-05-01T00:00:00Z')).days.map(([day]) => day);
  expect(await days()).toEqual(['2027-01-31', '2027-03-31', '2027-04-30']);
  await patch('sub_a', `status = 'paused', paused_until = '2027-03-31T12:00:00Z'`);
  expect(await days()).toEqual(['2027-03-31', '2027-04-30']);
  await patch('sub_a', 'paused_until = null');
  expect(await days()).toEqual([]);
});

const from = '2027-01-31T00:00:00Z';
type Day = { openRetries: number; hoursToCollect: number | null };

async function days(callsPerSecond?: number): Promise<Day[]> {
  const policy = callsPerSecond === undefined ? SANDBOX : { ...SANDBOX, callsPerSecond };
  const on = await admin.another({ policy });
  const answer = await admin.call('GET', `/v1/reports/forecast?${periodOf(from, '2027-02-03T00:00:00Z')}`, { on });
  await on.close();
  const { items } = answer.json<{ items: Day[] }>();
  return items.map(({ openRetries, hoursToCollect }) => ({ openRetries, hoursToCollect }));
}

async function createInDunning(id: string, nextAttemptAt: Instant): Promise<void> {
  await subscribe(id, { startAt: '2027-01-01T00:00:00Z' });
  await patch(id, 'next_due_at = null');
  await cycle(id, 0, NOW, 'dunning');
  await admin.db.query('update cycles set next_attempt_at = $2 where subscription_id = $1', [id, toIso(nextAttemptAt)]);
}

test('the forecast of each day has the open retries that are planned for that day', async () => {
  const midnight = Date.UTC(2027, 1, 1);
  await createInDunning('sub_a', midnight - 1);
  await createInDunning('sub_b', midnight);
  await createInDunning('sub_c', midnight + DAY - 1);
  expect((await days()).map(({ openRetries }) => openRetries)).toEqual([1, 2, 0]);
});

test('the forecast counts retries whose planned time has passed as overdue, even those from before the period', async () => {
  await createInDunning('sub_a', NOW - DAY);
  await createInDunning('sub_b', NOW - 1);
  await createInDunning('sub_c', NOW);
  const read = (period: string) => admin.call('GET', `/v1/reports/forecast?${period}`);
  const from = toIso(NOW - (NOW % DAY));
  const { items, total } = (await read(periodOf(from, toIso(NOW + DAY)))).json();
  expect([items[0].openRetries, items[0].overdueRetries, items[1].overdueRetries]).toEqual([2, 1, undefined]);
  expect(total.overdueRetries).toBe(2);
});

test('with a cap on calls the forecast has hours to collect for each day: for due, planned, waiting and polled attempts; without a cap none', async () => {
  await subscribe('sub_a');
  await createInDunning('sub_b', NOW + DAY);
  expect((await days()).map(({ hoursToCollect }) => hoursToCollect)).toEqual([null, null, null]);
  const hours = async () => (await days(1 / 60)).map(({ hoursToCollect }) => hoursToCollect);
  // The cap is sixty calls an hour: a first attempt takes five calls, a retry six.
  expect(await hours()).toEqual([0.09, 0.1, 0]);
  await createInDunning('sub_c', Date.parse(from) - 1);
  expect(await hours()).toEqual([0.19, 0.1, 0]);
  await admin.db.query(
    `insert into attempts (subscription_id, cycle, attempt, send, payment_id, amount, due_at, at, sending_real_at, owner, state)
         values ('sub_c', 0, 0, 0, 'pay_sub_c', 1999, $1, $2, now(), 'worker', 'sending')`,
    [toIso(NOW), toIso(NOW - HOUR - 1)],
  );
  await admin.db.query(`update attempts set state = 'pending', authorization_id = 'aut_1'`);
  // A pending authorization is polled once a minute, which takes the whole of this cap.
  expect(await hours()).toEqual([24.19, 0.29, 0]);
});

test('the forecast of a period without due dates still has every day', async () => {
  expect(await forecast('2028-02-28T00:00:00Z', '2028-03-02T00:00:00Z')).toEqual({
    days: [],
    total: [0, 0],
    length: 3,
  });
});

/** The first send of `sub_a`. */
const SEND = {
  subscriptionId: 'sub_a' as SubscriptionId,
  paymentId: 'pay_sub_a' as PaymentId,
  cycle: 0,
  attempt: 0,
  amount: euros(1999),
  dueAt: NOW,
  at: NOW,
  realAt: Date.UTC(2026, 10, 21, 9),
  knownIds: [],
  owner: 'worker-1',
};

test('the deadlines report the hours left in the collection and retry windows, the retries left, and what blocks an attempt', async () => {
  await subscribe('sub_a');
  await subscribe('sub_b');
  const { collectBy } = collectionWindow({ firstPaymentAt: NOW, repetition: 'MONTHLY', endAt: null }, 0);
  const sent = await beginSend(admin.db, { ...SEND, collectBy });
  expect(sent.kind).toBe('started');
  await admin.db.query(`update attempts set state = 'unknown', unknown_since_real = now()`);
  await admin.db.query(
    `update cycles set status = 'dunning', retries_left = 2, retry_until = $1, next_attempt_at = $2`,
    [toIso(NOW + 72 * HOUR), toIso(NOW + DAY)],
  );
  await patch('sub_b', `status = 'paused', stopped_by = 'pause'`);
  admin.clock.business = NOW + 30 * MINUTE + 1;
  const answer = await get('deadlines');
  expect(answer.json()).toEqual({
    items: [
      {
        subscriptionId: 'sub_a',
        cycle: 0,
        status: 'dunning',
        amount: { value: 1999, currency: 'EUR' },
        dueAt: '2027-01-31T12:00:00.000Z',
        deadline: '2027-02-03T12:00:00.000Z',
        hoursLeft: 71.49,
        collectBy: '2027-02-05T12:00:00.000Z',
        collectHoursLeft: 119.49,
        retryUntil: '2027-02-03T12:00:00.000Z',
        retryHoursLeft: 71.49,
        retriesLeft: 2,
        nextAttemptAt: '2027-02-01T12:00:00.000Z',
        attempts: 1,
        payer: { email: 'a***@example.com', reference: 'customer 17' },
        reference: 'customer 17',
        atRisk: { value: 1999, currency: 'EUR' },
        blockedBy: ['outcome_unknown'],
      },
      {
        subscriptionId: 'sub_b',
        cycle: 0,
        status: 'scheduled',
        amount: { value: 1999, currency: 'EUR' },
        dueAt: '2027-01-31T12:00:00.000Z',
        deadline: '2027-02-05T12:00:00.000Z',
        hoursLeft: 119.49,
        collectBy: '2027-02-05T12:00:00.000Z',
        collectHoursLeft: 119.49,
        attempts: 0,
        payer: { email: 'a***@example.com', reference: 'customer 17' },
        reference: 'customer 17',
        atRisk: { value: 1999, currency: 'EUR' },
        blockedBy: ['paused'],
      },
    ],
    nextCursor: null,
  });
});

test('the deadlines say in plain words why a cycle was last refused, and that no money is at risk while a retry is sent', async () => {
  await subscribe('sub_a');
  const send = { ...SEND, collectBy: NOW + 5 * DAY };
  expect(await beginSend(admin.db, send)).toMatchObject({ kind: 'started' });
  await admin.db.query(
    `update attempts set state = 'rejected_retryable', detail = 'AUTHORIZATION_REJECTION_RETRYABLE', outcome_at = now()`,
  );
  const lastRefusal =
    "The payer's bank refused the debit for now, for example for insufficient funds or a transaction limit.";
  const [atRisk, nothing] = [{ value: 1999 }, { value: 0 }];
  expect((await get('deadlines')).json()).toMatchObject({ items: [{ lastRefusal, atRisk }] });
  await admin.db.query(
    `insert into notices (notice_id, subscription_id, cycle, attempt, type, data, created_at, state, delivered_at,
         delivered_real_at, channel, evidence, next_try_real_at)
       values ('msg_1', 'sub_a', 0, 0, 'payment.failed', '{}', now(), 'delivered', $1, $1, 'webhook', '{}', null)`,
    [toIso(NOW)],
  );
  expect(await beginSend(admin.db, { ...send, attempt: 1, at: NOW + HOUR })).toMatchObject({ kind: 'started' });
  expect((await get('deadlines')).json()).toMatchObject({ items: [{ lastRefusal, atRisk: nothing }] });
});

test('the deadlines report 0 hours left once a window has ended, never a negative number', async () => {
  await subscribe('sub_a');
  const hours = async (now: Instant) => {
    admin.clock.business = now;
    return eachItems(await get('deadlines'), 'hoursLeft');
  };
  const over = NOW + 120 * HOUR;
  expect(await hours(NOW)).toEqual([120]);
  expect(await hours(over - 36_000)).toEqual([0.01]);
  expect(await hours(over - 1)).toEqual([0]);
  expect(await hours(over + 10 * HOUR)).toEqual([0]);
  expect(eachItems(await get('deadlines'), 'blockedBy')).toEqual([['time_over']]);
});

test('the deadlines are listed in pages, and refuse a cursor of another list', async () => {
  for (const id of ['sub_c', 'sub_a', 'sub_b']) await subscribe(id);
  const first = await get('deadlines?limit=2');
  expect(eachItems(first, 'subscriptionId')).toEqual(['sub_a', 'sub_b']);
  const { nextCursor } = first.json<{ nextCursor: string }>();
  const second = await get(`deadlines?limit=2&cursor=${nextCursor}`);
  expect(eachItems(second, 'subscriptionId')).toEqual(['sub_c']);
  expect(second.json()).toMatchObject({ nextCursor: null });
  const foreign = (await admin.call('GET', '/v1/subscriptions?limit=1')).json<{ nextCursor: string }>().nextCursor;
  for (const cursor of [foreign, 'x', `${nextCursor}A`]) {
    const refused = await get(`deadlines?cursor=${cursor}`);
    expect([refused.statusCode, faultPaths(refused)]).toEqual([400, ['cursor']]);
  }
});

test.each(['limit=0', 'limit=201', 'limit=x', 'limit=1.5', 'from=2027-01-01T00:00:00Z'])(
  'the report of deadlines refuses %s',
  async (query) => {
    const refused = await get(`deadlines?${query}`);
    expect([refused.statusCode, faultPaths(refused)]).toEqual([400, [query.split('=')[0]]]);
  },
);

test('the recovery report as CSV has a line for each item, amounts in cents and as decimals', async () => {
  await subscribe('sub_a');
  await cycle('sub_a', 0, NOW, 'failed');
  await admin.db.query(
    `insert into attempts (subscription_id, cycle, attempt, send, payment_id, amount, due_at, at, sending_real_at, owner, state)
     values ('sub_a', 0, 0, 0, 'pay_sub_a', 1999, $1, $1, now(), 'worker', 'sending')`,
    [toIso(NOW)],
  );
  await admin.db.query(`update attempts set state = 'rejected', detail = '=x', outcome_at = $1`, [toIso(NOW)]);
  const path = `/v1/reports/recovery?by=detail&${periodOf('2027-01-01T00:00:00Z', '2027-02-01T00:00:00Z')}`;
  const answer = await admin.call('GET', path, { role: 'viewer', headers: { accept: 'text/csv' } });
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
  const [header, line, end] = answer.body.split('\r\n');
  expect(header?.split(',').slice(0, 4)).toEqual([
    'detail',
    'firstAttemptCount',
    'firstAttemptAmount',
    'firstAttemptAmountDecimal',
  ]);
  expect(line).toBe(`'=x,0,0,0.00,0,0,0.00,0,0,0.00,1,1999,19.99,0,0,0.00,EUR,,`);
  expect(end).toBe('');
});

test('the recovery report and the advice on retries do not count refusals of debits that another system made', async () => {
  await subscribe('sub_a');
  await cycle('sub_a', 0, NOW, 'collected');
  for (const [send, adopted] of [
    [0, true],
    [1, false],
  ] as const) {
    await admin.db.query(
      `insert into attempts (subscription_id, cycle, attempt, send, payment_id, amount, due_at, at, sending_real_at, owner, adopted, state)
       values ('sub_a', 0, 0, $1, 'pay_sub_a', 1999, $3, $3, now(), 'worker', $2, 'sending')`,
      [send, adopted, toIso(NOW)],
    );
    await admin.db.query(
      `update attempts set state = $2, authorization_id = $3, outcome_at = $4 where send = $1`,
      adopted ? [send, 'rejected_retryable', null, toIso(NOW)] : [send, 'successful', 'aut_1', toIso(NOW + HOUR)],
    );
  }
  const period = periodOf('2027-01-01T00:00:00Z', '2027-02-01T00:00:00Z');
  const report = (await admin.call('GET', `/v1/reports/recovery?${period}`, { role: 'viewer' })).json<object>();
  expect(report).toMatchObject({ total: { firstAttempt: figure(1999, 1), recovered: NOTHING, hoursToRecover: null } });
  const advice = (await admin.call('GET', `/v1/reports/retry-advice?${period}`, { role: 'viewer' })).json<object>();
  expect(advice).toMatchObject({ refused: NOTHING });
});

const FROM = '2027-01-31T00:00:00Z';
const spanned = (days: number, ms = 0) => periodOf(FROM, toIso(Date.parse(FROM) + days * DAY + ms));

describe.each([
  ['collections', 3660],
  ['recovery', 3660],
  ['retry-advice', 3660],
  ['forecast', 366],
])('the period of %s', (report, days) => {
  test(`the period of a report is ${days} days at most, and a millisecond at least`, async () => {
    expect((await get(`${report}?${spanned(days)}`)).statusCode).toBe(200);
    expect((await get(`${report}?${spanned(0, 1)}`)).statusCode).toBe(200);
    const to = toIso(Date.parse(FROM) + days * DAY + 1);
    const long = await get(`${report}?${periodOf(FROM, to)}`);
    expect(long.statusCode).toBe(400);
    expect(faultsOf(long)).toEqual([
      { path: 'to', message: `expected a time at most ${days} days after from; got "${to}"` },
    ]);
  });
});

describe.each(['collections', 'forecast'])('the period of %s', (report) => {
  test.each<[string, string, string[]]>([
    ['no period', '', ['from', 'to']],
    ['no to', `from=${FROM}`, ['to']],
    ['no from', `to=${FROM}`, ['from']],
    ['to equal to from', periodOf(FROM, FROM), ['to']],
    ['to before from', periodOf(FROM, '2027-01-30T23:59:59.999Z'), ['to']],
    ['days without a time', 'from=2027-01-01&to=2027-02-01', ['from', 'to']],
    ['times without an offset', 'from=2027-01-01T00:00:00&to=2027-02-01T00:00:00Z', ['from']],
    ['a day that does not exist', periodOf('2027-02-29T00:00:00Z', '2027-03-01T00:00:00Z'), ['from']],
    ['a time past year 9999', periodOf(FROM, '9999-12-31T23:59:59.999-00:01'), ['to']],
    ['from given twice', `${spanned(1)}&from=${FROM}`, ['from']],
    ['an unknown field', `${spanned(1)}&status=active`, ['status']],
    ['a cursor', `${spanned(1)}&cursor=x`, ['cursor']],
  ])('a report with %s is refused, naming the fields', async (_what, query, paths) => {
    const refused = await get(`${report}?${query}`);
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({ code: 'invalid_request' });
    expect(faultPaths(refused).sort()).toEqual(paths);
  });

  test('a report of a period that ends with the last representable instant is answered', async () => {
    const answer = await get(`${report}?${periodOf('9999-12-31T00:00:00Z', '9999-12-31T23:59:59.999Z')}`);
    expect(eachItems(answer, 'day')).toEqual(['9999-12-31']);
  });
});

describe.each([
  `collections?${periodOf('2027-01-01T00:00:00Z', '2027-02-01T00:00:00Z')}`,
  `forecast?${periodOf('2027-01-01T00:00:00Z', '2027-02-01T00:00:00Z')}`,
  'deadlines',
])('the report %s', (path) => {
  test.each(['viewer', 'operator', 'admin'] as const)('a report can be read with a key of role %s', async (role) => {
    expect((await admin.call('GET', `/v1/reports/${path}`, { role })).statusCode).toBe(200);
  });

  test('a report cannot be read without a key', async () => {
    const refused = await admin.app.inject({ method: 'GET', url: `/v1/reports/${path}` });
    expect(refused.json()).toMatchObject({ status: 401, code: 'unauthenticated' });
  });
});
