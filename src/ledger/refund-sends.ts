import type { Pool } from 'pg';
import type { CaptureId, PaymentId, RefundId, SubscriptionId } from '../domain/ids';
import type { Instant } from '../domain/instant';
import type { Money } from '../domain/money';
import { instantToColumn, moneyFromColumn } from './column';
import { type Db, queryOne } from './db';
import { DUEDAY, insertEvent } from './events';
import { inTransaction } from './transaction';

/** As of an attempt; `failed` is the service's or the bank's word, `not_sent` that it never arrived. Three are final. */
export type RefundSendState = 'sending' | 'pending' | 'unknown' | 'unresolved' | 'successful' | 'failed' | 'not_sent';

/** Names one send of one refund. */
export interface RefundSendRef {
  readonly refundId: RefundId;
  /** 0, and one more after each send that never arrived. */
  readonly send: number;
}

export interface RefundSendRecord extends RefundSendRef {
  readonly subscriptionId: SubscriptionId;
  readonly cycle: number;
  readonly paymentId: PaymentId;
  readonly captureId: CaptureId;
  readonly amount: Money;
  readonly state: RefundSendState;
  /** Business time of sending. */
  readonly at: Instant;
  /** Real time of sending. */
  readonly sendingRealAt: number;
  /** Real time since when the outcome is not known; null where it never was unknown. */
  readonly unknownSinceReal: number | null;
  /** Looks in a row that found nothing. */
  readonly absentLooks: number;
  /** What the service showed right before sending. */
  readonly knownIds: readonly string[];
  readonly serviceRefundId: string | null;
  readonly serviceCreatedAt: Instant | null;
  readonly detail: string | null;
  readonly description: string | null;
  readonly reason: string | null;
  readonly owner: string;
  /** When it became final. */
  readonly outcomeAt: Instant | null;
}

export interface NewRefundSend {
  readonly refundId: RefundId;
  /** Business time of sending. */
  readonly at: Instant;
  /** Real time of sending. */
  readonly realAt: number;
  /** Ids of all refunds that the service has just shown. */
  readonly knownIds: readonly string[];
  /** The process that sends. */
  readonly owner: string;
}

export type BeginRefundSendResult =
  /** Committed: the one who got this, and nobody else, may POST once. */
  | { readonly kind: 'started'; readonly send: RefundSendRecord }
  /** Another send stands in the way: one in doubt of this payment, or one of this refund that did reach the service. */
  | { readonly kind: 'blocked'; readonly by: RefundSendRecord };

/**
 * Commits the row "sending" that must stand before a POST leaves (decisions 16, 18), under the subscription's lock, so
 * that of two callers one starts.
 * @throws where the refund is not in the ledger.
 */
export async function beginRefundSend(pool: Pool, input: NewRefundSend): Promise<BeginRefundSendResult> {
  return inTransaction(pool, async (db): Promise<BeginRefundSendResult> => {
    const order = await lockOrder(db, input.refundId);
    const by = await findObstacle(db, order);
    if (by !== null) return { kind: 'blocked', by };
    await insertSend(db, order, input);
    const send = await latestRefundSend(db, input.refundId);
    if (send === null) throw new Error('the send of the refund was not inserted');
    await recordSending(db, send);
    return { kind: 'started', send };
  });
}

/** The last send of a refund, whatever its state; null where none was begun. */
export async function latestRefundSend(db: Db, refundId: RefundId): Promise<RefundSendRecord | null> {
  const row = await queryOne<RefundSendRow>(db, `${SENDS} where s.refund_id = $1 order by s.send desc limit 1`, [
    refundId,
  ]);
  return row === null ? null : toRefundSend(row);
}

export async function readRefundSend(db: Db, ref: RefundSendRef): Promise<RefundSendRecord | null> {
  const row = await queryOne<RefundSendRow>(db, `${SENDS} where (s.refund_id, s.send) = ($1, $2)`, [
    ref.refundId,
    ref.send,
  ]);
  return row === null ? null : toRefundSend(row);
}

export interface KnownRefunds {
  /** The service's ids of the payment's refunds that the ledger has as its own. */
  readonly ids: readonly string[];
  /** Whether another refund of the payment is in doubt: the service may show it, and the ledger not know its id yet. */
  readonly otherInDoubt: boolean;
}

/** One look at one moment: between two, a refund in doubt could become one that is known, and be seen as neither. */
export async function knownRefunds(db: Db, paymentId: PaymentId, refundId: RefundId): Promise<KnownRefunds> {
  const row = await queryOne<{ ids: string[] | null; in_doubt: boolean | null }>(
    db,
    `select array_agg(service_refund_id order by service_refund_id) filter (where service_refund_id is not null) as ids,
       bool_or(refund_id <> $2 and state in ('sending', 'unknown', 'unresolved')) as in_doubt
     from refund_sends where payment_id = $1`,
    [paymentId, refundId],
  );
  return { ids: row?.ids ?? [], otherInDoubt: row?.in_doubt === true };
}

