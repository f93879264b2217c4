import type { Pool } from 'pg';
import type { OrderId, PaymentId, SubscriptionId, CaptureId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import { idsNotHeld } from '../../domain/send';
import type { Instant } from '../../domain/time';
import type { EventData } from '../../domain/trail/event';
import type { EventType } from '../../domain/trail/events';
import { IN_VAIN, type InVainRow, type SendsInVain, toSendsInVain } from '../attempts/attempts';
import { instantToColumn, moneyFromColumn, type Db, queryOne, inTransaction } from '../database';
import { DUEDAY, type NewEvent, insertEvent } from '../events';
import { BEGIN_SENDING, readHalt } from '../halt';

/** What may be ordered of an authorized payment. */
export type OrderKind = 'capture' | 'refund';

/** Whose order it is. */
export interface OrderSubject {
  readonly kind: OrderKind;
  readonly orderId: OrderId;
  readonly paymentId: PaymentId;
  /** With `cycle` null for an order of a one-time payment. */
  readonly subscriptionId: SubscriptionId | null;
  readonly cycle: number | null;
}

/** What of the trail's types is about an order, without its kind; both kinds have the same. */
type OrderWord<T extends EventType = EventType> = T extends `${OrderKind}.${infer Word}` ? Word : never;

/** An entry of the trail of the subscription, or of the one-time payment, that the order belongs to. */
export function entryOfOrder(subject: OrderSubject, word: OrderWord, at: Instant, data: EventData): NewEvent {
  const { kind, subscriptionId, paymentId } = subject;
  return {
    ...(subscriptionId === null ? { subscriptionId, paymentId } : { subscriptionId }),
    ...{ at, actor: DUEDAY, type: `${kind}.${word}` },
    data: { ...namesOfOrder(subject), ...data },
  };
}

/** How the trail names an order: a refund by its own id and its cycle, a capture by the id of its order. */
export function namesOfOrder({ kind, orderId, cycle }: OrderSubject): EventData {
  if (kind === 'capture') return { orderId };
  return cycle === null ? { refundId: orderId } : { refundId: orderId, cycle };
}

/** How the trail names what the service has made of an order. */
export function nameAtService(kind: OrderKind, serviceId: string | null | undefined): EventData {
  if (serviceId == null) return {};
  return kind === 'capture' ? { captureId: serviceId } : { serviceRefundId: serviceId };
}

/** As of an attempt; `failed` is the service's or the bank's word, `not_sent` that it never arrived. Three are final. */
export type OrderSendState = 'sending' | 'pending' | 'unknown' | 'unresolved' | 'successful' | 'failed' | 'not_sent';

/** Names one send of one order. */
export interface OrderSendRef {
  readonly orderId: OrderId;
  /** 0, and one more after each send that never arrived. */
  readonly send: number;
}

export interface OrderSendRecord extends OrderSendRef {
  readonly kind: OrderKind;
  /** With `cycle` null for an order of a one-time payment. */
  readonly subscriptionId: SubscriptionId | null;
  readonly cycle: number | null;
  readonly paymentId: PaymentId;
  /** What a refund gives back; null for a capture. */
  readonly captureId: CaptureId | null;
  readonly amount: Money;
  readonly state: OrderSendState;
  /** Business time of sending. */
  readonly at: Instant;
  /** Real time of sending. */
  readonly sendingRealAt: number;
  /** Real time since when the outcome is not known; null where it never was unknown. */
  readonly unknownSinceReal: number | null;
  /** Looks in a row that found nothing. */
  readonly absentLooks: number;
  /** What the service showed right before sending, and no earlier send of the payment and kind had seen or made. */
  readonly knownIds: readonly string[];
  /** The service's own id of the capture or the refund. */
  readonly serviceId: string | null;
  readonly serviceCreatedAt: Instant | null;
  readonly detail: string | null;
  readonly description: string | null;
  readonly reason: string | null;
  readonly owner: string;
  /** When it became final. */
  readonly outcomeAt: Instant | null;
}

export interface NewOrderSend {
  readonly orderId: OrderId;
  /** Business time of sending. */
  readonly at: Instant;
  /** Real time of sending. */
  readonly realAt: number;
  /** Ids of all records of its kind that the service has just shown. */
  readonly knownIds: readonly string[];
  /** The process that sends. */
  readonly owner: string;
}

export type BeginOrderSendResult =
  /** Committed: the one who got this, and nobody else, may POST once. */
  | { readonly kind: 'started'; readonly send: OrderSendRecord }
  | BlockedOrderSend
  /** All sending of the installation is halted. */
  | { readonly kind: 'halted' };

/** Another send stands in the way: one in doubt of this payment, or one of this order that did reach the service. */
interface BlockedOrderSend {
  readonly kind: 'blocked';
  readonly by: OrderSendRecord;
}

/**
 * Commits the row "sending" that must stand before a POST leaves (rules 16, 18), under the payment's lock, so that
 * of two callers one starts; and under the lock that a halt of the installation waits for.
 * @throws where the order is not in the ledger.
 */
export async function beginOrderSend(pool: Pool, input: NewOrderSend): Promise<BeginOrderSendResult> {
  return inTransaction(
    pool,
    async (db): Promise<BeginOrderSendResult> =>
      (await readHalt(db)) === null ? beginSend(db, input) : { kind: 'halted' },
    BEGIN_SENDING,
  );
}

/** The row alone, within a transaction that goes on: for a send that ends in it without a POST, which no halt stops. */
export async function beginSend(
  db: Db,
  input: NewOrderSend,
): Promise<Exclude<BeginOrderSendResult, { kind: 'halted' }>> {
  const paymentId = await lockPaymentOf(db, input.orderId);
  const by = await findObstacle(db, input.orderId, paymentId);
  if (by !== null) return { kind: 'blocked', by };
  await insertSend(db, input, paymentId);
  const send = await latestOrderSend(db, input.orderId);
  if (send === null) throw new Error('the send of the order was not inserted');
  await recordSending(db, send, input);
  return { kind: 'started', send };
}

/** The last send of an order, whatever its state; null where none was begun. */
export async function latestOrderSend(db: Db, orderId: OrderId): Promise<OrderSendRecord | null> {
  const row = await queryOne<OrderSendRow>(db, `${SENDS} where s.order_id = $1 order by s.send desc limit 1`, [
    orderId,
  ]);
  return row === null ? null : toOrderSend(row);
}

export async function readOrderSend(db: Db, ref: OrderSendRef): Promise<OrderSendRecord | null> {
  const row = await queryOne<OrderSendRow>(db, `${SENDS} where (s.order_id, s.send) = ($1, $2)`, [
    ref.orderId,
    ref.send,
  ]);
  return row === null ? null : toOrderSend(row);
}

/** Those of one order. */
export async function orderSendsInVain(db: Db, orderId: OrderId): Promise<SendsInVain> {
  const row = await queryOne<InVainRow>(
    db,
    `${IN_VAIN} from order_sends where order_id = $1 and state = 'not_sent' and unknown_since_real is not null`,
    [orderId],
  );
  return toSendsInVain(row);
}

export interface KnownOrders {
  /** The service's ids of the payment's orders of the same kind that the ledger has as its own (rule 34). */
  readonly ids: readonly string[];
  /** Whether another order of the payment is in doubt: the service may show it, and the ledger not know its id yet. */
  readonly otherInDoubt: boolean;
}

/** One look at one moment: between two, an order in doubt could become one that is known, and be seen as neither. */
export async function knownOrders(db: Db, paymentId: PaymentId, orderId: OrderId): Promise<KnownOrders> {
  const row = await queryOne<{ ids: string[] | null; in_doubt: boolean | null }>(
    db,
    `select array_agg(s.service_id order by s.service_id) filter (where o.kind = asked.kind and s.service_id is not null) as ids,
       bool_or(s.order_id <> $2 and s.state in ('sending', 'unknown', 'unresolved')) as in_doubt
     from orders asked, order_sends s join orders o using (order_id)
     where asked.order_id = $2 and s.payment_id = $1`,
    [paymentId, orderId],
  );
  return { ids: row?.ids ?? [], otherInDoubt: row?.in_doubt === true };
}

/**
 * The service's ids of the payment's orders of the same kind, and those that it showed right before one of their sends:
 * what a later send cannot have made.
 */
export async function heldOrderIds(db: Db, orderId: OrderId): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>(
    `with sends as (
       select s.service_id, s.known_ids
       from orders asked join orders o using (payment_id, kind) join order_sends s on s.order_id = o.order_id
       where asked.order_id = $1
     )
     select service_id as id from sends where service_id is not null
     union
     select unnest(known_ids) from sends`,
    [orderId],
  );
  return rows.map(({ id }) => id);
}

