import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { PaymentId, NoticeId, CaptureId } from '../../domain/ids';
import { isFollowed, paymentStatus } from '../../domain/payment/payment';
import type { Instant } from '../../domain/time';
import type { Actor } from '../../domain/audit/event';
import { inTransaction } from '../sql/database';
import { endItem, openItem } from '../rows/attention-item';
import { type Db, instantToColumn, jsonToColumn, readValue, textToColumn, updateColumns } from '../sql/statements';
import { DUEDAY, insertEvent, type NewEvent } from '../audit/entries';
import {
  capturableOf,
  type PaymentAuthorization,
  type PaymentConsent,
  type PaymentRecord,
  requirePayment,
} from '../rows/payment';
import { followLink, lockSubscriptionOfLink } from './links';

/** A notice to the merchant: at most one of each type for each payment. */
interface PaymentNotice {
  readonly type: 'capture.deadline_near' | 'consent.failed';
  readonly data: Readonly<Record<string, unknown>>;
}

/** Updates the status of a one-time payment from its records, within the transaction that changed them. */
export async function restatePayment(db: Db, paymentId: PaymentId): Promise<void> {
  const payment = await requirePayment(db, paymentId);
  const status = paymentStatus(capturableOf(payment));
  if (status === payment.status) return;
  await db.query('update payments set status = $2 where payment_id = $1', [paymentId, status]);
}

/**
 * Stores a notice to the merchant about a one-time payment, at most one of each type.
 * @returns the id of the notice, or of the one stored before
 */
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
  const stored = await readValue<NoticeId>(db, 'select notice_id from notices where payment_id = $1 and type = $2', [
    paymentId,
    type,
  ]);
  if (stored === null) throw new Error(`the ${type} notice of ${paymentId} was stored and no longer exists`);
  return stored;
}

/** A change of a one-time payment, with the audit entry and the notice that report it once. */
export interface PaymentChange extends Partial<Actor> {
  readonly paymentId: PaymentId;
  readonly at: Instant;
  readonly event?: PaymentEvent | undefined;
  /** A later event that has already happened: written to the audit log right after `event`. */
  readonly followedBy?: PaymentEvent | undefined;
  readonly notice?: PaymentNotice | undefined;
  /** The columns that it changes. */
  readonly patch?: PaymentPatch | undefined;
  /** Checked against the locked row: if false, another worker was first, and nothing is written. */
  readonly onlyIf?: ((locked: PaymentRecord) => boolean) | undefined;
}

type PaymentEvent = Pick<NewEvent, 'type' | 'data'>;

export interface PaymentPatch {
  readonly consent?: Pick<PaymentConsent, 'status' | 'reason'>;
  readonly authorization?: PaymentAuthorization;
  readonly captureBy?: Instant;
  readonly booking?: Pick<PaymentAuthorization, 'state' | 'createdAt'> & { readonly captureId: CaptureId };
  readonly releaseOrderedAt?: Instant;
  readonly releasedAt?: Instant;
  readonly expiredAt?: Instant;
}

export interface AppliedPaymentChange {
  readonly payment: PaymentRecord;
  /** The notice to be delivered; null if none was requested, or nothing was written. */
  readonly noticeId: NoticeId | null;
}

/**
 * Writes a change under the payment's lock, in one transaction with its audit entry, its notice and the status of the payment. An
 * entry of each type is written once for each payment.
 * @throws if the payment is not in the ledger.
 */
export async function applyPaymentChange(pool: Pool, change: PaymentChange): Promise<AppliedPaymentChange> {
  return inTransaction(pool, async (db) => {
    await lockPayment(db, change.paymentId);
    const { onlyIf } = change;
    if (onlyIf !== undefined) {
      const payment = await requirePayment(db, change.paymentId);
      if (!onlyIf(payment)) return { payment, noticeId: null };
    }
    return changeWithin(db, change);
  });
}

/** Writes a change within the transaction of the caller, who holds the lock of the payment. */
export async function changeWithin(db: Db, change: Omit<PaymentChange, 'onlyIf'>): Promise<AppliedPaymentChange> {
  const { paymentId, at, actor = DUEDAY, keyId, event, followedBy, notice, patch } = change;
  if (patch !== undefined) {
    await updateColumns(db, { table: 'payments', id: 'payment_id' }, paymentId, columnsOf(patch, at));
  }
  for (const each of [event, followedBy]) {
    if (each === undefined) continue;
    await insertEvent(db, { ...each, actor, keyId, subscriptionId: null, paymentId, at, changeKey: each.type });
  }
  await restatePayment(db, paymentId);
  await followLink(db, paymentId, at);
  const payment = await requirePayment(db, paymentId);
  if (patch?.consent !== undefined && patch.consent.status !== 'pending')
    await endItem(db, unsettledItem(paymentId, 'consent_unsettled'));
  if (
    (patch?.authorization !== undefined || patch?.booking !== undefined) &&
    !UNSETTLED.payment_unsettled.isMissing(payment)
  )
    await endItem(db, unsettledItem(paymentId, 'payment_unsettled'));
  if (patch?.releasedAt !== undefined || patch?.expiredAt !== undefined) await endItem(db, releaseItem(paymentId));
  const noticeId = notice === undefined ? null : await insertPaymentNotice(db, paymentId, at, notice);
  return { payment, noticeId };
}

