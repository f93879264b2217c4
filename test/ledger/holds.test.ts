import { randomUUID } from 'node:crypto';
import { DAY, HOUR, type Instant, MINUTE, toIso } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { nextStep } from '../../src/domain/subscription/next-step';
import {
  beginSend,
  beginSendIfUnchanged,
  createHold,
  followHolds,
  type HoldRecord,
  liftHold,
  listEvents,
  listHolds,
  listUnacknowledged,
  type NewHold,
  precheckAttempt,
  readHold,
  readState,
  releaseHold,
  surveyAttempt,
} from '../../src/ledger';
import { BEGIN_SENDING } from '../../src/ledger/halt/halt';
import {
  askConsent,
  COLLECT_BY,
  count,
  DUE,
  notify,
  NOW,
  sendOf,
  settle,
  startDebit,
  subscribe,
  type Subscribed,
  useLedger,
  waitForLock,
} from './ledger-fixture';

const ledger = useLedger();
afterEach(() => ledger.pool.query('delete from holds'));

/** When sending ends: the transit margin before the end of the window. */
const SEND_BY = COLLECT_BY - MINUTE;

const UNTIL = NOW + HOUR;

/** Holds one subscription, unless the changes have another filter. */
function order({ subscriptionId }: Subscribed, changes: Partial<NewHold> = {}): NewHold {
  const holdId = `hold_${randomUUID().replaceAll('-', '')}`;
  return { actor: 'ada', at: NOW, holdId, filter: { q: subscriptionId }, until: UNTIL, reason: 'outage', ...changes };
}

async function hold(given: Subscribed, changes: Partial<NewHold> = {}): Promise<HoldRecord> {
  const result = await createHold(ledger.pool, order(given, changes));
  if (result.kind !== 'created' || !result.isSettled) throw new Error(`no hold, but ${JSON.stringify(result)}`);
  return result.hold;
}

/** Lifts a hold as the admin API does. */
async function lift({ holdId }: HoldRecord, at: Instant = NOW + MINUTE) {
  const hold = await liftHold(ledger.pool, { actor: 'bob', at, holdId, reason: 'over' });
  return { hold, waiting: await releaseHold(ledger.pool, holdId, at) };
}

async function entries(type: string, { subscriptionId }: Partial<Subscribed> = {}) {
  return (await listEvents(ledger.pool, { type, subscriptionId }, { limit: 100, cursor: null })).items;
}

const openItems = async ({ holdId }: HoldRecord) =>
  (
    await ledger.pool.query<{ deadline: Instant; ledger: { at: string; id: string } }>(
      `select deadline, ledger from attention_items
       where kind = 'hold_loses_windows' and closed_real_at is null and ledger ->> 'id' = $1`,
      [holdId],
    )
  ).rows;

test.each([
  ['a millisecond before the end of the hold writes no send', UNTIL - 1, 'stopped'],
  ['at the end of the hold writes the send', UNTIL, 'started'],
])('the guard of a send: %s', async (_, at, outcome) => {
  const given = await subscribe(ledger.pool);
  await hold(given);
  expect(await precheckAttempt(ledger.pool, sendOf(given), at)).toMatchObject({ isStopped: outcome === 'stopped' });
  expect((await beginSend(ledger.pool, sendOf(given, { at }))).kind).toBe(outcome);
  const sends = outcome === 'stopped' ? 0 : 1;
  expect(await count(ledger.pool, 'attempts', given.subscriptionId)).toBe(sends);
});

test.each([
  [-1, 'stopped'],
  [0, 'started'],
])('a retry is held until the end of the hold, here %p ms from it', async (offset, outcome) => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'rejected_retryable');
  await notify(ledger.pool, given);
  await hold(given);
  const retry = sendOf(given, { attempt: 1, at: UNTIL + offset });
  expect((await beginSend(ledger.pool, retry)).kind).toBe(outcome);
});

test('a hold that is created after a worker has read the facts also stops a send that is checked and written in one statement', async () => {
  const given = await subscribe(ledger.pool);
  const judged = await surveyAttempt(ledger.pool, { ...given, cycle: 0, attempt: 0 }, NOW);
  if (judged === null) throw new Error('the ledger has no such subscription');
  await hold(given);
  expect(await beginSendIfUnchanged(ledger.pool, sendOf(given), judged)).toBeNull();
  expect(await count(ledger.pool, 'attempts', given.subscriptionId)).toBe(0);
});

