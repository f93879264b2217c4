import type { PaymentRef } from '../../contract/activities';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import type {
  LedgerAttempt,
  LedgerPayment,
  LedgerAuthorization,
  LedgerCapture,
  LedgerOneTimePayment,
  LedgerRefund,
} from '../../domain/reconciliation/subscription';
import type { Instant, Span } from '../../domain/time';
import { type Db, readRecords, readValue, instantToColumn } from '../sql/statements';
import { IS_LIVE_PAYMENT, type PaymentRecord, requirePayment } from '../rows/payment';
import { IS_LIVE_SUBSCRIPTION } from '../rows/subscription';

/**
 * Every attempt and refund of a subscription's payment, as far as they are held against the service.
 * @throws where the subscription is not in the ledger.
 */
export async function readLedgerPayment(db: Db, { subscriptionId, paymentId }: PaymentRef): Promise<LedgerPayment> {
  // Of one that was imported, others may still collect what falls due before it is taken over.
  const knownSince = await readValue<Instant>(
    db,
    'select greatest(created_at, collect_from) from subscriptions where subscription_id = $1',
    [subscriptionId],
  );
  if (knownSince === null) throw new Error(`the ledger has no subscription ${subscriptionId}`);
  const attempts = await readRecords<LedgerAttempt>(
    db,
    `select cycle, state, amount, at, due_at, known_ids, authorization_id, capture_id from attempts
     where payment_id = $1 order by cycle, attempt, send`,
    [paymentId],
  );
  return { subscriptionId, paymentId, knownSince, attempts, refunds: await readLedgerRefunds(db, paymentId) };
}

/**
 * A one-time payment with every capture and refund, as far as they are held against the service.
 * @throws where the payment is not in the ledger.
 */
export async function readLedgerOneTimePayment(db: Db, paymentId: PaymentId): Promise<LedgerOneTimePayment> {
  const payment = await requirePayment(db, paymentId);
  const ordered = await readRecords<LedgerCapture>(db, ordersWith('s.service_id as capture_id, r.final_capture'), [
    paymentId,
    'capture',
  ]);
  const { plan, status, amount, createdAt: knownSince, consent } = payment;
  return {
    subscriptionId: null,
    paymentId,
    plan,
    status,
    amount,
    knownSince,
    requestedRealAt: consent.requestedRealAt,
    authorization: authorizationOf(payment),
    captures: [...bookingsOf(payment), ...ordered],
    refunds: await readLedgerRefunds(db, paymentId),
  };
}

function authorizationOf(payment: PaymentRecord): LedgerAuthorization | null {
  const { authorization, captureBy, releasedAt, expiredAt, releaseOrderedAt } = payment;
  if (authorization === null) return null;
  const { authorizationId, createdAt: at } = authorization;
  const state = releasedAt !== null ? 'released' : expiredAt !== null ? 'expired' : authorization.state;
  return { authorizationId, state, at, captureBy, isBeingReleased: releaseOrderedAt !== null };
}

/** What the service has booked by itself: no order, no send. */
function bookingsOf({ captures }: PaymentRecord): LedgerCapture[] {
  return captures
    .filter(({ orderId }) => orderId === null)
    .map(({ captureId, state, amount, createdAt: at, finalCapture }) => {
      return { cycle: null, state, amount, at, knownIds: [], captureId, finalCapture };
    });
}

/** The refunds of a payment as they are held against the service. */
async function readLedgerRefunds(db: Db, paymentId: PaymentId): Promise<readonly LedgerRefund[]> {
  const named = 'r.order_id as refund_id, r.capture_id, s.service_id as service_refund_id';
  return readRecords(db, ordersWith(named), [paymentId, 'refund']);
}

/** Orders of one kind and payment, each with its last send and all that the service showed before one of its sends. */
function ordersWith(columns: string): string {
  return `
    select r.cycle, coalesce(s.state, 'ordered') as state, r.amount, coalesce(s.at, r.created_at) as at,
      array(select unnest(known_ids) from order_sends where order_id = r.order_id) as known_ids, ${columns}
    from orders r
    left join lateral (select * from order_sends where order_id = r.order_id order by send desc limit 1) s on true
    where r.payment_id = $1 and r.kind = $2 order by r.created_at, r.order_id`;
}

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
export const BEHIND_SUBSCRIPTIONS = '~';

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
    for await (const { id, paymentId } of readTouched(db, TOUCHED, span, after, atOnce)) {
      yield { subscriptionId: id as SubscriptionId, paymentId };
    }
  }
  const afterRequest = isBehind ? after.slice(BEHIND_SUBSCRIPTIONS.length) : '';
  for await (const { id, paymentId } of readTouched(db, ONE_TIME_TOUCHED, span, afterRequest, atOnce)) {
    yield { subscriptionId: null, requestId: id, paymentId };
  }
}

/** How many payments a comparison of everything has before it, at the most. */
export async function countComparable(db: Db): Promise<number> {
  const count = await readValue<number>(
    db,
    `select (select count(*) from subscriptions where payment_id is not null and status <> 'draft')
       + (select count(*) from payments where status <> 'draft')`,
    [],
  );
  return count ?? 0;
}

async function* readTouched(
  db: Db,
  query: string,
  span: Span,
  after: string,
  atOnce: number,
): AsyncGenerator<LookedAt, void> {
  const [from, to] = [instantToColumn(span.from), instantToColumn(span.to)];
  let place = after;
  for (;;) {
    const looked = await readRecords<LookedAt>(db, query, [place, atOnce, from, to]);
    yield* looked.filter((each) => each.touched);
    const last = looked.at(-1);
    if (last === undefined) return;
    place = last.id;
  }
}

/**
 * Every change of a subscription is in its trail, its end too: one without an entry since before the span had ended by
 * then.
 */
const TOUCHED = `
  with looked_at as (
    select subscription_id, payment_id, status from subscriptions
    where subscription_id > $1 and payment_id is not null and status <> 'draft'
    order by subscription_id limit $2
  )
  select s.subscription_id as id, s.payment_id,
    s.status ${IS_LIVE_SUBSCRIPTION}
    or (select e.at from events e where e.subscription_id = s.subscription_id order by e.id desc limit 1) >= $3
    or exists (select from attempts a where a.payment_id = s.payment_id and a.at >= $3 and a.at < $4)
    or exists (
      select from orders r where r.subscription_id = s.subscription_id and r.created_at >= $3 and r.created_at < $4
    ) as touched
  from looked_at s
  order by s.subscription_id`;

/** A payment's trail has its end too. */
const ONE_TIME_TOUCHED = `
  with looked_at as (
    select request_id, payment_id, status from payments
    where request_id > $1 and status <> 'draft'
    order by request_id limit $2
  )
  select p.request_id as id, p.payment_id,
    p.status ${IS_LIVE_PAYMENT}
    or (select e.at from events e where e.payment_id = p.payment_id order by e.id desc limit 1) >= $3
    or exists (
      select from orders r where r.payment_id = p.payment_id and r.created_at >= $3 and r.created_at < $4
    ) as touched
  from looked_at p
  order by p.request_id`;

interface LookedAt {
  id: string;
  paymentId: PaymentId;
  touched: boolean;
}
