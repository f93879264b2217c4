import type { Pool } from 'pg';
import type { OrderId, PaymentId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import type { OrderState } from '../../domain/send';
import { type Instant, toIso } from '../../domain/time';
import { endItem, isOpenItem, openItem } from '../rows/attention-item';
import { inTransaction } from '../sql/database';
import { type Db, readValue, readValues } from '../sql/statements';
import type { OrderSubject } from '../rows/refund';

/**
 * Orders that wait for an operator: the service does not report their outcome, or already lists something that may be them, or
 * they cannot be sent, or they stay pending. These functions, except {@link closeItemsOfFinalOrders}, run within the transaction that
 * changes the order.
 */

const keyOf = (orderId: OrderId) => `order/${orderId}`;

export interface Waiting extends OrderSubject {
  readonly amount: Money;
  readonly state: OrderState;
  /** Business time of its last send, or of the order if there was none. */
  readonly at: Instant;
}

export async function openWaiting(db: Db, waiting: Waiting, reason: string, since: Instant): Promise<void> {
  const { kind, orderId, subscriptionId, paymentId, cycle, amount, state, at } = waiting;
  const ledger = { state, amount, at: toIso(at), id: orderId, detail: reason };
  const subject = { source: 'order', kind: `${kind}_unresolved`, subscriptionId, paymentId, cycle, orderId } as const;
  const deadline = kind === 'capture' ? await captureByOf(db, paymentId) : null;
  await openItem(db, { key: keyOf(orderId), ...subject, amount, deadline, ledger }, since);
}

/** The deadline until which another capture can be ordered. */
async function captureByOf(db: Db, paymentId: PaymentId): Promise<Instant | null> {
  return readValue(db, 'select capture_by from payments where payment_id = $1', [paymentId]);
}

export async function endWaiting(db: Db, orderId: OrderId): Promise<void> {
  await endItem(db, keyOf(orderId));
}

export async function waitsForOperator(db: Db, orderId: OrderId): Promise<boolean> {
  return isOpenItem(db, keyOf(orderId));
}

/** Ends waits that were left open although the order has a final outcome. */
export async function closeItemsOfFinalOrders(pool: Pool): Promise<void> {
  const settled = await readValues<OrderId>(
    pool,
    `select order_id from attention_items i
     where i.source = 'order' and i.closed_real_at is null
       and exists (select from order_sends s where s.order_id = i.order_id and s.state in ('successful', 'failed'))`,
  );
  for (const orderId of settled) await inTransaction(pool, (db) => endWaiting(db, orderId));
}
