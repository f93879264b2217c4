import { blockersOf } from '../../src/domain/reports/forecast';
import { collectionWindow, type Repetition } from '../../src/domain/subscription/schedule';
import { DAY, HOUR, type Instant, MINUTE, toIso } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { CycleRecordPatch } from '../../src/ledger/rows/change';
import type { NoticeId } from '../../src/domain/ids';
import {
  applyChange,
  deadlineCursor,
  haltSending,
  liftHalt,
  listDeadlines,
  type OpenCycleRecord,
  recordDelivery,
  steer,
} from '../../src/ledger';
import {
  COLLECT_BY,
  DUE,
  NOW,
  REAL_NOW,
  sendOf,
  settle,
  startDebit,
  subscribe,
  type Subscribed,
  useLedger,
  noticesOf,
} from './ledger-fixture';

const ledger = useLedger();
afterEach(() =>
  ledger.pool.query(
    `alter table attempts disable trigger user;
     delete from notices; delete from attempts; delete from cycles; delete from changes; delete from subscriptions;
     alter table attempts enable trigger user`,
  ),
);

function patch(given: Subscribed, assignments: string): Promise<unknown> {
  return ledger.pool.query(`update subscriptions set ${assignments} where subscription_id = $1`, [
    given.subscriptionId,
  ]);
}

let changes = 0;

async function change(given: Subscribed, cycle: Partial<CycleRecordPatch>, notified?: number): Promise<NoticeId[]> {
  changes += 1;
  const before = await noticesOf(ledger.pool, given.subscriptionId);
  await applyChange(ledger.pool, {
    subscriptionId: given.subscriptionId,
    key: `change ${changes}`,
    at: NOW + HOUR,
    actor: 'dueday',
    events: [],
    cycle: { cycle: 0, dueAt: DUE, collectBy: COLLECT_BY, amount: euros(1999), status: 'collecting', ...cycle },
    ...(notified === undefined
      ? {}
      : { notices: [{ type: 'payment.failed', cycle: cycle.cycle ?? 0, attempt: notified, data: {} }] }),
  });
  const after = await noticesOf(ledger.pool, given.subscriptionId);
  return after.filter((id) => !before.includes(id));
}

async function board(now: Instant = DUE + HOUR): Promise<readonly OpenCycleRecord[]> {
  return (await listDeadlines(ledger.pool, now, { limit: 200, cursor: null })).items;
}

async function only(now?: Instant): Promise<OpenCycleRecord> {
  const [record, ...more] = await board(now);
  if (record === undefined || more.length > 0) throw new Error(`not one open cycle, but ${more.length + 1}`);
  return record;
}

const blockers = async (now = DUE + HOUR) => blockersOf(await only(now), now);

test('a postponed cycle keeps its deadline, and shows when it is first tried', async () => {
  const given = await subscribe(ledger.pool);
  const until = DUE + DAY;
  const by = { actor: 'ada', reason: null, cycle: 0, until };
  await steer(ledger.pool, 'postpone', given.subscriptionId, by, { at: DUE - HOUR, realAt: DUE - HOUR });
  expect(await only(DUE)).toMatchObject({
    ...{ cycle: 0, status: 'scheduled', deadline: COLLECT_BY, nextAttemptAt: until, postponedUntil: until },
  });
});

test('an untried cycle is in the deadlines report from its due date on', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  expect(await board(DUE - 1)).toEqual([]);
  expect(await board(DUE)).toEqual([
    {
      subscriptionId,
      cycle: 0,
      dueAt: DUE,
      collectBy: COLLECT_BY,
      amount: euros(1999),
      status: 'scheduled',
      nextAttemptAt: null,
      postponedUntil: null,
      retryUntil: null,
      retriesLeft: 0,
      deadline: COLLECT_BY,
      stoppedBy: null,
      attempts: 0,
      lastSend: null,
      notice: null,
      isOtherUnknown: false,
      isHalted: false,
      heldUntil: null,
      payer: { name: 'Ada Example', email: 'ada@example.org', reference: 'customer-7', language: null },
      refusedWith: null,
      isCollecting: false,
    },
  ]);
});

test.each<[Repetition, number]>([
  ['WEEKLY', 0],
  ['WEEKLY', 5],
  ['MONTHLY', 1],
  ['YEARLY', 3],
])('an untried cycle has the number and window of the %s calendar after %i cycles', async (repetition, n) => {
  const given = await subscribe(ledger.pool, { repetition });
  const window = collectionWindow({ firstPaymentAt: DUE, repetition, endAt: null }, n);
  await patch(given, `next_due_at = '${toIso(window.dueAt)}'`);
  expect(await only(window.dueAt)).toMatchObject({ cycle: n, ...window });
});

