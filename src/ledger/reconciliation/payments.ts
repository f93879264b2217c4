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
import type { Instant, Period } from '../../domain/time';
import { type Db, readRecords, readValue, instantToColumn } from '../sql/statements';
import { IS_LIVE_PAYMENT, type PaymentRecord, requirePayment } from '../rows/payment';
import { IS_LIVE_SUBSCRIPTION } from '../rows/subscription';

/**
 * Every attempt and refund of a subscription's payment, for comparison with the service.
 * @throws if the subscription is not in the ledger.
 */
export async function readLedgerPayment(db: Db, payment: PaymentRef): Promise<LedgerPayment> {
  const [found] = await readLedgerPayments(db, [payment]);
  if (found === undefined) throw new Error(`the ledger has no subscription ${payment.subscriptionId}`);
  return found;
}

/** Reads several payments at once; those whose subscription is not in the ledger are left out. */
export async function readLedgerPayments(db: Db, payments: readonly PaymentRef[]): Promise<LedgerPayment[]> {
  const paymentIds = payments.map(({ paymentId }) => paymentId);
  // Another system may still collect what falls due before an imported subscription is taken over.
  const known = await readRecords<{ readonly subscriptionId: SubscriptionId; readonly knownSince: Instant }>(
    db,
    `select subscription_id, greatest(created_at, collect_from) as known_since from subscriptions
     where subscription_id = any ($1)`,
    [payments.map(({ subscriptionId }) => subscriptionId)],
  );
  const debits = await readRecords<LedgerAttempt & OfPayment>(
    db,
    `select payment_id, cycle, state, amount, at, due_at, known_ids, authorization_id, capture_id from attempts
     where payment_id = any ($1) order by cycle, attempt, send`,
    [paymentIds],
  );
  const attempts = byPayment(debits);
  const refunds = await readLedgerRefunds(db, paymentIds);
  const since = new Map(known.map(({ subscriptionId, knownSince }) => [subscriptionId, knownSince]));
  return payments.flatMap(({ subscriptionId, paymentId }) => {
    const knownSince = since.get(subscriptionId);
    if (knownSince === undefined) return [];
    const own = { attempts: attempts.get(paymentId) ?? [], refunds: refunds.get(paymentId) ?? [] };
    return [{ subscriptionId, paymentId, knownSince, ...own }];
  });
}

interface OfPayment {
  readonly paymentId: PaymentId;
}

function byPayment<R extends OfPayment>(records: readonly R[]): Map<PaymentId, Omit<R, 'paymentId'>[]> {
  const all = new Map<PaymentId, Omit<R, 'paymentId'>[]>();
  for (const { paymentId, ...record } of records) {
    const own = all.get(paymentId) ?? [];
    all.set(paymentId, own);
    own.push(record);
  }
  return all;
}

/**
 * A one-time payment with every capture and refund, for comparison with the service.
 * @throws if the payment is not in the ledger.
 */
export async function readLedgerOneTimePayment(db: Db, paymentId: PaymentId): Promise<LedgerOneTimePayment> {
  const payment = await requirePayment(db, paymentId);
  const ordered = await readRecords<LedgerCapture & OfPayment>(
    db,
    ordersWith('s.service_id as capture_id, r.final_capture'),
    [[paymentId], 'capture'],
  );
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
    captures: [...bookingsOf(payment), ...(byPayment(ordered).get(paymentId) ?? [])],
    refunds: (await readLedgerRefunds(db, [paymentId])).get(paymentId) ?? [],
  };
}

function authorizationOf(payment: PaymentRecord): LedgerAuthorization | null {
  const { authorization, captureBy, releasedAt, expiredAt, releaseOrderedAt } = payment;
  if (authorization === null) return null;
  const { authorizationId, createdAt: at } = authorization;
  const state = releasedAt !== null ? 'released' : expiredAt !== null ? 'expired' : authorization.state;
  return { authorizationId, state, at, captureBy, isBeingReleased: releaseOrderedAt !== null };
}

