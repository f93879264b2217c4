import { DAY, HOUR, type Instant, MINUTE, toIso } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { CycleRecordPatch } from '../../src/ledger/rows/change';
import { applyChange, haltSending, readToday, type Today, type TodayFigure } from '../../src/ledger';
import {
  COLLECT_BY,
  DUE,
  NOW,
  sendOf,
  settle,
  startDebit,
  subscribe,
  type Subscribed,
  useLedger,
} from './ledger-fixture';

const ledger = useLedger();
afterEach(() =>
  ledger.pool.query(
    `alter table attempts disable trigger user;
     delete from halt; delete from attention_items; delete from notices; delete from attempts; delete from cycles;
     delete from changes; delete from subscriptions;
     alter table attempts enable trigger user`,
  ),
);

/** The UTC day of {@link NOW}. */
const TODAY = { from: Date.UTC(2027, 0, 31), to: Date.UTC(2027, 1, 1) };

const today = (now: Instant = NOW): Promise<Today> => readToday(ledger.pool, now, TODAY);

/** One figure of the day as `count amount`. */
async function figure(name: TodayFigure, now?: Instant): Promise<string> {
  const { count, amount } = (await today(now)).figures[name];
  return `${count} ${amount.value}`;
}

function patch(given: Subscribed, assignments: string): Promise<unknown> {
  return ledger.pool.query(`update subscriptions set ${assignments} where subscription_id = $1`, [
    given.subscriptionId,
  ]);
}

let changes = 0;

async function cycle(given: Subscribed, fields: Partial<CycleRecordPatch>): Promise<void> {
  changes += 1;
  await applyChange(ledger.pool, {
    subscriptionId: given.subscriptionId,
    key: `change ${changes}`,
    at: NOW,
    actor: 'dueday',
    events: [],
    cycle: { cycle: 0, dueAt: DUE, collectBy: COLLECT_BY, amount: euros(1999), status: 'collecting', ...fields },
  });
}

test('a ledger without subscriptions has a day of zeros, no success rate and no halt', async () => {
  const nothing = { count: 0, amount: euros(0) };
  expect(await today()).toEqual({
    figures: {
      needsAttention: nothing,
      atRisk: nothing,
      inRetry: nothing,
      pastDue: nothing,
      pastDueInAttention: nothing,
      refusedToday: nothing,
      collectedToday: nothing,
      dueToday: nothing,
    },
    successRate: { last7Days: null, previous7Days: null },
    halted: null,
  });
});

test.each<[string, Instant, string]>([
  ['is not at risk a millisecond before the last 24 hours of its window', COLLECT_BY - DAY - 1, '0 0'],
  ['is at risk 24 hours before its deadline', COLLECT_BY - DAY, '1 1999'],
  ['is at risk a millisecond before its deadline', COLLECT_BY - 1, '1 1999'],
  ['is no longer at risk at its deadline', COLLECT_BY, '0 0'],
])('a cycle %s, tried or not', async (_when, now, expected) => {
  const given = await subscribe(ledger.pool);
  expect(await figure('atRisk', now)).toBe(expected);
  await cycle(given, { status: 'dunning' });
  expect(await figure('atRisk', now)).toBe(expected);
});

test.each<[number, string]>([
  [-1, '0 0'],
  [0, '1 1999'],
])(
  'a cycle is at risk by the end of the subscription, if that cuts the window: %i ms after the last 24 hours begin',
  async (ms, expected) => {
    await subscribe(ledger.pool, { endAt: DUE + 2 * DAY });
    expect(await figure('atRisk', DUE + DAY + ms)).toBe(expected);
    expect(await figure('atRisk', DUE + 2 * DAY)).toBe('0 0');
  },
);

test('a cycle is at risk by the end of the time for retries, if that comes first', async () => {
  await cycle(await subscribe(ledger.pool), { status: 'dunning', retryUntil: NOW + DAY });
  expect(await figure('atRisk', NOW - 1)).toBe('0 0');
  expect(await figure('atRisk', NOW)).toBe('1 1999');
});

