import type { Pool } from 'pg';
import type { KnownRecord } from '../../domain/evidence';
import type { CaptureId, OrderId, PaymentId } from '../../domain/ids';
import { idsNotTaken, type OrderSendState } from '../../domain/send';
import type { Instant } from '../../domain/time';
import type { EventData } from '../../domain/audit/event';
import type { EventType } from '../../domain/audit/events';
import { inTransaction } from '../sql/database';
import { epochMs, instantToColumn, type Db, readRecord, readValue, readValues } from '../sql/statements';
import { DUEDAY, type NewEvent, insertEvent } from '../audit/entries';
import { BEGIN_SENDING, readHalt } from '../halt/halt';
import {
  type BeginSendResult,
  type BlockedSend,
  HAS_UNKNOWN_OUTCOME,
  type Precheck,
  precheckOf,
  type SendRecord,
  type SendStart,
  COUNT_ABSENCES,
  type StartedSend,
} from '../rows/any-send';
import { untilProbe } from '../rows/posts';
import type { OrderKind, OrderSubject } from '../rows/refund';

/** Names of the audit entry types about an order, without the kind; both kinds have the same. */
type OrderEventName<T extends EventType = EventType> = T extends `${OrderKind}.${infer Name}` ? Name : never;

/** An audit entry of the subscription or the one-time payment that the order belongs to. */
export function entryOfOrder(subject: OrderSubject, name: OrderEventName, at: Instant, data: EventData): NewEvent {
  const { kind, subscriptionId, paymentId } = subject;
  return {
    ...(subscriptionId === null ? { subscriptionId, paymentId } : { subscriptionId }),
    at,
    actor: DUEDAY,
    type: `${kind}.${name}`,
    data: { ...namesOfOrder(subject), ...data },
  };
}

/** How audit entries identify an order: a refund by its id and cycle, a capture by its order id. */
export function namesOfOrder({ kind, orderId, cycle }: OrderSubject): EventData {
  if (kind === 'capture') return { orderId };
  return cycle === null ? { refundId: orderId } : { refundId: orderId, cycle };
}

/** How audit entries identify the service's record of an order. */
export function nameAtService(kind: OrderKind, serviceId: string | null | undefined): EventData {
  if (serviceId == null) return {};
  return kind === 'capture' ? { captureId: serviceId } : { serviceRefundId: serviceId };
}

/** How audit entries identify the capture that a refund refers to; empty for a capture. */
export function nameOfRefunded({ captureId }: Pick<OrderSendRecord, 'captureId'>): EventData {
  return captureId === null ? {} : { captureId };
}

/** Identifies one send of one order. */
export interface OrderSendRef {
  readonly orderId: OrderId;
  /** 0, and one more after each send that never arrived. */
  readonly send: number;
}

export interface OrderSendRecord extends OrderSubject, SendRecord<OrderSendState> {
  /** The capture that a refund refers to; null for a capture. */
  readonly captureId: CaptureId | null;
  /** The service's id of the capture or the refund. */
  readonly serviceId: string | null;
  readonly serviceCreatedAt: Instant | null;
}

export interface NewOrderSend extends SendStart {
  readonly orderId: OrderId;
}

/**
 * Commits the row "sending" that must exist before a POST is sent (rules 16, 18), under the payment's lock, so that
 * only one of two callers starts; and under the lock that a halt of the installation waits for.
 * @throws if the order is not in the ledger.
 */
export async function beginOrderSend(pool: Pool, input: NewOrderSend): Promise<BeginOrderSendResult> {
  return inTransaction(
    pool,
    async (db): Promise<BeginOrderSendResult> =>
      (await readHalt(db)) === null ? beginSend(db, input) : { kind: 'halted' },
    BEGIN_SENDING,
  );
}

type BeginOrderSendResult =
  | BeginSendResult<OrderSendRecord>
  /** Blocked by a capture that must be sent before this final one. */
  | BlockedSend<Pick<OrderSendRecord, 'orderId'>>;

