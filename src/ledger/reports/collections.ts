import type { CollectionSum } from '../../domain/subscription/forecast';
import type { Instant, Period } from '../../domain/time';
import { type Db, instantToColumn, readRecords } from '../sql/statements';
import { UNTRIED } from '../rows/subscription';

/**
 * What fell due in the period and not after `now`, by the UTC day of the due date and by status. A due date that has not
 * been tried counts as `scheduled`, once for each subscription; a successful refund counts as `refunded`, by the due date of
 * the refunded cycle. One-time payments count on the day on which a capture was ordered or booked, their refunds on the same
 * day; one that was authorized but not booked counts as `failed`, on the day of its authorization.
 * @throws RangeError if a sum cannot be represented exactly
 */
export async function sumCollections(db: Db, period: Period, now: Instant): Promise<readonly CollectionSum[]> {
  return readRecords(
    db,
    `select day, status, sum(count)::bigint as count, sum(amount)::bigint as amount
     from (
       ${CYCLES_BY_DAY}
       union all
       select date_trunc('day', due_at, 'UTC'), status, count(*), sum(amount)
       from (
         select s.next_due_at as due_at, 'scheduled' as status, s.amount from ${UNTRIED}
         union all
         select c.due_at, 'refunded', r.amount from orders r
           join order_sends f on f.order_id = r.order_id and f.state = 'successful'
           join cycles c on (c.subscription_id, c.cycle) = (r.subscription_id, r.cycle)
         union all
         ${ONE_TIME}
       ) as due
       where due_at >= $1 and due_at < $2 and due_at <= $3
       group by 1, 2
     ) as sums
     group by 1, 2
     order by 1, 2`,
    [instantToColumn(period.from), instantToColumn(period.to), instantToColumn(now)],
  );
}

/** One day at a time, so that the index is read in order and no day is computed for each of many cycles. */
const CYCLES_BY_DAY = `
  select day, status, count, amount
  from generate_series(date_trunc('day', $1::timestamptz, 'UTC'), $2::timestamptz, '24 hours') as day,
    lateral (
      select status, count(*) as count, sum(amount) as amount from cycles
      where due_at >= greatest(day, $1) and due_at < least(day + interval '24 hours', $2) and due_at <= $3
        and status <> 'scheduled'
      group by status
    ) as sums`;

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
