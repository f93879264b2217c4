import type { PaymentId, SubscriptionId } from '../../domain/ids';
import type { Instant } from '../../domain/time';
import { type Db, instantToColumn, readRecord, readRecords, readValue } from '../sql/statements';
import { IS_REOPENED } from '../attempts/evidence';
import { BEHIND_SUBSCRIPTIONS, type ComparedPayment } from './payments';
import { IS_LIVE_SUBSCRIPTION } from '../rows/subscription';
import { IS_LIVE_PAYMENT } from '../rows/payment';

/** What the daily work does over many subscriptions or payments, and how long ago each last came to its end. */
export type DailyLook = 'payments' | 'consents' | 'workflows';

/** One of them has come to its end. @param at business time */
export async function recordLookFinished(db: Db, look: DailyLook, at: Instant): Promise<void> {
  await db.query(
    `insert into daily_looks (look, finished_at) values ($1, $2)
     on conflict (look) do update set finished_at = greatest(daily_looks.finished_at, excluded.finished_at)`,
    [look, instantToColumn(at)],
  );
}

/** How old the daily work is, in seconds of business time. */
export interface DailyAges {
  /** Since the payment was compared that has waited longest; null where there is none. */
  readonly oldestUncompared: number | null;
  /** Since each look last came to its end; those that never have are left out. */
  readonly looks: Readonly<Partial<Record<DailyLook, number>>>;
}

/** @param now business time */
export async function readDailyAges(db: Db, now: Instant): Promise<DailyAges> {
  const since = (at: Instant) => Math.max(0, now - at) / 1000;
  const oldest = await readLongestWait(db);
  const looks = await readRecords<{ look: DailyLook; finishedAt: Instant }>(
    db,
    'select look, finished_at from daily_looks where finished_at is not null',
  );
  return {
    oldestUncompared: oldest === null ? null : since(oldest),
    looks: Object.fromEntries(looks.map(({ look, finishedAt }) => [look, since(finishedAt)])),
  };
}

/** Since when the payment waits that has waited longest, business time; null where there is none. */
export async function readLongestWait(db: Db): Promise<Instant | null> {
  return readValue(db, 'select min(waits_since) from comparisons');
}

/** Entries of the trail read in one statement. */
const ENTRIES_AT_ONCE = 20_000;

/**
 * Reads on in the trail and notes whose payment has a newer entry: it is to be compared, and one that is new waits from
 * then on. What an interrupted one has read stays read.
 * @returns false where the end of the trail is reached
 */
export async function noteChanges(db: Db, atOnce = ENTRIES_AT_ONCE): Promise<boolean> {
  const { from, to } = await readStretch(db, atOnce);
  if (to === null) return false;
  await db.query(NOTE_CHANGES, [from, to]);
  const { rowCount } = await db.query(
    `insert into daily_looks (look, entry) values ('payments', $1)
     on conflict (look) do update set entry = excluded.entry where daily_looks.entry < excluded.entry`,
    [to],
  );
  return rowCount === 1;
}

async function readStretch(db: Db, atOnce: number): Promise<{ readonly from: number; readonly to: number | null }> {
  const row = await readRecord<{ from: number; to: number | null }>(
    db,
    `with mark as (select coalesce((select entry from daily_looks where look = 'payments'), 0) as entry)
     select entry as from, (
       select max(id) from (select id from events where id > entry order by id limit $1) as stretch
     ) as to from mark`,
    [atOnce],
  );
  if (row === null) throw new Error('a query of one row answered none');
  return row;
}

/** Entries are written in the order of their ids but for transactions that end late: none lasts so long. */
const LATEST_COMMIT = `interval '10 minutes'`;

/**
 * Once the trail has been read to its end, the mark goes back before entries so young that an older id may still be
 * written. What is read twice changes nothing.
 */
export async function stepBack(db: Db): Promise<void> {
  await db.query(
    `update daily_looks set entry = coalesce(
       (select id from events where recorded_at < clock_timestamp() - ${LATEST_COMMIT} order by id desc limit 1), 0
     ) where look = 'payments'`,
  );
}

