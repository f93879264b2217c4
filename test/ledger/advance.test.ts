import { DAY, HOUR, MINUTE, toIso } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { SubscriptionId } from '../../src/domain/ids';
import {
  beginSend,
  decideNext,
  DELIVERING_NOTICE,
  insertDraft,
  listAttention,
  listUnacknowledged,
  openUnrecordableItem,
  recordDelivery,
  steer,
} from '../../src/ledger';
import { deciding, LIMIT, named, ofCycle, windowOf } from './deciding-fixture';
import {
  COLLECT_BY,
  draft,
  DUE,
  NOW,
  notify,
  REAL_NOW,
  sendOf,
  settle,
  startDebit,
  subscribe,
  useLedger,
} from './ledger-fixture';
import { since, written } from './written';

const ledger = useLedger();
const { decide, stepAt, decideOnce, refuse } = deciding(ledger);

test('one decision closes all cycles of an outage, each with its entry and its notice, and collects the next one', async () => {
  const given = await subscribe(ledger.pool);
  const at = windowOf(3).dueAt;

  const { step, after, entries, notices, revisions } = await decideOnce(given, at);

  expect(step).toMatchObject({
    kind: 'collect',
    plan: { cycle: 3, attempt: 0, amount: euros(1999), sendBefore: windowOf(3).collectBy - MINUTE },
  });
  expect(entries.map(({ type, actor, data }) => [type, actor, data['cycle'], data['reason']])).toEqual(
    [0, 1, 2].map((cycle) => ['cycle.missed', 'dueday', cycle, 'window_closed']),
  );
  expect(named(notices).sort()).toEqual([0, 1, 2].map((cycle) => ['cycle.missed', cycle, null]));
  expect(after.cycles).toMatchObject(
    [0, 1, 2].map((cycle) => ({ cycle, status: 'missed', amount: 1999, collected_at: null, retries_left: 0 })),
  );
  expect(after.row).toMatchObject({ standing: 'past_due', amount: 1999, current_amount: null, cycles_collected: 0 });
  expect(Date.parse(String(after.row['next_due_at']))).toBe(at);
  expect(revisions).toBe(0);
});

test('concurrent decisions close each cycle once', async () => {
  const given = await subscribe(ledger.pool);
  const before = await written(ledger.pool, given);
  const steps = await Promise.all(Array.from({ length: 10 }, () => stepAt(given, windowOf(3).dueAt)));
  expect(new Set(steps.map((step) => JSON.stringify(step))).size).toBe(1);
  const { types, notices } = since(before, await written(ledger.pool, given));
  expect(types).toEqual(['cycle.missed', 'cycle.missed', 'cycle.missed']);
  expect(notices).toHaveLength(3);
});

test('a worker that still believes that a closed cycle is due does not send an attempt of it', async () => {
  const given = await subscribe(ledger.pool);
  await stepAt(given, COLLECT_BY);
  expect(await beginSend(ledger.pool, sendOf(given))).toEqual({ kind: 'closed', status: 'missed' });
});

test('a cycle is collected until the last millisecond before the transit margin of its window, and closed in the next', async () => {
  const given = await subscribe(ledger.pool);
  const limit = COLLECT_BY - MINUTE;
  expect(await stepAt(given, limit - 1)).toMatchObject({ kind: 'collect', plan: { cycle: 0 } });
  expect(await stepAt(given, limit)).toEqual({ kind: 'wait', until: windowOf(1).dueAt, why: 'due' });
});

test('a refused attempt leads to one notice, and its cycle waits for the delivery', async () => {
  const given = await subscribe(ledger.pool);
  await refuse(given);

  const { step, after, entries, notices } = await decideOnce(given, NOW + HOUR);

  expect(step).toEqual({ kind: 'wait', until: LIMIT, why: 'notice' });
  expect(named(notices)).toEqual([['payment.failed', 0, 0]]);
  const retryAt = NOW + 1 + 24 * HOUR;
  expect(notices[0]).toMatchObject({ state: 'pending', data: { retryAt: toIso(retryAt), retriesLeft: 3 } });
  expect(entries.map(({ type, data }) => [type, data['attempt'], data['retryAt']])).toEqual([
    ['cycle.dunning', 0, toIso(retryAt)],
  ]);
  expect(ofCycle(after, 0)).toMatchObject({ status: 'dunning', amount: 1999, retries_left: 3 });
  expect(Date.parse(String(ofCycle(after, 0)?.['next_attempt_at']))).toBe(retryAt);
  expect(Date.parse(String(ofCycle(after, 0)?.['retry_until']))).toBe(LIMIT);
  expect(after.row['standing']).toBe('dunning');
});