/**
 * Counts looks in a row that found nothing; one that found something begins the count anew. A send whose outcome is
 * known is left as it is.
 * @returns the row as it stands; null where there is none.
 */
export async function recordOrderLook(
  db: Db,
  ref: OrderSendRef,
  look: { readonly absent: boolean },
): Promise<OrderSendRecord | null> {
  await db.query(
    `update order_sends set absent_looks = case when $3 then absent_looks + 1 else 0 end
     where (order_id, send) = ($1, $2) and state in ('sending', 'unknown', 'unresolved')`,
    [ref.orderId, ref.send, look.absent],
  );
  return readOrderSend(db, ref);
}

/** Locks the subscription or the one-time payment of an order, whichever it has: always before its sends. */
export async function lockPaymentOf(db: Db, orderId: OrderId): Promise<PaymentId> {
  const order = await queryOne<{ payment_id: string; subscription_id: string | null }>(
    db,
    'select payment_id, subscription_id from orders where order_id = $1',
    [orderId],
  );
  if (order === null) throw new Error(`the ledger has no order ${orderId}`);
  await (order.subscription_id === null
    ? db.query('select from payments where payment_id = $1 for update', [order.payment_id])
    : db.query('select from subscriptions where subscription_id = $1 for update', [order.subscription_id]));
  return order.payment_id as PaymentId;
}

