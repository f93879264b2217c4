import type { Pool } from 'pg';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import { describeDifference } from '../../domain/reconciliation/records';
import { type Difference, keyOfDifference, type Side } from '../../domain/reconciliation/subscription';
import { type Instant, toIso, type Period } from '../../domain/time';
import { type Actor, actorOf } from '../../domain/audit/event';
import { followDifferences } from '../rows/attention-item';
import { type Page, type PageOf, numberCursor, toPage } from '../sql/cursor';
import { inTransaction } from '../sql/database';
import { instantToColumn, textToColumn, type Db, readRecord, readRecords } from '../sql/statements';
import { insertEvent, type NewEvent, DUEDAY } from '../audit/entries';
import { type ComparedPayment, positionAfter } from './payments';

/** Who did it, and when in business and in real time. */
export interface ReconciliationAct extends Actor {
  readonly at: Instant;
  readonly realAt: number;
}

/** Started by the actor who requests the comparison. */
export interface NewReconciliation extends ReconciliationAct {
  readonly runId: string;
  readonly period: Period;
}

export interface ReconciliationRun {
  readonly runId: string;
  readonly period: Period;
  /** Who started it: an API key's name, the command line, or `dueday`. */
  readonly actor: string;
  readonly state: 'running' | 'compared' | 'service_unavailable' | 'stopped';
  /** The payment compared last, see {@link positionAfter}; empty before the first. */
  readonly position: string;
  /** Payments processed, including those that could not be compared. */
  readonly payments: number;
  readonly differences: number;
  /** Payments that could not be compared; each is among the differences. */
  readonly notCompared: number;
  /** Why it was given up. */
  readonly reason: string | null;
  /** Business time. */
  readonly startedAt: Instant;
}

/** Starts a run, with an audit entry, or returns the existing one with this id and its progress. */
export async function beginReconciliation(pool: Pool, run: NewReconciliation): Promise<ReconciliationRun> {
  await inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      `insert into reconciliation_runs (run_id, period_from, period_to, actor, started_at, started_real_at)
       values ($1, $2, $3, $4, $5, $6) on conflict (run_id) do nothing`,
      [
        run.runId,
        instantToColumn(run.period.from),
        instantToColumn(run.period.to),
        run.actor,
        instantToColumn(run.at),
        instantToColumn(run.realAt),
      ],
    );
    if (rowCount === 1) await insertEvent(db, eventOf('reconciliation.started', run, run));
  });
  const started = await readReconciliation(pool, run.runId);
  if (started === null) throw new Error(`the reconciliation ${run.runId} was started and no longer exists`);
  return started;
}

/**
 * Stops a run; the comparing worker notices it at the next payment. A run that has ended remains unchanged.
 * @returns the run after this call; null if there is none with this id
 */
export async function stopReconciliation(
  pool: Pool,
  runId: string,
  act: ReconciliationAct,
): Promise<ReconciliationRun | null> {
  return inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      `update reconciliation_runs set state = 'stopped', ended_real_at = $2 where run_id = $1 and state = 'running'`,
      [runId, instantToColumn(act.realAt)],
    );
    const run = await readReconciliation(db, runId);
    if (rowCount === 1 && run !== null) await insertEvent(db, eventOf('reconciliation.stopped', run, act));
    return run;
  });
}

function eventOf(
  type: 'reconciliation.started' | 'reconciliation.stopped',
  { runId, period }: Pick<ReconciliationRun, 'runId' | 'period'>,
  { at, ...by }: ReconciliationAct,
): NewEvent {
  const data = { jobId: runId, from: toIso(period.from), to: toIso(period.to) };
  return { ...actorOf(by), subscriptionId: null, at, type, data };
}

/** Null if there is none with this id, or it was purged. */
export async function readReconciliation(db: Db, runId: string): Promise<ReconciliationRun | null> {
  return readRecord(
    db,
    `select r.run_id, r.period_from as "period.from", r.period_to as "period.to", r.actor, r.state, r.position, r.payments, d.differences,
       d.not_compared, r.reason, r.started_at
     from reconciliation_runs r, lateral (
       select count(*) as differences, count(*) filter (where kind = 'not_compared') as not_compared
       from reconciliation_differences where run_id = r.run_id
     ) d
     where r.run_id = $1`,
    [runId],
  );
}

/**
 * Stores what the comparison of one payment found, and the progress of the run. Idempotent.
 * @param announceAt business time of the audit entries for new differences; null: none are written
 * @returns false if the run has ended, for example because an operator has stopped it: then nothing is written
 */
export async function recordCompared(
  pool: Pool,
  runId: string,
  payment: ComparedPayment,
  differences: readonly Difference[],
  announceAt: Instant | null,
): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      `update reconciliation_runs set position = $2, payments = payments + 1
       where run_id = $1 and position < $2 and state = 'running'`,
      [runId, positionAfter(payment)],
    );
    if (rowCount === 0) return (await readReconciliation(db, runId))?.state === 'running';
    await insertDifferences(db, runId, payment, differences);
    await followDifferences(db, { runId, ...payment }, differences);
    if (announceAt !== null) await announceDifferences(db, payment, differences, announceAt);
    return true;
  });
}

