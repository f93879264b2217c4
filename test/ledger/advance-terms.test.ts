import { euros } from '../../src/domain/money';
import { MAX_RETRIES } from '../../src/domain/subscription/retries';
import { DAY, HOUR, type Instant, MINUTE, toIso } from '../../src/domain/time';
import { beginSend, readNoticeForDelivery, readState, recordDelivery, steer } from '../../src/ledger';
import { deciding, named, ofCycle, windowOf } from './deciding-fixture';
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
} from './ledger-fixture';
import { since, written } from './written';

const ledger = useLedger();
const { stepAt, decideOnce, refuse } = deciding(ledger);
const BY = { actor: 'ops', reason: 'asked' };
const NEXT = windowOf(1);

function deliver(noticeId: Parameters<typeof recordDelivery>[1], at: Instant) {
  const evidence = { status: 200 };
  return recordDelivery(ledger.pool, noticeId, {
    kind: 'delivered',
    at,
    realAt: REAL_NOW,
    channel: 'webhook',
    evidence,
  });
}

const until = DUE + 40 * DAY;
const paused = async () => {
  const given = await subscribe(ledger.pool);
  const moment = { at: NOW - HOUR, realAt: REAL_NOW };
  await steer(ledger.pool, 'pause', given.subscriptionId, { ...BY, until }, moment);
  return given;
};

test('due dates inside a pause are skipped as they come', async () => {
  const given = await paused();
  expect(await stepAt(given, DUE - 1)).toEqual({ kind: 'wait', until: DUE, why: 'paused' });
  expect(await stepAt(given, DUE)).toEqual({ kind: 'wait', until: NEXT.dueAt, why: 'paused' });
  expect(await stepAt(given, NEXT.dueAt)).toEqual({ kind: 'wait', until, why: 'paused' });
});

test('a pause ends once at its planned end, with a notice: due dates inside it are skipped, and the stop is lifted', async () => {
  const given = await paused();
  const { step, after, entries, notices, revisions } = await decideOnce(given, until + DAY);
  expect(step).toEqual({ kind: 'wait', until: windowOf(2).dueAt, why: 'due' });
  expect(entries.map(({ type, data }) => [type, data['cycle'] ?? data['at']])).toEqual([
    ['cycle.skipped', 0],
    ['cycle.skipped', 1],
    ['subscription.resumed', toIso(until)],
  ]);
  expect(named(notices)).toEqual([['subscription.resumed', null, null]]);
  expect(after.row).toMatchObject({ status: 'active', stopped_by: null, paused_until: null, standing: 'good' });
  expect(after.cycles).toMatchObject([0, 1].map((cycle) => ({ cycle, status: 'skipped', reason: 'paused' })));
  expect(revisions).toBe(0);
  expect(await stepAt(given, windowOf(2).dueAt)).toMatchObject({ kind: 'collect', plan: { cycle: 2 } });
});

test('the end of a pause does not end a cancellation requested during it', async () => {
  const given = await paused();
  await steer(ledger.pool, 'cancel', given.subscriptionId, BY, { at: NOW, realAt: REAL_NOW });
  expect(await stepAt(given, until + DAY)).toEqual({ kind: 'cancel_consent' });
  expect((await written(ledger.pool, given)).row).toMatchObject({ status: 'paused', stopped_by: 'cancel' });
});

const exhausted = async (onExhausted: 'continue' | 'pause' | 'cancel') => {
  const given = await subscribe(ledger.pool, { onExhausted });
  for (let attempt = 0; attempt <= MAX_RETRIES; attempt += 1) await refuse(given, attempt);
  return given;
};
const failedNotices = [
  ['cycle.failed', 0, null],
  ['payment.failed', 0, 3],
];

test('a cycle with exhausted retries fails, and the subscription continues if that was agreed', async () => {
  const given = await exhausted('continue');
  const { step, after, entries, notices } = await decideOnce(given, NOW + HOUR);
  expect(step).toEqual({ kind: 'wait', until: NEXT.dueAt, why: 'due' });
  expect(entries.map(({ type, data }) => [type, data['reason']])).toEqual([['cycle.failed', 'retries_used']]);
  expect(named(notices).sort()).toEqual(failedNotices);
  expect(notices.find(({ attempt }) => attempt === 3)?.data).toMatchObject({ retryAt: null, retriesLeft: 0 });
  expect(after.row).toMatchObject({ status: 'active', stopped_by: null, standing: 'past_due', amount: 1999 });
  expect(ofCycle(after, 0)).toMatchObject({ status: 'failed', reason: 'retries_used', amount: 1999 });
});