test('a refused attempt is retried at its planned time, and not before its notice is delivered', async () => {
  const given = await subscribe(ledger.pool);
  await refuse(given);
  await stepAt(given, NOW + HOUR);
  const retryAt = NOW + 1 + 24 * HOUR;
  expect(await stepAt(given, retryAt)).toMatchObject({ kind: 'wait', why: 'notice' });
  await notify(ledger.pool, given);
  expect(await stepAt(given, retryAt - 1)).toEqual({ kind: 'wait', until: retryAt, why: 'retry' });
  expect(await stepAt(given, retryAt)).toMatchObject({
    kind: 'collect',
    plan: { cycle: 0, attempt: 1, amount: euros(1999), sendBefore: LIMIT },
  });
});

test('a notice that is delivered after the planned time of its retry moves the time that the cycle shows (rule 14)', async () => {
  const given = await subscribe(ledger.pool);
  await refuse(given);
  await stepAt(given, NOW + HOUR);
  const { notices } = await written(ledger.pool, given);
  const at = NOW + 30 * HOUR;
  const delivered = { kind: 'delivered', at, realAt: REAL_NOW, channel: 'webhook', evidence: { status: 200 } } as const;
  await recordDelivery(ledger.pool, notices[0]!.notice_id, delivered);
  expect(await stepAt(given, at)).toEqual({ kind: 'wait', until: at + MINUTE, why: 'retry' });
  const { next_attempt_at: shown, retries_left: left } = ofCycle(await written(ledger.pool, given), 0)!;
  expect([Date.parse(String(shown)), left]).toEqual([at + MINUTE, 3]);
});

const atItsLimit = async () => {
  const given = await subscribe(ledger.pool);
  await refuse(given);
  await stepAt(given, NOW + HOUR);
  expect(await stepAt(given, LIMIT - 1)).toEqual({ kind: 'wait', until: LIMIT, why: 'notice' });
  return given;
};

test('a notice undelivered before the last moment for a retry is given up once, and its cycle fails and needs an operator', async () => {
  const given = await atItsLimit();
  const { step, after, types, notices } = await decideOnce(given, LIMIT);
  expect(step).toEqual({ kind: 'wait', until: windowOf(1).dueAt, why: 'due' });
  expect(types.filter((type) => type !== 'attention.changed')).toEqual(['cycle.failed', 'notice.undeliverable']);
  expect(named(notices)).toEqual([['cycle.failed', 0, null]]);
  expect(after.notices.find(({ type }) => type === 'payment.failed')).toMatchObject({
    state: 'undeliverable',
    last_error: 'not delivered in time',
  });
  expect(ofCycle(after, 0)).toMatchObject({
    status: 'failed',
    reason: 'notice_undeliverable',
    next_attempt_at: null,
    retries_left: 0,
  });
  expect(after.row).toMatchObject({ attention: ['notice_undeliverable:0'], dunning: false, past_due: true });
});

test('the item about a delivery that could not be recorded closes once its notice is given up', async () => {
  const given = await atItsLimit();
  const { notices } = await written(ledger.pool, given);
  const { notice_id: id } = notices.find(({ type }) => type === 'payment.failed')!;
  const about = { subscriptionId: given.subscriptionId };
  await openUnrecordableItem(ledger.pool, { activity: DELIVERING_NOTICE, id, about }, 'SQLSTATE 22021', NOW + HOUR);
  await stepAt(given, LIMIT);
  const { items } = await listAttention(ledger.pool, { kind: 'unrecordable' }, { cursor: null, limit: 200 });
  expect(items.filter(({ subscriptionId }) => subscriptionId === given.subscriptionId)).toEqual([]);
});

test('a notice delivered too late permits no retry', async () => {
  const given = await atItsLimit();
  await stepAt(given, LIMIT);
  const { notices } = await written(ledger.pool, given);
  const { notice_id: id } = notices.find(({ type }) => type === 'payment.failed')!;
  const evidence = { status: 200 };
  await recordDelivery(ledger.pool, id, {
    kind: 'delivered',
    at: LIMIT,
    realAt: REAL_NOW,
    channel: 'webhook',
    evidence,
  });
  expect(await stepAt(given, LIMIT)).toEqual({ kind: 'wait', until: windowOf(1).dueAt, why: 'due' });
  expect(await beginSend(ledger.pool, sendOf(given, { attempt: 1 }))).toEqual({ kind: 'closed', status: 'failed' });
});

const pendingPast = async () => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'pending');
  expect(await stepAt(given, COLLECT_BY - 1)).toMatchObject({ kind: 'collect', plan: { cycle: 0, parked: false } });
  return given;
};

