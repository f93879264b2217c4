import type { Figure } from '../../domain/money';
import { COLLECTION_WINDOW } from '../../domain/subscription/schedule';
import { type Instant, type Period, DAY } from '../../domain/time';
import { IS_COLLECTING, IS_REFUSED } from '../rows/any-send';
import { type Halt, readHalt } from '../halt/halt';
import { instantToColumn, type Db, readRecords, readValue } from '../sql/statements';
import { UNTRIED } from '../rows/subscription';

/** Figures about subscriptions, except `needsAttention`, which counts all listed attention items other than a halt. */
export const TODAY_FIGURES = [
  'needsAttention',
  'atRisk',
  'inRetry',
  'pastDue',
  'pastDueInAttention',
  'refusedToday',
  'collectedToday',
  'dueToday',
] as const;
export type TodayFigure = (typeof TODAY_FIGURES)[number];

export interface Today {
  readonly figures: Readonly<Record<TodayFigure, Figure>>;
  /** Successful attempts as a share of those that the bank answered, 0 to 1; null if it answered none. */
  readonly successRate: { readonly last7Days: number | null; readonly previous7Days: number | null };
  /** Null unless sending is halted. */
  readonly halted: Halt | null;
}

/** @param day the calendar day of `now`. @throws RangeError if a sum cannot be represented exactly. */
export async function readToday(db: Db, now: Instant, day: Period): Promise<Today> {
  return {
    figures: await readFigures(db, now, day),
    successRate: {
      last7Days: await readSuccessRate(db, { from: now - WEEK, to: now }),
      previous7Days: await readSuccessRate(db, { from: now - 2 * WEEK, to: now - WEEK }),
    },
    halted: await readHalt(db),
  };
}

const WEEK = 7 * DAY;

/** A cycle is at risk if its deadline is closer than this and none of its attempts is being sent, pending or successful. */
const AT_RISK_WITHIN = DAY;

async function readFigures(db: Db, now: Instant, { from, to }: Period): Promise<Today['figures']> {
  const sums = await readRecords<Figure & { readonly figure: TodayFigure }>(db, FIGURES_QUERY, [
    ...[now, from, to, now + AT_RISK_WITHIN].map((instant) => instantToColumn(instant)),
    COLLECTION_WINDOW,
  ]);
  return Object.fromEntries(sums.map(({ figure, ...sum }) => [figure, sum])) as Today['figures'];
}

const PAST_DUE = `select last.amount from subscriptions s
    cross join lateral (
      select status, amount from cycles
      where subscription_id = s.subscription_id and due_at <= $1 order by cycle desc limit 1
    ) as last
    where s.past_due and s.status in ('active', 'paused') and last.status in ('failed', 'missed')`;

/**
 * One aggregate each, none of which reads a whole table. $1 is now, [$2, $3) the day, $4 the latest deadline that counts as near,
 * $5 the longest collection window in ms. The index of each:
 *
 * | figure | index |
 * | --- | --- |
 * | needsAttention | attention_items_by_age |
 * | atRisk | cycles_open_by_deadline; subscriptions_in_due_order for cycles that have not been tried |
 * | inRetry | cycles_to_retry |
 * | pastDue, pastDueInAttention | subscriptions_failing, then the key of cycles for the last one of each |
 * | refusedToday | attempts_refused |
 * | collectedToday | attempts_by_booking |
 * | dueToday | cycles_sums_by_due; subscriptions_in_due_order for cycles that have not been tried |
 */
const FIGURES: Readonly<Record<TodayFigure, string>> = {
  // What `GET /v1/attention` lists; a halt is shown separately.
  needsAttention: `select amount from attention_items
    where closed_real_at is null and folded_into is null and source <> 'halt'`,
  atRisk: `select amount from cycles c
    where status in ('collecting', 'dunning', 'unresolved')
      and least(retry_until, collect_by) > $1 and least(retry_until, collect_by) <= $4 and not exists (
        select from attempts a
        where (a.subscription_id, a.cycle) = (c.subscription_id, c.cycle) and a.state ${IS_COLLECTING}
      )
    union all
    select s.amount from ${UNTRIED} and s.next_due_at <= $1
      and s.next_due_at > $1::timestamptz - $5::double precision * interval '1 millisecond'
      and (s.next_due_at <= $4::timestamptz - $5::double precision * interval '1 millisecond' or s.end_at <= $4)
      and (s.end_at is null or s.end_at > $1)`,
  inRetry: `select amount from cycles where status = 'dunning'`,
  pastDue: PAST_DUE,
  pastDueInAttention: `${PAST_DUE} and s.needs_attention`,
  refusedToday: `select max(amount) as amount from attempts
    where state ${IS_REFUSED} and not adopted and outcome_at >= $2 and outcome_at < $3
    group by subscription_id, cycle`,
  collectedToday: `select amount from attempts where state = 'successful' and outcome_at >= $2 and outcome_at < $3`,
  dueToday: `select amount from cycles where due_at >= $2 and due_at < $3 and status <> 'scheduled'
    union all
    select s.amount from ${UNTRIED} and s.next_due_at >= $2 and s.next_due_at < $3
      and (s.next_due_at <= $1 or (s.stopped_by is distinct from 'cancel' and (s.status = 'active' or s.paused_until <= s.next_due_at)))`,
};

const FIGURES_QUERY = TODAY_FIGURES.map(
  (figure) =>
    `select '${figure}' as figure, count(*) as count, coalesce(sum(amount), 0)::bigint as amount
     from (${FIGURES[figure]}) as ${figure}`,
).join(' union all ');

/** Uses only the indexes `attempts_by_booking` and `attempts_refused`. Adopted debits were not attempted here (rule 40). */
async function readSuccessRate(db: Db, { from, to }: Period): Promise<number | null> {
  return readValue(
    db,
    `select successful::double precision / nullif(successful + refused, 0) from (
       select
         (select count(*) from attempts
          where state = 'successful' and not adopted and outcome_at >= $1 and outcome_at < $2) as successful,
         (select count(*) from attempts
          where state ${IS_REFUSED} and not adopted and outcome_at >= $1 and outcome_at < $2) as refused
     ) as counted`,
    [instantToColumn(from), instantToColumn(to)],
  );
}