test('a cycle with exhausted retries pauses the subscription once if that was agreed, in the same transaction', async () => {
  const given = await exhausted('pause');
  const { step, after, entries, notices } = await decideOnce(given, NOW + HOUR);
  expect(step).toEqual({ kind: 'wait', until: NEXT.dueAt, why: 'paused' });
  expect(entries.map(({ type, actor, data }) => [type, actor, data['reason']])).toEqual([
    ['cycle.failed', 'dueday', 'retries_used'],
    ['subscription.paused', 'dueday', 'retries of cycle 0 exhausted'],
  ]);
  expect(named(notices).sort()).toEqual([...failedNotices, ['subscription.paused', null, null]]);
  expect(after.row).toMatchObject({ status: 'paused', stopped_by: 'pause', paused_until: null });
  const next = sendOf(given, { cycle: 1, ...NEXT, at: NEXT.dueAt });
  expect(await beginSend(ledger.pool, next)).toEqual({ kind: 'stopped' });
});

test('a cycle with exhausted retries cancels the subscription once if that was agreed, in the same transaction', async () => {
  const given = await exhausted('cancel');
  const { step, after, entries } = await decideOnce(given, NOW + HOUR);
  expect(step).toEqual({ kind: 'cancel_consent' });
  expect(entries.map(({ type, data }) => [type, data['reason']])).toEqual([
    ['cycle.failed', 'retries_used'],
    ['subscription.cancel_requested', 'retries of cycle 0 exhausted'],
  ]);
  expect(after.row).toMatchObject({
    status: 'active',
    stopped_by: 'cancel',
    cancellation: { actor: 'dueday', at: NOW + HOUR },
  });
  const next = sendOf(given, { cycle: 1, ...NEXT, at: NEXT.dueAt });
  expect(await beginSend(ledger.pool, next)).toEqual({ kind: 'stopped' });
});

test.each(['pause', 'cancel'] as const)(
  'a final refusal does not exhaust retries: no %s follows',
  async (onExhausted) => {
    const given = await subscribe(ledger.pool, { onExhausted });
    await refuse(given, 0, 'rejected');
    const { types, after } = await decideOnce(given, NOW + HOUR);
    expect(types).toEqual(['cycle.failed']);
    expect(after.row).toMatchObject({ status: 'active', stopped_by: null, cancellation: null });
  },
);

test('exhausted retries do not pause again a subscription that an operator has paused without an end, or is cancelling', async () => {
  for (const verb of ['pause', 'cancel'] as const) {
    const given = await exhausted('pause');
    const moment = { at: NOW + MINUTE, realAt: REAL_NOW };
    await steer(ledger.pool, verb, given.subscriptionId, { ...BY, until: null }, moment);
    const { entries } = await written(ledger.pool, given);
    expect(entries.filter(({ type }) => type === 'subscription.paused')).toHaveLength(verb === 'pause' ? 1 : 0);
  }
});

/** The last retry is refused after an operator has paused the subscription until `pausedUntil`. */
const exhaustedWhilePaused = async (onExhausted: 'pause' | 'cancel', pausedUntil: Instant | null) => {
  const given = await subscribe(ledger.pool, { onExhausted });
  for (let attempt = 0; attempt < MAX_RETRIES; attempt += 1) await refuse(given, attempt);
  const last = await startDebit(ledger.pool, sendOf(given, { attempt: MAX_RETRIES }));
  const moment = { at: NOW + MINUTE, realAt: REAL_NOW };
  await steer(ledger.pool, 'pause', given.subscriptionId, { ...BY, until: pausedUntil }, moment);
  await settle(ledger.pool, last, 'rejected_retryable', NOW + 2 * MINUTE);
  return given;
};

