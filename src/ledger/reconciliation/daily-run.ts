import type { Pool } from 'pg';
import type { Difference } from '../../domain/reconciliation/subscription';
import { DAY, type Instant, type Period } from '../../domain/time';
import { followDifferences } from '../rows/attention-item';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, readValues } from '../sql/statements';
import { DUEDAY } from '../audit/entries';
import { BEHIND_SUBSCRIPTIONS } from './payments';
import { announceDifferences, insertDifferences, STORED_DIFFERENCE } from './runs';
import { comparedPaymentOf, readLongestWait, recordCheckFinished, type WaitingPayment } from './waiting';

/** The result of comparing one payment. */
export interface ComparedWaiting {
  readonly payment: WaitingPayment;
  readonly period: Period;
  readonly differences: readonly Difference[];
}

/**
 * Stores what was found for several payments, which then no longer wait. Storing the same again changes nothing but the count.
 * @param at business time before the first of them was compared
 * @returns false if the run has ended, for example because an operator has stopped it: then nothing is written
 */
export async function recordDailyCompared(
  pool: Pool,
  runId: string,
  compared: readonly ComparedWaiting[],
  at: Instant,
): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      `update reconciliation_runs set payments = payments + $2 where run_id = $1 and state = 'running'`,
      [runId, compared.length],
    );
    if (rowCount === 0) return false;
    const open = await paymentsWithOpenDifferences(db, compared);
    for (const { payment, period, differences } of compared) {
      if (differences.length === 0 && !open.has(payment.paymentId)) continue;
      const comparedPayment = comparedPaymentOf(payment);
      await insertDifferences(db, runId, comparedPayment, differences);
      await followDifferences(db, { runId, period, ...comparedPayment }, differences);
      await announceDifferences(db, comparedPayment, differences, at);
    }
    await noteCompared(db, runId, compared, at);
    return true;
  });
}

async function paymentsWithOpenDifferences(db: Db, compared: readonly ComparedWaiting[]): Promise<ReadonlySet<string>> {
  const open = await readValues<string>(
    db,
    `select distinct payment_id from attention_items
     where payment_id = any ($1) and source = 'difference' and closed_real_at is null`,
    [compared.map(({ payment }) => payment.paymentId)],
  );
  return new Set(open);
}

async function noteCompared(db: Db, runId: string, compared: readonly ComparedWaiting[], at: Instant): Promise<void> {
  await db.query(
    `update comparisons c set waits_since = greatest(c.waits_since, $3), compared_entry = each.entry, run_id = $4
     from unnest($1::text[], $2::bigint[]) as each (position, entry) where c.position = each.position`,
    [
      compared.map(({ payment }) => payment.position),
      compared.map(({ payment }) => payment.newestEntry),
      instantToColumn(at),
      runId,
    ],
  );
}

/** The end of a daily run. */
export interface EndOfDay {
  readonly runId: string;
  readonly period: Period;
  /** Whether everything due today has been compared. */
  readonly isComplete: boolean;
  /** Business time. */
  readonly at: Instant;
  readonly realAt: number;
}

/**
 * Ends a daily run. It reports what is known about every payment: all records up to the time when the payment that has waited
 * longest was last compared, with the differences that earlier runs have found in payments that were not compared today. A run
 * that has ended remains unchanged.
 */
export async function endDailyRun(pool: Pool, { runId, period, isComplete, at, realAt }: EndOfDay): Promise<void> {
  await inTransaction(pool, async (db) => {
    const known = Math.min(period.to, (await readLongestWait(db)) ?? period.to);
    const { rowCount } = await db.query(
      `update reconciliation_runs
       set state = 'compared', period_from = $2, period_to = $3, started_at = least(started_at, $3::timestamptz), ended_real_at = $4
       where run_id = $1 and state = 'running'`,
      [runId, ...[Math.min(period.from, known - DAY), known, realAt].map((instant) => instantToColumn(instant))],
    );
    if (rowCount === 0) return;
    await db.query(TAKE_OVER, [runId, instantToColumn(realAt - FOUND_WITHIN)]);
    if (isComplete) await recordCheckFinished(db, 'payments', at);
  });
}

/** No payment waits longer to be compared (`RECONCILE_EVERY_DAYS` is at most 90), and no run is kept longer. Real ms. */
const FOUND_WITHIN = 92 * DAY;

/** The findings of the run that last compared each payment. */
const TAKE_OVER = `
  insert into reconciliation_differences (run_id, ${STORED_DIFFERENCE})
  select $1, ${STORED_DIFFERENCE} from reconciliation_differences d
  where d.run_id in (
      select run_id from reconciliation_runs where actor = '${DUEDAY}' and started_real_at >= $2 and run_id <> $1
    )
    and exists (
      select from comparisons c where c.run_id = d.run_id and c.position = coalesce(
        d.subscription_id, (select '${BEHIND_SUBSCRIPTIONS}' || p.request_id from payments p where p.payment_id = d.payment_id)
      )
    )
  order by d.number
  on conflict (run_id, payment_id, difference_key) do nothing`;
