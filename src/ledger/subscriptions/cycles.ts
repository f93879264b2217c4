import type { SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import type { CycleStatus } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { type AttemptRecord, type AttemptRow, toAttempt } from '../attempts/attempts';
import { type Page, type PageOf, readNumberCursor, toPage } from '../cursor';
import { moneyFromColumn, type Db } from '../database';
import { type RefundRecord, refundsOf } from '../orders/refunds';

/** A cycle that the ledger knows: from the first word about it on. Later ones are the calendar's. */
export interface CycleRecord {
  readonly subscriptionId: SubscriptionId;
  readonly cycle: number;
  readonly dueAt: Instant;
  readonly collectBy: Instant;
  readonly amount: Money;
  readonly status: CycleStatus;
  readonly reason: string | null;
  readonly collectedAt: Instant | null;
  readonly nextAttemptAt: Instant | null;
  readonly retriesLeft: number;
  readonly retryUntil: Instant | null;
  /** In the order they were made. */
  readonly attempts: readonly NotifiedAttempt[];
  /** In the order they were asked for. */
  readonly refunds: readonly RefundRecord[];
}

export interface NotifiedAttempt extends AttemptRecord {
  /** When the payer was told of this attempt's rejection. */
  readonly payerNotifiedAt: Instant | null;
}

/** Newest first, with their attempts and refunds. */
export async function listCycles(db: Db, subscriptionId: SubscriptionId, page: Page): Promise<PageOf<CycleRecord>> {
  const { rows } = await db.query<CycleRow>(
    `select * from cycles where subscription_id = $1 and ($2::integer is null or cycle < $2)
     order by cycle desc limit $3`,
    [subscriptionId, readNumberCursor(page.cursor), page.limit + 1],
  );
  return toPage(await withHistory(db, subscriptionId, rows), page.limit, ({ cycle }) => [cycle]);
}

/** Null where the ledger does not know it (yet). */
export async function getCycle(db: Db, subscriptionId: SubscriptionId, cycle: number): Promise<CycleRecord | null> {
  const { rows } = await db.query<CycleRow>('select * from cycles where subscription_id = $1 and cycle = $2', [
    subscriptionId,
    cycle,
  ]);
  const [found] = await withHistory(db, subscriptionId, rows);
  return found ?? null;
}

async function withHistory(
  db: Db,
  subscriptionId: SubscriptionId,
  cycles: readonly CycleRow[],
): Promise<CycleRecord[]> {
  const numbers = cycles.map(({ cycle }) => cycle);
  const attempts = await attemptsOf(db, subscriptionId, numbers);
  const refunds = await refundsOf(db, subscriptionId, numbers);
  return cycles.map((row) => ({
    ...toCycle(row),
    attempts: attempts.filter(({ cycle }) => cycle === row.cycle),
    refunds: refunds.filter(({ cycle }) => cycle === row.cycle),
  }));
}

/** The numbers of the cycles that were skipped, some of them perhaps to come. */
export async function skippedCycles(db: Db, subscriptionId: SubscriptionId): Promise<readonly number[]> {
  const { rows } = await db.query<{ cycle: number }>(
    `select cycle from cycles where subscription_id = $1 and status = 'skipped' order by cycle`,
    [subscriptionId],
  );
  return rows.map(({ cycle }) => cycle);
}

async function attemptsOf(db: Db, subscriptionId: SubscriptionId, cycles: number[]): Promise<NotifiedAttempt[]> {
  const { rows } = await db.query<AttemptRow & { payer_notified_at: number | null }>(
    `select a.*, n.delivered_at as payer_notified_at
     from attempts a
     left join notices n on n.type = 'payment.failed' and n.state = 'delivered'
       and (n.subscription_id, n.cycle, n.attempt) = (a.subscription_id, a.cycle, a.attempt)
       and a.state in ('rejected', 'rejected_retryable')
     where a.subscription_id = $1 and a.cycle = any ($2::integer[])
     order by a.attempt, a.send`,
    [subscriptionId, cycles],
  );
  return rows.map((row) => ({ ...toAttempt(row), payerNotifiedAt: row.payer_notified_at }));
}

interface CycleRow {
  subscription_id: string;
  cycle: number;
  due_at: number;
  collect_by: number;
  amount: number;
  status: CycleStatus;
  reason: string | null;
  collected_at: number | null;
  next_attempt_at: number | null;
  retries_left: number;
  retry_until: number | null;
}

function toCycle(row: CycleRow): Omit<CycleRecord, 'attempts' | 'refunds'> {
  return {
    subscriptionId: row.subscription_id as SubscriptionId,
    cycle: row.cycle,
    dueAt: row.due_at,
    collectBy: row.collect_by,
    amount: moneyFromColumn(row.amount),
    status: row.status,
    reason: row.reason,
    collectedAt: row.collected_at,
    nextAttemptAt: row.next_attempt_at,
    retriesLeft: row.retries_left,
    retryUntil: row.retry_until,
  };
}
