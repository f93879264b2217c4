import { randomUUID } from 'node:crypto';
import type { AuthorizationId, CaptureId, NoticeId, PaymentId, SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR, MINUTE } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import {
  applyChange,
  beginSend,
  createPool,
  type Db,
  getNotice,
  insertDraft,
  type NewSend,
  type NoticeRecord,
  openConsent,
  type Outcome,
  inTransaction,
  type Pool,
  recordDelivery,
  recordOutcome,
  type SendRef,
  type SubscriptionDraft,
} from '../../src/ledger';
import { isResolvedAlike, type Resolution, resolveAttempt as resolve } from '../../src/ledger/deciding/resolutions';
import { insertNotice } from '../../src/ledger/rows/notice';
import { lockSubscription } from '../../src/ledger/deciding/changes';
import { createTestDatabase } from '../support/database';
import { waitUntil } from '../support/wait-until';

/** Business time of these tests. Real time has another value, so that a confusion of the two is noticed. */
export const NOW = Date.UTC(2027, 0, 31, 10, 0, 0, 123);
export const REAL_NOW = Date.UTC(2026, 10, 21, 9, 0, 0, 456);
export const DUE = NOW;
export const COLLECT_BY = DUE + 5 * DAY;

export interface TestLedger {
  pool: Pool;
  url: string;
}

/** A ledger for one test file. */
export function useLedger(): TestLedger {
  const ledger = {} as TestLedger;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const database = await createTestDatabase();
    drop = database.drop;
    ledger.url = database.url;
    ledger.pool = createPool({ databaseUrl: database.url, keepsStatements: true });
  });
  afterAll(async () => {
    await ledger.pool.end();
    await drop();
  });
  return ledger;
}

let created = 0;