/**
 * Counts looks in a row that found nothing; one that found something begins the count anew. A send whose outcome is
 * known is left as it is.
 * @returns the row as it stands; null where there is none.
 */
export async function recordRefundLook(
  db: Db,
  ref: RefundSendRef,
  look: { readonly absent: boolean },
): Promise<RefundSendRecord | null> {
  await db.query(
    `update refund_sends set absent_looks = case when $3 then absent_looks + 1 else 0 end
     where (refund_id, send) = ($1, $2) and state in ('sending', 'unknown', 'unresolved')`,
    [ref.refundId, ref.send, look.absent],
  );
  return readRefundSend(db, ref);
}

interface Order {
  refund_id: string;
  payment_id: string;
}

/** The subscription first, as everywhere: locks are always taken in this order. */
async function lockOrder(db: Db, refundId: RefundId): Promise<Order> {
  await lockSubscriptionOf(db, refundId);
  const order = await queryOne<Order>(db, 'select refund_id, payment_id from refunds where refund_id = $1', [refundId]);
  if (order === null) throw new Error(`the ledger has no refund ${refundId}`);
  return order;
}

export async function lockSubscriptionOf(db: Db, refundId: RefundId): Promise<void> {
  await db.query(
    `select from subscriptions
     where subscription_id = (select subscription_id from refunds where refund_id = $1) for update`,
    [refundId],
  );
}

async function findObstacle(db: Db, order: Order): Promise<RefundSendRecord | null> {
  const row = await queryOne<RefundSendRow>(
    db,
    `${SENDS}
     where (s.payment_id = $1 and s.state in ('sending', 'unknown', 'unresolved'))
        or (s.refund_id = $2 and s.state <> 'not_sent')
     order by s.refund_id = $2 desc, s.send desc
     limit 1`,
    [order.payment_id, order.refund_id],
  );
  return row === null ? null : toRefundSend(row);
}

async function insertSend(db: Db, order: Order, input: NewRefundSend): Promise<void> {
  await db.query(
    `insert into refund_sends (refund_id, send, payment_id, state, at, sending_real_at, known_ids, owner)
     select $1, coalesce(max(send) + 1, 0), $2, 'sending', $3, $4, $5, $6
     from refund_sends where refund_id = $1`,
    [
      order.refund_id,
      order.payment_id,
      instantToColumn(input.at),
      instantToColumn(input.realAt),
      input.knownIds,
      input.owner,
    ],
  );
}

async function recordSending(db: Db, sent: RefundSendRecord): Promise<void> {
  const { subscriptionId, at, refundId, cycle, send, amount, captureId, owner, knownIds } = sent;
  await insertEvent(db, {
    ...{ subscriptionId, at, actor: DUEDAY, type: 'refund.sending' },
    data: { refundId, cycle, send, amount, captureId, listed: knownIds.length, owner },
  });
}

const SENDS = `
  select s.*, r.subscription_id, r.cycle, r.capture_id, r.amount
  from refund_sends s join refunds r using (refund_id)`;

interface RefundSendRow {
  refund_id: string;
  send: number;
  subscription_id: string;
  cycle: number;
  payment_id: string;
  capture_id: string;
  amount: number;
  state: RefundSendState;
  at: number;
  sending_real_at: number;
  unknown_since_real: number | null;
  absent_looks: number;
  known_ids: string[];
  service_refund_id: string | null;
  service_created_at: number | null;
  detail: string | null;
  description: string | null;
  reason: string | null;
  owner: string;
  outcome_at: number | null;
}

function toRefundSend(row: RefundSendRow): RefundSendRecord {
  return {
    refundId: row.refund_id as RefundId,
    send: row.send,
    subscriptionId: row.subscription_id as SubscriptionId,
    cycle: row.cycle,
    paymentId: row.payment_id as PaymentId,
    captureId: row.capture_id as CaptureId,
    amount: moneyFromColumn(row.amount),
    state: row.state,
    at: row.at,
    sendingRealAt: row.sending_real_at,
    unknownSinceReal: row.unknown_since_real,
    absentLooks: row.absent_looks,
    knownIds: row.known_ids,
    serviceRefundId: row.service_refund_id,
    serviceCreatedAt: row.service_created_at,
    detail: row.detail,
    description: row.description,
    reason: row.reason,
    owner: row.owner,
    outcomeAt: row.outcome_at,
  };
}
