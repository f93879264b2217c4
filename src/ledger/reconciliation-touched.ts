import type { PaymentRef } from '../contract/activities';
import type { PaymentId, SubscriptionId } from '../domain/ids';
import type { Span } from '../domain/time';
import { instantToColumn } from './column';
import type { Db } from './db';

/** Payments looked at in one statement, whether or not they are to be compared: none takes long. */
const LOOKED_AT_ONCE = 500;

/** A one-time payment, by our own id and the service's. */
export interface OneTimeRef {
  readonly subscriptionId: null;
  readonly requestId: string;
  readonly paymentId: PaymentId;
}

/** What is held against the service: the payment of a subscription, or a one-time payment. */
export type ComparedPayment = PaymentRef | OneTimeRef;

/** Sorts behind every subscription's id: one-time payments come last. */
const BEHIND_SUBSCRIPTIONS = '~';

/** Where a run stands that has compared this payment last. */
export function placeOf(payment: ComparedPayment): string {
  return payment.subscriptionId ?? `${BEHIND_SUBSCRIPTIONS}${payment.requestId}`;
}

/**
 * Payments that may have a record within the span, those behind `after`, subscriptions by their id and then one-time
 * payments by theirs: all that had not ended before it, and all that an attempt, a capture or a refund of ours touched
 * within it.
 */
export async function* readPaymentsTouched(
  db: Db,
  span: Span,
  after: string,
  atOnce = LOOKED_AT_ONCE,
): AsyncGenerator<ComparedPayment, void> {
  const isBehind = after.startsWith(BEHIND_SUBSCRIPTIONS);
  if (!isBehind) {
    for await (const { id, payment_id: paymentId } of readTouched(db, TOUCHED, span, after, atOnce)) {
      yield { subscriptionId: id as SubscriptionId, paymentId: paymentId as PaymentId };
    }
  }
  const afterRequest = isBehind ? after.slice(BEHIND_SUBSCRIPTIONS.length) : '';
  for await (const { id, payment_id: paymentId } of readTouched(db, ONE_TIME_TOUCHED, span, afterRequest, atOnce)) {
    yield { subscriptionId: null, requestId: id, paymentId: paymentId as PaymentId };
  }
}

async function* readTouched(
  db: Db,
  query: string,
  span: Span,
  after: string,
  atOnce: number,
): AsyncGenerator<TouchedRow, void> {
  const [from, to] = [instantToColumn(span.from), instantToColumn(span.to)];
  let place = after;
  for (;;) {
    const { rows } = await db.query<TouchedRow>(query, [place, atOnce, from, to]);
    yield* rows.filter((each) => each.touched);
    const last = rows.at(-1);
    if (last === undefined) return;
    place = last.id;
  }
}

/** Whatever happens to a subscription is in its trail, its end too: one silent since before the span had ended by then. */
const TOUCHED = `
  with looked_at as (
    select subscription_id, payment_id, status from subscriptions
    where subscription_id > $1 and payment_id is not null and status <> 'draft'
    order by subscription_id limit $2
  )
  select s.subscription_id as id, s.payment_id,
    s.status in ('pending_consent', 'active', 'paused')
    or (select e.at from events e where e.subscription_id = s.subscription_id order by e.id desc limit 1) >= $3
    or exists (select from attempts a where a.payment_id = s.payment_id and a.at >= $3 and a.at < $4)
    or exists (
      select from orders r where r.subscription_id = s.subscription_id and r.created_at >= $3 and r.created_at < $4
    ) as touched
  from looked_at s
  order by s.subscription_id`;

/** A payment's trail tells its end too. */
const ONE_TIME_TOUCHED = `
  with looked_at as (
    select request_id, payment_id, status from payments
    where request_id > $1 and status <> 'draft'
    order by request_id limit $2
  )
  select p.request_id as id, p.payment_id,
    p.status in ('pending_consent', 'authorized', 'partly_captured')
    or (select e.at from events e where e.payment_id = p.payment_id order by e.id desc limit 1) >= $3
    or exists (
      select from orders r where r.payment_id = p.payment_id and r.created_at >= $3 and r.created_at < $4
    ) as touched
  from looked_at p
  order by p.request_id`;

interface TouchedRow {
  id: string;
  payment_id: string;
  touched: boolean;
}
