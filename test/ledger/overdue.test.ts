import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import {
  applyChange,
  findOverdue,
  followOverdue,
  haltSending,
  liftHalt,
  listAttention,
  type OverdueTerms,
  recordConsent,
  recordDelivery,
  recordFailedCheck,
} from '../../src/ledger';
import { emptyLedger } from '../support/empty-ledger';
import {
  askConsent,
  COLLECT_BY,
  DUE,
  NOW,
  orderPaymentFailedNotice,
  REAL_NOW,
  sendOf,
  settle,
  startDebit,
  subscribe,
  type Subscribed,
  useLedger,
} from './ledger-fixture';

const ledger = useLedger();
const SETTLE = 15 * MINUTE;

beforeEach(async () => {
  await emptyLedger(ledger.pool);
  await liftHalt(ledger.pool, { actor: 'bob', at: NOW, reason: null });
  await ledger.pool.query('update installation set sending_since = null');
});

const run = (text: string, values: unknown[] = []) => ledger.pool.query(text, values);
const at = (now: Instant, changes: Partial<OverdueTerms> = {}): OverdueTerms => ({
  ...{ now, realNow: REAL_NOW, settle: SETTLE, callsPerSecond: null, speed: 1 },
  ...changes,
});

async function reasons(terms: OverdueTerms): Promise<string[]> {
  return (await findOverdue(ledger.pool, terms, null)).map(({ reason }) => reason);
}

/** Expects an overdue item from the instant on, and not a millisecond earlier. */
async function expectOverdueFrom(instant: Instant, reason: string, changes: Partial<OverdueTerms> = {}): Promise<void> {
  expect(await reasons(at(instant - 1, changes))).toEqual([]);
  expect(await reasons(at(instant, changes))).toEqual([reason]);
}

async function set({ subscriptionId }: Subscribed, columns: string, values: unknown[] = []): Promise<void> {
  await run(`update subscriptions set ${columns} where subscription_id = $1`, [subscriptionId, ...values]);
}

async function cycle({ subscriptionId }: Subscribed, more: object): Promise<void> {
  const terms = { cycle: 0, dueAt: DUE, collectBy: COLLECT_BY, amount: euros(1999) } as const;
  await applyChange(ledger.pool, {
    ...{ subscriptionId, key: `cycle/${JSON.stringify(more)}`, at: NOW, actor: 'test', events: [] },
    cycle: { ...terms, ...(more as { status: 'dunning' }) },
  });
}

/** Creates a subscription in dunning whose notice was delivered at this instant; null: not delivered. */
async function createInDunning(deliveredAt: Instant | null, retryAt: Instant): Promise<Subscribed> {
  const subscribed = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(subscribed)), 'rejected_retryable');
  const { subscriptionId } = subscribed;
  const order = { subscriptionId, cycle: 0, attempt: 0, data: {}, createdAt: NOW };
  const { noticeId } = await orderPaymentFailedNotice(ledger.pool, order);
  if (deliveredAt !== null) {
    const delivered = { kind: 'delivered', realAt: REAL_NOW, channel: 'email', evidence: {} } as const;
    await recordDelivery(ledger.pool, noticeId, { ...delivered, at: deliveredAt });
  }
  // Set after the delivery, which would set it to the planned time.
  await cycle(subscribed, { status: 'dunning', nextAttemptAt: retryAt, retriesLeft: 3, retryUntil: DUE + 3 * DAY });
  return subscribed;
}

test('a first attempt is overdue an hour after its due date (rule 43)', async () => {
  await subscribe(ledger.pool);
  await expectOverdueFrom(DUE + HOUR, 'first_attempt');
});

test('a first attempt is overdue an hour after its spread', async () => {
  await set(await subscribe(ledger.pool), 'spread = $2', [6 * HOUR]);
  await expectOverdueFrom(DUE + 7 * HOUR, 'first_attempt');
});

test('a first attempt is overdue an hour after the waiting time that the cap implies', async () => {
  await subscribe(ledger.pool);
  // A first attempt makes five calls, and the cap allows one in ten seconds.
  await expectOverdueFrom(DUE + HOUR + 50 * SECOND, 'first_attempt', { callsPerSecond: 0.1 });
});

test('a first attempt is overdue an hour after its pause, or a halt, has ended', async () => {
  const subscribed = await subscribe(ledger.pool);
  const pauses = JSON.stringify([{ since: DUE - HOUR, until: DUE + 2 * HOUR }]);
  await set(subscribed, 'pauses = $2', [pauses]);
  await expectOverdueFrom(DUE + 3 * HOUR, 'first_attempt');
  await liftHaltAt(DUE + 4 * HOUR);
  await expectOverdueFrom(DUE + 5 * HOUR, 'first_attempt');
});

