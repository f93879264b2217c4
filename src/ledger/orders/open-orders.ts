import type { OrderId } from '../../domain/ids';
import { instantToColumn, type Db, readRecords } from '../sql/statements';
import type { OrderSubject } from '../rows/refund';

/** An order that is neither made nor failed: it was not sent yet, or its outcome is not known. */
export interface OpenOrder extends OpenOrderPlace, Pick<OrderSubject, 'kind' | 'paymentId' | 'subscriptionId'> {
  /** Whether anything was ever sent; what was may have been settled as never arrived. */
  readonly begun: boolean;
}

/** Where a page ends and the next begins: open orders are read oldest first. */
export interface OpenOrderPlace {
  /** Real time of the order. */
  readonly createdRealAt: number;
  readonly orderId: OrderId;
}

export interface OpenOrderPage {
  /** Real time, exclusive: younger ones are left to the request that has just placed them. */
  readonly before: number;
  /** Null: from the oldest on, however old. */
  readonly after: OpenOrderPlace | null;
  readonly limit: number;
}

/** Which of them, as conditions of ours. */
const WHICH = {
  all: 'true',
  /** Nothing was ever sent: the process that was to start them may have died. */
  not_begun: 'not w.begun',
  /** Something was sent, and the workflow that asks for its outcome may have ended, or may know nothing of it. */
  begun: 'w.begun',
} as const;

/** Captures and refunds that are not final, oldest first; takes the time of one page, however many are. */
export async function listOpenOrders(
  db: Db,
  which: keyof typeof WHICH,
  { before, after, limit }: OpenOrderPage,
): Promise<readonly OpenOrder[]> {
  return readRecords(
    db,
    `select w.order_id, w.created_real_at, w.begun, o.kind, o.payment_id, o.subscription_id
     from open_orders w join orders o using (order_id)
     where ${WHICH[which]} and w.created_real_at < $1
       and ($2::timestamptz is null or (w.created_real_at, w.order_id) > ($2, $3))
     order by w.created_real_at, w.order_id
     limit $4`,
    [instantToColumn(before), instantToColumn(after?.createdRealAt ?? null), after?.orderId ?? null, limit],
  );
}