const NOTE_CHANGES = `
  insert into comparisons as known (place, payment_id, waits_since, newest_entry)
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
  on conflict (place) do update set payment_id = excluded.payment_id, newest_entry = excluded.newest_entry
    where known.newest_entry < excluded.newest_entry`;

/** A payment that is to be compared. */
export interface WaitingPayment {
  readonly place: string;
  readonly paymentId: PaymentId;
  /** Business time. */
  readonly waitsSince: Instant;
  /** Of its trail: a newer one, found later, is a change. */
  readonly newestEntry: number;
  /** Whether it may still change by itself. */
  readonly isLive: boolean;
  /** Business time of the newest entry. */
  readonly touchedAt: Instant;
  /** An attempt was refused and is followed again: its outcome is asked for each day. */
  readonly isFollowed: boolean;
}

export function comparedPaymentOf({ place, paymentId }: WaitingPayment): ComparedPayment {
  if (!place.startsWith(BEHIND_SUBSCRIPTIONS)) return { subscriptionId: place as SubscriptionId, paymentId };
  return { subscriptionId: null, requestId: place.slice(BEHIND_SUBSCRIPTIONS.length), paymentId };
}

/** Those that have changed since they were compared last, behind a place, by place. */
export async function readChanged(db: Db, after: string, limit: number): Promise<readonly WaitingPayment[]> {
  return readWaiting(db, `newest_entry > compared_entry and place > $1 order by place limit $2`, 'place', [
    after,
    limit,
  ]);
}

/** Those of which an attempt was refused and is followed again, behind a place, by place. */
export async function readFollowed(db: Db, after: string, limit: number): Promise<readonly WaitingPayment[]> {
  const followed = `payment_id in (select payment_id from attempts where ${IS_REOPENED})`;
  return readWaiting(db, `${followed} and place > $1 order by place limit $2`, 'place', [after, limit]);
}

/** Where a reader of {@link readLongestWaiting} stands. */
export type WaitingPlace = Pick<WaitingPayment, 'waitsSince' | 'place'>;

/** Those that wait since before an instant, the longest first, behind a place. */
export async function readLongestWaiting(
  db: Db,
  before: Instant,
  after: WaitingPlace,
  limit: number,
): Promise<readonly WaitingPayment[]> {
  return readWaiting(
    db,
    `waits_since < $1 and (waits_since, place) > ($2, $3) order by waits_since, place limit $4`,
    'waits_since, place',
    [instantToColumn(before), instantToColumn(after.waitsSince), after.place, limit],
  );
}

function readWaiting(db: Db, which: string, order: string, values: unknown[]): Promise<WaitingPayment[]> {
  return readRecords<WaitingPayment>(
    db,
    `with waiting as (
       select place, payment_id, waits_since, newest_entry from comparisons where ${which}
     )
     select w.*, coalesce(e.at, w.waits_since) as touched_at,
       exists (
         select from subscriptions s
         where s.subscription_id = w.place and s.status ${IS_LIVE_SUBSCRIPTION}
       ) or exists (
         select from payments p
         where p.payment_id = w.payment_id and p.status ${IS_LIVE_PAYMENT}
       ) as is_live,
       exists (select from attempts a where a.payment_id = w.payment_id and ${IS_REOPENED}) as is_followed
     from waiting w left join events e on e.id = w.newest_entry
     order by ${order}`,
    values,
  );
}

/** A share of all that wait, so that all have their turn within so many days; about, as the planner knows their number. */
export async function readDailyShare(db: Db, days: number): Promise<number> {
  const about = await readValue<number>(
    db,
    `select greatest(reltuples, 0)::bigint from pg_class where oid = 'comparisons'::regclass`,
  );
  return Math.ceil((about ?? 0) / days);
}

/** They ended long ago and are compared no more, until something newer is written about them. */
export async function dropWaiting(db: Db, past: readonly WaitingPayment[]): Promise<void> {
  await db.query(
    `delete from comparisons c using unnest($1::text[], $2::bigint[]) as past (place, entry)
     where (c.place, c.newest_entry) = (past.place, past.entry)`,
    [past.map(({ place }) => place), past.map(({ newestEntry }) => newestEntry)],
  );
}
