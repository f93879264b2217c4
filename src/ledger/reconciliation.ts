import type { PaymentRef } from '../contract/activities';
import type { AuthorizationId, CaptureId, PaymentId, OrderId, SubscriptionId } from '../domain/ids';
import type { LedgerAttempt, LedgerPayment, LedgerRefund } from '../domain/ledger-differences';
import type { Span } from '../domain/span';
import { instantToColumn, moneyFromColumn } from './column';
import { type Db, queryOne } from './db';

/** Subscriptions looked at in one statement, whether or not they are to be compared: none takes long. */
const LOOKED_AT_ONCE = 500;

/**
 * Payments that may have a record within the span, by subscription, those behind `after`: all of subscriptions that had
 * not ended before it, and all that an attempt or a refund of ours touched within it.
 */
export async function* readPaymentsTouched(
  db: Db,
  span: Span,
  after: string,
  atOnce = LOOKED_AT_ONCE,
): AsyncGenerator<PaymentRef, void> {
  let place = after;
  for (;;) {
    const { rows } = await db.query<TouchedRow>(TOUCHED, [
      place,
      atOnce,
      instantToColumn(span.from),
      instantToColumn(span.to),
    ]);
    for (const row of rows.filter((each) => each.touched)) {
      yield { subscriptionId: row.subscription_id as SubscriptionId, paymentId: row.payment_id as PaymentId };
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    place = last.subscription_id;
  }
}

/** Whatever happens to a subscription is in its trail, its end too: one silent since before the span had ended by then. */
const TOUCHED = `
  with looked_at as (
    select subscription_id, payment_id, status from subscriptions
    where subscription_id > $1 and payment_id is not null and status <> 'draft'
    order by subscription_id limit $2
  )
  select s.subscription_id, s.payment_id,
    s.status in ('pending_consent', 'active', 'paused')
    or (select e.at from events e where e.subscription_id = s.subscription_id order by e.id desc limit 1) >= $3
    or exists (select from attempts a where a.payment_id = s.payment_id and a.at >= $3 and a.at < $4)
    or exists (
      select from orders r where r.subscription_id = s.subscription_id and r.created_at >= $3 and r.created_at < $4
    ) as touched
  from looked_at s
  order by s.subscription_id`;

interface TouchedRow {
  subscription_id: string;
  payment_id: string;
  touched: boolean;
}

/**
 * Every attempt and refund of a payment, as far as they are held against the service.
 * @throws where the subscription is not in the ledger.
 */
export async function readLedgerPayment(db: Db, { subscriptionId, paymentId }: PaymentRef): Promise<LedgerPayment> {
  // Of one that was imported, others may still collect what falls due before it is taken over.
  const known = await queryOne<{ since: number }>(
    db,
    'select greatest(created_at, collect_from) as since from subscriptions where subscription_id = $1',
    [subscriptionId],
  );
  if (known === null) throw new Error(`the ledger has no subscription ${subscriptionId}`);
  const attempts = await db.query<AttemptRow>(
    `select cycle, state, amount, at, known_ids, authorization_id, capture_id from attempts
     where payment_id = $1 order by cycle, attempt, send`,
    [paymentId],
  );
  const refunds = await db.query<RefundRow>(
    `select r.cycle, coalesce(s.state, 'ordered') as state, r.amount, coalesce(s.at, r.created_at) as at,
       coalesce(s.known_ids, '{}') as known_ids, r.order_id, r.capture_id, s.service_id
     from orders r
     left join lateral (select * from order_sends where order_id = r.order_id order by send desc limit 1) s on true
     where r.subscription_id = $1 order by r.created_at, r.order_id`,
    [subscriptionId],
  );
  return {
    ...{ subscriptionId, paymentId, knownSince: known.since },
    attempts: attempts.rows.map(toAttempt),
    refunds: refunds.rows.map(toRefund),
  };
}

interface SendRow<State> {
  cycle: number;
  state: State;
  amount: number;
  at: number;
  known_ids: string[];
}

interface AttemptRow extends SendRow<LedgerAttempt['state']> {
  authorization_id: string | null;
  capture_id: string | null;
}

interface RefundRow extends SendRow<LedgerRefund['state']> {
  order_id: string;
  capture_id: string;
  service_id: string | null;
}

function toAttempt(row: AttemptRow): LedgerAttempt {
  return {
    ...toSend(row),
    authorizationId: row.authorization_id as AuthorizationId | null,
    captureId: row.capture_id as CaptureId | null,
  };
}

function toRefund(row: RefundRow): LedgerRefund {
  return {
    ...toSend(row),
    refundId: row.order_id as OrderId,
    captureId: row.capture_id as CaptureId,
    serviceRefundId: row.service_id,
  };
}

function toSend<State>({ cycle, state, amount, at, known_ids: knownIds }: SendRow<State>) {
  return { cycle, state, amount: moneyFromColumn(amount), at, knownIds };
}
