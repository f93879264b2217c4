import type { OpenCycleFacts } from '../../domain/reports/forecast';
import { COLLECTION_WINDOW, type Calendar, firstCycleFrom } from '../../domain/subscription/schedule';
import type { Instant } from '../../domain/time';
import { HAS_UNKNOWN_OUTCOME, IS_COLLECTING, IS_REFUSED } from '../rows/any-send';
import { type Page, type PageOf, deadlineCursor, toPage } from '../sql/cursor';
import { instantToColumn, type Db, readRecords } from '../sql/statements';
import type { CycleRecord } from '../subscriptions/cycles';
import { type PayerDetails, payerColumns, UNTRIED } from '../rows/subscription';
import { IS_HALTED } from '../sql/installation';

/** A cycle that has fallen due and is not final, with its deadlines. */
export interface OpenCycleRecord
  extends OpenCycleFacts, Omit<CycleRecord, 'status' | 'reason' | 'collectedAt' | 'attempts' | 'refunds'> {
  /** Number of attempts, the first and its retries; one sent again counts once. */
  readonly attempts: number;
  readonly payer: PayerDetails;
  /** The code of the last refusal; null before the first. */
  readonly refusedWith: string | null;
  /** Whether an attempt is being sent, pending at the service, or successful. */
  readonly isCollecting: boolean;
}

/**
 * Cycles that are open at `now`, soonest deadline first. One whose first attempt has not started is `scheduled`; if a
 * subscription has several of these, only the earliest is listed.
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

/** Whether attempts with this alias belong to the cycle of the row. */
const IS_OF_PAGE = (name: string) => `(${name}.subscription_id, ${name}.cycle) = (page.subscription_id, page.cycle)`;

/** Finds the page first, each of its two parts by its own index; details are read only for the rows of the page. */
const DEADLINES = `
  with tried as (
    select subscription_id, due_at, cycle, collect_by, amount, status, retry_until, retries_left,
      least(retry_until, collect_by) as deadline
    from cycles
    where status in ('collecting', 'dunning', 'unresolved')
  ), untried as (
    select s.subscription_id, s.next_due_at as due_at, null::integer as cycle, w.collect_by, s.amount, 'scheduled' as status,
      null::timestamptz as retry_until, 0 as retries_left, w.collect_by as deadline
    from (select * from ${UNTRIED} and s.next_due_at <= $1) as s,
      lateral (select least(s.next_due_at + $2::double precision * interval '1 millisecond', s.end_at) as collect_by) as w
  ), page as (
    (select * from tried where ${IS_AFTER} ${IN_ORDER})
    union all
    (select * from untried where ${IS_AFTER} ${IN_ORDER})
    ${IN_ORDER}
  )
  select page.*, c.next_attempt_at, c.postponed_until, s.stopped_by, s.first_payment_at, s.repetition, s.end_at,
    sent.attempts, last.state as last_send, notice.state as notice,
    exists (
      select from attempts o
      where o.payment_id = s.payment_id and o.state ${HAS_UNKNOWN_OUTCOME} and o.due_at <> page.due_at
    ) as is_other_unknown,
    (select ${IS_HALTED}) as is_halted, held_until(s.subscription_id) as held_until, ${payerColumns('payer')}, refusal.refused_with,
    exists (select from attempts u where ${IS_OF_PAGE('u')} and u.state ${IS_COLLECTING}) as is_collecting
  from page
  join subscriptions s using (subscription_id)
  join payers payer using (payer_id)
  left join cycles c on (c.subscription_id, c.due_at) = (page.subscription_id, page.due_at)
  cross join lateral (
    select count(distinct a.attempt) as attempts from attempts a
    where ${IS_OF_PAGE('a')}
  ) as sent
  left join lateral (
    select a.attempt, a.state from attempts a
    where ${IS_OF_PAGE('a')}
    order by a.attempt desc, a.send desc limit 1
  ) as last on true
  left join lateral (
    select coalesce(a.detail, a.state) as refused_with from attempts a
    where ${IS_OF_PAGE('a')} and a.state ${IS_REFUSED} and not a.adopted
    order by a.attempt desc, a.send desc limit 1
  ) as refusal on true
  left join notices notice on notice.type = 'payment.failed'
    and (notice.subscription_id, notice.cycle, notice.attempt) = (page.subscription_id, page.cycle, last.attempt)
  order by page.deadline, page.subscription_id, page.due_at`;
