import type { SubscriptionId } from '../domain/ids';
import type { CollectionSum, Expected, OpenCycleFacts } from '../domain/subscription/forecast';
import { COLLECTION_WINDOW, type Calendar, firstCycleFrom } from '../domain/subscription/schedule';
import type { Instant, Span } from '../domain/time';
import { type Page, type PageOf, deadlineCursor, toPage } from './cursor';
import { instantToColumn, type Db, readRecords } from './statements';
import { IS_IN_DOUBT } from './attempts/any-send';
import type { CycleRecord } from './subscriptions/cycles';

/**
 * Subscriptions with a due date that has come and that the ledger shows as untried: held by a pause, stopped before
 * the first send, or no worker was up.
 */
export const UNTRIED = `subscriptions s
  where s.status in ('active', 'paused')
    and not exists (
      select from cycles k
      where (k.subscription_id, k.due_at) = (s.subscription_id, s.next_due_at) and k.status <> 'scheduled'
    )`;

/**
 * What fell due in the span and not after `now`, by the UTC day of the due date and by status. A due date that has not
 * been tried counts as `scheduled`, once for each subscription; a refund that the service has made as `refunded`, by the
 * due date of the cycle whose money it gives back. One-time payments count on the day on which a capture was ordered or
 * booked, refunds of it on the same day; one that was authorized and then not booked as `failed`, on the day of its
 * authorization.
 * @throws RangeError where a sum has no exact number.
 */
export async function sumCollections(db: Db, span: Span, now: Instant): Promise<readonly CollectionSum[]> {
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
    [instantToColumn(span.from), instantToColumn(span.to), instantToColumn(now)],
  );
}

/** A day at a time, so that the index is read in its order and no day is made of an instant for each of many cycles. */
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

export interface ExpectedRecord extends Expected {
  readonly subscriptionId: SubscriptionId;
}

/** Subscriptions read at a time: enough to be quick, few enough to let others have their turn. */
const EXPECTED_AT_ONCE = 2000;

/**
 * The subscriptions that may fall due in the span, each once, in pages, so that any number of them takes the room of one
 * page. Left out: those being cancelled, and those paused for longer than the span or without an end.
 */
export async function* readExpected(
  db: Db,
  span: Span,
  atOnce = EXPECTED_AT_ONCE,
): AsyncGenerator<readonly ExpectedRecord[], void> {
  let after = '';
  for (;;) {
    const page = await readRecords<ExpectedRecord>(
      db,
      `select s.subscription_id, s.status, s.first_payment_at, s.repetition, s.end_at, s.next_due_at, s.paused_until, s.amount, s.pending_change,
         array(
           select (extract(epoch from c.due_at) * 1000)::double precision from cycles c
           where c.subscription_id = s.subscription_id and c.status = 'skipped' and c.due_at >= s.next_due_at and c.due_at < $2
         ) as skipped
       from subscriptions s
       where s.subscription_id > $1 and s.next_due_at < $2
         and (s.status = 'active' or (s.status = 'paused' and s.paused_until < $2))
         and s.hold is distinct from 'cancel'
         and (s.end_at is null or s.end_at > $3)
       order by s.subscription_id
       limit $4`,
      [after, instantToColumn(span.to), instantToColumn(span.from), atOnce],
    );
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.subscriptionId;
  }
}

/** A cycle that has fallen due and is not final, and what there is to say of its time. */
export interface OpenCycleRecord
  extends OpenCycleFacts, Omit<CycleRecord, 'status' | 'reason' | 'collectedAt' | 'attempts' | 'refunds'> {
  /** Attempts begun, the first and its retries; one sent again counts once. */
  readonly attempts: number;
}

/**
 * Cycles that are open at `now`, the one with the soonest deadline first. One whose first attempt has not begun is
 * `scheduled`; of several of one subscription only the earliest is known here.
 */
export async function listDeadlines(db: Db, now: Instant, page: Page): Promise<PageOf<OpenCycleRecord>> {
  const after = deadlineCursor.read(page.cursor);
  const open = await readRecords<Omit<OpenCycleRecord, 'cycle'> & Calendar & { readonly cycle: number | null }>(
    db,
    DEADLINES,
    [
      instantToColumn(now),
      COLLECTION_WINDOW,
      instantToColumn(after?.deadline ?? null),
      after?.subscriptionId ?? null,
      instantToColumn(after?.dueAt ?? null),
      page.limit + 1,
    ],
  );
  const cycles = open.map(({ firstPaymentAt, repetition, endAt, ...each }) => {
    const calendar = { firstPaymentAt, repetition, endAt };
    return { ...each, cycle: each.cycle ?? firstCycleFrom(calendar, each.dueAt) };
  });
  return toPage(cycles, page.limit, ({ deadline, subscriptionId, dueAt }) => [deadline, subscriptionId, dueAt]);
}

const IS_AFTER = `($3::timestamptz is null or (deadline, subscription_id, due_at) > ($3, $4, $5))`;
const IN_ORDER = `order by deadline, subscription_id, due_at limit $6`;

/** The page first, each of its two parts by its own index; what is to be said of each row only for the rows of the page. */
const DEADLINES = `
  with tried as (
    select subscription_id, due_at, cycle, collect_by, amount, status, next_attempt_at, retry_until, retries_left,
      least(retry_until, collect_by) as deadline
    from cycles
    where status in ('collecting', 'dunning', 'unresolved')
  ), untried as (
    select s.subscription_id, s.next_due_at as due_at, null::integer as cycle, w.collect_by, s.amount, 'scheduled' as status,
      null::timestamptz as next_attempt_at, null::timestamptz as retry_until, 0 as retries_left, w.collect_by as deadline
    from (select * from ${UNTRIED} and s.next_due_at <= $1) as s,
      lateral (select least(s.next_due_at + $2::double precision * interval '1 millisecond', s.end_at) as collect_by) as w
  ), page as (
    (select * from tried where ${IS_AFTER} ${IN_ORDER})
    union all
    (select * from untried where ${IS_AFTER} ${IN_ORDER})
    ${IN_ORDER}
  )
  select page.*, s.hold, s.first_payment_at, s.repetition, s.end_at,
    sent.attempts, last.state as last_send, notice.state as notice,
    exists (
      select from attempts o
      where o.payment_id = s.payment_id and o.state ${IS_IN_DOUBT} and o.due_at <> page.due_at
    ) as other_in_doubt
  from page
  join subscriptions s using (subscription_id)
  cross join lateral (
    select count(distinct a.attempt) as attempts from attempts a
    where (a.subscription_id, a.cycle) = (page.subscription_id, page.cycle)
  ) as sent
  left join lateral (
    select a.attempt, a.state from attempts a
    where (a.subscription_id, a.cycle) = (page.subscription_id, page.cycle)
    order by a.attempt desc, a.send desc limit 1
  ) as last on true
  left join notices notice on notice.type = 'payment.failed'
    and (notice.subscription_id, notice.cycle, notice.attempt) = (page.subscription_id, page.cycle, last.attempt)
  order by page.deadline, page.subscription_id, page.due_at`;