test('a subscription in two holds is held until the later end, or until the hold with that end is lifted', async () => {
  const given = await subscribe(ledger.pool);
  const [, later] = [await hold(given), await hold(given, { until: UNTIL + HOUR })];
  expect(await beginSend(ledger.pool, sendOf(given, { at: UNTIL }))).toEqual({ kind: 'stopped' });
  await lift(later);
  expect(await beginSend(ledger.pool, sendOf(given, { at: UNTIL - 1 }))).toEqual({ kind: 'stopped' });
  expect((await beginSend(ledger.pool, sendOf(given, { at: UNTIL }))).kind).toBe('started');
});

test('a send committed before the hold stays, and its outcome is recorded', async () => {
  const given = await subscribe(ledger.pool);
  const sent = await startDebit(ledger.pool, sendOf(given));
  await hold(given);
  await settle(ledger.pool, sent, 'pending');
  expect(await count(ledger.pool, 'attempts', given.subscriptionId)).toBe(1);
});

test('once the creation of a hold has returned, nothing is sent for its subscriptions, in ten rounds', async () => {
  for (let round = 0; round < 10; round += 1) {
    const given = await subscribe(ledger.pool);
    const sends = () => count(ledger.pool, 'attempts', given.subscriptionId);
    const [, atAnswer] = await Promise.all([beginSend(ledger.pool, sendOf(given)), hold(given).then(sends)]);
    expect(await sends()).toBe(atAnswer);
  }
});

test('a hold waits for a send that started before it, while no later one of its subscriptions starts', async () => {
  const given = await subscribe(ledger.pool);
  const client = await ledger.pool.connect();
  await client.query(BEGIN_SENDING);
  let isAnswered = false;
  const holding = hold(given).finally(() => (isAnswered = true));
  await waitForLock(ledger.pool);
  const later = beginSend(ledger.pool, sendOf(given));
  expect(isAnswered).toBe(false);
  await client.query('commit');
  client.release();
  await holding;
  expect(await later).toEqual({ kind: 'stopped' });
});

test('a hold does not wait indefinitely for an earlier send; repeated, the same hold waits again', async () => {
  const given = await subscribe(ledger.pool);
  const client = await ledger.pool.connect();
  await client.query(BEGIN_SENDING);
  const wanted = order(given);
  expect(await createHold(ledger.pool, wanted, 50)).toMatchObject({ kind: 'created', isSettled: false });
  await client.query('commit');
  client.release();
  const { holdId } = wanted;
  expect(await createHold(ledger.pool, wanted, 5_000)).toMatchObject({
    isSettled: true,
    hold: { holdId, matched: 1 },
  });
  expect(await entries('subscription.held', given)).toHaveLength(1);
});

test('a hold applies to the subscriptions that its filter matches at its creation and that have not ended, and to none created later', async () => {
  const startAt = NOW - 7 * DAY;
  const given = await subscribe(ledger.pool, { startAt, createdAt: NOW - 40 * DAY });
  const filter = { createdTo: NOW - 39 * DAY };
  await askConsent(ledger.pool, { createdAt: NOW - 40 * DAY });
  const ended = await subscribe(ledger.pool, { createdAt: NOW - 40 * DAY });
  await ledger.pool.query(`update subscriptions set status = 'completed' where subscription_id = $1`, [
    ended.subscriptionId,
  ]);
  expect(await hold(given, { filter })).toMatchObject({ matched: 2, filter, heldBy: 'ada', endedAt: null });
  const later = await subscribe(ledger.pool, { createdAt: NOW - 40 * DAY });
  expect((await beginSend(ledger.pool, sendOf(later))).kind).toBe('started');
  expect(await beginSend(ledger.pool, sendOf(given))).toEqual({ kind: 'stopped' });
});

test('the audit log has an entry of the hold and one of each subscription, with the rule', async () => {
  const given = await subscribe(ledger.pool);
  const { holdId } = await hold(given);
  const data = { holdId, until: toIso(UNTIL) };
  expect((await entries('hold.created'))[0]).toMatchObject({
    actor: 'ada',
    data: { ...data, matched: 1, reason: 'outage' },
  });
  expect(await entries('subscription.held', given)).toMatchObject([{ actor: 'ada', data, rule: { decision: 16 } }]);
});

test('a hold whose filter matches nothing is created, and holds nothing', async () => {
  const given = await subscribe(ledger.pool);
  expect(await hold(given, { filter: { q: 'nobody-at-all' } })).toMatchObject({
    matched: 0,
    firstWindowLostAt: null,
  });
  expect((await beginSend(ledger.pool, sendOf(given))).kind).toBe('started');
});

