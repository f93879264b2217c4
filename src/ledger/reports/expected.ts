import type { SubscriptionId } from '../../domain/ids';
import type { Expected } from '../../domain/subscription/forecast';
import type { Waiting } from '../../domain/hours-to-collect';
import { HOUR, type Instant, type Period } from '../../domain/time';
import { type Db, instantToColumn, readRecord, readRecords } from '../sql/statements';
import { UNTRIED } from '../rows/subscription';

export interface ExpectedRecord extends Expected {
  readonly subscriptionId: SubscriptionId;
}

/** Subscriptions read at a time: enough to be fast, few enough not to block other work. */
const EXPECTED_AT_ONCE = 2000;

/**
 * The subscriptions that may fall due in the period, each once, in pages, so that memory does not depend on their number. Those
 * being cancelled are left out, and those paused beyond the period or indefinitely.
 */
export async function* readExpected(
  db: Db,
  period: Period,
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
         and s.stopped_by is distinct from 'cancel'
         and (s.end_at is null or s.end_at > $3)
       order by s.subscription_id
       limit $4`,
      [after, instantToColumn(period.to), instantToColumn(period.from), atOnce],
    );
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.subscriptionId;
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

/** Counts the postponed cycles among those that {@link readExpected} expects. Few are, so the index `cycles_postponed` is small. */
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

/** An authorization is pending for a long time after this; nearly all are decided within seconds. */
const LONG_PENDING = HOUR;

/** What was due before the given instant and `now` but has not started, and what is pending at the service now. */
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
