import {
  acknowledgeRevision,
  applyChange,
  beginSend,
  getCycle,
  getSubscription,
  listEvents,
  listUnacknowledged,
  readState,
  recordDelivery,
  recordOutcome,
  steer,
  type SteeringRequests,
  type SteerResult,
} from '../../src/ledger';
import { euros } from '../../src/domain/money';
import { DAY, HOUR, LAST_INSTANT, toIso } from '../../src/domain/time';
import { nextStep } from '../../src/domain/subscription/next-step';
import { conflict } from '../../src/domain/subscription/requests';
import {
  COLLECT_BY,
  count,
  DUE,
  NOW,
  REAL_NOW,
  outcomes,
  sendOf,
  settle,
  startDebit,
  type Subscribed,
  subscribe,
  useLedger,
  waitForLock,
} from './ledger-fixture';
import { windowOf } from './deciding-fixture';

const ledger = useLedger();
const BY = { actor: 'ops', reason: 'asked' };

function ask<V extends keyof SteeringRequests>(
  verb: V,
  { subscriptionId }: Subscribed,
  request: SteeringRequests[V],
  at = NOW,
): Promise<SteerResult> {
  return steer(ledger.pool, verb, subscriptionId, request, { at, realAt: REAL_NOW });
}

function pause(given: Subscribed, until: number | null = null, requestId?: string): Promise<SteerResult> {
  return ask('pause', given, { ...BY, until, ...(requestId === undefined ? {} : { requestId }) });
}

function stateOf({ subscriptionId }: Subscribed, now = NOW) {
  return readState(ledger.pool, subscriptionId, now);
}

async function lastEntry({ subscriptionId }: Subscribed) {
  const { items } = await listEvents(ledger.pool, { subscriptionId }, { limit: 1, cursor: null });
  return items[0];
}

async function unacknowledged({ subscriptionId }: Subscribed) {
  return (await listUnacknowledged(ledger.pool, '', 1000)).filter((each) => each.subscriptionId === subscriptionId);
}

/** Creates a subscription whose first attempt was refused; the notice of the refusal is not delivered yet. */
async function createInDunning(): Promise<Subscribed> {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'rejected_retryable');
  const notice = { type: 'payment.failed' as const, cycle: 0, attempt: 0, data: {} };
  const cycle = { cycle: 0, dueAt: DUE, collectBy: COLLECT_BY, amount: euros(1999), status: 'dunning' as const };
  const { subscriptionId } = given;
  await applyChange(ledger.pool, {
    subscriptionId,
    key: 'dunning',
    at: NOW,
    actor: 'dueday',
    events: [],
    cycle,
    notices: [notice],
  });
  return given;
}

test('a pause stops sends, is shown, records a notice, and raises the revision', async () => {
  const given = await subscribe(ledger.pool);

  const request = { ...BY, until: NOW + 5 };
  expect(await ask('pause', given, request, DUE - HOUR)).toEqual({ kind: 'steered', revision: 1 });

  const record = await getSubscription(ledger.pool, given.subscriptionId);
  expect(record).toMatchObject({ status: 'paused', stoppedBy: 'pause', pausedUntil: NOW + 5 });
  expect(await lastEntry(given)).toMatchObject({ type: 'subscription.paused', actor: 'ops' });
  expect(await count(ledger.pool, 'notices', given.subscriptionId)).toBe(1);
  expect(await beginSend(ledger.pool, sendOf(given))).toEqual({ kind: 'stopped' });
  expect(await unacknowledged(given)).toEqual([{ subscriptionId: given.subscriptionId, revision: 1 }]);
});

test('acknowledging a revision acknowledges no later revision', async () => {
  const given = await subscribe(ledger.pool);
  const { subscriptionId } = given;
  await pause(given);
  await acknowledgeRevision(ledger.pool, subscriptionId, 1);
  expect(await unacknowledged(given)).toEqual([]);

  await ask('cancel', given, BY);
  await acknowledgeRevision(ledger.pool, subscriptionId, 1);
  expect(await unacknowledged(given)).toEqual([{ subscriptionId, revision: 2 }]);
  await acknowledgeRevision(ledger.pool, subscriptionId, 2);
  await acknowledgeRevision(ledger.pool, subscriptionId, 1);
  expect(await unacknowledged(given)).toEqual([]);
});

test("a forged revision beyond the row's acknowledges no later one", async () => {
  const given = await subscribe(ledger.pool);
  await acknowledgeRevision(ledger.pool, given.subscriptionId, 1_000_000);
  await pause(given);
  expect(await unacknowledged(given)).toHaveLength(1);
});