export function draft(changes: Partial<SubscriptionDraft> = {}): SubscriptionDraft {
  created += 1;
  const subscriptionId = `sub_${created}_${randomUUID().slice(0, 8)}` as SubscriptionId;
  return {
    subscriptionId,
    workflowId: `subscription/${changes.subscriptionId ?? subscriptionId}`,
    repetition: 'MONTHLY',
    consentAmount: euros(1999),
    startAt: NOW - DAY,
    firstPaymentAt: DUE,
    endAt: null,
    onExhausted: 'continue',
    returnURL: 'https://shop.example/back',
    payer: { email: 'ada@example.org', reference: 'customer-7', language: null },
    billingAddress: { name: 'Ada Example', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' },
    shippingAddress: null,
    replaces: null,
    warnings: [],
    createdAt: NOW - HOUR,
    draftedRealAt: REAL_NOW,
    ...changes,
  };
}

export interface Subscribed {
  subscriptionId: SubscriptionId;
  paymentId: PaymentId;
  payerId: string;
}

/** A subscription whose payer has approved. */
export async function subscribe(pool: Pool, changes: Partial<SubscriptionDraft> = {}): Promise<Subscribed> {
  const subscribed = await askConsent(pool, changes);
  await applyChange(pool, {
    subscriptionId: subscribed.subscriptionId,
    key: 'activated',
    at: NOW - 30 * MINUTE,
    actor: 'dueday',
    events: [],
    subscription: { status: 'active', nextDueAt: DUE },
  });
  return subscribed;
}

export async function askConsent(pool: Pool, changes: Partial<SubscriptionDraft> = {}): Promise<Subscribed> {
  const wanted = draft(changes);
  const { subscriptionId } = wanted;
  const inserted = await insertDraft(pool, wanted, REAL_NOW);
  if (inserted.kind !== 'inserted') throw new Error(`${subscriptionId} exists`);
  const paymentId = `pay-${subscriptionId}` as PaymentId;
  await openConsent(pool, {
    subscriptionId,
    draftedRealAt: wanted.draftedRealAt,
    paymentId,
    redirectURL: 'https://bank.example/approve',
    requestedRealAt: REAL_NOW,
    at: NOW - HOUR,
  });
  return { subscriptionId, paymentId, payerId: inserted.payerId };
}

export function sendOf({ subscriptionId, paymentId }: Subscribed, changes: Partial<NewSend> = {}): NewSend {
  return {
    subscriptionId,
    paymentId,
    cycle: 0,
    attempt: 0,
    amount: euros(1999),
    dueAt: DUE,
    collectBy: COLLECT_BY,
    at: NOW,
    realAt: REAL_NOW,
    knownIds: ['old-1'],
    owner: 'worker-1',
    ...changes,
  };
}

/** Records the notice of a rejected attempt, once: a repetition returns the stored notice, delivered or not. */
export async function orderPaymentFailedNotice(
  db: Db,
  order: Pick<NoticeRecord, 'data' | 'createdAt'> & Pick<SendRef, 'subscriptionId' | 'cycle' | 'attempt'>,
): Promise<NoticeRecord> {
  const { subscriptionId, createdAt, ...about } = order;
  const noticeId = await insertNotice(db, subscriptionId, null, createdAt, { type: 'payment.failed', ...about });
  const notice = await getNotice(db, noticeId);
  if (notice === null) throw new Error(`the notice ${noticeId} was stored and disappeared`);
  return notice;
}

/** Records that the payer was notified of a failed attempt, which permits the next attempt (rule 13). */
export async function notify(
  pool: Pool,
  { subscriptionId }: Pick<Subscribed, 'subscriptionId'>,
  attempt = 0,
  cycle = 0,
) {
  const order = { subscriptionId, cycle, attempt, data: {}, createdAt: NOW };
  const { noticeId } = await orderPaymentFailedNotice(pool, order);
  const evidence = { status: 200 };
  await recordDelivery(pool, noticeId, { kind: 'delivered', at: NOW, realAt: REAL_NOW, channel: 'webhook', evidence });
}

/** Starts a send that nothing blocks: the payer of a retry is notified first. */
export async function startDebit(pool: Pool, input: NewSend): Promise<SendRef> {
  if (input.attempt > 0) await notify(pool, input, input.attempt - 1, input.cycle);
  const result = await beginSend(pool, input);
  if (result.kind !== 'started') throw new Error(`not started: ${JSON.stringify(result)}`);
  const { subscriptionId, cycle, attempt, send } = result.send;
  return { subscriptionId, cycle, attempt, send };
}

export function authorizationId(text: string): AuthorizationId {
  return text as AuthorizationId;
}

/** Outcomes with ids that no other send has. */
export function outcomes(): Record<Outcome['state'], Outcome> {
  const known = { authorizationId: authorizationId(randomUUID()), createdAt: NOW + 1 };
  const captureId = randomUUID() as CaptureId;
  const refused = { detail: 'AUTHORIZATION_REJECTION_RETRYABLE', description: 'insufficient funds', ...known };
  return {
    pending: { state: 'pending', ...known },
    successful: { state: 'successful', captureId, ...known },
    rejected_retryable: { state: 'rejected_retryable', ...refused },
    rejected: { state: 'rejected', ...refused, detail: 'AUTHORIZATION_REJECTION_FINAL' },
    capture_failed: { state: 'capture_failed', detail: 'CAPTURE_FAILED', captureId, ...known },
    not_sent: { state: 'not_sent', reason: 'connection refused' },
    unknown: { state: 'unknown', reason: 'time-out', sinceReal: REAL_NOW + 1 },
    unresolved: { state: 'unresolved', reason: 'two authorizations fit' },
  };
}

/** Records an outcome for this state, and fails if it is not accepted. */
export async function settle(pool: Pool, ref: SendRef, state: Outcome['state'], at = NOW + 1000): Promise<void> {
  const result = await recordOutcome(pool, ref, outcomes()[state], at, { type: `attempt.${state}`, data: {} });
  if (result.kind !== 'recorded') throw new Error(`${state} was not recorded: the state remains ${result.send.state}`);
}

export async function count(pool: Pool, table: string, subscriptionId: SubscriptionId): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`select count(*) as n from ${table} where subscription_id = $1`, [
    subscriptionId,
  ]);
  return rows[0]!.n;
}

/** Waits until at least this many transactions in this database wait for a lock. */
export function waitForLock(pool: Pool, least = 1): Promise<void> {
  return waitUntil('a statement waits for a lock', async () => {
    const { rows } = await pool.query<{ n: number }>(
      `select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0]!.n >= least;
  });
}

/**
 * Writes an operator's resolution as steering does, under the lock of the subscription. Returns `unchanged` if the attempt had
 * the same resolution before.
 */
export function resolveAttempt(pool: Pool, resolution: Resolution) {
  return inTransaction(pool, async (db) => {
    await lockSubscription(db, resolution.subscriptionId);
    return (await isResolvedAlike(db, resolution)) ? ({ kind: 'unchanged' } as const) : resolve(db, resolution);
  });
}

/** The notices of a subscription, in the order in which they were ordered. */
export async function noticesOf(pool: Pool, subscriptionId: SubscriptionId): Promise<NoticeId[]> {
  const { rows } = await pool.query<{ notice_id: NoticeId }>(
    'select notice_id from notices where subscription_id = $1 order by created_at, notice_id',
    [subscriptionId],
  );
  return rows.map((row) => row.notice_id);
}
