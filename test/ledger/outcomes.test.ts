import type { CaptureId } from '../../src/domain/ids';
import { DAY, MINUTE } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import {
  applyChange,
  knownAuthorizations,
  getCycle,
  getSubscription,
  latestSend,
  listEvents,
  type Outcome,
  recordOutcome,
  type SendRef,
} from '../../src/ledger';
import {
  authorizationId,
  COLLECT_BY,
  DUE,
  NOW,
  outcomes,
  REAL_NOW,
  sendOf,
  settle,
  startDebit,
  subscribe,
  type Subscribed,
  useLedger,
  waitForLock,
} from './ledger-fixture';

const ledger = useLedger();
const LATER = NOW + 5 * MINUTE;
const NEXT_DUE = DUE + 28 * DAY;

async function open(): Promise<{ given: Subscribed; ref: SendRef }> {
  const given = await subscribe(ledger.pool);
  return { given, ref: await startDebit(ledger.pool, sendOf(given)) };
}

function record(ref: SendRef, outcome: Outcome, at = LATER) {
  return recordOutcome(ledger.pool, ref, outcome, at, { type: `attempt.${outcome.state}`, data: { cycle: ref.cycle } });
}

function collected(nextDueAt?: number | null): Outcome {
  const outcome = outcomes().successful as Outcome & { state: 'successful' };
  return nextDueAt === undefined ? outcome : { ...outcome, nextDueAt };
}

async function eventTypes(given: Subscribed): Promise<string[]> {
  const { items } = await listEvents(ledger.pool, given, { limit: 50, cursor: null });
  return items.map(({ type }) => type);
}

test('the outcome of a collected attempt is also written to its cycle and its subscription', async () => {
  const { given, ref } = await open();
  await applyChange(ledger.pool, {
    subscriptionId: given.subscriptionId,
    key: 'behind',
    at: NOW,
    actor: 'dueday',
    events: [],
    subscription: { dunning: true, pastDue: true },
  });
  const outcome = collected(NEXT_DUE) as Outcome & { state: 'successful' };
  const { kind, send } = await record(ref, outcome);
  expect(kind).toBe('recorded');
  expect(send).toMatchObject({
    state: 'successful',
    authorizationId: outcome.authorizationId,
    captureId: outcome.captureId,
    authorizationCreatedAt: outcome.createdAt,
    outcomeAt: LATER,
  });
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({
    status: 'collected',
    collectedAt: LATER,
  });
  expect(await getSubscription(ledger.pool, given.subscriptionId)).toMatchObject({
    amount: euros(1999),
    cyclesCollected: 1,
    nextDueAt: NEXT_DUE,
    standing: 'good',
  });
  expect((await eventTypes(given)).slice(0, 2)).toEqual(['cycle.collected', 'attempt.successful']);
});

test('no part of an outcome is written if any part fails', async () => {
  const { given, ref } = await open();
  const broken = recordOutcome(ledger.pool, ref, collected(NEXT_DUE), LATER, {
    type: 'attempt.successful',
    data: { notJson: 1n },
  });
  await expect(broken).rejects.toThrow();
  expect((await latestSend(ledger.pool, given.subscriptionId, 0, 0))?.state).toBe('sending');
  expect((await getCycle(ledger.pool, given.subscriptionId, 0))?.status).toBe('collecting');
  expect((await getSubscription(ledger.pool, given.subscriptionId))?.cyclesCollected).toBe(0);
});

test('an outcome whose next due date is null clears that of the subscription, and an outcome without the field leaves it unchanged', async () => {
  const [last, unsaid] = [await open(), await open()];
  await record(last.ref, collected(null));
  await record(unsaid.ref, collected());
  expect((await getSubscription(ledger.pool, last.given.subscriptionId))?.nextDueAt).toBeNull();
  expect((await getSubscription(ledger.pool, unsaid.given.subscriptionId))?.nextDueAt).toBe(DUE);
});

