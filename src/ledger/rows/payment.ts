import type { AuthorizationId, CaptureId, OrderId, PaymentId, SubscriptionId } from '../../domain/ids';
import type { Metadata } from '../../domain/metadata';
import { euros, type Money } from '../../domain/money';
import type { CapturablePayment } from '../../domain/payment/capture-rules';
import type { PaymentCapture, PaymentPlan, PaymentStatus } from '../../domain/payment/payment';
import type { Instant } from '../../domain/time';
import { type Page, type PageOf, toPage } from '../sql/cursor';
import { type Db, readRecord, readRecords } from '../sql/statements';
import { type RefundRecord, refundsOfPayments } from './refund';
import { type ConsentRecord, type PayerDetails, payerColumns } from './subscription';
import { isByDueDate, type ListOrder, readOrder, readSearched, type Searchable } from './search';

/** SQL to follow the status column: the payment is neither a draft nor ended. */
export const IS_LIVE_PAYMENT = `in ('pending_consent', 'authorized', 'partly_captured')`;

/** The cycle that a payment link pays. */
export interface LinkedCycle {
  readonly subscriptionId: SubscriptionId;
  readonly cycle: number;
}

/** A one-time payment in the ledger. */
export interface PaymentRecord {
  /** dueday's own id, assigned before the service names the payment. */
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
  /** No capture is sent in the last `transit` ms before `captureBy`; fixed when the payment was requested. */
  readonly transit: number;
  readonly releaseOrderedAt: Instant | null;
  readonly releasedAt: Instant | null;
  readonly expiredAt: Instant | null;
  readonly payer: PayerDetails;
  readonly metadata: Metadata;
  readonly createdAt: Instant;
  /** Null unless it is a payment link. */
  readonly link: LinkedCycle | null;
  /** Captures and refunds are in the order in which they were made or ordered. */
  readonly captures: readonly CaptureRecord[];
  readonly refunds: readonly RefundRecord[];
}

