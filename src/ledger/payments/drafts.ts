import type { Pool } from 'pg';
import type { DiscardResult } from '../../contract/activities';
import type { PaymentId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import type { PaymentPlan } from '../../domain/payment/payment';
import type { Instant } from '../../domain/time';
import { answerOnRecord, type RequestedRow } from '../answers-on-record';
import { instantToColumn, moneyFromColumn, type Db, queryOne, inTransaction } from '../database';
import { DUEDAY, insertEvent } from '../events';
import { insertPayer, type PostalAddress } from '../subscriptions/record';

/** A one-time payment before the service has answered `POST /payments`: all that the request needs. Nobody sees it yet. */
export interface PaymentDraft {
  /** Ours: `pay_…`. */
  readonly requestId: string;
  readonly workflowId: string;
  readonly plan: PaymentPlan;
  readonly amount: Money;
  readonly returnURL: string;
  /** Seconds; null for Single Immediate. */
  readonly timeToCapture: number | null;
  readonly partialCapture: boolean;
  readonly multipleCapture: boolean;
  readonly merchantCategoryCode: string | null;
  readonly billingAddress: PostalAddress;
  readonly shippingAddress: PostalAddress | null;
  readonly createdAt: Instant;
  /** Real time, epoch milliseconds. */
  readonly draftedRealAt: number;
  /** The name of the API key that asks. */
  readonly actor: string;
}

/**
 * Stores a draft and its payer together. A draft of the same request drafted before `staleBeforeReal` was left behind by
 * somebody who is gone, and is replaced; a younger one may still be on its way to the service.
 * @param transit what its workflow is begun with, in ms, for whoever begins it anew
 * @returns false where the request has a payment already, or a draft that somebody may still be asking for.
 */
export async function insertPaymentDraft(
  pool: Pool,
  draft: PaymentDraft,
  staleBeforeReal: number,
  transit: number | null = null,
): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    await removeDraft(db, draft.requestId, staleBeforeReal);
    const payerId = await insertPayer(db, { ...draft, email: null, reference: null });
    const { rowCount } = await db.query(
      `insert into payments (
         request_id, payer_id, workflow_id, plan, amount, return_url, time_to_capture, partial_capture,
         multiple_capture, merchant_category_code, actor, created_at, drafted_real_at, transit
       ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
       on conflict (request_id) do nothing`,
      [
        ...[draft.requestId, payerId, draft.workflowId, draft.plan, draft.amount.value, draft.returnURL],
        ...[draft.timeToCapture, draft.partialCapture, draft.multipleCapture, draft.merchantCategoryCode],
        ...[draft.actor, instantToColumn(draft.createdAt), instantToColumn(draft.draftedRealAt), transit],
      ],
    );
    if (rowCount === 0) await db.query('delete from payers where payer_id = $1', [payerId]);
    return rowCount === 1;
  });
}

/** Null where there is no draft of this request (any more), or its payer has been erased. */
export async function readPaymentDraft(db: Db, requestId: string): Promise<PaymentDraft | null> {
  const row = await queryOne<DraftRow>(
    db,
    `select p.*, y.billing_address, y.shipping_address from payments p join payers y using (payer_id)
     where p.request_id = $1 and p.status = 'draft' and y.billing_address is not null`,
    [requestId],
  );
  return row === null ? null : toDraft(row);
}

/**
 * Removes the draft, unless the service's answer is on record: that is told instead, and never deleted (rule 18). The
 * row is locked first, so that of a worker who is writing the answer at this moment the end is known.
 */
export async function deletePaymentDraft(pool: Pool, requestId: string): Promise<DiscardResult> {
  return inTransaction(pool, async (db) => {
    const row = await queryOne<RequestedRow>(
      db,
      `select status, payment_id, consent_requested_real_at from payments where request_id = $1 for update`,
      [requestId],
    );
    const answered = row === null ? null : answerOnRecord(row);
    if (answered !== null) return answered;
    await removeDraft(db, requestId, null);
    return { kind: 'discarded' };
  });
}