test('a second pause with the same end counts as done, and writes nothing', async () => {
  const given = await subscribe(ledger.pool);
  await pause(given);

  expect(await pause(given)).toEqual({ kind: 'unchanged' });
  expect(await pause(given, LAST_INSTANT)).toEqual({ kind: 'unchanged' });
  expect((await stateOf(given)).revision).toBe(1);
  expect(await count(ledger.pool, 'notices', given.subscriptionId)).toBe(1);
});

test('a second pause with another end is refused, and the refusal names the end of the first', async () => {
  const given = await subscribe(ledger.pool);
  await pause(given, NOW + 9 * DAY);

  expect(await pause(given, NOW + 9 * DAY)).toEqual({ kind: 'unchanged' });
  for (const other of [null, NOW + 8 * DAY])
    expect(await pause(given, other)).toEqual({
      kind: 'refused',
      refusal: conflict(`the subscription is paused until ${toIso(NOW + 9 * DAY)}; resume it first`),
    });
  expect((await stateOf(given)).revision).toBe(1);
});

test('a pause that is repeated with its request id is carried out once', async () => {
  const given = await subscribe(ledger.pool);

  expect(await pause(given, null, '1')).toEqual({ kind: 'steered', revision: 1 });
  expect(await pause(given, null, '1')).toEqual({ kind: 'steered', revision: 1 });
  expect(await pause(given, NOW + DAY, '2')).toMatchObject({ kind: 'refused' });
  expect(await count(ledger.pool, 'notices', given.subscriptionId)).toBe(1);
});

test('the id of a steering request may be used again for another kind of request', async () => {
  const given = await subscribe(ledger.pool);
  await pause(given, null, '1');
  expect(await ask('resume', given, { ...BY, requestId: '1' })).toEqual({ kind: 'steered', revision: 2 });
  expect((await stateOf(given)).status).toBe('active');
});

test('of ten pauses at once one is carried out', async () => {
  const given = await subscribe(ledger.pool);
  const all = await Promise.all(Array.from({ length: 10 }, () => pause(given)));
  expect(all.filter(({ kind }) => kind === 'steered')).toHaveLength(1);
  expect((await stateOf(given)).revision).toBe(1);
});

test('a resumed subscription is collected again, and is no longer stopped', async () => {
  const given = await subscribe(ledger.pool);
  await pause(given);
  expect(await ask('resume', given, BY)).toEqual({ kind: 'steered', revision: 2 });
  expect(await getSubscription(ledger.pool, given.subscriptionId)).toMatchObject({ status: 'active', stoppedBy: null });
  expect(await lastEntry(given)).toMatchObject({ type: 'subscription.resumed' });
  expect(await ask('resume', given, BY)).toMatchObject({ kind: 'refused', refusal: { code: 'state_conflict' } });
});

test('a cancellation stops sends, and is recorded with who requested it and when', async () => {
  const given = await subscribe(ledger.pool);
  expect(await ask('cancel', given, BY)).toEqual({ kind: 'steered', revision: 1 });
  expect(await stateOf(given)).toMatchObject({
    status: 'active',
    cancellation: { at: NOW, actor: 'ops', reason: 'asked' },
  });
  expect(await beginSend(ledger.pool, sendOf(given))).toEqual({ kind: 'stopped' });
  expect(nextStep(await stateOf(given), NOW)).toEqual({ kind: 'cancel_consent' });
  // A second cancellation joins the first.
  expect(await ask('cancel', given, BY)).toEqual({ kind: 'unchanged' });
});

test('a skipped cycle is in the ledger at once, and is not collected', async () => {
  const given = await subscribe(ledger.pool);
  expect(await ask('skip', given, { ...BY, cycle: 1 })).toMatchObject({ kind: 'steered' });
  expect(await getCycle(ledger.pool, given.subscriptionId, 1)).toMatchObject({
    status: 'skipped',
    reason: 'skipped_by_request',
  });
  expect((await stateOf(given)).skips).toEqual([1]);
});

test('the cycle that is due now is closed in the same transaction in which it is skipped', async () => {
  const given = await subscribe(ledger.pool);
  await ask('skip', given, { ...BY, cycle: 0 }, DUE + HOUR);
  const { items } = await listEvents(ledger.pool, given, { limit: 2, cursor: null });
  expect(items.map(({ type }) => type)).toEqual(['cycle.skipped', 'cycle.skip_requested']);
  expect((await stateOf(given, DUE + HOUR)).cycle).toBe(1);
});

test('a cycle under way is not skipped', async () => {
  const given = await subscribe(ledger.pool);
  await startDebit(ledger.pool, sendOf(given));
  expect(await ask('skip', given, { ...BY, cycle: 0 })).toMatchObject({ kind: 'refused' });
});

