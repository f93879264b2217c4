import type { SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import { COLLECTION_WINDOW } from '../../domain/subscription/schedule';
import { DAY, HOUR, type Instant, toIso } from '../../domain/time';
import type { EventData } from '../../domain/audit/event';
import type { SendRef } from '../rows/attempt';
import { instantToColumn, type Db, readRecord, readRecords } from '../sql/statements';
import { DUEDAY, insertEvent, type NewEvent } from '../audit/entries';
import type { OrderSubject } from '../rows/refund';
import { type DailyAges, readDailyAges } from '../reconciliation/waiting';
import { LIVE_SUBSCRIPTIONS, POSTPONED_UNTIL, UNTRIED } from '../rows/subscription';
import { HAS_UNKNOWN_OUTCOME, IS_NOT_FINAL } from '../rows/any-send';
import { IS_HALTED } from '../sql/installation';

/** Something that an operator should check now, written to the audit log once. */
export type Alert = Pick<NewEvent, 'subscriptionId' | 'paymentId' | 'data'> & {
  readonly type: 'alert.outcome_unknown' | 'alert.sent_without_answer' | 'alert.window_closing';
};

/** The most alerts of one kind that one check raises; the next check raises the rest. */
const AT_ONCE = 500;

/**
 * Records in the audit log outcomes that have been unknown for an hour of real time, what was sent three times without a
 * readable answer, and cycles whose window closes within 24 hours of business time while nothing stops them; each once, even
 * if several processes check at the same time.
 * @param realNow real time, epoch ms; `now` is business time
 * @returns the new ones
 */
export async function raiseAlerts(db: Db, now: Instant, realNow: number): Promise<readonly Alert[]> {
  const found = [
    ...(await unknownAttempts(db, realNow - HOUR)),
    ...(await unknownOrders(db, realNow - HOUR)),
    ...(await unansweredCycles(db)),
    ...(await unansweredOrders(db)),
    ...(await closingWindows(db, now)),
  ];
  for (const { changeKey, ...alert } of found) await insertEvent(db, { ...alert, changeKey, at: now, actor: DUEDAY });
  return found;
}

type Found = Alert & { readonly changeKey: string };

/** Entries that are not in the audit log yet. */
const NOT_LOGGED = `not exists (
  select from events e where (e.subscription_id, e.change_key) = (found.subscription_id, found.change_key)
)`;

const NOT_LOGGED_FOR_PAYMENT = `not exists (
  select from events e where (e.payment_id, e.change_key) = (found.payment_id, found.change_key)
)`;

/** An alert about a subscription. */
interface OfSubscription {
  readonly subscriptionId: SubscriptionId;
  readonly changeKey: string;
}

/** An alert about an order: of a subscription, or of a one-time payment. */
interface OfOrder extends OrderSubject {
  readonly amount: Money;
  readonly changeKey: string;
}

async function unknownAttempts(db: Db, before: number): Promise<readonly Found[]> {
  const sends = await readRecords<OfSubscription & SendRef & { amount: Money; since: number }>(
    db,
    `select * from (
       select subscription_id, cycle, attempt, send, amount, since,
         format('alert/unknown/%s/%s/%s', cycle, attempt, send) as change_key
       from (${UNKNOWN_ATTEMPTS}) as sends
     ) as found
     where since < $1 and ${NOT_LOGGED} limit $2`,
    [instantToColumn(before), AT_ONCE],
  );
  return sends.map(({ subscriptionId, changeKey, since, ...about }) => {
    const data = { of: 'attempt', ...about, since: toIso(since) };
    return { subscriptionId, changeKey, type: 'alert.outcome_unknown', data };
  });
}

async function unknownOrders(db: Db, before: number): Promise<readonly Found[]> {
  const orders = await readRecords<OfOrder & { since: number }>(
    db,
    `select * from (
       select o.kind, o.order_id, o.subscription_id, o.payment_id, o.cycle, o.amount, s.since,
         format('alert/unknown/%s/%s', s.order_id, s.send) as change_key
       from (${UNKNOWN_ORDERS}) as s join orders o using (order_id)
     ) as found
     where since < $1 and ${NOT_LOGGED} and ${NOT_LOGGED_FOR_PAYMENT} limit $2`,
    [instantToColumn(before), AT_ONCE],
  );
  return orders.map(({ since, ...order }) => foundOf('alert.outcome_unknown', order, { since: toIso(since) }));
}

async function unansweredCycles(db: Db): Promise<readonly Found[]> {
  const cycles = await readRecords<OfSubscription & { cycle: number; sends: number }>(
    db,
    `select * from (
       select *, format('alert/without_answer/%s', cycle) as change_key from (${UNANSWERED_CYCLES}) as cycles
     ) as found where ${NOT_LOGGED} limit $1`,
    [AT_ONCE],
  );
  return cycles.map(({ subscriptionId, changeKey, ...about }) => {
    return { subscriptionId, changeKey, type: 'alert.sent_without_answer', data: { of: 'attempt', ...about } };
  });
}

async function unansweredOrders(db: Db): Promise<readonly Found[]> {
  const orders = await readRecords<OfOrder & { sends: number }>(
    db,
    `select * from (
       select o.kind, o.order_id, o.subscription_id, o.payment_id, o.cycle, o.amount, s.sends,
         format('alert/without_answer/%s', o.order_id) as change_key
       from (${UNANSWERED_ORDERS}) as s join orders o using (order_id)
     ) as found where ${NOT_LOGGED} and ${NOT_LOGGED_FOR_PAYMENT} limit $1`,
    [AT_ONCE],
  );
  return orders.map(({ sends, ...order }) => foundOf('alert.sent_without_answer', order, { sends }));
}

function foundOf(type: Alert['type'], order: OfOrder, more: EventData): Found {
  const { subscriptionId, paymentId, changeKey, kind, orderId, cycle, amount } = order;
  const subject = subscriptionId === null ? { subscriptionId, paymentId } : { subscriptionId };
  const data = { of: kind, orderId, ...(cycle === null ? {} : { cycle }), amount, ...more };
  return { ...subject, changeKey, type, data };
}

async function closingWindows(db: Db, now: Instant): Promise<readonly Found[]> {
  const windows = await readRecords<OfSubscription & ClosingWindow>(
    db,
    `select * from (
       select *, format('alert/window/%s', due_at) as change_key from (${CLOSING_WINDOWS}) as closing
     ) as found where ${NOT_LOGGED} limit $3`,
    [instantToColumn(now), instantToColumn(now + DAY), AT_ONCE],
  );
  return windows.map(({ subscriptionId, changeKey, cycle, dueAt, collectBy, status }) => {
    const number = cycle === null ? {} : { cycle };
    const data = { ...number, dueAt: toIso(dueAt), collectBy: toIso(collectBy), status };
    return { subscriptionId, changeKey, type: 'alert.window_closing', data };
  });
}

/** `cycle` is null if no attempt was made. */
interface ClosingWindow {
  readonly cycle: number | null;
  readonly dueAt: Instant;
  readonly collectBy: Instant;
  readonly status: string;
}

/** Current counts of what an operator should check. */
export interface Alarms {
  /** Open attention items by kind, without the halt. */
  readonly attentionItems: Readonly<Record<string, number>>;
  /**
   * When the oldest of them that has neither an assignee nor a note, and is not folded into another, was opened,
   * business time; null if there is none.
   */
  readonly oldestUnhandled: Instant | null;
  /** Subscriptions that are neither drafts nor ended, see {@link LIVE_SUBSCRIPTIONS}. */
  readonly liveSubscriptions: number;
  /** Due dates in the past without an attempt, unless a pause, a cancellation or a hold stops it. */
  readonly dueUntried: number;
  /** When the next window closes among cycles that are due, not final and not stopped; null if there is none. */
  readonly nextWindowEnd: Instant | null;
  /** Sends of authorizations, captures and refunds whose outcome is not known. */
  readonly unknown: number;
  /** Notices that are neither delivered nor given up, and when the oldest of them was created, business time. */
  readonly noticesPending: number;
  readonly oldestNotice: Instant | null;
  /** Sends of authorizations, captures and refunds whose outcome has not been known for an hour of real time. */
  readonly unknownForAnHour: number;
  /** Open cycles and orders with three or more sends that were not answered readably and are not found. */
  readonly sentWithoutAnswer: number;
  /** Windows of cycles that are due, not final and not stopped, closing within 24 hours of business time. */
  readonly windowsClosing: number;
  /** Open differences: found, and neither resolved since nor closed. */
  readonly ledgerDifferences: number;
  /** Whether all sending is halted. */
  readonly isHalted: boolean;
  readonly daily: DailyAges;
}

/** @param realNow real time, epoch ms; `now` is business time */
export async function readAlarms(db: Db, now: Instant, realNow: number): Promise<Alarms> {
  const items = await readRecords<{ kind: string; count: number }>(
    db,
    `select kind, count(*) as count from ${OPEN_ITEMS} group by 1`,
  );
  const counts = await readRecord<Omit<Alarms, 'attentionItems' | 'daily'>>(
    db,
    `select
       (select min(since) from ${OPEN_ITEMS} and assignee is null and note is null and folded_into is null)
         as oldest_unhandled,
       ${LIVE_SUBSCRIPTIONS} as live_subscriptions,
       (select count(*) from ${DUE_UNTRIED} and coalesce(${POSTPONED_UNTIL}, $1) <= $1) as due_untried,
       (select min(collect_by) from (${WINDOW_ENDS}) as windows where collect_by > $1) as next_window_end,
       (select count(*) from (${UNKNOWN_SENDS}) as sends) as unknown,
       (select count(*) from (${UNKNOWN_SENDS}) as sends where since < $3) as unknown_for_an_hour,
       (select count(*) from notices where state = 'pending') as notices_pending,
       (select min(created_at) from notices where state = 'pending') as oldest_notice,
       (select count(*) from (${UNANSWERED_CYCLES}) as cycles)
         + (select count(*) from (${UNANSWERED_ORDERS}) as orders) as sent_without_answer,
       (select count(*) from (${CLOSING_WINDOWS}) as windows) as windows_closing,
       (select count(*) from attention_items where source = 'difference' and closed_real_at is null)
         as ledger_differences,
       ${IS_HALTED} as is_halted`,
    [instantToColumn(now), instantToColumn(now + DAY), instantToColumn(realNow - HOUR)],
  );
  if (counts === null) throw new Error('the query of counts returned no row');
  const attentionItems = Object.fromEntries(items.map(({ kind, count }) => [kind, count]));
  return { attentionItems, ...counts, daily: await readDailyAges(db, now) };
}

/** A halt has a figure of its own. */
const OPEN_ITEMS = `attention_items where closed_real_at is null and source <> 'halt'`;

/** Queries shared by alerts, which record each row once, and alarms, which count the current rows. */

/** Real time since which the outcome has not been known. */
const SINCE = `coalesce(unknown_since_real, sending_real_at) as since`;

/** Sends of authorizations whose outcome is not known. */
const UNKNOWN_ATTEMPTS = `select *, ${SINCE} from attempts where state ${HAS_UNKNOWN_OUTCOME}`;

/** Sends of captures and refunds whose outcome is not known. */
const UNKNOWN_ORDERS = `select *, ${SINCE} from order_sends where state ${HAS_UNKNOWN_OUTCOME}`;

const UNKNOWN_SENDS = `
  select since from (${UNKNOWN_ATTEMPTS}) as attempts
  union all
  select since from (${UNKNOWN_ORDERS}) as orders`;

/** The number of sends with an unknown outcome, or later settled as absent, from which an alert is raised. */
const TOO_MANY_UNANSWERED = 3;
const NOT_FOUND = `unknown_since_real is not null and state in ('unknown', 'unresolved', 'not_sent')`;

/** Open cycles, and how many of their sends were not answered readably and are not found (rule 17). */
const UNANSWERED_CYCLES = `
  select subscription_id, cycle, count(*) as sends
  from attempts join cycles c using (subscription_id, cycle)
  where ${NOT_FOUND} and c.status in ('collecting', 'dunning', 'unresolved')
  group by 1, 2 having count(*) >= ${TOO_MANY_UNANSWERED}`;

/** Captures and refunds without a result, and how many of their sends were not answered readably and are not found (rule 17). */
const UNANSWERED_ORDERS = `
  select order_id, count(*) as sends
  from order_sends s
  where ${NOT_FOUND}
    and not exists (
      select from order_sends m where m.order_id = s.order_id and m.state in ('pending', 'successful', 'failed')
    )
  group by 1 having count(*) >= ${TOO_MANY_UNANSWERED}`;

/** When the window of a due date without an attempt closes. */
const UNTRIED_UNTIL = `least(s.next_due_at + ${COLLECTION_WINDOW} * interval '1 millisecond', s.end_at)`;

/** Due dates until $1, business time, without an attempt, unless a pause, a cancellation or a hold stops it. */
const DUE_UNTRIED = `${UNTRIED} and s.next_due_at <= $1 and s.status = 'active' and s.stopped_by is null
  and coalesce(held_until(s.subscription_id), $1) <= $1`;

/** The state of a cycle's last send; null if there is none. */
const LAST_SEND = `(
  select a.state from attempts a where (a.subscription_id, a.cycle) = (c.subscription_id, c.cycle)
  order by a.attempt desc, a.send desc limit 1
)`;

/**
 * Open cycles, except those whose next attempt a pause, a cancellation or a hold stops at $1, business time; a send under way
 * counts in any case.
 */
const OPEN_CYCLES = `cycles c join subscriptions s using (subscription_id)
  where c.status in ('collecting', 'dunning', 'unresolved')
    and (c.status = 'unresolved' or ${LAST_SEND} ${IS_NOT_FINAL}
      or (s.status <> 'paused' and s.stopped_by is null and coalesce(held_until(s.subscription_id), $1) <= $1))`;

/** When the window of each of {@link OPEN_CYCLES} and of {@link DUE_UNTRIED} closes or has closed. */
const WINDOW_ENDS = `
  select c.collect_by from ${OPEN_CYCLES}
  union all
  select ${UNTRIED_UNTIL} as collect_by from ${DUE_UNTRIED}`;

/**
 * {@link OPEN_CYCLES}, and {@link DUE_UNTRIED} (which have no cycle), whose window closes after $1 and not after $2, both
 * business time. An open cycle is found by its deadline, which is no later than its window and has an index.
 */
const CLOSING_WINDOWS = `
  select subscription_id, c.cycle, c.due_at, c.collect_by, c.status from ${OPEN_CYCLES}
    and least(c.retry_until, c.collect_by) <= $2 and c.collect_by > $1 and c.collect_by <= $2
  union all
  select * from (
    select s.subscription_id, null::integer as cycle, s.next_due_at as due_at, ${UNTRIED_UNTIL} as collect_by,
      'untried' as status
    from ${DUE_UNTRIED}
  ) as untried
  where collect_by > $1 and collect_by <= $2`;
