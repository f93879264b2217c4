import type { SubscriptionId } from '../../domain/ids';
import { type Expected, Forecast, type ForecastDay } from '../../domain/reports/forecast';
import { REPETITIONS, shortestInterval } from '../../domain/subscription/schedule';
import type { Waiting } from '../../domain/hours-to-collect';
import { HOUR, type Instant, type Period } from '../../domain/time';
import { type Db, instantToColumn, readRecord, readRecords } from '../sql/statements';
import { UNTRIED } from '../rows/subscription';

export interface ExpectedRecord extends Expected {
  readonly subscriptionId: SubscriptionId;
}

/** For subscriptions `s`: the minimum length of an interval of its repetition. */
const SHORTEST_INTERVAL = `case s.repetition ${REPETITIONS.map(
  (repetition) => `when '${repetition}' then interval '${shortestInterval(repetition)} milliseconds'`,
).join(' ')} end`;

/**
 * Condition on subscriptions `s`: the next due date is the only one in the period from $1 to $2, and it collects the current amount.
 * Most subscriptions meet it if the period is at most a month.
 */
const HAS_ONE_DATE = `(s.status = 'active' and s.pending_change is null
  and s.next_due_at >= $1 and s.next_due_at < $2 and s.next_due_at >= $2::timestamptz - ${SHORTEST_INTERVAL}
  and (s.end_at is null or s.end_at > s.next_due_at))`;

/**
 * What is expected to fall due on each day of the period. PostgreSQL sums the subscriptions with one due date; the schedules of the
 * others are calculated.
 */
export async function readExpectedDays(db: Db, period: Period): Promise<readonly ForecastDay[]> {
  const forecast = new Forecast(period);
  for (const sum of await sumSingleDates(db, period)) forecast.addSum(sum);
  for await (const page of readExpected(db, period)) page.forEach((expected) => forecast.add(expected));
  return forecast.days();
}

function sumSingleDates(db: Db, period: Period): Promise<readonly ForecastDay[]> {
  return readRecords<ForecastDay>(
    db,
    `select date_trunc('day', s.next_due_at, 'UTC') as day, count(*) as count, sum(s.amount)::bigint as amount
     from subscriptions s
     where ${HAS_ONE_DATE} and s.stopped_by is distinct from 'cancel' and not exists (
       select from cycles c
       where (c.subscription_id, c.due_at) = (s.subscription_id, s.next_due_at) and c.status = 'skipped'
         and c.due_at >= $1 and c.due_at < $2
     )
     group by 1`,
    [instantToColumn(period.from), instantToColumn(period.to)],
  );
}

/** Subscriptions read at a time: enough to be fast, few enough not to block other work. */
const EXPECTED_AT_ONCE = 2000;

/**
 * The subscriptions that may fall due in the period, except those of {@link HAS_ONE_DATE}, each once, in pages, so that memory does
 * not depend on their number. Those being cancelled are left out, and those paused beyond the period or indefinitely.
 */
export async function* readExpected(
  db: Db,
  period: Period,
  atOnce = EXPECTED_AT_ONCE,
): AsyncGenerator<readonly ExpectedRecord[], void> {
  let after: Pick<ExpectedRecord, 'nextDueAt' | 'subscriptionId'> | null = null;
  for (;;) {
    const page: readonly ExpectedRecord[] = await readRecords<ExpectedRecord>(
      db,
      `select s.subscription_id, s.status, s.first_payment_at, s.repetition, s.end_at, s.next_due_at, s.paused_until, s.amount, s.pending_change,
         array(
           select (extract(epoch from c.due_at) * 1000)::double precision from cycles c
           where c.subscription_id = s.subscription_id and c.status = 'skipped' and c.due_at >= s.next_due_at and c.due_at < $2
         ) as skipped
       from subscriptions s
       where s.next_due_at < $2 and ($3::timestamptz is null or (s.next_due_at, s.subscription_id) > ($3, $4))
         and not ${HAS_ONE_DATE}
         and (s.status = 'active' or (s.status = 'paused' and s.paused_until < $2))
         and s.stopped_by is distinct from 'cancel'
         and (s.end_at is null or s.end_at > $1)
       order by s.next_due_at, s.subscription_id
       limit $5`,
      [
        instantToColumn(period.from),
        instantToColumn(period.to),
        instantToColumn(after?.nextDueAt ?? null),
        after?.subscriptionId ?? null,
        atOnce,
      ],
    );
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last;
  }
}

/** Cycles that wait for a retry, by the UTC day of its planned time; days without any are left out. */
export interface RetriesOfDay {
  /** The start of the day. */
  readonly day: Instant;
  readonly count: number;
  /** How many of them were planned for before now. */
  readonly overdue: number;
}

/** Uses the index `cycles_to_retry`. */
export async function countRetries(db: Db, period: Period, now: Instant): Promise<readonly RetriesOfDay[]> {
  return readRecords(
    db,
    `select date_trunc('day', next_attempt_at, 'UTC') as day, count(*) as count,
       count(*) filter (where next_attempt_at < $3) as overdue
     from cycles where status = 'dunning' and next_attempt_at >= $1 and next_attempt_at < $2
     group by 1`,
    [instantToColumn(period.from), instantToColumn(period.to), instantToColumn(now)],
  );
}

/** Cycles whose first attempt is postponed, by the UTC day of their due date; days without any are left out. */
export interface PostponedOfDay {
  /** The start of the day. */
  readonly day: Instant;
  readonly count: number;
}

/**
 * Counts the postponed cycles among those that {@link readExpectedDays} expects. Few cycles are postponed, so the index
 * `cycles_postponed` is small.
 */
export async function countPostponed(db: Db, period: Period): Promise<readonly PostponedOfDay[]> {
  return readRecords(
    db,
    `select date_trunc('day', c.due_at, 'UTC') as day, count(*) as count
     from cycles c join subscriptions s using (subscription_id)
     where c.status = 'scheduled' and c.postponed_until is not null and c.due_at >= $1 and c.due_at < $2
       and c.due_at >= s.next_due_at and (s.end_at is null or c.due_at < s.end_at) and s.stopped_by is distinct from 'cancel'
       and (s.status = 'active' or (s.status = 'paused' and s.paused_until <= c.due_at))
     group by 1`,
    [instantToColumn(period.from), instantToColumn(period.to)],
  );
}

/** An authorization that is pending for longer than this counts as waiting; nearly all are decided within seconds. */
const LONG_PENDING = HOUR;

/** What was due before `before`, and before `now`, but has not started, and what has long been pending at the service. */
export async function countWaiting(db: Db, before: Instant, now: Instant): Promise<Waiting> {
  const waiting = await readRecord<Waiting>(
    db,
    `select
       (select count(*) from ${UNTRIED} and s.status = 'active' and s.stopped_by is null and s.next_due_at < $1) as first_attempts,
       (select count(*) from cycles where status = 'dunning' and next_attempt_at < $1) as retries,
       (select count(*) from attempts where state = 'pending' and at < $2) as pending`,
    [instantToColumn(Math.min(before, now)), instantToColumn(now - LONG_PENDING)],
  );
  return waiting ?? { firstAttempts: 0, retries: 0, pending: 0 };
}
