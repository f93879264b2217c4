import type { RecoveryKey, RecoverySum, RecoveryTime, RetriesMade, RetryHistory } from '../../domain/reports/recovery';
import type { Period } from '../../domain/time';
import { IS_REFUSED } from '../rows/any-send';
import { type Db, instantToColumn, readRecords } from '../sql/statements';

/** Cycles that fell due in the period and were collected, refused or paid by a link, by a key and by their result. */
export interface Recovery {
  readonly sums: readonly RecoverySum[];
  /** How long recovery took, by key; the total has the key `undefined`. */
  readonly times: ReadonlyMap<string | null | undefined, RecoveryTime>;
}

/** Condition: the attempt `a` was refused, and is not a debit that another system made (rule 40). */
const IS_OWN_REFUSAL = `a.state ${IS_REFUSED} and not a.adopted`;

/**
 * Cycles that were tried, or paid by a link, each once. `refused_at` is the time of the first refusal: createdAt of its
 * authorization or, if none is given, the arrival of the answer (rule 14).
 */
const TRIED = `
  select c.subscription_id, c.cycle, c.status, c.amount, c.collected_at, link.paid_at, sent.*
  from cycles c
  left join payment_links link
    on (link.subscription_id, link.cycle) = (c.subscription_id, c.cycle) and link.state = 'paid' and c.status <> 'collected'
  cross join lateral (
    select max(a.attempt) as last_attempt, max(a.at) as last_at,
      min(coalesce(a.authorization_created_at, a.outcome_at)) filter (where ${IS_OWN_REFUSAL}) as refused_at,
      (array_agg(a.state order by a.attempt) filter (where ${IS_OWN_REFUSAL}))[1] as refused_as,
      (array_agg(a.detail order by a.attempt) filter (where ${IS_OWN_REFUSAL}))[1] as detail,
      max(a.at) filter (where ${IS_OWN_REFUSAL}) as last_refused_at,
      max(a.at) filter (where a.state = 'successful') as successful_at
    from attempts a
    where (a.subscription_id, a.cycle) = (c.subscription_id, c.cycle) and a.state <> 'not_sent'
  ) sent
  where c.due_at >= $1 and c.due_at < $2 and (sent.last_attempt is not null or link.paid_at is not null)`;

const KEYS: Readonly<Record<RecoveryKey, string>> = {
  attempt: 't.last_attempt::text',
  detail: 't.detail',
  weekday: `extract(isodow from t.last_at at time zone 'UTC')::integer::text`,
  hour: `extract(hour from t.last_at at time zone 'UTC')::integer::text`,
  repetition: '(select s.repetition from subscriptions s where s.subscription_id = t.subscription_id)',
};

/** @throws RangeError if a sum cannot be represented exactly */
export async function sumRecoveries(db: Db, period: Period, by: RecoveryKey): Promise<Recovery> {
  const rows = await readRecords<RecoverySum & RecoveryTime & { readonly isTotal: boolean }>(
    db,
    `with fates as (
       select ${KEYS[by]} as key, t.amount, extract(epoch from t.collected_at - t.refused_at) / 3600 as hours,
         case
           when t.paid_at is not null then 'recoveredByLink'
           when t.status = 'collected' and t.refused_at is null then 'firstAttempt'
           when t.status = 'collected' then 'recovered'
           when t.refused_at is null then null
           when t.status in ('collecting', 'dunning', 'unresolved') then 'open'
           else 'lost'
         end as fate
       from (${TRIED}) t
     )
     select key, fate, grouping(key) = 1 as is_total, count(*) as count, sum(amount) as amount,
       percentile_cont(0.5) within group (order by hours)::double precision as median, avg(hours)::double precision as mean
     from fates where fate is not null
     group by grouping sets ((key, fate), (fate))`,
    [instantToColumn(period.from), instantToColumn(period.to)],
  );
  return {
    sums: rows.filter(({ isTotal }) => !isTotal),
    times: new Map(
      rows.filter(({ fate }) => fate === 'recovered').map((row) => [row.isTotal ? undefined : row.key, row]),
    ),
  };
}

/** The later course of cycles that fell due in the period and were first refused as retryable; few rows, however many cycles. */
export async function readRetryHistories(db: Db, period: Period): Promise<readonly RetryHistory[]> {
  return readRecords<RetryHistory>(
    db,
    // The first attempt is sent a moment before its own refusal, so the difference may be negative.
    `select greatest(0, floor(extract(epoch from t.last_refused_at - t.refused_at) / 3600))::integer as refused_until,
       case when t.successful_at is not null
         then greatest(0, ceil(extract(epoch from t.successful_at - t.refused_at) / 3600))::integer end as collected_after,
       count(*) as count, sum(t.amount) as amount
     from (${TRIED}) t
     where t.refused_as = 'rejected_retryable'
     group by 1, 2`,
    [instantToColumn(period.from), instantToColumn(period.to)],
  );
}

/** Retries of the cycles of {@link readRetryHistories}, by the hours after the first refusal at which they were sent. */
export async function readRetriesMade(db: Db, period: Period): Promise<readonly RetriesMade[]> {
  return readRecords<RetriesMade>(
    db,
    `select round(extract(epoch from a.at - t.refused_at) / 3600)::integer as hours, a.state = 'successful' as is_collected,
       count(*) as count
     from (${TRIED}) t
     cross join lateral (
       select * from attempts
       where (subscription_id, cycle) = (t.subscription_id, t.cycle) and attempt > 0 and not adopted
         and (state = 'successful' or state ${IS_REFUSED})
       offset 0
     ) a
     where t.refused_as = 'rejected_retryable'
     group by 1, 2`,
    [instantToColumn(period.from), instantToColumn(period.to)],
  );
}