export interface PaymentConsent extends Omit<ConsentRecord, 'requestedRealAt' | 'merchantDeleted'> {
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
export interface CaptureRecord extends PaymentCapture {
  /** Null if the service booked it automatically. */
  readonly orderId: OrderId | null;
  /** Null if the service has not named it yet. */
  readonly captureId: CaptureId | null;
  readonly paymentId: PaymentId;
  readonly createdAt: Instant;
  /** Real time of the order; null if there was none. */
  readonly createdRealAt: number | null;
  readonly detail: string | null;
  readonly description: string | null;
}

/** The facts about a payment that the rules use. */
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

/** A capture that was ordered here. */
export interface OrderedCapture extends CaptureRecord {
  readonly orderId: OrderId;
  readonly createdRealAt: number;
}

/** Null if no capture with this id was ordered. */
export async function getCapture(db: Db, orderId: OrderId): Promise<OrderedCapture | null> {
  return readRecord(db, `${CAPTURES} where order_id = $1`, [orderId]);
}

/** The captures of these one-time payments, in the order in which they were made or ordered. */
async function capturesOf(db: Db, paymentIds: readonly PaymentId[]): Promise<readonly CaptureRecord[]> {
  return readRecords(db, `${CAPTURES} where payment_id = any ($1) order by created_real_at nulls first, order_id`, [
    paymentIds,
  ]);
}

const CAPTURES = `
  select order_id, capture_id, payment_id, amount, final_capture, coalesce(state, 'ordered') as state, created_at,
    created_real_at, detail, description
  from payment_captures`;

type BarePayment = Omit<PaymentRecord, 'captures' | 'refunds'>;

const PAYMENT_COLUMNS = `
  request_id, payment_id, workflow_id, plan, status, amount, time_to_capture, partial_capture, multiple_capture,
  merchant_category_code, capture_by, coalesce(transit, 0) as transit, release_ordered_at, released_at, expired_at, metadata, created_at,
  consent_status as "consent.status", consent_reason as "consent.reason",
  consent_redirect_url as "consent.redirect_url", consent_checked_at as "consent.checked_at",
  consent_requested_real_at as "consent.requested_real_at", authorization_id as "authorization?.authorization_id",
  authorization_state as "authorization?.state", authorization_created_at as "authorization?.created_at",
  authorization_detail as "authorization?.detail", authorization_description as "authorization?.description",
  link.subscription_id as "link?.subscription_id", link.cycle as "link?.cycle",
  ${payerColumns('payer')}`;

const WITH_PAYER = 'left join payers payer using (payer_id) left join payment_links link using (request_id)';

const PAYMENTS = `select ${PAYMENT_COLUMNS} from payments p ${WITH_PAYER} where p.status <> 'draft'`;

/** A one-time payment with its captures and refunds; null if the ledger has no payment with this id of the service. */
export async function getPayment(db: Db, paymentId: PaymentId): Promise<PaymentRecord | null> {
  const [payment] = await readPayments(db, `${PAYMENTS} and p.payment_id = $1`, [paymentId]);
  return payment ?? null;
}

/** @throws if the ledger has no payment with this id of the service. */
export async function requirePayment(db: Db, paymentId: PaymentId): Promise<PaymentRecord> {
  const payment = await getPayment(db, paymentId);
  if (payment === null) throw new Error(`the ledger has no payment ${paymentId}`);
  return payment;
}

/** Finds a payment by dueday's own id, which it has before the service names it; null while it is a draft. */
export async function getPaymentOfRequest(db: Db, requestId: string): Promise<PaymentRecord | null> {
  const [payment] = await readPayments(db, `${PAYMENTS} and p.request_id = $1`, [requestId]);
  return payment ?? null;
}

/** Which payments are listed, and in which order; a payment falls due at its `captureBy`. */
export interface PaymentFilter extends ListOrder {
  readonly plan?: PaymentPlan | undefined;
  readonly status?: PaymentStatus | undefined;
}

/** Lists payments in the requested order; those with the same instant are sorted by dueday's own id. */
export async function listPayments(db: Db, filter: PaymentFilter, page: Page): Promise<PageOf<PaymentRecord>> {
  const found = await readSearched<BarePayment>(db, SEARCH, filter, page, ownOf(filter));
  const instant = isByDueDate(filter.sort) ? 'captureBy' : 'createdAt';
  const { items, nextCursor } = toPage(found, page.limit, (each) => [each[instant], each.requestId]);
  return { items: await withRecords(db, items), nextCursor };
}

/** dueday's own ids of all listed payments, in the order of the list. */
export function listPaymentIds(db: Db, filter: PaymentFilter): Promise<readonly string[]> {
  return readOrder(db, SEARCH, filter, ownOf(filter));
}

/** The payments with these ids of dueday, in the given order and in their current state: some may no longer match the list. */
export function paymentsByRequest(db: Db, ids: readonly string[]): Promise<readonly PaymentRecord[]> {
  return readPayments(db, `${PAYMENTS} and p.request_id = any ($1::text[]) order by array_position($1, p.request_id)`, [
    ids,
  ]);
}

function ownOf({ plan, status }: PaymentFilter): readonly unknown[] {
  return [plan ?? null, status ?? null];
}

const SEARCH = {
  table: 'payments',
  id: 'request_id',
  words: 'payment_words',
  due: 'capture_by',
  wanted: `s.status <> 'draft' and ($10::text is null or s.plan = $10) and ($11::text is null or s.status = $11)`,
  columns: PAYMENT_COLUMNS,
  join: WITH_PAYER,
} satisfies Searchable;

async function readPayments(db: Db, text: string, values: unknown[]): Promise<readonly PaymentRecord[]> {
  return withRecords(db, await readRecords<BarePayment>(db, text, values));
}

async function withRecords(db: Db, payments: readonly BarePayment[]): Promise<readonly PaymentRecord[]> {
  const ids = payments.map(({ paymentId }) => paymentId);
  const captures = await capturesOf(db, ids);
  const refunds = await refundsOfPayments(db, ids);
  return payments.map((payment) => ({
    ...payment,
    captures: captures.filter(({ paymentId }) => paymentId === payment.paymentId),
    refunds: refunds.filter(({ paymentId }) => paymentId === payment.paymentId),
  }));
}