/**
 * After the commit the POST may be on the wire: no operator can resolve the order until the result of the POST is recorded, even
 * if an item is open.
 */
async function beginSend(db: Db, input: NewOrderSend): Promise<BeginOrderSendResult> {
  const paymentId = await lockPaymentOf(db, input.orderId);
  const earlier = await findUnsentBefore(db, input.orderId);
  if (earlier !== null) return { kind: 'blocked', by: { orderId: earlier } };
  const wait = await untilProbe(db, input);
  if (wait > 0) return { kind: 'probing', wait };
  const started = await enterUnder(db, paymentId, input, true);
  if (started.kind === 'started') await recordSending(db, started.send, input);
  return started;
}

type StartedOrderSend = StartedSend<OrderSendRecord> | BlockedSend<OrderSendRecord>;

/**
 * Inserts only the row, within the caller's transaction: for a send that ends in the same transaction without a POST, which no
 * halt stops.
 */
export async function enterSend(db: Db, input: NewOrderSend): Promise<StartedOrderSend> {
  return enterUnder(db, await lockPaymentOf(db, input.orderId), input, false);
}

/** The caller holds the lock of the payment. @param posted whether a POST follows */
async function enterUnder(
  db: Db,
  paymentId: PaymentId,
  input: NewOrderSend,
  posted: boolean,
): Promise<StartedOrderSend> {
  const by = await findObstacle(db, input.orderId, paymentId);
  if (by !== null) return { kind: 'blocked', by };
  await insertSend(db, input, paymentId, posted);
  const send = await latestOrderSend(db, input.orderId);
  if (send === null) throw new Error('the send of the order was not inserted');
  return { kind: 'started', send };
}

/** The last send of an order, in any state; null if none was started. */
export async function latestOrderSend(db: Db, orderId: OrderId): Promise<OrderSendRecord | null> {
  return readRecord(db, `${SENDS} where s.order_id = $1 order by s.send desc limit 1`, [orderId]);
}

export async function readOrderSend(db: Db, ref: OrderSendRef): Promise<OrderSendRecord | null> {
  return readRecord(db, `${SENDS} where (s.order_id, s.send) = ($1, $2)`, [ref.orderId, ref.send]);
}

/** What the ledger says about the sends of one order. */
export async function precheckOrder(db: Db, orderId: OrderId): Promise<Precheck> {
  const found = await readRecord<Precheck>(db, precheckOf('order_sends where order_id = $1'), [orderId]);
  if (found === null) throw new Error('the query of a count returned no row');
  return found;
}

export interface KnownOrders {
  /** The service's records, as known to the ledger, of the payment's orders of the same kind (rule 34). */
  readonly records: readonly KnownRecord[];
  /** Whether another order of the payment has an unknown outcome: the service may list it before the ledger knows its id. */
  readonly isOtherUnknown: boolean;
}

/** Read in one statement: between two, an unknown order could become a known one and be seen as neither. */
export async function knownOrders(db: Db, paymentId: PaymentId, orderId: OrderId): Promise<KnownOrders> {
  const row = await readRecord<KnownOrders>(
    db,
    `select coalesce(
         jsonb_agg(jsonb_build_object(
           'id', s.service_id, 'state', s.state, 'createdAt', ${epochMs('s.service_created_at')},
           'reportedRealAt', ${epochMs('s.reported_real_at')}, 'unlistedSinceReal', null,
           'isFoundByOperator', s.state = 'successful' and s.reported_real_at is null
         )) filter (where o.kind = asked.kind and s.service_id is not null), '[]'
       ) as records,
       coalesce(bool_or(s.order_id <> $2 and s.state ${HAS_UNKNOWN_OUTCOME}), false) as is_other_unknown
     from orders asked, order_sends s join orders o using (order_id)
     where asked.order_id = $2 and s.payment_id = $1`,
    [paymentId, orderId],
  );
  return row ?? { records: [], isOtherUnknown: false };
}

/**
 * The service's ids of the payment's orders of the same kind, and those that it listed right before one of their sends:
 * ids that a later send cannot have created.
 */
