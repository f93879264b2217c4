import type { PaymentId, SubscriptionId } from '../../domain/ids';
import type { Instant } from '../../domain/time';
import { type Db, instantToColumn, readRecord, readRecords, readValue } from '../sql/statements';
import { IS_REOPENED } from '../attempts/evidence';
import { BEHIND_SUBSCRIPTIONS, type ComparedPayment } from './payments';
import { IS_LIVE_SUBSCRIPTION } from '../rows/subscription';
import { IS_LIVE_PAYMENT } from '../rows/payment';

/** The daily checks over many subscriptions or payments. */
export type DailyCheck = 'payments' | 'consents' | 'workflows';

/** Records that a check has finished. @param at business time */
export async function recordCheckFinished(db: Db, name: DailyCheck, at: Instant): Promise<void> {
  await db.query(
    `insert into daily_checks (name, finished_at) values ($1, $2)
     on conflict (name) do update set finished_at = greatest(daily_checks.finished_at, excluded.finished_at)`,
    [name, instantToColumn(at)],
  );
}

/** How old the daily work is, in seconds of business time. */
export interface DailyAges {
  /** The time since the comparison of the payment that has waited longest; null if there is none. */
  readonly oldestUncompared: number | null;
  /** The time since each check last finished; checks that never have are left out. */
  readonly checks: Readonly<Partial<Record<DailyCheck, number>>>;
}

/** @param now business time */
export async function readDailyAges(db: Db, now: Instant): Promise<DailyAges> {
  const since = (at: Instant) => Math.max(0, now - at) / 1000;
  const oldest = await readLongestWait(db);
  const checks = await readRecords<{ name: DailyCheck; finishedAt: Instant }>(
    db,
    'select name, finished_at from daily_checks where finished_at is not null',
  );
  return {
    oldestUncompared: oldest === null ? null : since(oldest),
    checks: Object.fromEntries(checks.map(({ name, finishedAt }) => [name, since(finishedAt)])),
  };
}

/** Business time since which the longest waiting payment waits; null if there is none. */
export async function readLongestWait(db: Db): Promise<Instant | null> {
  return readValue(db, 'select min(waits_since) from comparisons');
}

/** Audit entries read in one statement. */
const ENTRIES_AT_ONCE = 20_000;

/**
 * Reads further in the audit log and records which payments have newer entries: these must be compared; a new payment counts as
 * waiting since its creation. Progress survives an interruption.
 * @returns false if the end of the audit log is reached
 */
export async function noteChanges(db: Db, atOnce = ENTRIES_AT_ONCE): Promise<boolean> {
  const { from, to } = await readNextRange(db, atOnce);
  if (to === null) return false;
  await db.query(NOTE_CHANGES, [from, to]);
  const { rowCount } = await db.query(
    `insert into daily_checks (name, entry) values ('payments', $1)
     on conflict (name) do update set entry = excluded.entry where daily_checks.entry < excluded.entry`,
    [to],
  );
  return rowCount === 1;
}

async function readNextRange(db: Db, atOnce: number): Promise<{ readonly from: number; readonly to: number | null }> {
  const row = await readRecord<{ from: number; to: number | null }>(
    db,
    `with mark as (select coalesce((select entry from daily_checks where name = 'payments'), 0) as entry)
     select entry as from, (
       select max(id) from (select id from events where id > entry order by id limit $1) as next_range
     ) as to from mark`,
    [atOnce],
  );
  if (row === null) throw new Error('the query of one row returned none');
  return row;
}

/** Entries are committed in the order of their ids, except by slow transactions; none lasts longer than this. */
const LATEST_COMMIT = `interval '10 minutes'`;

/**
 * Once the audit log has been read to its end, moves the mark back before entries so recent that a lower id may still be
 * committed. Reading an entry twice changes nothing.
 */
export async function rewindMark(db: Db): Promise<void> {
  await db.query(
    `update daily_checks set entry = coalesce(
       (select id from events where recorded_at < clock_timestamp() - ${LATEST_COMMIT} order by id desc limit 1), 0
     ) where name = 'payments'`,
  );
}

const NOTE_CHANGES = `
  insert into comparisons as known (position, payment_id, waits_since, newest_entry)
  select s.subscription_id, s.payment_id, s.created_at, e.newest
  from (
    select subscription_id, max(id) as newest from events
    where id > $1 and id <= $2 and subscription_id is not null group by 1
  ) e join subscriptions s using (subscription_id)
  where s.payment_id is not null and s.status <> 'draft'
  union all
  select '${BEHIND_SUBSCRIPTIONS}' || p.request_id, p.payment_id, p.created_at, e.newest
  from (
    select payment_id, max(id) as newest from events
    where id > $1 and id <= $2 and subscription_id is null and payment_id is not null group by 1
  ) e join payments p using (payment_id)
  where p.status <> 'draft'
  on conflict (position) do update set payment_id = excluded.payment_id, newest_entry = excluded.newest_entry
    where known.newest_entry < excluded.newest_entry`;