const releaseItem = (paymentId: PaymentId) => `payment/${paymentId}/release_unresolved`;

/** A release that the service has not carried out. */
interface FailedRelease {
  readonly paymentId: PaymentId;
  /** The state of the authorization at the service; null if it cannot be read. */
  readonly serviceState: string | null;
  readonly reason: string;
  readonly at: Instant;
}

/** Opens an attention item until the payment is released or expires; written to the audit log once. */
export async function openReleaseItem(
  pool: Pool,
  { paymentId, serviceState, reason, at }: FailedRelease,
): Promise<void> {
  await inTransaction(pool, async (db) => {
    await lockPayment(db, paymentId);
    const { amount, authorization, captureBy, releasedAt, expiredAt } = await requirePayment(db, paymentId);
    if (authorization === null || releasedAt !== null || expiredAt !== null) return;
    const { authorizationId: id, state } = authorization;
    const type = 'payment.release_unresolved';
    const about = { subscriptionId: null, paymentId, at, actor: DUEDAY, changeKey: type };
    await insertEvent(db, { ...about, type, data: { authorizationId: id, reason } });
    const ledger = { state, amount, id, detail: reason };
    const service = serviceState === null ? null : { state: serviceState, id };
    const item = { source: 'payment', kind: 'release_unresolved', paymentId, amount, deadline: captureBy } as const;
    await openItem(db, { key: releaseItem(paymentId), ...item, ledger, service }, at);
  });
}

/** What may be missing long after the consent session: the payer's answer, or the final authorization or booking. */
const UNSETTLED = {
  consent_unsettled: { source: 'consent', isMissing: ({ consent }: PaymentRecord) => consent.status === 'pending' },
  payment_unsettled: { source: 'payment', isMissing: ({ plan, status }: PaymentRecord) => isFollowed(plan, status) },
} as const;

type UnsettledKind = keyof typeof UNSETTLED;

const unsettledItem = (paymentId: PaymentId, kind: UnsettledKind) => `${UNSETTLED[kind].source}/${paymentId}/${kind}`;

/** Opens an attention item of this kind, if what it reports is still missing. @param reason why it is missing */
export async function openUnsettledItem(
  pool: Pool,
  kind: UnsettledKind,
  { paymentId, reason, at }: Pick<FailedRelease, 'paymentId' | 'reason' | 'at'>,
): Promise<void> {
  const { source, isMissing } = UNSETTLED[kind];
  await inTransaction(pool, async (db) => {
    await lockPayment(db, paymentId);
    const payment = await requirePayment(db, paymentId);
    if (!isMissing(payment)) return;
    const { status: state, amount, authorization } = payment;
    const ledger = { state, amount, ...(authorization && { id: authorization.authorizationId }) };
    const service = { state: 'not settled', detail: reason };
    await openItem(db, { key: unsettledItem(paymentId, kind), source, kind, paymentId, amount, ledger, service }, at);
  });
}

/**
 * Locks the payment, and before it the subscription of a cycle that it pays.
 * @throws if the payment is not in the ledger.
 */
export async function lockPayment(db: Db, paymentId: PaymentId): Promise<void> {
  await lockSubscriptionOfLink(db, paymentId);
  const { rowCount } = await db.query('select from payments where payment_id = $1 for update', [paymentId]);
  if (rowCount === 0) throw new Error(`the ledger has no payment ${paymentId}`);
}

/** `undefined` for fields that the patch does not name. The column names are constants, never a caller's text. */
function columnsOf(patch: PaymentPatch, at: Instant): Readonly<Record<string, unknown>> {
  const { consent, authorization, booking } = patch;
  return {
    consent_status: consent?.status,
    consent_reason: consent === undefined ? undefined : textToColumn(consent.reason),
    consent_checked_at: consent === undefined ? undefined : instantToColumn(at),
    authorization_id: authorization?.authorizationId,
    authorization_state: authorization?.state,
    authorization_created_at: instantToColumn(authorization?.createdAt),
    authorization_detail: authorization === undefined ? undefined : textToColumn(authorization.detail),
    authorization_description: authorization === undefined ? undefined : textToColumn(authorization.description),
    capture_by: instantToColumn(patch.captureBy),
    booking_id: booking?.captureId,
    booking_state: booking?.state,
    booking_created_at: instantToColumn(booking?.createdAt),
    release_ordered_at: instantToColumn(patch.releaseOrderedAt),
    released_at: instantToColumn(patch.releasedAt),
    expired_at: instantToColumn(patch.expiredAt),
  };
}
