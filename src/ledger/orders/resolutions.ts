import type { Pool } from 'pg';
import type { OrderId } from '../../domain/ids';
import type { OrderState } from '../../domain/send';
import type { Instant } from '../../domain/time';
import { type Actor, actorOf } from '../../domain/audit/event';
import { HAS_UNKNOWN_OUTCOME } from '../rows/any-send';
import { inTransaction } from '../sql/database';
import { type Db, readRecord } from '../sql/statements';
import { insertEvent } from '../audit/entries';
import { type OrderOutcome, recordWithin } from './outcomes';
import { enterSend, entryOfOrder, latestOrderSend, lockPaymentOf, nameAtService, type OrderSendRecord } from './sends';
import { endWaiting, openWaiting, type Waiting, waitsForOperator } from './waiting';

/** States in which the service has not reported the outcome of an order, and no worker is sending it. */
const UNREPORTED: readonly OrderState[] = ['ordered', 'not_sent', 'unknown'];

/** States in which an operator may resolve an order that waits for one. */
const RESOLVABLE: readonly OrderState[] = [...UNREPORTED, 'unresolved', 'pending'];

/**
 * Opens an item: from now on an operator may resolve the order. `reason` says why an operator is needed: the order cannot be
 * sent, the service already lists something that may be it, or the service does not answer. An unresolved order already has an
 * item, with what was found.
 */
export async function openOrderItem(pool: Pool, orderId: OrderId, reason: string, at: Instant): Promise<void> {
  await inTransaction(pool, async (db) => {
    const waiting = await lockWaiting(db, orderId);
    if (UNREPORTED.includes(waiting.state)) await openWaiting(db, waiting, reason, at);
  });
}

/** Opens or closes the item of a pending order that is overdue. @param reason null: it is not overdue, or no longer */
export async function updateOverdueItem(
  pool: Pool,
  orderId: OrderId,
  reason: string | null,
  at: Instant,
): Promise<void> {
  if (reason === null && !(await waitsForOperator(pool, orderId))) return;
  await inTransaction(pool, async (db) => {
    const waiting = await lockWaiting(db, orderId);
    if (waiting.state !== 'pending') return;
    await (reason === null ? endWaiting(db, orderId) : openWaiting(db, waiting, reason, at));
  });
}

/** The current state of an order, locked until the transaction ends. @throws if it is not in the ledger. */
async function lockWaiting(db: Db, orderId: OrderId): Promise<Waiting> {
  await lockPaymentOf(db, orderId);
  const waiting = await readRecord<Waiting>(
    db,
    `select o.order_id, o.kind, o.payment_id, o.subscription_id, o.cycle, o.amount, coalesce(s.state, 'ordered') as state,
       coalesce(s.at, o.created_at) as at
     from orders o
     left join lateral (select * from order_sends where order_id = o.order_id order by send desc limit 1) s on true
     where o.order_id = $1`,
    [orderId],
  );
  if (waiting === null) throw new Error(`the ledger has no order ${orderId}`);
  return waiting;
}

/** An operator's resolution of an order whose outcome the service does not report (rule 18). */
export interface OrderResolution extends Actor {
  readonly orderId: OrderId;
  readonly outcome: 'successful' | 'failed';
  /** How the operator knows it. */
  readonly evidence: string;
  /** The service's id of the result; null if nothing was executed. */
  readonly serviceId: string | null;
  readonly at: Instant;
  readonly realAt: number;
}

export type ResolveOrderResult =
  /** The order was resolved now, or by the same resolution before. */
  | { readonly kind: 'resolved' }
  /** The id belongs to another order of the payment; nothing is written (rule 34). */
  | { readonly kind: 'taken'; readonly by: OrderId }
  /** Another order of the payment has an unknown outcome and must be resolved first. */
  | { readonly kind: 'blocked'; readonly by: OrderId }
  /** The order does not wait for an operator: its POST may be on the wire, or the service has answered or may soon answer. */
  | { readonly kind: 'not_resolvable'; readonly state: OrderState };

/**
 * Writes the operator's resolution as the order's outcome, once; repeating it changes nothing. If the order was not sent, a send
 * without a POST is entered, so that no worker sends it.
 * @throws if the order is not in the ledger.
 */
