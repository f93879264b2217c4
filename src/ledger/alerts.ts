import type { PaymentId, SubscriptionId } from '../domain/ids';
import { ORPHANED } from '../domain/subscription/pauses';
import { COLLECTION_WINDOW } from '../domain/subscription/schedule';
import { DAY, HOUR, type Instant, toIso } from '../domain/time';
import type { EventData } from '../domain/trail/event';
import { instantToColumn, moneyFromColumn, type Db } from './database';
import { DUEDAY, insertEvent, type NewEvent } from './events';
import { IS_HALTED } from './halt';
import { UNTRIED } from './reports';

/** Something that somebody should look at now, told to the trail once. */
export type Alert = Pick<NewEvent, 'subscriptionId' | 'paymentId' | 'data'> & {
  readonly type: 'alert.outcome_unknown' | 'alert.sent_in_vain' | 'alert.window_closing';
};

/** Alerts of one kind that one look raises; the next look takes those that are left. */
const AT_ONCE = 500;

/**
 * Tells the trail of outcomes that have not been known for an hour of real time, of what was sent three times in vain, and
 * of cycles whose window closes within 24 hours of business time; of each once, whoever else looks at the same time.
 * @param realNow real time, epoch ms; `now` is business time
 * @returns those that the trail had not heard of.
 */
export async function raiseAlerts(db: Db, now: Instant, realNow: number): Promise<readonly Alert[]> {
  const found = [
    ...(await unknownAttempts(db, realNow - HOUR)),
    ...(await unknownOrders(db, realNow - HOUR)),
    ...(await cyclesInVain(db)),
    ...(await ordersInVain(db)),
    ...(await closingWindows(db, now)),
  ];
  for (const { changeKey, ...alert } of found) await insertEvent(db, { ...alert, changeKey, at: now, actor: DUEDAY });
  return found;
}

type Found = Alert & { readonly changeKey: string };

/** Entries that the trail does not have yet. */
const UNTOLD = `not exists (
  select from events e where (e.subscription_id, e.change_key) = (found.subscription_id, found.change_key)
)`;

const UNTOLD_OF_PAYMENT = `not exists (
  select from events e where (e.payment_id, e.change_key) = (found.payment_id, found.change_key)
)`;

async function unknownAttempts(db: Db, before: number): Promise<readonly Found[]> {
  const { rows } = await db.query<AttemptRow>(
    `select * from (
       select subscription_id, cycle, attempt, send, amount, since,
         format('alert/unknown/%s/%s/%s', cycle, attempt, send) as change_key
       from (${ATTEMPTS_IN_DOUBT}) as sends
     ) as found
     where since < $1 and ${UNTOLD} limit $2`,
    [instantToColumn(before), AT_ONCE],
  );
  return rows.map(({ subscription_id: id, change_key: changeKey, since, amount, cycle, attempt, send }) => ({
    ...{ subscriptionId: id as SubscriptionId, changeKey, type: 'alert.outcome_unknown' },
    data: { of: 'attempt', cycle, attempt, send, amount: moneyFromColumn(amount), since: toIso(since) },
  }));
}

async function unknownOrders(db: Db, before: number): Promise<readonly Found[]> {
  const { rows } = await db.query<OrderRow>(
    `select * from (
       select o.kind, o.order_id, o.subscription_id, o.payment_id, o.cycle, o.amount, s.since,
         format('alert/unknown/%s/%s', s.order_id, s.send) as change_key
       from (${ORDERS_IN_DOUBT}) as s join orders o using (order_id)
     ) as found
     where since < $1 and ${UNTOLD} and ${UNTOLD_OF_PAYMENT} limit $2`,
    [instantToColumn(before), AT_ONCE],
  );
  return rows.map((row) => ({
    ...{ ...subjectOf(row), changeKey: row.change_key, type: 'alert.outcome_unknown' },
    data: { ...orderOf(row), since: toIso(row.since) },
  }));
}

