import type { EventData } from '../domain/event-types';
import type { PaymentId, SubscriptionId } from '../domain/ids';
import { DAY, HOUR, type Instant, toIso } from '../domain/instant';
import { instantToColumn, moneyFromColumn } from './column';
import type { Db } from './db';
import { DUEDAY, insertEvent, type NewEvent } from './events';
import { ATTEMPTS_IN_DOUBT, CLOSING_WINDOWS, ORDERS_IN_DOUBT } from './pressing';

/** Something that somebody should look at now, told to the trail once. */
export type Alert = Pick<NewEvent, 'subscriptionId' | 'paymentId' | 'data'> & {
  readonly type: 'alert.outcome_unknown' | 'alert.window_closing';
};

/** Alerts of one kind that one look raises; the next look takes those that are left. */
const AT_ONCE = 500;

/**
 * Tells the trail of outcomes that have not been known for an hour of real time, and of cycles whose window closes within
 * 24 hours of business time; of each once, whoever else looks at the same time.
 * @param realNow real time, epoch ms; `now` is business time
 * @returns those that the trail had not heard of.
 */
export async function raiseAlerts(db: Db, now: Instant, realNow: number): Promise<readonly Alert[]> {
  const found = [
    ...(await unknownAttempts(db, realNow - HOUR)),
    ...(await unknownOrders(db, realNow - HOUR)),
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
     where since < $1 and ${UNTOLD} and not exists (
       select from events e where (e.payment_id, e.change_key) = (found.payment_id, found.change_key)
     ) limit $2`,
    [instantToColumn(before), AT_ONCE],
  );
  return rows.map((row) => {
    const { order_id: orderId, kind, cycle, since, change_key: changeKey } = row;
    const named: EventData = cycle === null ? { orderId } : { orderId, cycle };
    const data = { of: kind, ...named, amount: moneyFromColumn(row.amount), since: toIso(since) };
    const subscriptionId = row.subscription_id as SubscriptionId | null;
    const subject = subscriptionId === null ? { paymentId: row.payment_id as PaymentId } : {};
    return { subscriptionId, ...subject, changeKey, type: 'alert.outcome_unknown', data };
  });
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

interface OrderRow {
  kind: string;
  order_id: string;
  subscription_id: string | null;
  payment_id: string;
  cycle: number | null;
  amount: number;
  since: number;
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