export async function resolveOrder(pool: Pool, resolution: OrderResolution): Promise<ResolveOrderResult> {
  return inTransaction(pool, async (db): Promise<ResolveOrderResult> => {
    const { orderId, at } = resolution;
    await lockPaymentOf(db, orderId);
    const latest = await latestOrderSend(db, orderId);
    const answer = await judge(db, resolution, latest);
    if (answer !== null) return answer;
    const isSent = latest !== null && latest.state !== 'not_sent';
    const send = isSent ? latest : await enterUnsent(db, resolution);
    await insertEvent(db, eventOf(send, resolution));
    await recordWithin(db, send, outcomeOf(resolution), at);
    return { kind: 'resolved' };
  });
}

/** What {@link resolveOrder} would return now, without a lock; null if it would write. */
export async function judgeResolution(db: Db, resolution: OrderResolution): Promise<ResolveOrderResult | null> {
  return judge(db, resolution, await latestOrderSend(db, resolution.orderId));
}

async function judge(
  db: Db,
  resolution: OrderResolution,
  latest: OrderSendRecord | null,
): Promise<ResolveOrderResult | null> {
  const { orderId, serviceId, realAt } = resolution;
  if (latest !== null && isSameResolution(latest, resolution)) return { kind: 'resolved' };
  const state = latest?.state ?? 'ordered';
  // The worker that found the outcome unknown recorded the time from which its POST can no longer be on the wire.
  const mayBeOnWire = latest?.unknownSinceReal != null && latest.unknownSinceReal > realAt;
  const isOpen = RESOLVABLE.includes(state) && !mayBeOnWire && (await waitsForOperator(db, orderId));
  if (!isOpen) return { kind: 'not_resolvable', state };
  const taken = await findOther(db, orderId, 's.service_id = $2', [serviceId]);
  if (taken !== null) return { kind: 'taken', by: taken };
  const unknownOutcomes = await findOther(db, orderId, `s.state ${HAS_UNKNOWN_OUTCOME}`);
  return unknownOutcomes === null ? null : { kind: 'blocked', by: unknownOutcomes };
}

const RESOLVED_AS_FAILED = 'RESOLVED_AS_FAILED';

/** The operator's evidence is stored in the audit log only. */
function outcomeOf({ outcome, serviceId }: OrderResolution): OrderOutcome {
  if (outcome === 'failed') return { state: 'failed', detail: RESOLVED_AS_FAILED, description: '' };
  if (serviceId === null) throw new RangeError("a successful order needs the service's id");
  return { state: 'successful', serviceId };
}

function isSameResolution(send: OrderSendRecord, { outcome, serviceId }: OrderResolution): boolean {
  if (send.state !== outcome) return false;
  return outcome === 'successful' ? send.serviceId === serviceId : send.detail === RESOLVED_AS_FAILED;
}

/**
 * Another order of the payment.
 * @param which an SQL condition; if it compares an id of the service, only orders of the same kind are searched, among which ids
 * are unique
 */
async function findOther(db: Db, orderId: OrderId, which: string, values: unknown[] = []): Promise<OrderId | null> {
  const ofKind = values.length > 0 ? 'and o.kind = asked.kind' : '';
  const row = await readRecord<{ orderId: OrderId }>(
    db,
    `select o.order_id
     from orders asked join orders o using (payment_id) join order_sends s on s.order_id = o.order_id
     where asked.order_id = $1 and o.order_id <> $1 and ${which} ${ofKind} limit 1`,
    [orderId, ...values],
  );
  return row?.orderId ?? null;
}

async function enterUnsent(db: Db, { orderId, actor, at, realAt }: OrderResolution): Promise<OrderSendRecord> {
  const entered = await enterSend(db, { orderId, knownIds: [], owner: actor, at, realAt });
  if (entered.kind === 'blocked')
    throw new Error(`order ${orderId} is blocked by ${entered.by.orderId}, under the lock`);
  return entered.send;
}

function eventOf(send: OrderSendRecord, { outcome, evidence, serviceId, at, ...by }: OrderResolution) {
  const { amount, kind } = send;
  const data = { send: send.send, amount, outcome, evidence, ...nameAtService(kind, serviceId) };
  return { ...entryOfOrder(send, 'resolved', at, data), ...actorOf(by) };
}