test('a debit that succeeds after a cancellation is collected, and sets no next due date', async () => {
  const { given, ref } = await open();
  const { subscriptionId } = given;
  const end = { status: 'cancelled', nextDueAt: null } as const;
  await applyChange(ledger.pool, { subscriptionId, key: 'end', at: NOW, actor: 'ada', events: [], subscription: end });
  await record(ref, collected(NEXT_DUE));
  expect(await getSubscription(ledger.pool, subscriptionId)).toMatchObject({
    status: 'cancelled',
    nextDueAt: null,
    cyclesCollected: 1,
  });
});

test('a debit that succeeds after a later cycle has failed is collected, and the subscription stays past due', async () => {
  const { given, ref } = await open();
  const { subscriptionId } = given;
  await settle(ledger.pool, ref, 'pending');
  await applyChange(ledger.pool, {
    subscriptionId,
    key: 'later',
    at: NOW,
    actor: 'dueday',
    events: [],
    subscription: { pastDue: true, nextDueAt: NEXT_DUE + 28 * DAY },
    cycle: { cycle: 1, dueAt: NEXT_DUE, collectBy: NEXT_DUE + DAY, amount: euros(1999), status: 'failed' },
  });
  await record(ref, collected(NEXT_DUE));
  expect((await getCycle(ledger.pool, subscriptionId, 0))?.status).toBe('collected');
  expect(await getSubscription(ledger.pool, subscriptionId)).toMatchObject({
    standing: 'past_due',
    cyclesCollected: 1,
    nextDueAt: NEXT_DUE + 28 * DAY,
  });
});

const LATER_CYCLE = { cycle: 1, dueAt: NEXT_DUE, collectBy: NEXT_DUE + DAY } as const;

async function landedAfter(later: 'failed' | 'collected') {
  const { given, ref } = await open();
  const { subscriptionId } = given;
  await settle(ledger.pool, ref, 'pending');
  const next = await startDebit(ledger.pool, sendOf(given, { ...LATER_CYCLE, amount: euros(1500) }));
  if (later === 'collected') await record(next, collected());
  else await settle(ledger.pool, next, 'rejected');
  await record(ref, collected());
  const { rows } = await ledger.pool.query<{ current_amount: number }>(
    'select current_amount from subscriptions where subscription_id = $1',
    [subscriptionId],
  );
  return { current: rows[0]?.current_amount, types: await eventTypes(given) };
}

test('the amount of a late debit becomes the current amount if the later cycle was not authorized (rule 21)', async () => {
  expect((await landedAfter('failed')).current).toBe(1999);
});

test('the amount of a late debit does not become the current amount if a later cycle was authorized', async () => {
  const { current, types } = await landedAfter('collected');
  expect(current).toBe(1500);
  expect(types.filter((type) => type === 'cycle.collected')).toHaveLength(2);
  expect(types).not.toContain('amount_change.applied');
});

const dueOf = (cycle: number) => DUE + cycle * 28 * DAY;
const authorizedAt = (cycle: number) => dueOf(cycle) + MINUTE;
const lastIncreaseOf = async ({ subscriptionId }: Subscribed) =>
  (await getSubscription(ledger.pool, subscriptionId))?.lastIncreaseAt;

function begin(given: Subscribed, cycle: number, cents: number): Promise<SendRef> {
  const window = { dueAt: dueOf(cycle), collectBy: dueOf(cycle) + DAY };
  return startDebit(ledger.pool, sendOf(given, { cycle, amount: euros(cents), ...window }));
}

function land(ref: SendRef) {
  const debit = collected() as Outcome & { state: 'successful' };
  return record(ref, { ...debit, createdAt: authorizedAt(ref.cycle) });
}

async function collect(given: Subscribed, ...amounts: readonly number[]): Promise<void> {
  for (const [cycle, cents] of amounts.entries()) await land(await begin(given, cycle, cents));
}