test.each([120 * HOUR - 1, 120 * HOUR, 120 * HOUR + 1])(
  'the deadlines report gives an untried cycle the window of its calendar if endAt is %i ms after the due date',
  async (after) => {
    const calendar = { firstPaymentAt: DUE, repetition: 'MONTHLY', endAt: DUE + after } as const;
    await subscribe(ledger.pool, calendar);
    expect((await only()).collectBy).toBe(collectionWindow(calendar, 0).collectBy);
  },
);

test.each(['cancelled', 'completed', 'pending_consent', 'draft'])(
  'a cycle of a %s subscription is not open',
  async (status) => {
    await patch(await subscribe(ledger.pool), `status = '${status}'`);
    expect(await board()).toEqual([]);
  },
);

test('a pause or a cancellation stops an untried cycle', async () => {
  const given = await subscribe(ledger.pool);
  await patch(given, `status = 'paused', stopped_by = 'pause'`);
  expect(await blockers()).toEqual(['paused']);
  await patch(given, `status = 'active', stopped_by = 'cancel'`);
  expect(await blockers()).toEqual(['cancelling']);
});

test('a halt blocks an untried cycle until it is lifted', async () => {
  await subscribe(ledger.pool);
  const order = { actor: 'ada', at: NOW, reason: 'the bank is closed' };
  await haltSending(ledger.pool, order);
  expect(await blockers()).toEqual(['halted']);
  await liftHalt(ledger.pool, order);
  expect(await blockers()).toEqual([]);
});

test('an untried cycle stays in the deadlines report after its window until dueday closes the cycle', async () => {
  const given = await subscribe(ledger.pool);
  expect(await blockers(COLLECT_BY - 1)).toEqual([]);
  expect(await blockers(COLLECT_BY)).toEqual(['time_over']);
  await change(given, { status: 'missed' });
  expect(await board(COLLECT_BY)).toEqual([]);
});

test.each([
  ['pending', ['pending_at_service']],
  ['unknown', ['outcome_unknown']],
  ['unresolved', ['outcome_unresolved']],
  ['not_sent', ['not_sent']],
  ['capture_failed', ['capture_failed']],
  ['rejected_retryable', ['notice_undelivered']],
] as const)(
  'a tried cycle whose last send is %s is in the deadlines report once, with what blocks it',
  async (state, expected) => {
    const given = await subscribe(ledger.pool);
    const ref = await startDebit(ledger.pool, sendOf(given));
    expect(await only()).toMatchObject({ status: 'collecting', attempts: 1, lastSend: 'sending', cycle: 0 });
    expect(await blockers()).toEqual(['awaiting_answer']);
    await settle(ledger.pool, ref, state);
    expect(await blockers()).toEqual(expected);
  },
);

test('a tried cycle shows the state of its last send; a fresh send is the same attempt', async () => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'not_sent');
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'rejected_retryable');
  expect(await only()).toMatchObject({ attempts: 1, lastSend: 'rejected_retryable' });
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given, { attempt: 1 })), 'pending');
  expect(await only()).toMatchObject({ attempts: 2, lastSend: 'pending' });
});

test.each([
  ['pending', true],
  ['unknown', false],
  ['not_sent', false],
  ['rejected_retryable', false],
  ['capture_failed', false],
] as const)('a cycle whose send is %s is being collected, or was collected: %s', async (state, isCollecting) => {
  const given = await subscribe(ledger.pool);
  const ref = await startDebit(ledger.pool, sendOf(given));
  expect(await only()).toMatchObject({ isCollecting: true });
  await settle(ledger.pool, ref, state);
  expect(await only()).toMatchObject({ isCollecting });
});

test('a tried cycle shows the code of its last refusal, and none before the first', async () => {
  const given = await subscribe(ledger.pool);
  const first = await startDebit(ledger.pool, sendOf(given));
  expect(await only()).toMatchObject({ refusedWith: null });
  await settle(ledger.pool, first, 'rejected_retryable');
  expect(await only()).toMatchObject({ refusedWith: 'AUTHORIZATION_REJECTION_RETRYABLE' });
  const second = await startDebit(ledger.pool, sendOf(given, { attempt: 1 }));
  expect(await only()).toMatchObject({ refusedWith: 'AUTHORIZATION_REJECTION_RETRYABLE' });
  await settle(ledger.pool, second, 'capture_failed');
  expect(await only()).toMatchObject({ refusedWith: 'CAPTURE_FAILED' });
});