async function liftHaltAt(instant: Instant): Promise<void> {
  await haltSending(ledger.pool, { actor: 'ada', at: DUE, reason: 'wrong amounts' });
  expect(await reasons(at(DUE + 3 * HOUR))).toEqual([]);
  await liftHalt(ledger.pool, { actor: 'ada', at: instant, reason: null });
}

test('a first attempt that waits for the day from which its increase is allowed is overdue only after that day', async () => {
  const subscribed = await subscribe(ledger.pool, { consentAmount: euros(1000) });
  const change = {
    ...{ requestedAt: NOW - DAY, amount: euros(1100), previousAmount: euros(1000), fromCycle: 0, effectiveAt: DUE },
    ...{ kind: 'increase', countsAsIncrease: true, announceAt: NOW - DAY, announcement: { kind: 'not_needed' } },
  };
  // Six months after that it is 31 January, ten hours after the due date.
  const lastIncrease = new Date(Date.UTC(2026, 6, 31, 20));
  await set(subscribed, 'pending_change = $2, last_increase_at = $3, collected_elsewhere = true, collect_from = $4', [
    ...[JSON.stringify(change), lastIncrease, new Date(NOW - DAY)],
  ]);
  const allowed = Date.UTC(2027, 0, 31, 20);
  expect(await reasons(at(allowed - HOUR))).toEqual([]);
  expect(await reasons(at(allowed + 2 * HOUR))).toEqual(['first_attempt']);
  await set(subscribed, 'pending_change = null');
  expect(await reasons(at(allowed - HOUR))).toEqual(['first_attempt']);
});

test.each([
  ['paused', `status = 'paused'`],
  ['about to be paused', `stopped_by = 'pause'`],
  ['cancelling', `stopped_by = 'cancel'`],
])('a first attempt is not overdue while its subscription is %s', async (_what, columns) => {
  await set(await subscribe(ledger.pool), columns);
  expect(await reasons(at(DUE + 2 * HOUR))).toEqual([]);
});

test('a first attempt is not overdue while a replacement takes over its due date', async () => {
  const old = await subscribe(ledger.pool);
  const young = await askConsent(ledger.pool, { replaces: old.subscriptionId, firstPaymentAt: DUE });
  // The state after an outcome was recorded meanwhile.
  await set(old, 'next_due_at = $2', [new Date(DUE)]);
  expect(await reasons(at(DUE + 2 * HOUR))).toEqual([]);
  await recordConsent(ledger.pool, young.subscriptionId, { kind: 'failed', reason: 'refused' }, DUE + HOUR);
  expect(await reasons(at(DUE + 2 * HOUR))).toEqual(['first_attempt']);
});

test('a first attempt is not overdue while the outcome of another cycle is unknown', async () => {
  const subscribed = await subscribe(ledger.pool);
  const ref = await startDebit(ledger.pool, sendOf(subscribed));
  await settle(ledger.pool, ref, 'unknown');
  await set(subscribed, 'next_due_at = $2', [new Date(DUE + 28 * DAY)]);
  expect(await reasons(at(DUE + 28 * DAY + 2 * HOUR))).not.toContain('first_attempt');
});

test('a first attempt is not overdue if a check before it failed within the last settle time', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  await recordFailedCheck(ledger.pool, subscriptionId, REAL_NOW);
  const after = (realNow: number) => reasons(at(DUE + 2 * HOUR, { realNow }));
  expect(await after(REAL_NOW + SETTLE - 1)).toEqual([]);
  expect(await after(REAL_NOW + SETTLE)).toEqual(['first_attempt']);
});

test('a retry is overdue an hour after its planned time (rule 43)', async () => {
  await createInDunning(NOW, DUE + DAY);
  await expectOverdueFrom(DUE + DAY + HOUR, 'retry');
});

test('a retry is overdue an hour and a minute after a late notice', async () => {
  await createInDunning(DUE + DAY + 2 * HOUR, DUE + DAY);
  await expectOverdueFrom(DUE + DAY + 3 * HOUR + MINUTE, 'retry');
});

test('a retry is not overdue without its notice, which has an alert of its own', async () => {
  await createInDunning(null, DUE + DAY);
  expect(await reasons(at(DUE + 2 * DAY))).toEqual([]);
});

