import { randomUUID } from 'node:crypto';
import type { PaymentNotice } from '../contract/payments';
import type { NoticeId, PaymentId } from '../domain/ids';
import type { Instant } from '../domain/time';
import { instantToColumn, jsonToColumn } from './column';
import { type Db, queryOne } from './db';

/** Stores what the merchant is told of a one-time payment, once for each type. @returns the notice's id, or the stored one's. */
export async function insertPaymentNotice(
  db: Db,
  paymentId: PaymentId,
  at: Instant,
  { type, data }: PaymentNotice,
): Promise<NoticeId> {
  const noticeId = `msg_${randomUUID().replaceAll('-', '')}`;
  await db.query(
    `insert into notices (notice_id, payment_id, change_key, type, data, created_at)
     values ($1, $2, $3, $3, $4, $5) on conflict do nothing`,
    [noticeId, paymentId, type, jsonToColumn(data), instantToColumn(at)],
  );
  const row = await queryOne<{ notice_id: string }>(
    db,
    'select notice_id from notices where payment_id = $1 and type = $2',
    [paymentId, type],
  );
  if (row === null) throw new Error(`the ${type} notice of ${paymentId} was stored and is gone`);
  return row.notice_id as NoticeId;
}
