import type { CaptureId, OrderId, PaymentId } from '../domain/ids';
import type { CaptureState } from '../domain/payment/payment';
import { moneyFromColumn } from './column';
import { type Db, queryOne } from './db';
import type { CaptureRecord } from './payment-record';

/** A capture that was ordered here. */
export interface OrderedCapture extends CaptureRecord {
  readonly orderId: OrderId;
  readonly createdRealAt: number;
}

/** Null where none of this id was ordered. */
export async function getCapture(db: Db, orderId: OrderId): Promise<OrderedCapture | null> {
  const row = await queryOne<CaptureRow>(db, `${CAPTURES} where order_id = $1`, [orderId]);
  return row === null ? null : (toCapture(row) as OrderedCapture);
}

/** Of these one-time payments, in the order in which they were made or ordered. */
export async function capturesOf(db: Db, paymentIds: readonly PaymentId[]): Promise<readonly CaptureRecord[]> {
  const { rows } = await db.query<CaptureRow>(
    `${CAPTURES} where payment_id = any ($1) order by created_real_at nulls first, order_id`,
    [paymentIds],
  );
  return rows.map(toCapture);
}

const CAPTURES = 'select * from payment_captures';

interface CaptureRow {
  payment_id: string;
  order_id: string | null;
  capture_id: string | null;
  state: CaptureState | null;
  amount: number;
  final_capture: boolean;
  created_at: number;
  created_real_at: number | null;
  detail: string | null;
  description: string | null;
}

function toCapture(row: CaptureRow): CaptureRecord {
  return {
    orderId: row.order_id as OrderId | null,
    captureId: row.capture_id as CaptureId | null,
    paymentId: row.payment_id as PaymentId,
    amount: moneyFromColumn(row.amount),
    finalCapture: row.final_capture,
    state: row.state ?? 'ordered',
    createdAt: row.created_at,
    createdRealAt: row.created_real_at,
    detail: row.detail,
    description: row.description,
  };
}