test('an authorization pending past its window needs an operator once, and is followed in parallel with later cycles', async () => {
  const given = await pendingPast();
  const { step, after, types } = await decideOnce(given, COLLECT_BY);
  expect(step).toMatchObject({ kind: 'follow', plan: { cycle: 0, attempt: 0, settleOnly: true, parked: true } });
  expect(types).toEqual(['attempt.pending_past_window']);
  expect(after.row).toMatchObject({ attention: ['pending_past_window:0'], dunning: false });
  expect(ofCycle(after, 0)).toMatchObject({ status: 'collecting', amount: 1999 });
  expect(Date.parse(String(after.row['next_due_at']))).toBe(windowOf(1).dueAt);
});

test('an authorization pending past its window does not block later cycles once its own workflow follows it', async () => {
  const given = await pendingPast();
  const followed = [{ cycle: 0, attempt: 0 }];
  expect(await stepAt(given, COLLECT_BY, followed)).toEqual({ kind: 'wait', until: windowOf(1).dueAt, why: 'due' });
  expect(await decide(given, COLLECT_BY, followed)).toMatchObject({ beside: followed });
  expect(await stepAt(given, windowOf(1).dueAt, followed)).toMatchObject({ kind: 'collect', plan: { cycle: 1 } });
});

test('an authorization refused after its window makes the subscription past due although a skipped cycle has followed (rule 25)', async () => {
  const given = await pendingPast();
  const followed = [{ cycle: 0, attempt: 0 }];
  const skip = { actor: 'ops', reason: null, cycle: 1 };
  await steer(ledger.pool, 'skip', given.subscriptionId, skip, { at: COLLECT_BY, realAt: REAL_NOW });
  const at = windowOf(1).dueAt;
  expect(await stepAt(given, at, followed)).toEqual({ kind: 'wait', until: windowOf(2).dueAt, why: 'due' });
  await settle(ledger.pool, { ...given, cycle: 0, attempt: 0, send: 0 }, 'rejected', at + HOUR);
  expect((await written(ledger.pool, given)).row).toMatchObject({ standing: 'past_due', past_due: true });
});

const endAt = DUE + DAY;
const lastCollected = async () => {
  const given = await subscribe(ledger.pool, { endAt });
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'successful');
  return given;
};

test('a subscription is completed once after its last cycle, with its notice, and its workflow ends', async () => {
  const given = await lastCollected();
  const { step, after, entries, notices } = await decideOnce(given, NOW + HOUR);
  expect(step).toEqual({ kind: 'finish' });
  expect(entries.map(({ type, data }) => [type, data['cycles']])).toEqual([['subscription.completed', 1]]);
  expect(named(notices)).toEqual([['subscription.completed', null, null]]);
  expect(after.row).toMatchObject({
    status: 'completed',
    next_due_at: null,
    cycles_collected: 1,
    current_amount: 1999,
  });
  expect(await beginSend(ledger.pool, sendOf(given, { cycle: 1 }))).toEqual({ kind: 'closed', status: 'completed' });
});

test('a subscription is not completed before an authorization pending past its window is final', async () => {
  const given = await subscribe(ledger.pool, { endAt });
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'pending');
  const followed = [{ cycle: 0, attempt: 0 }];
  expect(await stepAt(given, COLLECT_BY, followed)).toEqual({ kind: 'wait', until: null, why: 'pending' });
  expect((await written(ledger.pool, given)).row['status']).toBe('active');
});

test('a decision about a draft says that it is a draft, and one about a missing subscription that it is gone', async () => {
  const wanted = draft();
  await insertDraft(ledger.pool, wanted, REAL_NOW);
  const nothing = { at: NOW, followed: [], revision: 0 };
  expect(await decideNext(ledger.pool, wanted.subscriptionId, nothing)).toMatchObject({ kind: 'draft' });
  expect(await decideNext(ledger.pool, 'sub_nobody' as SubscriptionId, nothing)).toEqual({ kind: 'gone' });
});

test('a decision acknowledges the revision that the workflow was notified of, but none beyond that of the row', async () => {
  const given = await subscribe(ledger.pool);
  const { subscriptionId } = given;
  const isListed = async () =>
    (await listUnacknowledged(ledger.pool, '', 1000)).some((each) => each.subscriptionId === subscriptionId);
  await ledger.pool.query('update subscriptions set revision = 2 where subscription_id = $1', [subscriptionId]);
  await decide(given, NOW, [], 1);
  expect(await isListed()).toBe(true);
  await decide(given, NOW, [], 3);
  expect(await isListed()).toBe(false);
  await ledger.pool.query('update subscriptions set revision = 3 where subscription_id = $1', [subscriptionId]);
  expect(await isListed()).toBe(true);
});
