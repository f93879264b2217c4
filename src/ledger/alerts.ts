import type { EventData } from '../domain/trail/event';
import type { PaymentId, SubscriptionId } from '../domain/ids';
import { DAY, HOUR, type Instant, toIso } from '../domain/time';
import { instantToColumn, moneyFromColumn } from './column';
import type { Db } from './db';
import { DUEDAY, insertEvent, type NewEvent } from './events';
import { ATTEMPTS_IN_DOUBT, CLOSING_WINDOWS, CYCLES_IN_VAIN, ORDERS_IN_DOUBT, ORDERS_IN_VAIN } from './pressing';

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