test.each<[string, number[], number | null]>([
  ['the consent amount twice (no increase)', [1999, 1999], null],
  ['a cent more than the consent amount', [1999, 2000], 1],
  ['an increase, repeated', [1999, 2500, 2500], 1],
  ['an increase, then less, but above the consent amount', [1999, 2500, 2000], 1],
  ['an increase, then less, then the increase again', [1999, 2500, 2000, 2500], 3],
  ['less than the consent amount, then the consent amount (no increase)', [1999, 1500, 1999], null],
])(
  'an increase that the six-month rule counts is recorded with its debit, and no other: %s, %j (rules 19, 20)',
  async (_what, amounts, cycle) => {
    const given = await subscribe(ledger.pool);
    await collect(given, ...amounts);
    expect(await lastIncreaseOf(given)).toBe(cycle === null ? null : authorizedAt(cycle));
  },
);

test('an increase that the six-month rule counts is recorded even if it is collected after a later cycle at a lower amount', async () => {
  const given = await subscribe(ledger.pool);
  await collect(given, 1999);
  const late = await begin(given, 1, 2500);
  await settle(ledger.pool, late, 'pending');
  await land(await begin(given, 2, 1500));
  expect(await lastIncreaseOf(given)).toBeNull();
  await land(late);
  expect(await lastIncreaseOf(given)).toBe(authorizedAt(1));
});

test('an increase that is collected late does not replace a later increase as the last one', async () => {
  const given = await subscribe(ledger.pool);
  await collect(given, 1999);
  const late = await begin(given, 1, 2500);
  await settle(ledger.pool, late, 'pending');
  await land(await begin(given, 2, 2500));
  await land(late);
  expect(await lastIncreaseOf(given)).toBe(authorizedAt(2));
});

test('an amount that was no increase when it was due is not recorded as one, however late it is collected', async () => {
  const given = await subscribe(ledger.pool);
  await collect(given, 1999, 2500);
  const late = await begin(given, 2, 2500);
  await settle(ledger.pool, late, 'pending');
  await land(await begin(given, 3, 1500));
  await land(late);
  expect(await lastIncreaseOf(given)).toBe(authorizedAt(1));
});

test('an amount that was collected elsewhere before an import is not an increase here', async () => {
  const given = await subscribe(ledger.pool);
  await ledger.pool.query(
    `update subscriptions set collect_from = first_payment_at, collected_elsewhere = true, amount = 2500
       where subscription_id = $1`,
    [given.subscriptionId],
  );
  await collect(given, 2500);
  expect(await lastIncreaseOf(given)).toBeNull();
  await land(await begin(given, 1, 2501));
  expect(await lastIncreaseOf(given)).toBe(authorizedAt(1));
});

test('a late debit clears past due if the only later cycle was skipped', async () => {
  const { given, ref } = await open();
  const { subscriptionId } = given;
  await settle(ledger.pool, ref, 'pending');
  await applyChange(ledger.pool, {
    subscriptionId,
    key: 'later',
    at: NOW,
    actor: 'dueday',
    events: [],
    subscription: { pastDue: true },
    cycle: { cycle: 1, dueAt: NEXT_DUE, collectBy: NEXT_DUE + DAY, amount: euros(1999), status: 'skipped' },
  });
  await record(ref, collected());
  expect((await getSubscription(ledger.pool, subscriptionId))?.standing).toBe('good');
});

test('an outcome that is recorded again does not increase the number of collected cycles', async () => {
  const { given, ref } = await open();
  await record(ref, collected());
  await record(ref, collected());
  const second = await startDebit(ledger.pool, sendOf(given, { cycle: 1, dueAt: NEXT_DUE, collectBy: NEXT_DUE + DAY }));
  await record(second, collected());
  expect((await getSubscription(ledger.pool, given.subscriptionId))?.cyclesCollected).toBe(2);
});

test('recording the same outcome again returns the row unchanged and adds no audit entry', async () => {
  const { given, ref } = await open();
  const outcome = collected();
  await record(ref, outcome);
  const before = await eventTypes(given);
  const again = await record(ref, outcome, LATER + 1);
  expect(again).toMatchObject({ kind: 'unchanged', send: { state: 'successful', outcomeAt: LATER } });
  expect(await eventTypes(given)).toEqual(before);
});