test.each([
  ['pending', '0 0'],
  ['unknown', '1 1999'],
  ['not_sent', '1 1999'],
  ['rejected_retryable', '1 1999'],
] as const)(
  'a cycle near the end of its window with a send that is %s counts as at risk: %s',
  async (state, expected) => {
    const ref = await startDebit(ledger.pool, sendOf(await subscribe(ledger.pool)));
    expect(await figure('atRisk', COLLECT_BY - 1)).toBe('0 0');
    await settle(ledger.pool, ref, state);
    await ledger.pool.query(`update cycles set status = 'dunning', retry_until = null`);
    expect(await figure('atRisk', COLLECT_BY - 1)).toBe(expected);
  },
);

test('a cycle is in retry while its status is dunning', async () => {
  const given = await subscribe(ledger.pool);
  await cycle(given, { status: 'collecting' });
  expect(await figure('inRetry')).toBe('0 0');
  await cycle(given, { status: 'dunning' });
  expect(await figure('inRetry')).toBe('1 1999');
});

const next = { cycle: 1, dueAt: DUE + 7 * DAY, collectBy: DUE + 12 * DAY };

test.each([
  ['failed', '1 1999'],
  ['missed', '1 1999'],
  ['skipped', '0 0'],
  ['collected', '0 0'],
] as const)('a subscription whose last due cycle is %s counts as past due: %s', async (status, expected) => {
  const given = await subscribe(ledger.pool);
  await patch(given, 'past_due = true');
  await cycle(given, { status });
  expect(await figure('pastDue')).toBe(expected);
});

test('a past-due subscription that needs attention is also counted separately', async () => {
  for (const isIll of [true, false]) {
    const given = await subscribe(ledger.pool);
    await cycle(given, { status: 'failed' });
    await patch(given, `past_due = true, needs_attention = ${isIll}`);
  }
  expect([await figure('pastDue'), await figure('pastDueInAttention')]).toEqual(['2 3998', '1 1999']);
});

test('only the last due cycle of a subscription decides whether it counts as past due', async () => {
  const given = await subscribe(ledger.pool);
  await patch(given, 'past_due = true');
  await cycle(given, { status: 'failed' });
  await cycle(given, { ...next, status: 'skipped' });
  expect(await figure('pastDue', next.dueAt - 1)).toBe('1 1999');
  expect(await figure('pastDue', next.dueAt)).toBe('0 0');
});

test.each(['cancelled', 'completed'])('a subscription no longer counts as past due once it is %s', async (status) => {
  const given = await subscribe(ledger.pool);
  await cycle(given, { status: 'failed' });
  await patch(given, `past_due = true, status = '${status}'`);
  expect(await figure('pastDue')).toBe('0 0');
});

async function refused(at: Instant): Promise<string> {
  const ref = await startDebit(ledger.pool, sendOf(await subscribe(ledger.pool)));
  await settle(ledger.pool, ref, 'rejected_retryable', at);
  return figure('refusedToday');
}

test.each<[Instant, string]>([
  [TODAY.from - 1, '0 0'],
  [TODAY.from, '1 1999'],
  [TODAY.to - 1, '1 1999'],
  [TODAY.to, '0 0'],
])(
  'refusals of today are counted by the time of the refusal, the end of the day excluded: %i',
  async (at, expected) => {
    expect(await refused(at)).toBe(expected);
  },
);

test('refusals of today count a cycle once, even if it is refused twice', async () => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'rejected_retryable');
  const retry = sendOf(given, { attempt: 1, at: NOW + 7 * HOUR });
  await settle(ledger.pool, await startDebit(ledger.pool, retry), 'rejected_retryable', NOW + 7 * HOUR);
  expect(await figure('refusedToday')).toBe('1 1999');
});

