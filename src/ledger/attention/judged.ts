import type { SubscriptionId } from '../../domain/ids';
import { DAY, HOUR, type Instant } from '../../domain/time';
import type { Backlog, BegunInHour } from '../../domain/findings';
import { IS_IN_DOUBT } from '../rows/any-send';
import { UNTRIED } from '../reports/untried';
import { type Db, instantToColumn, readRecords, readValue } from '../sql/statements';

/** By which overdue is judged. */
export interface OverdueTerms {
  /** Business time; `realNow` is real time. */
  readonly now: Instant;
  readonly realNow: number;
  /** Real ms. */
  readonly settle: number;
  /** Cap on the calls of the whole installation, of real time; null without one. */
  readonly callsPerSecond: number | null;
  /** Of business time. */
  readonly speed: number;
}

export type OverdueReason = 'first_attempt' | 'retry' | 'sending' | 'window_closed';

/** What should have happened, and has not. */
export interface Overdue {
  readonly subscriptionId: SubscriptionId;
  readonly reason: OverdueReason;
  readonly cycle: number;
  /** Business time at which it should have happened. */
  readonly plannedAt: Instant;
}

/** Items of one look; the next one opens the others. */
export const AT_ONCE = 500;
/** Business ms after which something that should have happened is overdue. */
export const PATIENCE = HOUR;

/**
 * Of subscriptions `s`: those that nothing holds, and whose last check did not fail a moment ago; $1 are those whose items
 * are open, or null for those that have none, $2 is the instant of real time since when a failed check counts.
 * @param cycle the column of the cycle that is late
 */
export const isFree = (cycle: string) => `s.status <> 'paused' and s.hold is null
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
    select from attempts other where other.subscription_id = s.subscription_id and other.state ${IS_IN_DOUBT}
      and other.cycle is distinct from ${cycle}
  )
  and not exists (
    select from cycles other where other.subscription_id = s.subscription_id and other.status = 'unresolved'
      and other.cycle is distinct from ${cycle}
  )`;

export type Among = readonly SubscriptionId[] | null;

export function common({ realNow, settle }: OverdueTerms, among: Among): [Among, string] {
  return [among, instantToColumn(realNow - settle)];
}

export const limitOf = (among: Among) => (among === null ? `limit ${AT_ONCE}` : '');

/** Of subscriptions `s`: when the last pause ended that is over. $3 is business time. */
export const RESUMED = `(
  select max(to_timestamp((pause ->> 'until')::numeric / 1000)) from jsonb_array_elements(s.pauses) as pause
  where (pause ->> 'until')::numeric <= extract(epoch from $3::timestamptz) * 1000
)`;

/** Attempts of no longer ago: a window is over by then. */
const LONGEST_AGO = 6 * DAY;

/** Not read where nothing caps the calls. */
export async function readBacklog(db: Db, { now, callsPerSecond }: OverdueTerms, since: Instant): Promise<Backlog> {
  if (callsPerSecond === null) return { waiting: 0, begun: [] };
  const waiting = await readValue<number>(
    db,
    `select (select count(*) from ${UNTRIED} and s.status = 'active' and s.hold is null and s.next_due_at <= $1)
       + (select count(*) from cycles where status = 'dunning' and next_attempt_at <= $1)`,
    [instantToColumn(now)],
  );
  const begun = await readRecords<BegunInHour>(
    db,
    `select date_trunc('hour', at, 'UTC') as hour, count(*) as count from attempts where at >= $1 and at <= $2 group by 1`,
    [instantToColumn(Math.max(since, now - LONGEST_AGO)), instantToColumn(now)],
  );
  return { waiting: waiting ?? 0, begun };
}

/** Notes that the payment service could not be asked for a subscription, or gave no answer that can be read: once a minute. */
export async function recordFailedCheck(db: Db, subscriptionId: string, realAt: number): Promise<void> {
  await db.query(
    `insert into failed_checks as f (subscription_id, real_at) values ($1, $2)
     on conflict (subscription_id) do update set real_at = excluded.real_at
     where f.real_at <= excluded.real_at - interval '1 minute'`,
    [subscriptionId, instantToColumn(realAt)],
  );
}

/** Removes those of longer ago than a day. */
export async function purgeFailedChecks(db: Db, realNow: number): Promise<void> {
  await db.query(`delete from failed_checks where real_at < $1::timestamptz - interval '1 day'`, [
    instantToColumn(realNow),
  ]);
}