test('a retry that an operator requests for now is the next step', async () => {
  const given = await createInDunning();
  const [noticeId] = await ledger.pool
    .query<{ notice_id: string }>('select notice_id from notices where subscription_id = $1', [given.subscriptionId])
    .then(({ rows }) => rows.map((row) => row.notice_id as Parameters<typeof recordDelivery>[1]));
  const delivered = { kind: 'delivered', at: NOW + 1, realAt: REAL_NOW, channel: 'webhook', evidence: {} } as const;
  await recordDelivery(ledger.pool, noticeId!, delivered);

  expect(await ask('retry', given, { ...BY, cycle: 0, retryAt: null }, NOW + HOUR)).toMatchObject({ kind: 'steered' });

  expect(nextStep(await stateOf(given, NOW + HOUR), NOW + HOUR)).toMatchObject({
    kind: 'collect',
    plan: { cycle: 0, attempt: 1 },
  });
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({ nextAttemptAt: NOW + HOUR });
});

test('a retry that is requested for a later time is shown with that time', async () => {
  const given = await createInDunning();
  const retryAt = NOW + 60 * HOUR;
  await ask('retry', given, { ...BY, cycle: 0, retryAt }, NOW + HOUR);
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({ nextAttemptAt: retryAt });
});

test('a postponement is part of the state, stops earlier sends, and ends with the first attempt', async () => {
  const given = await subscribe(ledger.pool);
  const until = DUE + DAY;
  await ask('postpone', given, { ...BY, cycle: 0, until }, DUE - HOUR);
  expect((await stateOf(given, DUE)).postponements).toEqual([{ cycle: 0, until }]);
  expect(await beginSend(ledger.pool, sendOf(given, { at: until - 1 }))).toEqual({ kind: 'stopped' });
  expect(await beginSend(ledger.pool, sendOf(given, { at: until }))).toMatchObject({ kind: 'started' });
  expect((await stateOf(given, until)).postponements).toBeUndefined();
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({ postponedUntil: until });
  expect(await ask('postpone', given, { ...BY, cycle: 0, until: until + HOUR }, until)).toMatchObject({
    kind: 'refused',
  });
});

test('a postponed cycle is not shown once its subscription has ended before the due date', async () => {
  const given = await subscribe(ledger.pool);
  await ask('postpone', given, { ...BY, cycle: 1, until: windowOf(1).dueAt + DAY }, DUE - HOUR);
  expect(await getCycle(ledger.pool, given.subscriptionId, 1)).toMatchObject({ status: 'scheduled' });
  const end = { ...given, key: 'end', at: DUE, actor: 'dueday', events: [] };
  await applyChange(ledger.pool, { ...end, subscription: { status: 'cancelled', cancelledBy: 'payer' } });
  expect(await getCycle(ledger.pool, given.subscriptionId, 1)).toBeNull();
});

test('a postponement to the due date undoes the one before', async () => {
  const given = await subscribe(ledger.pool);
  await ask('postpone', given, { ...BY, cycle: 0, until: DUE + DAY }, DUE - HOUR);
  await ask('postpone', given, { ...BY, cycle: 0, until: DUE }, DUE - HOUR);
  expect((await stateOf(given, DUE)).postponements).toBeUndefined();
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({
    ...{ status: 'scheduled', postponedUntil: null, nextAttemptAt: null },
  });
});

test('a retry is refused for a cycle that does not wait for one', async () => {
  const given = await subscribe(ledger.pool);
  expect(await ask('retry', given, { ...BY, cycle: 0, retryAt: null })).toMatchObject({ kind: 'refused' });
});

test('a change of amount is refused before the first payment; after it, the change is pending and can be withdrawn', async () => {
  const given = await subscribe(ledger.pool);
  const request = { ...BY, amount: euros(1999), fromCycle: 1, announceAhead: DAY };
  const lower = await ask('change_amount', given, { ...request, amount: euros(1500) });
  expect(lower).toMatchObject({ kind: 'refused', refusal: { code: 'amount_change_not_allowed' } });

  await recordOutcome(ledger.pool, await startDebit(ledger.pool, sendOf(given)), outcomes().successful, NOW, {
    type: 'attempt.successful',
    data: {},
  });
  const changed = await ask('change_amount', given, { ...request, amount: euros(1500) });
  expect(changed).toMatchObject({ kind: 'steered', change: { amount: euros(1500), kind: 'reduction' } });
  expect((await stateOf(given)).pendingChange).toMatchObject({ amount: euros(1500), fromCycle: 1 });
  expect(await ask('withdraw_change', given, BY)).toMatchObject({ kind: 'steered' });
  expect((await stateOf(given)).pendingChange).toBeNull();
  expect(await ask('withdraw_change', given, BY)).toMatchObject({ kind: 'refused' });
});