test('retries that are exhausted during a pause cancel the subscription if that was agreed (rule 15)', async () => {
  const given = await exhaustedWhilePaused('cancel', until);
  const { step, entries } = await decideOnce(given, NOW + HOUR);
  expect(step).toEqual({ kind: 'cancel_consent' });
  expect(entries.map(({ type }) => type)).toEqual(['cycle.failed', 'subscription.cancel_requested']);
});

test('retries that are exhausted during a pause with an end pause the subscription until it is resumed, if that was agreed', async () => {
  const given = await exhaustedWhilePaused('pause', until);
  const { entries, after } = await decideOnce(given, NOW + HOUR);
  expect(entries.map(({ type }) => type)).toEqual(['cycle.failed', 'subscription.paused']);
  expect(after.row).toMatchObject({ status: 'paused', stopped_by: 'pause', paused_until: null });
  expect(await stepAt(given, until + DAY)).toMatchObject({ kind: 'wait', why: 'paused' });
  await steer(ledger.pool, 'resume', given.subscriptionId, BY, { at: until + 2 * DAY, realAt: REAL_NOW });
  expect(await stepAt(given, windowOf(2).dueAt)).toMatchObject({ kind: 'collect', plan: { cycle: 2 } });
});

test('retries that are exhausted during a pause without an end do not change the pause', async () => {
  const given = await exhaustedWhilePaused('pause', null);
  expect((await decideOnce(given, NOW + HOUR)).types).toEqual(['cycle.failed']);
});

test("the database refuses another amount until the first payment has collected the consent's amount", async () => {
  const given = await subscribe(ledger.pool);
  for (const cents of [1500, 2500]) {
    const request = { ...BY, amount: euros(cents), fromCycle: 0, announceAhead: 0 };
    const moment = { at: NOW - DAY, realAt: REAL_NOW };
    const result = await steer(ledger.pool, 'change_amount', given.subscriptionId, request, moment);
    expect(result).toMatchObject({ kind: 'refused', refusal: { code: 'amount_change_not_allowed' } });
  }
  expect(await stepAt(given, DUE)).toMatchObject({ kind: 'collect', plan: { amount: euros(1999) } });
});

const AHEAD = 7 * DAY;
const DEARER = euros(2100);

const accepted = async () => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'successful');
  await change(given, NOW + HOUR);
  return given;
};
const change = (given: Subscribed, at: Instant) => {
  const request = { ...BY, amount: DEARER, fromCycle: 1, announceAhead: AHEAD };
  return steer(ledger.pool, 'change_amount', given.subscriptionId, request, { at, realAt: REAL_NOW });
};
const announceAt = NEXT.dueAt - AHEAD;
const announcementOf = async ({ subscriptionId }: Subscribed) =>
  (await readState(ledger.pool, subscriptionId, announceAt)).pendingChange?.announcement;

test('an accepted increase is announced once, in time, and nothing waits for the notice', async () => {
  const given = await accepted();
  expect(await stepAt(given, announceAt - 1)).toEqual({ kind: 'wait', until: announceAt, why: 'due' });
  const { step, entries, notices } = await decideOnce(given, announceAt);
  expect(step).toEqual({ kind: 'wait', until: NEXT.dueAt, why: 'due' });
  const said = { cycle: 1, amount: DEARER, previousAmount: euros(1999), dueAt: toIso(NEXT.dueAt) };
  expect(entries).toMatchObject([{ type: 'amount_change.announcing', actor: 'dueday', data: said }]);
  expect(notices).toMatchObject([{ type: 'payment.increase_announced', cycle: 1, state: 'pending', data: said }]);
  expect(await announcementOf(given)).toEqual({ kind: 'sending' });
});

test('an accepted increase is collected once its payer has been notified, which the audit log records once', async () => {
  const given = await accepted();
  await stepAt(given, announceAt);
  const { notices } = await written(ledger.pool, given);
  await deliver(notices.at(-1)!.notice_id, announceAt + HOUR);

  // The next decision is made in the transaction of the delivery.
  const entries = (await written(ledger.pool, given)).entries.slice(-2);
  const data = { amount: DEARER, fromCycle: 1, at: toIso(announceAt + HOUR) };
  expect(entries.map(({ type }) => type)).toEqual(['notice.delivered', 'amount_change.notice_delivered']);
  expect(entries[1]).toMatchObject({ data });
  expect((await decideOnce(given, announceAt + 2 * HOUR)).entries).toEqual([]);
  expect(await announcementOf(given)).toEqual({ kind: 'delivered', at: announceAt + HOUR });
  expect(await stepAt(given, NEXT.dueAt)).toMatchObject({ kind: 'collect', plan: { cycle: 1, amount: DEARER } });
});

