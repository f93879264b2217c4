import type { PaymentId } from '../domain/ids';
import type { Instant } from '../domain/time';
import type { PaymentPlan, PaymentStatus } from '../domain/payment/payment';
import { instantToColumn } from './column';
import { capturesOf } from './captures';
import { type Page, type PageOf, toPage } from './cursor';
import { type Db, queryOne } from './db';
import { type PaymentRecord, type PaymentRow, toPayment } from './payment-record';
import { refundsOfPayments } from './refunds';
import { readNewest, searchOf } from './search';

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
  /** Beginnings of words of an id or of the payer's name, e-mail or reference, in any case; all of them must be found. */
  readonly q?: string | undefined;
}

/** Newest first; those created at one instant by their own id, descending. */
export async function listPayments(db: Db, filter: PaymentFilter, page: Page): Promise<PageOf<PaymentRecord>> {
  const { plan = null, status = null, q = null } = filter;
  const rows = await readNewest<PaymentRow>(db, SEARCH, page, q, [plan, status]);
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at, row.request_id]);
  return { items: await withRecords(db, items), nextCursor };
}

const SEARCH = searchOf({
  ...{ table: 'payments', id: 'request_id', words: 'payment_words' },
  wanted: `s.status <> 'draft' and ($5::text is null or s.plan = $5) and ($6::text is null or s.status = $6)`,
  ...{ columns: 's.*', join: '' },
});

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
