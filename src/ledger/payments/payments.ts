import type { AuthorizationId, CaptureId, OrderId, PaymentId } from '../../domain/ids';
import { euros, type Money } from '../../domain/money';
import type { CapturablePayment } from '../../domain/payment/capture-rules';
import type { CaptureState, PaymentPlan, PaymentStatus } from '../../domain/payment/payment';
import type { Instant } from '../../domain/time';
import { type Page, type PageOf, toPage } from '../cursor';
import { moneyFromColumn, type Db, queryOne, instantToColumn } from '../database';
import { type RefundRecord, refundsOfPayments } from '../orders/refunds';
import type { ConsentState } from '../subscriptions/record';
import { readNewest, searchOf } from '../subscriptions/search';

/** A one-time payment as the ledger has it. */
export interface PaymentRecord {
  /** Ours, from before the service names the payment. */
  readonly requestId: string;
  readonly paymentId: PaymentId;
  readonly workflowId: string;
  readonly plan: PaymentPlan;
  readonly status: PaymentStatus;
  readonly amount: Money;
  /** Seconds; null for Single Immediate. */
  readonly timeToCapture: number | null;
  readonly partialCapture: boolean;
  readonly multipleCapture: boolean;
  readonly merchantCategoryCode: string | null;
  readonly consent: PaymentConsent;
  /** Null before the service shows one. */
  readonly authorization: PaymentAuthorization | null;
  /** Captures are taken strictly before it; null for Single Immediate, and before the authorization. */
  readonly captureBy: Instant | null;
  readonly releaseOrderedAt: Instant | null;
  readonly releasedAt: Instant | null;
  readonly expiredAt: Instant | null;
  readonly createdAt: Instant;
  /** In the order in which they were made or ordered. */
  readonly captures: readonly CaptureRecord[];
  readonly refunds: readonly RefundRecord[];
}

export interface PaymentConsent {
  readonly status: ConsentState;
  readonly reason: string | null;
  readonly redirectURL: string | null;
  readonly checkedAt: Instant | null;
  /** Real time, epoch milliseconds. */
  readonly requestedRealAt: number;
}

export interface PaymentAuthorization {
  readonly authorizationId: AuthorizationId;
  readonly state: 'pending' | 'successful' | 'failed';
  readonly createdAt: Instant;
  /** Why it failed. */
  readonly detail: string | null;
  readonly description: string | null;
}

/** A capture of a one-time payment: ordered here, or booked by the service itself. */
export interface CaptureRecord {
  /** Null where the service has booked it by itself. */
  readonly orderId: OrderId | null;
  /** Null where the service has not named it yet. */
  readonly captureId: CaptureId | null;
  readonly paymentId: PaymentId;
  readonly amount: Money;
  readonly finalCapture: boolean;
  readonly state: CaptureState;
  readonly createdAt: Instant;
  /** Real time of the order; null where there was none. */
  readonly createdRealAt: number | null;
  readonly detail: string | null;
  readonly description: string | null;
}

/** What the rules go by. */
export function capturableOf(payment: PaymentRecord): CapturablePayment {
  const isOwn = (captureId: CaptureId) => payment.captures.some((each) => each.captureId === captureId);
  const refunded = payment.refunds
    .filter(({ state, captureId }) => state === 'successful' && isOwn(captureId))
    .reduce((sum, { amount }) => sum + amount.value, 0);
  return {
    plan: payment.plan,
    amount: payment.amount,
    partialCapture: payment.partialCapture,
    multipleCapture: payment.multipleCapture,
    consent: payment.consent.status,
    authorization: payment.authorization?.state ?? null,
    captures: payment.captures,
    refunded: euros(refunded),
    isBeingReleased: payment.releaseOrderedAt !== null,
    isReleased: payment.releasedAt !== null,
    isExpired: payment.expiredAt !== null,
    captureBy: payment.captureBy,
  };
}

export interface PaymentRow {
  request_id: string;
  payment_id: string;
  workflow_id: string;
  plan: PaymentPlan;
  amount: number;
  time_to_capture: number | null;
  partial_capture: boolean;
  multiple_capture: boolean;
  merchant_category_code: string | null;
  status: PaymentStatus;
  consent_status: ConsentState;
  consent_reason: string | null;
  consent_redirect_url: string | null;
  consent_checked_at: number | null;
  consent_requested_real_at: number;
  authorization_id: string | null;
  authorization_state: PaymentAuthorization['state'] | null;
  authorization_created_at: number | null;
  authorization_detail: string | null;
  authorization_description: string | null;
  capture_by: number | null;
  release_ordered_at: number | null;
  released_at: number | null;
  expired_at: number | null;
  created_at: number;
}

export function toPayment(
  row: PaymentRow,
  captures: readonly CaptureRecord[],
  refunds: readonly RefundRecord[],
): PaymentRecord {
  return {
    requestId: row.request_id,
    paymentId: row.payment_id as PaymentId,
    workflowId: row.workflow_id,
    plan: row.plan,
    status: row.status,
    amount: moneyFromColumn(row.amount),
    timeToCapture: row.time_to_capture,
    partialCapture: row.partial_capture,
    multipleCapture: row.multiple_capture,
    merchantCategoryCode: row.merchant_category_code,
    consent: {
      status: row.consent_status,
      reason: row.consent_reason,
      redirectURL: row.consent_redirect_url,
      checkedAt: row.consent_checked_at,
      requestedRealAt: row.consent_requested_real_at,
    },
    authorization: toAuthorization(row),
    captureBy: row.capture_by,
    releaseOrderedAt: row.release_ordered_at,
    releasedAt: row.released_at,
    expiredAt: row.expired_at,
    createdAt: row.created_at,
    captures,
    refunds,
  };
}

function toAuthorization(row: PaymentRow): PaymentAuthorization | null {
  const { authorization_id: id, authorization_state: state, authorization_created_at: createdAt } = row;
  if (id === null || state === null || createdAt === null) return null;
  const { authorization_detail: detail, authorization_description: description } = row;
  return { authorizationId: id as AuthorizationId, state, createdAt, detail, description };
}

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