/** Copies of everything that the ledger has of a subscription in dunning. */
async function copies({ subscriptionId }: Subscribed, count: number): Promise<void> {
  const copy = async (table: string, given: string) => {
    const { rows } = await run(
      `select string_agg(column_name, ', ') as columns from information_schema.columns
       where table_schema = current_schema and table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO'`,
      [table],
    );
    const { columns } = rows[0] as { columns: string };
    await run(
      `insert into ${table} (${columns}) select ${columns.replaceAll(/\w+/g, 'copied.$&')}
       from ${table} as original, generate_series(1, ${count}) as nth,
         jsonb_populate_record(original, jsonb_build_object('subscription_id', original.subscription_id || '-' || nth, ${given})) as copied
       where original.subscription_id = $1`,
      [subscriptionId],
    );
  };
  await copy('subscriptions', `'payment_id', payment_id || '-' || nth, 'workflow_id', workflow_id || '-' || nth`);
  await copy('cycles', `'cycle', cycle`);
  await copy('attempts', `'payment_id', payment_id || '-' || nth, 'state', 'sending', 'outcome_at', null`);
  await run(`update attempts set state = 'rejected_retryable', outcome_at = at where state = 'sending'`);
  await copy('notices', `'notice_id', notice_id || '-' || nth`);
}

test('an overdue retry is found behind many whose pause has just ended', async () => {
  const now = DUE + 26 * HOUR;
  await copies(await createInDunning(NOW, DUE + 23 * HOUR), 500);
  const pauses = JSON.stringify([{ since: DUE + 22 * HOUR, until: now - MINUTE }]);
  await run('update subscriptions set pauses = $1', [pauses]);
  const { subscriptionId } = await createInDunning(NOW, DUE + DAY);
  expect(await findOverdue(ledger.pool, at(now), null)).toMatchObject([{ subscriptionId, reason: 'retry' }]);
});

test('a send without any outcome is overdue after twice the settle time, by real time (rule 43)', async () => {
  await startDebit(ledger.pool, sendOf(await subscribe(ledger.pool)));
  expect(await reasons(at(NOW, { realNow: REAL_NOW + 2 * SETTLE - 1 }))).toEqual([]);
  expect(await reasons(at(NOW, { realNow: REAL_NOW + 2 * SETTLE }))).toEqual(['sending']);
});

test('a send without any outcome is not overdue once its outcome is unknown', async () => {
  const ref = await startDebit(ledger.pool, sendOf(await subscribe(ledger.pool)));
  await settle(ledger.pool, ref, 'unknown');
  expect(await reasons(at(NOW, { realNow: REAL_NOW + DAY }))).toEqual([]);
});

test('a cycle whose window has closed is overdue an hour later, while it is open (rule 43)', async () => {
  await createInDunning(null, DUE + DAY);
  await expectOverdueFrom(COLLECT_BY + HOUR, 'window_closed');
});

test('a cycle whose window has closed is not overdue while its authorization is pending at the service', async () => {
  const subscribed = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(subscribed)), 'pending');
  expect(await reasons(at(COLLECT_BY + DAY))).toEqual([]);
});

const items = async () => (await listAttention(ledger.pool, {}, { limit: 10, cursor: null })).items;

test('an overdue item is the only one of its subscription, says what is late, and ends with the next attempt (rule 43)', async () => {
  const subscribed = await subscribe(ledger.pool);
  const now = DUE + 2 * HOUR;
  expect(await followOverdue(ledger.pool, at(now))).toHaveLength(1);
  expect(await followOverdue(ledger.pool, at(now + MINUTE))).toEqual([]);
  expect(await items()).toMatchObject([
    {
      kind: 'overdue',
      subscriptionId: subscribed.subscriptionId,
      cycle: 0,
      since: now,
      ledger: { state: 'first_attempt' },
    },
  ]);
  await startDebit(ledger.pool, sendOf(subscribed));
  await followOverdue(ledger.pool, at(now + 2 * MINUTE));
  expect(await items()).toEqual([]);
});

test('an overdue item ends when something stops the subscription', async () => {
  const subscribed = await subscribe(ledger.pool);
  await followOverdue(ledger.pool, at(DUE + 2 * HOUR));
  expect(await items()).toHaveLength(1);
  await set(subscribed, `stopped_by = 'pause'`);
  await followOverdue(ledger.pool, at(DUE + 2 * HOUR));
  expect(await items()).toEqual([]);
});
