import type { SubscriptionId } from '../../domain/ids';
import { DAY, HOUR, type Instant } from '../../domain/time';
import type { Backlog, StartedInHour } from '../../domain/findings';
import { HAS_UNKNOWN_OUTCOME } from '../rows/any-send';
import { POSTPONED_UNTIL, UNTRIED } from '../rows/subscription';
import { type Db, instantToColumn, readRecords, readValue } from '../sql/statements';

/** Settings and times that decide what is overdue. */
export interface OverdueTerms {
  /** Business time; `realNow` is real time. */
  readonly now: Instant;
  readonly realNow: number;
  /** Real ms. */
  readonly settle: number;
  /** Cap on calls of the whole installation per second of real time; null without one. */
  readonly callsPerSecond: number | null;
  /** Speed of business time. */
  readonly speed: number;
}

export type OverdueReason = 'first_attempt' | 'retry' | 'sending' | 'window_closed';

/** Something that should have happened, and has not. */
export interface Overdue {
  readonly subscriptionId: SubscriptionId;
  readonly reason: OverdueReason;
  readonly cycle: number;
  /** Business time at which it should have happened. */
  readonly plannedAt: Instant;
}

/** The most items that one check opens; the next check opens the others. */
export const AT_ONCE = 500;
/** Business ms after which something that should have happened is overdue. */
export const OVERDUE_AFTER = HOUR;

/**
 * Condition on subscriptions `s`: they are neither paused nor being cancelled, no other cycle has an unknown outcome,
 * and no check of theirs has failed recently. $1 lists those with an open item, or is null for those without; $2 is the
 * real time since which a failed check counts.
 * @param cycle the column of the cycle that is late
 */
export const isFree = (cycle: string) => `s.status <> 'paused' and s.stopped_by is null
  and case when $1::text[] is null
    then not exists (
      select from attention_items i
      where i.subscription_id = s.subscription_id and i.source = 'overdue' and i.closed_real_at is null
    )
    else s.subscription_id = any ($1)
  end
  and not exists (
    select from failed_checks f where f.subscription_id = s.subscription_id and f.real_at > $2
  )
  and not exists (
    select from attempts other where other.subscription_id = s.subscription_id and other.state ${HAS_UNKNOWN_OUTCOME}
      and other.cycle is distinct from ${cycle}
  )
  and not exists (
    select from cycles other where other.subscription_id = s.subscription_id and other.status = 'unresolved'
      and other.cycle is distinct from ${cycle}
  )`;

export type Among = readonly SubscriptionId[] | null;

export function commonParameters({ realNow, settle }: OverdueTerms, among: Among): [Among, string] {
  return [among, instantToColumn(realNow - settle)];
}

export const limitOf = (among: Among) => (among === null ? `limit ${AT_ONCE}` : '');

/** For subscriptions `s`: when the last finished pause ended, or a hold ends or has ended. $3 is business time. */
export const RESUMED = `greatest((
  select max(to_timestamp((pause ->> 'until')::numeric / 1000)) from jsonb_array_elements(s.pauses) as pause
  where (pause ->> 'until')::numeric <= extract(epoch from $3::timestamptz) * 1000
), held_until(s.subscription_id))`;

/** Older attempts are ignored: their collection windows have closed. */
const MAX_AGE = 6 * DAY;

/** What waits for calls to the service, and what has started since an instant; empty if nothing caps the calls. */
export async function readBacklog(
  db: Db,
  { now, callsPerSecond }: Pick<OverdueTerms, 'now' | 'callsPerSecond'>,
  since: Instant,
): Promise<Backlog> {
  if (callsPerSecond === null) return { waiting: 0, started: [] };
  const waiting = await readValue<number>(
    db,
    `select (
         select count(*) from ${UNTRIED} and s.status = 'active' and s.stopped_by is null and s.next_due_at <= $1
           and coalesce(${POSTPONED_UNTIL}, $1) <= $1
       )
       + (select count(*) from cycles where status = 'dunning' and next_attempt_at <= $1)`,
    [instantToColumn(now)],
  );
  const started = await readRecords<StartedInHour>(
    db,
    `select date_trunc('hour', at, 'UTC') as hour, count(*) as count from attempts where at >= $1 and at <= $2 group by 1`,
    [instantToColumn(Math.max(since, now - MAX_AGE)), instantToColumn(now)],
  );
  return { waiting: waiting ?? 0, started };
}

/** Records, at most once a minute, that the payment service could not be reached for a subscription or answered unreadably. */
export async function recordFailedCheck(db: Db, subscriptionId: string, realAt: number): Promise<void> {
  await db.query(
    `insert into failed_checks as f (subscription_id, real_at) values ($1, $2)
     on conflict (subscription_id) do update set real_at = excluded.real_at
     where f.real_at <= excluded.real_at - interval '1 minute'`,
    [subscriptionId, instantToColumn(realAt)],
  );
}

/** Removes failed checks older than a day. */
export async function purgeFailedChecks(db: Db, realNow: number): Promise<void> {
  await db.query(`delete from failed_checks where real_at < $1::timestamptz - interval '1 day'`, [
    instantToColumn(realNow),
  ]);
}