test('an increase of which the payer was not notified is dropped once, and the old amount is collected', async () => {
  const given = await accepted();
  await stepAt(given, announceAt);

  const { step, after, entries } = await decideOnce(given, NEXT.dueAt);

  expect(step).toMatchObject({ kind: 'collect', plan: { cycle: 1, amount: euros(1999) } });
  expect(entries.filter(({ type }) => type !== 'attention.changed')).toMatchObject([
    { type: 'amount_change.dropped', data: { cycle: 1, reason: 'not_announced', amount: DEARER } },
  ]);
  expect(after.row).toMatchObject({
    pending_change: null,
    attention: ['amount_change_dropped'],
    amount: 1999,
    current_amount: 1999,
  });
});

test('an increase requested again after a withdrawal is announced again by its own notice', async () => {
  const given = await accepted();
  await stepAt(given, announceAt);
  const moment = { at: announceAt + HOUR, realAt: REAL_NOW };
  await steer(ledger.pool, 'withdraw_change', given.subscriptionId, BY, moment);
  const before = await written(ledger.pool, given);
  await change(given, announceAt + 2 * HOUR);
  // A steering request also carries out what is due, and the delivery of the first notice does not count for a later change.
  const { types, notices } = since(before, await written(ledger.pool, given));
  expect(types).toEqual(['amount_change.accepted', 'amount_change.announcing']);
  expect(notices).toMatchObject([{ type: 'payment.increase_announced', state: 'pending' }]);
  const [first] = before.notices.filter(({ type }) => type === 'payment.increase_announced');
  await deliver(first!.notice_id, announceAt + 3 * HOUR);
  expect(await stepAt(given, NEXT.dueAt)).toMatchObject({ kind: 'collect', plan: { amount: euros(1999) } });
});

const announced = async () => {
  const given = await accepted();
  await stepAt(given, announceAt);
  const { notices } = await written(ledger.pool, given);
  const noticeId = notices.at(-1)!.notice_id;
  return { given, isOvertaken: async () => (await readNoticeForDelivery(ledger.pool, noticeId))?.isOvertaken };
};
const ask = (verb: 'withdraw_change' | 'cancel', { subscriptionId }: Subscribed) =>
  steer(ledger.pool, verb, subscriptionId, BY, { at: announceAt + HOUR, realAt: REAL_NOW });

test('an increase is no longer announced once it is withdrawn, replaced or dropped, or the subscription is being cancelled', async () => {
  const ends: ((given: Subscribed) => Promise<unknown>)[] = [
    (given) => ask('withdraw_change', given),
    (given) => change(given, announceAt + HOUR),
    (given) => ask('cancel', given),
    (given) => decideOnce(given, NEXT.dueAt),
  ];
  for (const end of ends) {
    const { given, isOvertaken } = await announced();
    expect(await isOvertaken()).toBe(false);
    await end(given);
    expect(await isOvertaken()).toBe(true);
  }
});

test('an increase is not announced while the subscription is being cancelled', async () => {
  const given = await accepted();
  await steer(ledger.pool, 'cancel', given.subscriptionId, BY, { at: NOW + DAY, realAt: REAL_NOW });
  const { types } = await decideOnce(given, announceAt);
  expect(types).toEqual([]);
});

test('the next due date and the amount in the row follow from the state, whatever was written before', async () => {
  const given = await subscribe(ledger.pool);
  await ledger.pool.query('update subscriptions set next_due_at = $2, amount = 5 where subscription_id = $1', [
    given.subscriptionId,
    new Date(COLLECT_BY),
  ]);
  const { after, entries } = await decideOnce(given, DUE - HOUR);
  expect(after.row).toMatchObject({ amount: 1999 });
  expect(Date.parse(String(after.row['next_due_at']))).toBe(DUE);
  expect(entries).toEqual([]);
});