test('the next due date after a pause is shown with the amount that it collects', async () => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'successful');
  await ask('change_amount', given, { ...BY, amount: euros(1500), fromCycle: 2, announceAhead: 0 });
  await pause(given, windowOf(2).dueAt);
  expect(await getSubscription(ledger.pool, given.subscriptionId)).toMatchObject({
    nextDueAt: windowOf(2).dueAt,
    amount: euros(1500),
  });
});

test('the next due date after a skipped one is shown with the amount that it collects, also while a retry is due', async () => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'successful');
  const { dueAt } = windowOf(1);
  const ref = await startDebit(ledger.pool, sendOf(given, { cycle: 1, ...windowOf(1), at: dueAt }));
  const refused = { ...outcomes().rejected_retryable, createdAt: dueAt } as const;
  await recordOutcome(ledger.pool, ref, refused, dueAt, { type: 'attempt.rejected', data: {} });
  await ask('skip', given, { ...BY, cycle: 2 }, dueAt + HOUR);
  await ask('change_amount', given, { ...BY, amount: euros(1500), fromCycle: 3, announceAhead: 0 }, dueAt + HOUR);
  expect(await getSubscription(ledger.pool, given.subscriptionId)).toMatchObject({
    nextDueAt: windowOf(3).dueAt,
    amount: euros(1500),
  });
});

const unresolved = async () => {
  const given = await subscribe(ledger.pool);
  const ref = await startDebit(ledger.pool, sendOf(given));
  const outcome = { state: 'unresolved', reason: 'it fits nothing' } as const;
  await recordOutcome(ledger.pool, ref, outcome, NOW, { type: 'attempt.unresolved', data: {} });
  const cycle = { cycle: 0, dueAt: DUE, collectBy: COLLECT_BY, amount: euros(1999), status: 'unresolved' as const };
  const { subscriptionId } = given;
  const change = { subscriptionId, key: 'unresolved', at: NOW, actor: 'dueday', events: [], cycle };
  await applyChange(ledger.pool, { ...change, subscription: { attention: ['unresolved:0'] } });
  return given;
};
const found = { actor: 'ada', cycle: 0, evidence: 'the bank statement', authorizationId: null, captureId: null };

test('an attempt that an operator resolves as collected collects its cycle, and clears its item', async () => {
  const given = await unresolved();
  expect(await ask('resolve', given, { ...found, outcome: 'collected' })).toMatchObject({ kind: 'steered' });
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({ status: 'collected' });
  expect(await getSubscription(ledger.pool, given.subscriptionId)).toMatchObject({ standing: 'good', attention: [] });
  expect((await stateOf(given)).cycle).toBe(1);
});

test('an attempt that an operator resolves as failed closes its cycle in the same transaction', async () => {
  const given = await unresolved();
  expect(await ask('resolve', given, { ...found, outcome: 'failed' })).toMatchObject({ kind: 'steered' });
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({
    status: 'failed',
    reason: 'rejected',
  });
  expect(await getSubscription(ledger.pool, given.subscriptionId)).toMatchObject({ standing: 'past_due' });
});

test("repeating an operator's resolution of an attempt changes nothing, and another outcome is refused", async () => {
  const given = await unresolved();
  await ask('resolve', given, { ...found, outcome: 'collected' });
  expect(await ask('resolve', given, { ...found, outcome: 'collected' })).toEqual({ kind: 'unchanged' });
  expect(await ask('resolve', given, { ...found, outcome: 'failed' })).toMatchObject({ kind: 'refused' });
});

test('an operator cannot resolve an attempt while the service may still answer', async () => {
  const given = await subscribe(ledger.pool);
  await startDebit(ledger.pool, sendOf(given));
  expect(await ask('resolve', given, { ...found, outcome: 'collected' })).toEqual({
    kind: 'refused',
    refusal: conflict('nothing of cycle 0 is unresolved'),
  });
});

test('a steering request waits for the transaction that has locked the subscription', async () => {
  const given = await subscribe(ledger.pool);
  const other = await ledger.pool.connect();
  await other.query('begin');
  await other.query('select from subscriptions where subscription_id = $1 for update', [given.subscriptionId]);
  const paused = pause(given);
  await waitForLock(ledger.pool);
  await other.query('commit');
  other.release();

  expect(await paused).toMatchObject({ kind: 'steered' });
});