/** Ends a run. A run that has ended remains unchanged. @param reason why it is given up; null if everything was compared */
export async function endReconciliation(db: Db, runId: string, reason: string | null, realAt: number): Promise<void> {
  await db.query(
    `update reconciliation_runs set state = $2, reason = $3, ended_real_at = $4
     where run_id = $1 and state = 'running'`,
    [runId, reason === null ? 'compared' : 'service_unavailable', textToColumn(reason), instantToColumn(realAt)],
  );
}

/** Removes at most `limit` differences of runs started before `olderThanReal`. @returns how many */
export async function purgeDifferences(db: Db, olderThanReal: number, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from reconciliation_differences where (run_id, number) in (
       select d.run_id, d.number from reconciliation_runs r join reconciliation_differences d using (run_id)
       where r.started_real_at < $1 limit $2
     )`,
    [instantToColumn(olderThanReal), limit],
  );
  return rowCount ?? 0;
}

/** Removes at most `limit` runs started before `olderThanReal`, with their remaining differences. @returns how many */
export async function purgeReconciliations(db: Db, olderThanReal: number, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from reconciliation_runs where run_id in (
       select run_id from reconciliation_runs where started_real_at < $1 limit $2
     )`,
    [instantToColumn(olderThanReal), limit],
  );
  return rowCount ?? 0;
}

/** A difference and its payment. */
export interface DifferenceRecord extends Difference {
  /** Null for a one-time payment. */
  readonly subscriptionId: SubscriptionId | null;
  readonly paymentId: PaymentId;
  /** Higher than the numbers of all differences that were found before it, in any run. */
  readonly number: number;
}

/** The columns of the table, without the run. */
export const STORED_DIFFERENCE = `
  subscription_id, payment_id, difference_key, kind, cycle, authorization_id, capture_id, refund_id, service_refund_id,
  ledger_state, ledger_amount, ledger_at, service_state, service_amount, service_at, reason`;

/** The columns of {@link DifferenceRecord}. */
export const DIFFERENCE_COLUMNS = `
  number, subscription_id, payment_id, kind, cycle, authorization_id, capture_id, refund_id, service_refund_id, reason,
  ledger_state as "ledger?.state", ledger_amount as "ledger?.amount", ledger_at as "ledger?.at",
  service_state as "service?.state", service_amount as "service?.amount", service_at as "service?.at"`;

/** Writes each difference once in a run, even if repeated. */
export async function insertDifferences(
  db: Db,
  runId: string,
  { subscriptionId, paymentId }: ComparedPayment,
  differences: readonly Difference[],
): Promise<void> {
  for (const each of differences) {
    await db.query(
      `insert into reconciliation_differences (run_id, ${STORED_DIFFERENCE})
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
       on conflict (run_id, payment_id, difference_key) do nothing`,
      [
        runId,
        subscriptionId,
        paymentId,
        keyOfDifference(each),
        each.kind,
        each.cycle,
        each.authorizationId,
        each.captureId,
        each.refundId,
        each.serviceRefundId,
        ...sideColumns(each.ledger),
        ...sideColumns(each.service),
        textToColumn(each.reason),
      ],
    );
  }
}

/** Differences of one run, in the order in which they were found: by {@link positionAfter}, except in a daily run. */
export async function listDifferences(db: Db, runId: string, page: Page): Promise<PageOf<DifferenceRecord>> {
  const found = await readRecords<DifferenceRecord>(
    db,
    `select ${DIFFERENCE_COLUMNS} from reconciliation_differences where run_id = $1 and number > $2 order by number limit $3`,
    [runId, numberCursor.read(page.cursor) ?? -1, page.limit + 1],
  );
  return toPage(found, page.limit, ({ number }) => [number]);
}

/** Writes one audit entry for each difference that has none yet. */
export async function announceDifferences(
  db: Db,
  { subscriptionId, paymentId }: ComparedPayment,
  differences: readonly Difference[],
  at: Instant,
): Promise<void> {
  const subject = subscriptionId === null ? { subscriptionId, paymentId } : { subscriptionId };
  for (const each of differences) {
    const { ledger, service, ...rest } = each;
    const text = describeDifference(each);
    await insertEvent(db, {
      ...subject,
      at,
      actor: DUEDAY,
      type: 'reconciliation.difference',
      data: { paymentId, ...rest, ledger: auditData(ledger), service: auditData(service), text },
      changeKey: `reconciliation/${keyOfDifference(each)}`,
    });
  }
}

function auditData(side: Side | null): Record<string, unknown> | null {
  return side === null ? null : { ...side, at: toIso(side.at) };
}

function sideColumns(side: Side | null): [string | null, number | null, string | null] {
  return side === null ? [null, null, null] : [side.state, side.amount.value, instantToColumn(side.at)];
}