async function cyclesInVain(db: Db): Promise<readonly Found[]> {
  const { rows } = await db.query<InVainRow>(
    `select * from (
       select *, format('alert/in_vain/%s', cycle) as change_key from (${CYCLES_IN_VAIN}) as cycles
     ) as found where ${UNTOLD} limit $1`,
    [AT_ONCE],
  );
  return rows.map(({ subscription_id: id, change_key: changeKey, cycle, sends }) => ({
    ...{ subscriptionId: id as SubscriptionId, changeKey, type: 'alert.sent_in_vain' },
    data: { of: 'attempt', cycle, sends },
  }));
}

async function ordersInVain(db: Db): Promise<readonly Found[]> {
  const { rows } = await db.query<NamedOrderRow & { sends: number }>(
    `select * from (
       select o.kind, o.order_id, o.subscription_id, o.payment_id, o.cycle, o.amount, s.sends,
         format('alert/in_vain/%s', o.order_id) as change_key
       from (${ORDERS_IN_VAIN}) as s join orders o using (order_id)
     ) as found where ${UNTOLD} and ${UNTOLD_OF_PAYMENT} limit $1`,
    [AT_ONCE],
  );
  return rows.map((row) => ({
    ...{ ...subjectOf(row), changeKey: row.change_key, type: 'alert.sent_in_vain' },
    data: { ...orderOf(row), sends: row.sends },
  }));
}

function subjectOf({ subscription_id: id, payment_id }: NamedOrderRow): Pick<Alert, 'subscriptionId' | 'paymentId'> {
  if (id === null) return { subscriptionId: null, paymentId: payment_id as PaymentId };
  return { subscriptionId: id as SubscriptionId };
}

function orderOf({ kind, order_id: orderId, cycle, amount }: NamedOrderRow): EventData {
  return { of: kind, orderId, ...(cycle === null ? {} : { cycle }), amount: moneyFromColumn(amount) };
}

async function closingWindows(db: Db, now: Instant): Promise<readonly Found[]> {
  const { rows } = await db.query<CycleRow>(
    `select * from (
       select *, format('alert/window/%s', due_at) as change_key from (${CLOSING_WINDOWS}) as closing
     ) as found where ${UNTOLD} limit $3`,
    [instantToColumn(now), instantToColumn(now + DAY), AT_ONCE],
  );
  return rows.map(toClosing);
}

function toClosing({ subscription_id: id, cycle, due_at, collect_by, status, change_key }: CycleRow): Found {
  const number: EventData = cycle === null ? {} : { cycle };
  return {
    ...{ subscriptionId: id as SubscriptionId, changeKey: change_key, type: 'alert.window_closing' },
    data: { ...number, dueAt: toIso(due_at), collectBy: toIso(collect_by), status },
  };
}

interface AttemptRow {
  subscription_id: string;
  cycle: number;
  attempt: number;
  send: number;
  amount: number;
  since: number;
  change_key: string;
}

interface InVainRow {
  subscription_id: string;
  cycle: number;
  sends: number;
  change_key: string;
}

interface OrderRow extends NamedOrderRow {
  since: number;
}

interface NamedOrderRow {
  kind: string;
  order_id: string;
  subscription_id: string | null;
  payment_id: string;
  cycle: number | null;
  amount: number;
  change_key: string;
}

interface CycleRow {
  subscription_id: string;
  cycle: number | null;
  due_at: number;
  collect_by: number;
  status: string;
  change_key: string;
}

/** What somebody should look at, counted as it stands now. */
export interface Alarms {
  /** Matters that wait for a person, by their kind. */
  readonly matters: Readonly<Record<string, number>>;
  /** Sends of authorizations, captures and refunds whose outcome has not been known for an hour of real time. */
  readonly unknownForAnHour: number;
  /** Open cycles and orders of which three sends or more were not answered readably and are not found. */
  readonly sentInVain: number;
  /** Open cycles, and due dates that nobody has tried, whose window closes within 24 hours of business time. */
  readonly windowsClosing: number;
  /** Differences that the last reconciliation found; null where there was none yet. */
  readonly ledgerDifferences: number | null;
  /** Whether all sending is halted. */
  readonly isHalted: boolean;
}