/** A payment to be compared. */
export interface WaitingPayment {
  readonly position: string;
  readonly paymentId: PaymentId;
  /** Business time. */
  readonly waitsSince: Instant;
  /** Its newest audit entry: a newer one found later is a change. */
  readonly newestEntry: number;
  /** Whether it may still change by itself. */
  readonly isLive: boolean;
  /** Business time of the newest entry. */
  readonly touchedAt: Instant;
  /** Whether a refused attempt was reopened: its outcome is polled each day. */
  readonly isFollowed: boolean;
  /** Business time of the oldest record in an open difference, or of its opening if it has none; null if none is open. */
  readonly differsSince: Instant | null;
}

export function comparedPaymentOf({ position, paymentId }: WaitingPayment): ComparedPayment {
  if (!position.startsWith(BEHIND_SUBSCRIPTIONS)) return { subscriptionId: position as SubscriptionId, paymentId };
  return { subscriptionId: null, requestId: position.slice(BEHIND_SUBSCRIPTIONS.length), paymentId };
}

/** Payments that have changed since they were last compared, after a position, in order of position. */
export async function readChanged(db: Db, after: string, limit: number): Promise<readonly WaitingPayment[]> {
  return readWaiting(db, `newest_entry > compared_entry and position > $1 order by position limit $2`, 'position', [
    after,
    limit,
  ]);
}

/** Payments with a reopened attempt that this run has not compared yet, after a position, in order of position. */
export async function readFollowed(
  db: Db,
  runId: string,
  after: string,
  limit: number,
): Promise<readonly WaitingPayment[]> {
  const followed = `payment_id in (select payment_id from attempts where ${IS_REOPENED}) and run_id is distinct from $1`;
  const values = [runId, after, limit];
  return readWaiting(db, `${followed} and position > $2 order by position limit $3`, 'position', values);
}

/** The position of a reader of {@link readLongestWaiting}. */
export type WaitingPosition = Pick<WaitingPayment, 'waitsSince' | 'position'>;

/** Payments that have waited since before an instant, after a position, longest waiting first. */
export async function readLongestWaiting(
  db: Db,
  before: Instant,
  after: WaitingPosition,
  limit: number,
): Promise<readonly WaitingPayment[]> {
  return readWaiting(
    db,
    `waits_since < $1 and (waits_since, position) > ($2, $3) order by waits_since, position limit $4`,
    'waits_since, position',
    [instantToColumn(before), instantToColumn(after.waitsSince), after.position, limit],
  );
}

function readWaiting(db: Db, which: string, order: string, values: unknown[]): Promise<WaitingPayment[]> {
  return readRecords<WaitingPayment>(
    db,
    `with waiting as (
       select position, payment_id, waits_since, newest_entry from comparisons where ${which}
     )
     select w.*, coalesce(e.at, w.waits_since) as touched_at,
       exists (
         select from subscriptions s
         where s.subscription_id = w.position and s.status ${IS_LIVE_SUBSCRIPTION}
       ) or exists (
         select from payments p
         where p.payment_id = w.payment_id and p.status ${IS_LIVE_PAYMENT}
       ) as is_live,
       exists (select from attempts a where a.payment_id = w.payment_id and ${IS_REOPENED}) as is_followed,
       (
         select min(coalesce(least((i.ledger ->> 'at')::timestamptz, (i.service ->> 'at')::timestamptz), i.since))
         from attention_items i
         where i.payment_id = w.payment_id and i.source = 'difference' and i.closed_real_at is null
       ) as differs_since
     from waiting w left join events e on e.id = w.newest_entry
     order by ${order}`,
    values,
  );
}

/** How many payments to compare each day, so that all are compared within `days`; an estimate based on planner statistics. */
export async function readDailyShare(db: Db, days: number): Promise<number> {
  const about = await readValue<number>(
    db,
    `select greatest(reltuples, 0)::bigint from pg_class where oid = 'comparisons'::regclass`,
  );
  return Math.ceil((about ?? 0) / days);
}

/** Removes payments that ended long ago; they are not compared again until a newer entry is written. */
export async function dropWaiting(db: Db, past: readonly WaitingPayment[]): Promise<void> {
  await db.query(
    `delete from comparisons c using unnest($1::text[], $2::bigint[]) as past (position, entry)
     where (c.position, c.newest_entry) = (past.position, past.entry)`,
    [past.map(({ position }) => position), past.map(({ newestEntry }) => newestEntry)],
  );
}
