import type { PaymentId } from '../domain/ids';
import type { Instant } from '../domain/instant';
import type { PaymentPlan, PaymentStatus } from '../domain/payment';
import { instantToColumn } from './column';
import { capturesOf } from './captures';
import { type Page, type PageOf, readCreationCursor, toPage } from './cursor';
import { type Db, queryOne } from './db';
import { type PaymentRecord, type PaymentRow, toPayment } from './payment-record';
import { refundsOfPayments } from './refunds';

/** A one-time payment with its captures and refunds; null where there is none of this id at the service. */
export async function getPayment(db: Db, paymentId: PaymentId): Promise<PaymentRecord | null> {
  const row = await queryOne<PaymentRow>(db, `${PAYMENTS} and p.payment_id = $1`, [paymentId]);
  return row === null ? null : only(await withRecords(db, [row]));
}

/** By our own id, from before the service names the payment; null while it is a draft. */
export async function getPaymentOfRequest(db: Db, requestId: string): Promise<PaymentRecord | null> {
  const row = await queryOne<PaymentRow>(db, `${PAYMENTS} and p.request_id = $1`, [requestId]);
  return row === null ? null : only(await withRecords(db, [row]));
}

export interface PaymentFilter {
  readonly plan?: PaymentPlan | undefined;
  readonly status?: PaymentStatus | undefined;
}

/** Newest first; those created at one instant by their own id, descending. */
export async function listPayments(db: Db, filter: PaymentFilter, page: Page): Promise<PageOf<PaymentRecord>> {
  const after = readCreationCursor(page.cursor);
  const { rows } = await db.query<PaymentRow>(
    `${PAYMENTS}
       and ($1::text is null or p.plan = $1)
       and ($2::text is null or p.status = $2)
       and ($3::timestamptz is null or (p.created_at, p.request_id) < ($3, $4))
     order by p.created_at desc, p.request_id desc
     limit $5`,
    [
      filter.plan ?? null,
      filter.status ?? null,
      instantToColumn(after?.createdAt ?? null),
      after?.id ?? null,
      page.limit + 1,
    ],
  );
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at, row.request_id]);
  return { items: await withRecords(db, items), nextCursor };
}

/** Where a page of releases ends and the next begins. */
export interface ReleasePlace {
  /** Business time of the order. */
  readonly releaseOrderedAt: Instant;
  readonly requestId: string;
}

/** Whose release was ordered and is not confirmed, oldest first; from the first on where `after` is null. */
export async function releasesUnconfirmed(
  db: Db,
  after: ReleasePlace | null,
  limit: number,
): Promise<readonly (PaymentRecord & ReleasePlace)[]> {
  const { rows } = await db.query<PaymentRow>(
    `${PAYMENTS} and p.release_ordered_at is not null and p.released_at is null and p.expired_at is null
       and ($1::timestamptz is null or (p.release_ordered_at, p.request_id) > ($1, $2))
     order by p.release_ordered_at, p.request_id limit $3`,
    [instantToColumn(after?.releaseOrderedAt ?? null), after?.requestId ?? null, limit],
  );
  return (await withRecords(db, rows)) as readonly (PaymentRecord & ReleasePlace)[];
}

const PAYMENTS = `select p.* from payments p where p.status <> 'draft'`;

async function withRecords(db: Db, rows: readonly PaymentRow[]): Promise<readonly PaymentRecord[]> {
  const ids = rows.map(({ payment_id: id }) => id as PaymentId);
  const captures = await capturesOf(db, ids);
  const refunds = await refundsOfPayments(db, ids);
  return rows.map((row) =>
    toPayment(
      row,
      captures.filter(({ paymentId }) => paymentId === row.payment_id),
      refunds.filter(({ paymentId }) => paymentId === row.payment_id),
    ),
  );
}

function only(records: readonly PaymentRecord[]): PaymentRecord | null {
  return records[0] ?? null;
}