const stepAt = async ({ subscriptionId }: Subscribed, at: Instant) =>
  nextStep(await readState(ledger.pool, subscriptionId, at), at);

test('once a hold is lifted, a due cycle is sent at once, and its workflow must be notified', async () => {
  const given = await subscribe(ledger.pool);
  const held = await hold(given);
  expect(await stepAt(given, NOW)).toEqual({ kind: 'wait', until: UNTIL, why: 'on_hold' });
  const row = { subscriptionId: given.subscriptionId, revision: 1 };
  expect(await lift(held)).toMatchObject({
    hold: { endedAt: NOW + MINUTE, liftedBy: 'bob' },
    waiting: [row],
  });
  expect(await listUnacknowledged(ledger.pool, '', 1000)).toContainEqual(row);
  expect(await stepAt(given, NOW + MINUTE)).toMatchObject({ kind: 'collect' });
  expect((await beginSend(ledger.pool, sendOf(given, { at: NOW + MINUTE }))).kind).toBe('started');
  expect(await entries('subscription.hold_lifted', given)).toMatchObject([{ actor: 'bob' }]);
  expect((await entries('hold.lifted'))[0]).toMatchObject({ actor: 'bob', data: { reason: 'over' } });
});

test('once a hold is lifted, the workflow of a subscription that is not due yet is not notified', async () => {
  const given = await subscribe(ledger.pool);
  const held = await hold(given, { at: DUE - 2 * MINUTE });
  expect(await lift(held, DUE - MINUTE - 1)).toMatchObject({ waiting: [] });
});

test('if a hold is lifted within the minute by which clocks may differ, the workflow of a subscription that falls due then is notified', async () => {
  const given = await subscribe(ledger.pool);
  const held = await hold(given, { at: DUE - 2 * MINUTE });
  expect(await lift(held, DUE - MINUTE)).toMatchObject({ waiting: [{ subscriptionId: given.subscriptionId }] });
});

test('a hold whose process died after lifting it is released by another one, once', async () => {
  const given = await subscribe(ledger.pool);
  const { holdId } = await hold(given);
  await liftHold(ledger.pool, { actor: 'bob', at: NOW + MINUTE, holdId, reason: null });
  expect(await stepAt(given, NOW + MINUTE)).toMatchObject({ kind: 'collect' });
  const row = { subscriptionId: given.subscriptionId, revision: 1 };
  expect(await followHolds(ledger.pool, NOW + MINUTE)).toEqual([row]);
  expect(await listUnacknowledged(ledger.pool, '', 1000)).toContainEqual(row);
  expect(await releaseHold(ledger.pool, holdId, NOW + MINUTE)).toEqual([]);
  expect(await entries('subscription.hold_lifted', given)).toMatchObject([{ actor: 'bob', at: NOW + MINUTE }]);
});

test('a hold that is lifted again, or after its end, is unchanged, and nothing is recorded again', async () => {
  const given = await subscribe(ledger.pool);
  const held = await hold(given);
  const first = await lift(held);
  expect(await lift(held, NOW + 2 * MINUTE)).toEqual({ hold: first.hold, waiting: [] });
  expect(await entries('subscription.hold_lifted', given)).toHaveLength(1);
  const other = await hold(given);
  expect(await lift(other, UNTIL)).toMatchObject({ hold: { endedAt: null, liftedBy: null }, waiting: [] });
});

test('lifting a hold with an unknown id finds none', async () => {
  expect(await liftHold(ledger.pool, { actor: 'bob', at: NOW, holdId: 'hold_none', reason: null })).toBeNull();
});

test.each([
  ['a millisecond before its end stays in force', UNTIL - 1, null],
  ['at its end is recorded as ended then', UNTIL, UNTIL],
  ['noticed late has ended at its end', UNTIL + DAY, UNTIL],
])('a hold %s', async (_, now, endedAt) => {
  const { holdId } = await hold(await subscribe(ledger.pool));
  await followHolds(ledger.pool, now);
  expect(await readHold(ledger.pool, holdId)).toMatchObject({ endedAt, liftedBy: null });
});

test('a hold is removed more than 90 days after its end', async () => {
  const given = await subscribe(ledger.pool);
  const { holdId } = await hold(given);
  await followHolds(ledger.pool, UNTIL);
  await followHolds(ledger.pool, UNTIL + 90 * DAY);
  expect(await readHold(ledger.pool, holdId)).not.toBeNull();
  await followHolds(ledger.pool, UNTIL + 90 * DAY + 1);
  expect(await readHold(ledger.pool, holdId)).toBeNull();
  expect((await beginSend(ledger.pool, sendOf(given))).kind).toBe('started');
});