/**
 * Removes drafts with their payers: those drafted before `olderThanReal`, but for one that somebody is at just then.
 * @returns how many were removed, `limit` at most.
 */
export async function purgePaymentDrafts(pool: Pool, olderThanReal: number, limit: number): Promise<number> {
  return inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ payer_id: string }>(
      `delete from payments where request_id in (
         select request_id from payments where status = 'draft' and drafted_real_at < $1
         limit $2 for update skip locked
       ) returning payer_id`,
      [instantToColumn(olderThanReal), limit],
    );
    await db.query('delete from payers where payer_id = any ($1)', [rows.map((row) => row.payer_id)]);
    return rows.length;
  });
}

export interface OpenedPayment {
  readonly requestId: string;
  /** Of the draft that the service was asked with: another one that has taken its place is not opened. */
  readonly draftedRealAt: number;
  readonly paymentId: PaymentId;
  readonly redirectURL: string;
  /** Real time: the session's 10 minutes run from here. */
  readonly requestedRealAt: number;
  readonly at: Instant;
}

/**
 * The service has opened the consent session: the draft becomes a payment in `pending_consent`.
 * @returns false where that draft is not there (any more); nothing was written then.
 */
export async function openPayment(pool: Pool, opened: OpenedPayment): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    const row = await queryOne<{ plan: PaymentPlan; amount: number; actor: string }>(
      db,
      `update payments
       set status = 'pending_consent', payment_id = $2, consent_status = 'pending', consent_redirect_url = $3,
           consent_requested_real_at = $4
       where request_id = $1 and status = 'draft' and drafted_real_at = $5
       returning plan, amount, actor`,
      [
        ...[opened.requestId, opened.paymentId, opened.redirectURL],
        ...[instantToColumn(opened.requestedRealAt), instantToColumn(opened.draftedRealAt)],
      ],
    );
    if (row === null) return false;
    const { paymentId, at } = opened;
    const about = { subscriptionId: null, paymentId, at };
    const asked = { plan: row.plan, amount: moneyFromColumn(row.amount) };
    await insertEvent(db, { ...about, actor: row.actor, type: 'payment.requested', data: asked });
    await insertEvent(db, { ...about, actor: DUEDAY, type: 'consent.requested', data: { paymentId } });
    return true;
  });
}

async function removeDraft(db: Db, requestId: string, draftedBefore: number | null): Promise<boolean> {
  const { rows } = await db.query<{ payer_id: string }>(
    `delete from payments
     where status = 'draft' and request_id = $1 and ($2::timestamptz is null or drafted_real_at < $2)
     returning payer_id`,
    [requestId, instantToColumn(draftedBefore)],
  );
  await db.query('delete from payers where payer_id = any ($1)', [rows.map((row) => row.payer_id)]);
  return rows.length > 0;
}

interface DraftRow {
  request_id: string;
  workflow_id: string;
  plan: PaymentPlan;
  amount: number;
  return_url: string;
  time_to_capture: number | null;
  partial_capture: boolean;
  multiple_capture: boolean;
  merchant_category_code: string | null;
  billing_address: PostalAddress;
  shipping_address: PostalAddress | null;
  actor: string;
  created_at: number;
  drafted_real_at: number;
}

function toDraft(row: DraftRow): PaymentDraft {
  return {
    requestId: row.request_id,
    workflowId: row.workflow_id,
    plan: row.plan,
    amount: moneyFromColumn(row.amount),
    returnURL: row.return_url,
    timeToCapture: row.time_to_capture,
    partialCapture: row.partial_capture,
    multipleCapture: row.multiple_capture,
    merchantCategoryCode: row.merchant_category_code,
    billingAddress: row.billing_address,
    shippingAddress: row.shipping_address,
    actor: row.actor,
    createdAt: row.created_at,
    draftedRealAt: row.drafted_real_at,
  };
}