/** @param realNow real time, epoch ms; `now` is business time */
export async function readAlarms(db: Db, now: Instant, realNow: number): Promise<Alarms> {
  const matters = await db.query<{ kind: string; count: number }>(
    `select split_part(matter, ':', 1) as kind, count(*) as count
     from (
       select unnest(attention) as matter from subscriptions where standing = 'needs_attention'
       union all select $1 from payments where orphaned_at is not null
     ) as matters
     group by 1`,
    [ORPHANED],
  );
  const counts = await db.query<{
    unknown: number;
    in_vain: number;
    closing: number;
    differences: number | null;
    halted: boolean;
  }>(
    `select
       (select count(*) from (
          select since from (${ATTEMPTS_IN_DOUBT}) as attempts
          union all
          select since from (${ORDERS_IN_DOUBT}) as orders
        ) as sends where since < $3) as unknown,
       (select count(*) from (${CYCLES_IN_VAIN}) as cycles) + (select count(*) from (${ORDERS_IN_VAIN}) as orders) as in_vain,
       (select count(*) from (${CLOSING_WINDOWS}) as windows) as closing,
       (select count(d.run_id)
        from (select run_id from reconciliation_runs where state = 'compared' order by begun_real_at desc limit 1) as last
        left join reconciliation_differences d using (run_id)
        group by last.run_id) as differences,
       ${IS_HALTED} as halted`,
    [instantToColumn(now), instantToColumn(now + DAY), instantToColumn(realNow - HOUR)],
  );
  const [row] = counts.rows;
  if (row === undefined) throw new Error('a query of counts answered no row');
  return {
    matters: Object.fromEntries(matters.rows.map(({ kind, count }) => [kind, count])),
    unknownForAnHour: row.unknown,
    sentInVain: row.in_vain,
    windowsClosing: row.closing,
    ledgerDifferences: row.differences,
    isHalted: row.halted,
  };
}

/** What presses, as queries: alerts tell of each row once, alarms count them at any moment. */

const IN_DOUBT = `state in ('sending', 'unknown', 'unresolved')`;
/** Real time since which the outcome has not been known. */
const SINCE = `coalesce(unknown_since_real, sending_real_at) as since`;

/** Sends of authorizations whose outcome nobody knows. */
export const ATTEMPTS_IN_DOUBT = `select *, ${SINCE} from attempts where ${IN_DOUBT}`;

/** Sends of captures and refunds whose outcome nobody knows. */
export const ORDERS_IN_DOUBT = `select *, ${SINCE} from order_sends where ${IN_DOUBT}`;

/** Sends in doubt, or settled as never made after they were, from which on people are told. */
const TOO_MANY_IN_VAIN = 3;
const NOT_FOUND = `unknown_since_real is not null and state in ('unknown', 'unresolved', 'not_sent')`;

/** Open cycles, and how many of their sends were not answered readably and are not found (rule 17). */
export const CYCLES_IN_VAIN = `
  select subscription_id, cycle, count(*) as sends
  from attempts join cycles c using (subscription_id, cycle)
  where ${NOT_FOUND} and c.status in ('collecting', 'dunning', 'unresolved')
  group by 1, 2 having count(*) >= ${TOO_MANY_IN_VAIN}`;

/** The same of captures and refunds that are not made yet. */
export const ORDERS_IN_VAIN = `
  select order_id, count(*) as sends
  from order_sends s
  where ${NOT_FOUND}
    and not exists (
      select from order_sends m where m.order_id = s.order_id and m.state in ('pending', 'successful', 'failed')
    )
  group by 1 having count(*) >= ${TOO_MANY_IN_VAIN}`;

/**
 * Open cycles, and due dates that nobody has tried (without a cycle), whose window closes after $1 and not after $2, both
 * business time. The window of an open cycle is looked for by its deadline, which comes no later, and has an index.
 */
export const CLOSING_WINDOWS = `
  select subscription_id, cycle, due_at, collect_by, status from cycles
  where status in ('collecting', 'dunning', 'unresolved')
    and least(retry_until, collect_by) <= $2 and collect_by > $1 and collect_by <= $2
  union all
  select * from (
    select s.subscription_id, null::integer as cycle, s.next_due_at as due_at,
      least(s.next_due_at + ${COLLECTION_WINDOW} * interval '1 millisecond', s.end_at) as collect_by, 'untried' as status
    from ${UNTRIED} and s.next_due_at <= $1
  ) as untried
  where collect_by > $1 and collect_by <= $2`;