test('of two final outcomes recorded at the same time one remains, and both callers get it', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { given, ref } = await open();
    const both = await Promise.all([record(ref, collected()), record(ref, outcomes().rejected)]);
    expect(both.map(({ kind }) => kind).sort()).toEqual(['recorded', 'unchanged']);
    const standing = await latestSend(ledger.pool, given.subscriptionId, 0, 0);
    for (const { send } of both) expect(send).toEqual(standing);
  }
});

test('recording an outcome waits for one that is being written, and does not overwrite it', async () => {
  const { given, ref } = await open();
  const other = await ledger.pool.connect();
  await other.query('begin');
  await other.query('select from subscriptions where subscription_id = $1 for update', [given.subscriptionId]);
  await other.query(
    `update attempts set state = 'not_sent', outcome_at = now(), reason = 'refused' where subscription_id = $1`,
    [given.subscriptionId],
  );
  const recording = record(ref, outcomes().unknown);
  await waitForLock(ledger.pool);
  await other.query('commit');
  other.release();
  expect(await recording).toMatchObject({ kind: 'unchanged', send: { state: 'not_sent', reason: 'refused' } });
});

describe('a pending outcome is written after the holder of the subscription’s lock, without blocking it', () => {
  async function behind(made: string): Promise<{ given: Subscribed; result: Awaited<ReturnType<typeof record>> }> {
    const { given, ref } = await open();
    const other = await ledger.pool.connect();
    try {
      await other.query('begin');
      await other.query('select from subscriptions where subscription_id = $1 for update', [given.subscriptionId]);
      const pending = record(ref, outcomes().pending);
      await waitForLock(ledger.pool);
      await other.query(`update attempts set ${made} where subscription_id = $1`, [given.subscriptionId]);
      await other.query('commit');
      return { given, result: await pending };
    } finally {
      other.release(true);
    }
  }

  test('a pending outcome is not written if the holder of the lock settled the send as never made', async () => {
    const { given, result } = await behind(`state = 'not_sent', outcome_at = now(), reason = 'refused'`);
    expect(result).toMatchObject({ kind: 'unchanged', mark: null, send: { state: 'not_sent' } });
    expect(await eventTypes(given)).not.toContain('attempt.pending');
  });

  test('a pending outcome is written if the holder of the lock recorded an unknown outcome', async () => {
    const { given, result } = await behind(`state = 'unknown', unknown_since_real = now(), reason = 'no answer'`);
    expect(result).toMatchObject({ kind: 'recorded', send: { state: 'pending', detail: null } });
    expect(await eventTypes(given)).toContain('attempt.pending');
  });
});

test('an outcome that contradicts the final one is recorded only as an audit entry, once', async () => {
  const { given, ref } = await open();
  await settle(ledger.pool, ref, 'not_sent');
  const found = collected();
  for (let tried = 0; tried < 3; tried += 1) {
    expect((await record(ref, found)).send).toMatchObject({ state: 'not_sent', authorizationId: null });
  }
  const { items } = await listEvents(
    ledger.pool,
    { ...given, type: 'attempt.contradicted' },
    { limit: 5, cursor: null },
  );
  expect(items).toHaveLength(1);
  expect(items[0]?.data).toMatchObject({ recorded: { state: 'not_sent' }, found: { state: 'successful' } });
});

test('a successful outcome with another authorization than the recorded one is also a contradiction', async () => {
  const { given, ref } = await open();
  await record(ref, collected());
  await record(ref, collected());
  expect((await eventTypes(given))[0]).toBe('attempt.contradicted');
});

test('an outcome less certain than the recorded one is not a contradiction', async () => {
  const { given, ref } = await open();
  await settle(ledger.pool, ref, 'successful');
  const before = await eventTypes(given);
  for (const state of ['pending', 'unknown', 'unresolved'] as const) await record(ref, outcomes()[state]);
  expect(await eventTypes(given)).toEqual(before);
});