test('a cycle in dunning is blocked only by an undelivered notice about its last rejection', async () => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'rejected_retryable');
  const retryUntil = NOW + 72 * HOUR;
  const dunning = { status: 'dunning', nextAttemptAt: NOW + DAY, retriesLeft: 3, retryUntil } as const;
  const [first] = await change(given, dunning, 0);
  expect(await only()).toMatchObject({ ...dunning, deadline: retryUntil, collectBy: COLLECT_BY, notice: 'pending' });
  expect(await blockers()).toEqual(['notice_undelivered']);
  await deliver(first!);
  expect(await blockers()).toEqual([]);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given, { attempt: 1 })), 'rejected_retryable');
  expect(await blockers()).toEqual(['notice_undelivered']);
  const [second] = await change(given, { ...dunning, retriesLeft: 2 }, 1);
  await recordDelivery(ledger.pool, second!, { kind: 'undeliverable', at: NOW + HOUR, error: 'gone' });
  expect(await blockers()).toEqual(['notice_undeliverable']);
});

test('the deadline of a cycle is the end of its window, or the limit of its retries if that is earlier', async () => {
  const given = await subscribe(ledger.pool);
  await change(given, { status: 'dunning', retryUntil: COLLECT_BY - 1 });
  expect((await only()).deadline).toBe(COLLECT_BY - 1);
  await change(given, { status: 'dunning', retryUntil: COLLECT_BY + 1 });
  expect((await only()).deadline).toBe(COLLECT_BY);
});

test.each(['collected', 'failed', 'skipped', 'missed'] as const)(
  'a cycle is not open once it is %s',
  async (status) => {
    await change(await subscribe(ledger.pool), { status });
    expect(await board()).toEqual([]);
  },
);

test('a cycle with an unknown outcome blocks only the next cycle of its own subscription', async () => {
  const [given, other] = [await subscribe(ledger.pool, { repetition: 'WEEKLY' }), await subscribe(ledger.pool)];
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'unknown');
  const next = DUE + 7 * DAY;
  await patch(given, `next_due_at = '${toIso(next)}'`);
  const open = await board(next);
  const blocked = open.map(({ subscriptionId, cycle, isOtherUnknown }) => [subscriptionId, cycle, isOtherUnknown]);
  expect(blocked).toHaveLength(3);
  expect(blocked).toContainEqual([given.subscriptionId, 0, false]);
  expect(blocked).toContainEqual([given.subscriptionId, 1, true]);
  expect(blocked).toContainEqual([other.subscriptionId, 0, false]);
});

test('the deadlines report lists tried and untried cycles by deadline, in pages that contain each cycle once', async () => {
  const wanted: [Instant, string][] = [];
  for (let n = 0; n < 4; n += 1) {
    const untried = await subscribe(ledger.pool, { firstPaymentAt: DUE + 2 * n });
    await patch(untried, `next_due_at = '${toIso(DUE + 2 * n)}'`);
    wanted.push([COLLECT_BY + 2 * n, untried.subscriptionId]);
    const tried = await subscribe(ledger.pool);
    await change(tried, { collectBy: COLLECT_BY + 3 * n });
    wanted.push([COLLECT_BY + 3 * n, tried.subscriptionId]);
  }
  wanted.sort(([a, x], [b, y]) => a - b || (x < y ? -1 : 1));
  for (const limit of [1, 3, 8, 200]) expect(await inPages(limit)).toEqual(wanted);
});

test('the deadlines report omits no cycle if deadlines are equal', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.push((await subscribe(ledger.pool)).subscriptionId);
  expect((await inPages(2)).map(([, id]) => id)).toEqual(ids.sort());
});

async function inPages(limit: number): Promise<[Instant, string][]> {
  const found: [Instant, string][] = [];
  let cursor: string | null = null;
  do {
    const page = await listDeadlines(ledger.pool, DUE + HOUR, { limit, cursor });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    found.push(...page.items.map((each): [Instant, string] => [each.deadline, each.subscriptionId]));
    cursor = page.nextCursor;
    if (cursor !== null) expect(deadlineCursor.is(cursor)).toBe(true);
  } while (cursor !== null);
  return found;
}

test.each([[[1]], [[1, 'a']], [[1, 'a', -1]], [[1, 'a', 8.64e15]], [[1, 'a\0', 1]], [['1', 'a', 1]], [[1, 'a', 1, 1]]])(
  'the deadlines report refuses the cursor of another list: %j',
  (place) => {
    expect(deadlineCursor.is(Buffer.from(JSON.stringify(place)).toString('base64url'))).toBe(false);
  },
);

async function deliver(noticeId: NoticeId): Promise<void> {
  await recordDelivery(ledger.pool, noticeId, {
    kind: 'delivered',
    at: NOW + HOUR + MINUTE,
    realAt: REAL_NOW,
    channel: 'webhook',
    evidence: { status: 200 },
  });
}
