import type { CollectionSum } from '../../domain/reports/forecast';
import { HOUR, type Instant, type Period } from '../../domain/time';
import { inTransaction, type Pool } from '../sql/database';
import { type Db, instantToColumn, readRecords, readValue } from '../sql/statements';
import { UNTRIED } from '../rows/subscription';

/**
 * What fell due in the period and not after `now`, by the UTC day of the due date and by status. A due date that has not been
 * tried counts as `scheduled`, once for each subscription; a successful refund counts as `refunded`, by the due date of the
 * refunded cycle. One-time payments count on the day on which a capture was ordered or booked, their refunds on the same day; a
 * payment that was authorized but whose booking failed counts as `failed`, on the day of its authorization.
 * @throws RangeError if a sum cannot be represented exactly
 */
export async function sumCollections(db: Db, period: Period, now: Instant): Promise<readonly CollectionSum[]> {
  const whole = wholeHours(period, now);
  return readRecords(
    db,
    `select day, status, sum(count)::bigint as count, sum(amount)::bigint as amount
     from (
       select date_trunc('day', due_at, 'UTC') as day, status, sum(count) as count, sum(amount) as amount
       from (${SUMMED} union all ${UNSUMMED}) as of_hours
       group by 1, 2
       union all
       select date_trunc('day', due_at, 'UTC'), status, count(*), sum(amount)
       from (
         select s.next_due_at as due_at, 'scheduled' as status, s.amount from ${UNTRIED}
         union all
         ${ONE_TIME}
       ) as due
       where due_at >= $1 and due_at < $2 and due_at <= $3
       group by 1, 2
     ) as sums
     group by 1, 2
     having sum(count) > 0
     order by 1, 2`,
    [period.from, period.to, now, whole.from, whole.to].map((instant) => instantToColumn(instant)),
  );
}

/** The whole hours of the period that are over. The rest of the period is before and after them. */
function wholeHours({ from, to }: Period, now: Instant): Period {
  const first = Math.ceil(from / HOUR) * HOUR;
  const end = Math.floor(Math.min(to, now) / HOUR) * HOUR;
  return first < end ? { from: first, to: end } : { from, to: from };
}

/** What whole hours add up to: the stored sums, the changes that are not added to them yet, and cycles that have not ended. */
const SUMMED = `
  select hour as due_at, status, count, amount from collection_sums where hour >= $4 and hour < $5
  union all
  select due_at, status, count, amount from collection_changes where due_at >= $4 and due_at < $5
  union all
  select due_at, status, 1, amount from cycles
  where status in ('collecting', 'dunning', 'unresolved') and due_at >= $4 and due_at < $5`;

const IN_NO_WHOLE_HOUR = `(due_at >= $1 and due_at < $4 or due_at >= $5 and due_at < $2 and due_at <= $3)`;

/** What the rest of the period adds up to, cycle by cycle. */
const UNSUMMED = `
  select due_at, status, 1, amount from cycles where status <> 'scheduled' and ${IN_NO_WHOLE_HOUR}
  union all
  select c.due_at, 'refunded', 1, r.amount from cycles c
    join orders r on (r.subscription_id, r.cycle) = (c.subscription_id, c.cycle)
    join order_sends f on f.order_id = r.order_id and f.state = 'successful'
  where ${IN_NO_WHOLE_HOUR}`;

/** Captures and bookings, refunds of either, and bookings that failed. */
const ONE_TIME = `
  select created_at, 'collected', amount from payment_captures where state = 'successful'
  union all
  select c.created_at, 'refunded', r.amount from orders r
    join order_sends f on f.order_id = r.order_id and f.state = 'successful'
    join payment_captures c on (c.payment_id, c.capture_id) = (r.payment_id, r.capture_id)
    where r.kind = 'refund' and r.subscription_id is null
  union all
  select authorization_created_at, 'failed', amount from payments
    where plan = 'SINGLE' and status = 'failed' and authorization_state = 'successful'`;

/** Changes added up in one transaction. */
export const SUMMED_AT_ONCE = 5_000;

/**
 * Adds committed changes of cycles and refunds to the sums of their hours, in any number of processes: each process takes changes
 * that no other one has taken. A report reads what is left as well, so it is exact before and after.
 * @returns how many changes; {@link SUMMED_AT_ONCE} if there may be more
 */
export function sumCollectionChanges(pool: Pool): Promise<number> {
  return inTransaction(pool, async (db) => (await readValue<number>(db, SUM, [SUMMED_AT_ONCE])) ?? 0);
}

// Sums are written in the order of their key, so that two processes never deadlock.
const SUM = `
  with taken as (
    delete from collection_changes where number in (
      select number from collection_changes order by number limit $1 for update skip locked
    )
    returning due_at, status, count, amount
  ), added as (
    insert into collection_sums as s (hour, status, count, amount)
    select date_trunc('hour', due_at, 'UTC'), status, sum(count), sum(amount) from taken group by 1, 2 order by 1, 2
    on conflict (hour, status) do update set count = s.count + excluded.count, amount = s.amount + excluded.amount
  )
  select count(*) from taken`;