/** Captures that the service has booked by itself, without an order or a send. */
function bookingsOf({ captures }: PaymentRecord): LedgerCapture[] {
  return captures
    .filter(({ orderId }) => orderId === null)
    .map(({ captureId, state, amount, createdAt: at, finalCapture }) => {
      return { cycle: null, state, amount, at, knownIds: [], captureId, finalCapture };
    });
}

/** The refunds of several payments, for comparison with the service. */
async function readLedgerRefunds(
  db: Db,
  paymentIds: readonly PaymentId[],
): Promise<ReadonlyMap<PaymentId, readonly LedgerRefund[]>> {
  const named = 'r.order_id as refund_id, r.capture_id, s.service_id as service_refund_id';
  return byPayment(await readRecords<LedgerRefund & OfPayment>(db, ordersWith(named), [paymentIds, 'refund']));
}

/** Orders of one kind and of several payments, each with its last send and all ids that the service listed before one of its sends. */
function ordersWith(columns: string): string {
  return `
    select r.payment_id, r.cycle, coalesce(s.state, 'ordered') as state, r.amount, coalesce(s.at, r.created_at) as at,
      array(select unnest(known_ids) from order_sends where order_id = r.order_id) as known_ids, ${columns}
    from orders r
    left join lateral (select * from order_sends where order_id = r.order_id order by send desc limit 1) s on true
    where r.payment_id = any ($1) and r.kind = $2 order by r.created_at, r.order_id`;
}

/** Payments checked in one statement, whether or not they must be compared, so that none takes long. */
const CHECKED_AT_ONCE = 500;

/** A one-time payment, by dueday's request id and the service's payment id. */
export interface OneTimeRef {
  readonly subscriptionId: null;
  readonly requestId: string;
  readonly paymentId: PaymentId;
}

/** A payment to be compared with the service: of a subscription, or one-time. */
export type ComparedPayment = PaymentRef | OneTimeRef;

/** Sorts after every subscription id: one-time payments come last. */
export const BEHIND_SUBSCRIPTIONS = '~';

/** The position of a run after comparing this payment. */
export function positionAfter(payment: ComparedPayment): string {
  return payment.subscriptionId ?? `${BEHIND_SUBSCRIPTIONS}${payment.requestId}`;
}

/**
 * Payments after `after` that may have a record within the period, subscriptions by id and then one-time payments by id: all that
 * had not ended before the period, and all with an attempt, a capture or a refund within it.
 */
export async function* readPaymentsTouched(
  db: Db,
  period: Period,
  after: string,
  atOnce = CHECKED_AT_ONCE,
): AsyncGenerator<ComparedPayment, void> {
  const isBehind = after.startsWith(BEHIND_SUBSCRIPTIONS);
  if (!isBehind) {
    for await (const { id, paymentId } of readTouched(db, TOUCHED, period, after, atOnce)) {
      yield { subscriptionId: id as SubscriptionId, paymentId };
    }
  }
  const afterRequest = isBehind ? after.slice(BEHIND_SUBSCRIPTIONS.length) : '';
  for await (const { id, paymentId } of readTouched(db, ONE_TIME_TOUCHED, period, afterRequest, atOnce)) {
    yield { subscriptionId: null, requestId: id, paymentId };
  }
}

/** The maximum number of payments that a comparison of everything covers. */
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
  period: Period,
  after: string,
  atOnce: number,
): AsyncGenerator<CheckedPayment, void> {
  const [from, to] = [instantToColumn(period.from), instantToColumn(period.to)];
  let position = after;
  for (;;) {
    const checked = await readRecords<CheckedPayment>(db, query, [position, atOnce, from, to]);
    yield* checked.filter((each) => each.touched);
    const last = checked.at(-1);
    if (last === undefined) return;
    position = last.id;
  }
}

/**
 * Every change of a subscription has an audit entry, including its end: one that is not live and has no entry since the beginning
 * of the period ended before the period.
 */
const TOUCHED = `
  with candidates as (
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
  from candidates s
  order by s.subscription_id`;

/** The end of a payment has an audit entry too. */
const ONE_TIME_TOUCHED = `
  with candidates as (
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
  from candidates p
  order by p.request_id`;

interface CheckedPayment {
  id: string;
  paymentId: PaymentId;
  touched: boolean;
}