test.each<[Instant, string]>([
  [TODAY.from - 1, '0 0'],
  [TODAY.from, '1 1999'],
  [TODAY.to - 1, '1 1999'],
  [TODAY.to, '0 0'],
])(
  'collections of today are counted by the time of the debit, the end of the day excluded: %i',
  async (at, expected) => {
    await settle(ledger.pool, await startDebit(ledger.pool, sendOf(await subscribe(ledger.pool))), 'successful', at);
    expect(await figure('collectedToday')).toBe(expected);
  },
);

test.each<[Instant, string]>([
  [TODAY.from - 1, '0 0'],
  [TODAY.from, '1 1999'],
  [TODAY.to - 1, '1 1999'],
  [TODAY.to, '0 0'],
])(
  'cycles due today are counted by due date, tried or not, the end of the day excluded: %i',
  async (dueAt, expected) => {
    const given = await subscribe(ledger.pool);
    await patch(given, `next_due_at = '${toIso(dueAt)}'`);
    expect(await figure('dueToday')).toBe(expected);
    await cycle(given, { status: 'failed', dueAt, collectBy: dueAt + 5 * DAY });
    await patch(given, `next_due_at = '${toIso(DUE + 60 * DAY)}'`);
    expect(await figure('dueToday')).toBe(expected);
  },
);

test('cycles due today count once while they are collected, at the frozen amount', async () => {
  const given = await subscribe(ledger.pool);
  await startDebit(ledger.pool, sendOf(given));
  await patch(given, 'amount = 2500');
  expect(await figure('dueToday')).toBe('1 1999');
});

test('cycles still due today exclude dates in a pause and subscriptions that are being cancelled', async () => {
  const before = DUE - MINUTE;
  const given = await subscribe(ledger.pool);
  expect(await figure('dueToday', before)).toBe('1 1999');
  await patch(given, `status = 'paused', paused_until = '${toIso(DUE + 1)}'`);
  expect(await figure('dueToday', before)).toBe('0 0');
  await patch(given, `paused_until = '${toIso(DUE)}'`);
  expect(await figure('dueToday', before)).toBe('1 1999');
  await patch(given, `status = 'active', stopped_by = 'cancel'`);
  expect(await figure('dueToday', before)).toBe('0 0');
});

test('the success rate is the share of the answered attempts that succeeded, in two weeks that do not overlap', async () => {
  const answered = async (state: 'successful' | 'rejected' | 'unknown', at: Instant) =>
    settle(ledger.pool, await startDebit(ledger.pool, sendOf(await subscribe(ledger.pool))), state, at);
  for (let n = 0; n < 3; n += 1) await answered('successful', NOW - 1);
  await answered('rejected', NOW - 7 * DAY);
  await answered('unknown', NOW - 1);
  await answered('successful', NOW - 7 * DAY - 1);
  await answered('rejected', NOW - 14 * DAY);
  await answered('rejected', NOW - 14 * DAY - 1);
  await answered('rejected', NOW);
  expect((await today()).successRate).toEqual({ last7Days: 0.75, previous7Days: 0.5 });
});

test('the attention figure of the day counts the open items, with the money that they concern', async () => {
  const item = (id: string, source: string, amount: number | null, rest = '') =>
    ledger.pool.query(
      `insert into attention_items (item_id, source, kind, since, amount ${rest === '' ? '' : `, ${rest}`})
       values ($1, $2, 'unresolved', now(), $3 ${rest === '' ? '' : ', $4'})`,
      [id, source, amount, ...(rest === '' ? [] : [rest === 'folded_into' ? 'one' : toIso(NOW)])],
    );
  await item('one', 'standing', 500);
  await item('two', 'payment', null);
  await item('closed', 'standing', 500, 'closed_real_at');
  await item('folded', 'standing', 500, 'folded_into');
  await item('halt', 'halt', null);
  expect(await figure('needsAttention')).toBe('2 500');
});

test('a halt is shown with its time, its author and its reason', async () => {
  await haltSending(ledger.pool, { actor: 'ada', at: NOW, reason: 'the bank is closed' });
  expect((await today()).halted).toEqual({ since: NOW, by: 'ada', reason: 'the bank is closed' });
});
