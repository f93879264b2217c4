import type { CaptureId, OrderId, PaymentId } from '../domain/ids';
import type { LedgerRefund, LedgerSend } from '../domain/reconciliation/subscription';
import { moneyFromColumn } from './column';
import type { Db } from './db';

/** A send as the ledger has it, or an order of which nothing has been sent. */
export interface SendRow<State> {
  cycle: number | null;
  state: State;
  amount: number;
  at: number;
  known_ids: string[];
}

export function toSend<State>(row: SendRow<State>): LedgerSend<State> {
  const { cycle, state, amount, at, known_ids: knownIds } = row;
  return { cycle, state, amount: moneyFromColumn(amount), at, knownIds };
}

/** Orders of one kind and payment, each with its last send and all that the service showed before one of its sends. */
export const ORDERS = `
  select r.cycle, coalesce(s.state, 'ordered') as state, r.amount, coalesce(s.at, r.created_at) as at,
    array(select unnest(known_ids) from order_sends where order_id = r.order_id) as known_ids, r.order_id, r.capture_id, r.final_capture, s.service_id
  from orders r
  left join lateral (select * from order_sends where order_id = r.order_id order by send desc limit 1) s on true
  where r.payment_id = $1 and r.kind = $2 order by r.created_at, r.order_id`;

/** The refunds of a payment as they are held against the service. */
export async function readLedgerRefunds(db: Db, paymentId: PaymentId): Promise<readonly LedgerRefund[]> {
  const { rows } = await db.query<RefundRow>(ORDERS, [paymentId, 'refund']);
  return rows.map((row) => ({
    ...toSend(row),
    refundId: row.order_id as OrderId,
    captureId: row.capture_id as CaptureId,
    serviceRefundId: row.service_id,
  }));
}

interface RefundRow extends SendRow<LedgerRefund['state']> {
  order_id: string;
  capture_id: string;
  service_id: string | null;
}
