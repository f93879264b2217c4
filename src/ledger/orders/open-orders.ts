import type { OrderId } from '../../domain/ids';
import { instantToColumn, type Db, readRecords } from '../sql/statements';
import type { OrderSubject } from '../rows/refund';

/** An order that is neither successful nor failed: it was not sent yet, or its outcome is not final. */
export interface OpenOrder extends OpenOrderPosition, Pick<OrderSubject, 'kind' | 'paymentId' | 'subscriptionId'> {
  /** Whether anything was ever sent; it may have been settled as never arrived. */
  readonly isStarted: boolean;
}

/** Position of the last order of a page; open orders are read oldest first. */
export interface OpenOrderPosition {
  /** Real time of the order. */
  readonly createdRealAt: number;
  readonly orderId: OrderId;
}

export interface OpenOrderPage {
  /** Real time, exclusive: younger ones are left to the request that has just created them. */
  readonly before: number;
  /** Null: start at the oldest. */
  readonly after: OpenOrderPosition | null;
  readonly limit: number;
}

/** Which orders to list, as SQL conditions. */
const WHICH = {
  all: 'true',
  /** Nothing was ever sent: the process that had to start them may have died. */
  not_started: 'not w.started',
  /** Something was sent: the workflow that polls its outcome may have ended, or may not know about it. */
  started: 'w.started',
} as const;

/** Captures and refunds that are not final, oldest first; the cost does not depend on how many there are in total. */
export async function listOpenOrders(
  db: Db,
  which: keyof typeof WHICH,
  { before, after, limit }: OpenOrderPage,
): Promise<readonly OpenOrder[]> {
  return readRecords(
    db,
    `select w.order_id, w.created_real_at, w.started as is_started, o.kind, o.payment_id, o.subscription_id
     from open_orders w join orders o using (order_id)
     where ${WHICH[which]} and w.created_real_at < $1
       and ($2::timestamptz is null or (w.created_real_at, w.order_id) > ($2, $3))
     order by w.created_real_at, w.order_id
     limit $4`,
    [instantToColumn(before), instantToColumn(after?.createdRealAt ?? null), after?.orderId ?? null, limit],
  );
}