async function findObstacle(db: Db, orderId: OrderId, paymentId: PaymentId): Promise<OrderSendRecord | null> {
  const row = await queryOne<OrderSendRow>(
    db,
    `${SENDS}
     where (s.payment_id = $1 and s.state in ('sending', 'unknown', 'unresolved'))
        or (s.order_id = $2 and s.state <> 'not_sent')
     order by s.order_id = $2 desc, s.send desc
     limit 1`,
    [paymentId, orderId],
  );
  return row === null ? null : toOrderSend(row);
}

async function insertSend(db: Db, input: NewOrderSend, paymentId: PaymentId): Promise<void> {
  const knownIds = idsNotHeld(input.knownIds, await heldOrderIds(db, input.orderId));
  await db.query(
    `insert into order_sends (order_id, send, payment_id, state, at, sending_real_at, known_ids, owner)
     select $1, coalesce(max(send) + 1, 0), $2, 'sending', $3, $4, $5, $6
     from order_sends where order_id = $1`,
    [input.orderId, paymentId, instantToColumn(input.at), instantToColumn(input.realAt), knownIds, input.owner],
  );
}

async function recordSending(db: Db, sent: OrderSendRecord, { knownIds }: NewOrderSend): Promise<void> {
  const { at, send, amount, owner, captureId } = sent;
  const named = captureId === null ? {} : { captureId };
  await insertEvent(db, entryOfOrder(sent, 'sending', at, { send, amount, ...named, listed: knownIds.length, owner }));
}

const SENDS = `
  select s.*, o.kind, o.subscription_id, o.cycle, o.capture_id, o.amount
  from order_sends s join orders o using (order_id)`;

interface OrderSendRow {
  order_id: string;
  send: number;
  kind: OrderKind;
  subscription_id: string | null;
  cycle: number | null;
  payment_id: string;
  capture_id: string | null;
  amount: number;
  state: OrderSendState;
  at: number;
  sending_real_at: number;
  unknown_since_real: number | null;
  absent_looks: number;
  known_ids: string[];
  service_id: string | null;
  service_created_at: number | null;
  detail: string | null;
  description: string | null;
  reason: string | null;
  owner: string;
  outcome_at: number | null;
}

function toOrderSend(row: OrderSendRow): OrderSendRecord {
  return {
    orderId: row.order_id as OrderId,
    send: row.send,
    kind: row.kind,
    subscriptionId: row.subscription_id as SubscriptionId | null,
    cycle: row.cycle,
    paymentId: row.payment_id as PaymentId,
    captureId: row.capture_id as CaptureId | null,
    amount: moneyFromColumn(row.amount),
    state: row.state,
    at: row.at,
    sendingRealAt: row.sending_real_at,
    unknownSinceReal: row.unknown_since_real,
    absentLooks: row.absent_looks,
    knownIds: row.known_ids,
    serviceId: row.service_id,
    serviceCreatedAt: row.service_created_at,
    detail: row.detail,
    description: row.description,
    reason: row.reason,
    owner: row.owner,
    outcomeAt: row.outcome_at,
  };
}