const long = { until: SEND_BY + DAY };

test('a hold counts the window of a cycle only once if its only send never arrived', async () => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'not_sent');
  const { windowsLost } = await hold(given, long);
  expect(windowsLost).toEqual([{ hour: SEND_BY - (SEND_BY % HOUR), count: 1, amount: euros(1999) }]);
});

test('the windows that a hold loses are counted by the hour, and the hold says when the first one ends', async () => {
  const given = await subscribe(ledger.pool);
  const held = await hold(given, long);
  expect(held.firstWindowLostAt).toBe(SEND_BY);
  expect(held.windowsLost).toEqual([{ hour: SEND_BY - (SEND_BY % HOUR), count: 1, amount: euros(1999) }]);
  expect(await readHold(ledger.pool, held.holdId)).toEqual(held);
});

test('the windows that a hold loses are computed again every hour', async () => {
  const given = await subscribe(ledger.pool);
  const held = await hold(given, long);
  await ledger.pool.query('update subscriptions set next_due_at = null where subscription_id = $1', [
    given.subscriptionId,
  ]);
  await followHolds(ledger.pool, NOW + HOUR - 1);
  expect(await readHold(ledger.pool, held.holdId)).toEqual(held);
  await followHolds(ledger.pool, NOW + HOUR);
  expect(await readHold(ledger.pool, held.holdId)).toMatchObject({ firstWindowLostAt: null, windowsLost: [] });
});

test('a hold loses a cycle that waits for its retry at the limit of its retries, but not a cycle whose send is under way', async () => {
  const [dunning, pending] = [await subscribe(ledger.pool), await subscribe(ledger.pool)];
  for (const given of [dunning, pending])
    await ledger.pool.query('update subscriptions set next_due_at = null where subscription_id = $1', [
      given.subscriptionId,
    ]);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(dunning)), 'rejected_retryable');
  await ledger.pool.query(
    `update cycles set status = 'dunning', retry_until = due_at + interval '72 hours' where subscription_id = $1`,
    [dunning.subscriptionId],
  );
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(pending)), 'pending');
  expect((await hold(dunning, long)).firstWindowLostAt).toBe(DUE + 3 * DAY);
  expect((await hold(pending, long)).firstWindowLostAt).toBeNull();
});

test.each([
  ['a millisecond more than a day before', SEND_BY - DAY - 1, 0],
  ['a day before', SEND_BY - DAY, 1],
])(
  'an operator is warned of a hold from a day before the first window that it loses ends, here %s',
  async (_, now, items) => {
    const held = await hold(await subscribe(ledger.pool), long);
    await followHolds(ledger.pool, now);
    expect(await openItems(held)).toHaveLength(items);
  },
);

test('a hold that loses a window within a day has its warning at once, until it is lifted', async () => {
  const held = await hold(await subscribe(ledger.pool), { ...long, at: SEND_BY - HOUR });
  expect(await openItems(held)).toMatchObject([{ deadline: SEND_BY, ledger: { at: toIso(SEND_BY) } }]);
  await lift(held, SEND_BY - MINUTE);
  expect(await openItems(held)).toEqual([]);
});

test('the warning ends with the last window that the hold loses', async () => {
  const held = await hold(await subscribe(ledger.pool, { endAt: DUE + 20 * DAY }), { until: DUE + 20 * DAY });
  await followHolds(ledger.pool, SEND_BY - 1);
  expect(await openItems(held)).toHaveLength(1);
  await followHolds(ledger.pool, SEND_BY);
  expect(await openItems(held)).toEqual([]);
});

test('holds are listed newest first, by whether they are in force', async () => {
  const given = await subscribe(ledger.pool);
  const [first, second] = [await hold(given), await hold(given, { at: NOW + 1 })];
  await lift(first);
  const ids = async (isInForce: boolean | null, now = NOW + MINUTE) => {
    const filter = { isInForce, subscriptionId: null };
    return (await listHolds(ledger.pool, filter, now, { limit: 200, cursor: null })).items.map(({ holdId }) => holdId);
  };
  expect((await ids(null)).slice(0, 1)).toEqual([second.holdId]);
  expect(await ids(true)).toContain(second.holdId);
  expect(await ids(true)).not.toContain(first.holdId);
  expect(await ids(false)).toContain(first.holdId);
  expect(await ids(true, UNTIL)).not.toContain(second.holdId);
});