test('the time since which a send is unknown is kept when it becomes unresolved', async () => {
  const { given, ref } = await open();
  await record(ref, { state: 'unknown', reason: 'time-out', sinceReal: REAL_NOW + 7 });
  await record(ref, { state: 'unresolved', reason: 'two fit' });
  expect(await latestSend(ledger.pool, given.subscriptionId, 0, 0)).toMatchObject({
    state: 'unresolved',
    unknownSinceReal: REAL_NOW + 7,
    reason: 'two fit',
    outcomeAt: null,
  });
});

test('a rejection that names no authorization keeps the one that was known while pending', async () => {
  const { given, ref } = await open();
  await record(ref, { state: 'pending', authorizationId: authorizationId('auth-9'), createdAt: NOW + 3 });
  await record(ref, { state: 'rejected', detail: 'AUTHORIZATION_REJECTION_FINAL', description: 'closed account' });
  expect(await latestSend(ledger.pool, given.subscriptionId, 0, 0)).toMatchObject({
    state: 'rejected',
    authorizationId: 'auth-9',
    authorizationCreatedAt: NOW + 3,
    description: 'closed account',
  });
});

test("the known authorizations of a payment include refused ones and no other payment's", async () => {
  const { given, ref } = await open();
  const other = await open();
  await record(other.ref, collected());
  const refused = { detail: 'AUTHORIZATION_REJECTION_RETRYABLE', description: 'insufficient funds' };
  await record(ref, { state: 'rejected_retryable', ...refused, authorizationId: authorizationId('first') });
  const retry = await startDebit(ledger.pool, sendOf(given, { attempt: 1, realAt: REAL_NOW + 1, knownIds: ['seen'] }));
  await record(retry, {
    state: 'successful',
    authorizationId: authorizationId('second'),
    captureId: 'capture' as CaptureId,
    createdAt: NOW,
  });
  expect((await knownAuthorizations(ledger.pool, given.paymentId)).map(({ id }) => id)).toEqual(['first', 'second']);
});

test('an outcome of a send that was never started is refused', async () => {
  const given = await subscribe(ledger.pool);
  const ref = { subscriptionId: given.subscriptionId, cycle: 0, attempt: 0, send: 0 };
  await expect(record(ref, outcomes().pending)).rejects.toThrow('the ledger has no send');
});

test("a retry after a rejection keeps the cycle's dates", async () => {
  const { given, ref } = await open();
  await settle(ledger.pool, ref, 'rejected_retryable');
  await startDebit(ledger.pool, sendOf(given, { attempt: 1 }));
  const cycle = await getCycle(ledger.pool, given.subscriptionId, 0);
  expect(cycle).toMatchObject({ dueAt: DUE, collectBy: COLLECT_BY, status: 'collecting' });
  expect(cycle?.attempts.map(({ attempt, state }) => [attempt, state])).toEqual([
    [0, 'rejected_retryable'],
    [1, 'sending'],
  ]);
});

test('texts of the service are stored without the characters that PostgreSQL refuses', async () => {
  const { given, ref } = await open();
  const odd = 'a\0\0b \ud800 c\\u0000 \u{1f600} ä';
  const outcome: Outcome = { state: 'rejected', detail: 'X\0', description: odd };
  await recordOutcome(ledger.pool, ref, outcome, LATER, { type: 'attempt.rejected', data: { [odd]: odd } });
  const clean = 'a\ufffd\ufffdb \ufffd c\\u0000 \u{1f600} ä';
  expect(await latestSend(ledger.pool, given.subscriptionId, 0, 0)).toMatchObject({
    detail: 'X\ufffd',
    description: clean,
  });
  const { items } = await listEvents(ledger.pool, { ...given, type: 'attempt.rejected' }, { limit: 1, cursor: null });
  expect(items[0]?.data).toEqual({ [clean]: clean });
});