export async function takenRecordIds(db: Db, orderId: OrderId): Promise<readonly string[]> {
  return readValues(
    db,
    `with sends as (
       select s.service_id, s.known_ids
       from orders asked join orders o using (payment_id, kind) join order_sends s on s.order_id = o.order_id
       where asked.order_id = $1
     )
     select service_id from sends where service_id is not null
     union
     select unnest(known_ids) from sends`,
    [orderId],
  );
}

/**
 * Counts consecutive checks that found nothing; a check that found something resets the count. A send whose outcome is known is
 * left unchanged.
 * @returns the current row; null if there is none.
 */
export async function recordOrderCheck(
  db: Db,
  ref: OrderSendRef,
  { absent }: { readonly absent: boolean },
): Promise<OrderSendRecord | null> {
  await db.query(
    `update order_sends set ${COUNT_ABSENCES} where (order_id, send) = ($2, $3) and state ${HAS_UNKNOWN_OUTCOME}`,
    [absent, ref.orderId, ref.send],
  );
  return readOrderSend(db, ref);
}

/** Locks the subscription or the one-time payment of an order; always locked before its sends. */
export async function lockPaymentOf(db: Db, orderId: OrderId): Promise<PaymentId> {
  const order = await readRecord<Pick<OrderSubject, 'paymentId' | 'subscriptionId'>>(
    db,
    'select payment_id, subscription_id from orders where order_id = $1',
    [orderId],
  );
  if (order === null) throw new Error(`the ledger has no order ${orderId}`);
  await (order.subscriptionId === null
    ? db.query('select from payments where payment_id = $1 for update', [order.paymentId])
    : db.query('select from subscriptions where subscription_id = $1 for update', [order.subscriptionId]));
  return order.paymentId;
}

async function findObstacle(db: Db, orderId: OrderId, paymentId: PaymentId): Promise<OrderSendRecord | null> {
  return readRecord(
    db,
    `${SENDS}
     where (s.payment_id = $1 and s.state ${HAS_UNKNOWN_OUTCOME})
        or (s.order_id = $2 and s.state <> 'not_sent')
     order by s.order_id = $2 desc, s.send desc
     limit 1`,
    [paymentId, orderId],
  );
}

/**
 * A capture that must be sent before this final one, which releases the rest at the service. It was ordered earlier, as no capture
 * is accepted after a final one (rule 26). Only a POST waits for it: an order that fails without one overtakes nothing.
 */
async function findUnsentBefore(db: Db, orderId: OrderId): Promise<OrderId | null> {
  return readValue(
    db,
    `select o.order_id
     from orders asked join orders o using (payment_id, kind)
     where asked.order_id = $1 and asked.final_capture and o.order_id <> $1
       and not exists (select from order_sends s where s.order_id = o.order_id and s.state <> 'not_sent')
     limit 1`,
    [orderId],
  );
}

async function insertSend(db: Db, input: NewOrderSend, paymentId: PaymentId, posted: boolean): Promise<void> {
  const { orderId, at, realAt, owner } = input;
  const knownIds = idsNotTaken(input.knownIds, await takenRecordIds(db, orderId));
  await db.query(
    `insert into order_sends (order_id, send, payment_id, state, at, sending_real_at, known_ids, owner, posted)
     select $1, coalesce(max(send) + 1, 0), $2, 'sending', $3, $4, $5, $6, $7
     from order_sends where order_id = $1`,
    [orderId, paymentId, instantToColumn(at), instantToColumn(realAt), knownIds, owner, posted],
  );
}

async function recordSending(db: Db, sent: OrderSendRecord, { knownIds }: NewOrderSend): Promise<void> {
  const { at, send, amount, owner } = sent;
  const data = { send, amount, ...nameOfRefunded(sent), listed: knownIds.length, owner };
  await insertEvent(db, entryOfOrder(sent, 'sending', at, data));
}

const SENDS = `
  select s.*, o.kind, o.subscription_id, o.cycle, o.capture_id, o.amount
  from order_sends s join orders o using (order_id)`;
