import type { Pool } from 'pg';
import type { Metadata } from '../../domain/metadata';
import { type Actor, actorOf } from '../../domain/audit/event';
import { inTransaction } from '../sql/database';
import { instantToColumn, jsonToColumn, type Db, readRecord } from '../sql/statements';
import { openDraft, type OpenedDraft, removeStaleDraft } from '../rows/any-draft';
import { DUEDAY, insertEvent } from '../audit/entries';
import type { PaymentRecord } from '../rows/payment';
import { deletePayers, insertPayer, type NewPayer } from '../rows/subscription';
import { isClosedToLinks, lockLinkOf, recordLinkCreated } from './links';

/**
 * A one-time payment before the service has answered `POST /payments`: everything the request needs. The API does not
 * show it yet. Its actor is the caller.
 */
export interface PaymentDraft
  extends
    Actor,
    Pick<PaymentRecord, 'requestId' | 'workflowId' | 'plan' | 'amount' | 'createdAt'>,
    Pick<PaymentRecord, 'timeToCapture' | 'partialCapture' | 'multipleCapture' | 'merchantCategoryCode'>,
    Pick<NewPayer, 'billingAddress' | 'shippingAddress'> {
  readonly returnURL: string;
  /** Unknown if omitted. */
  readonly payer?: Pick<NewPayer, 'email' | 'reference' | 'language'>;
  /** Empty if omitted. */
  readonly metadata?: Metadata;
  /** Real time, epoch milliseconds. */
  readonly draftedRealAt: number;
}

const UNKNOWN_PAYER = { email: null, reference: null };

/**
 * Stores a draft together with its payer. A draft of the same request is replaced if it has failed, or if it was drafted
 * before `staleBeforeReal`, as its process must have ended; a younger one may still be on its way to the service.
 * @param transit ms before the capture deadline from which no capture is sent
 * @returns false if the request already has a payment, or a draft that another process may still be sending.
 */
export async function insertPaymentDraft(
  pool: Pool,
  draft: PaymentDraft,
  staleBeforeReal: number,
  transit: number | null = null,
): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    await removeStaleDraft(db, 'payments', draft.requestId, staleBeforeReal);
    return insertWithin(db, draft, transit);
  });
}

/** Stores a draft within the caller's transaction, which has removed a stale one. */
export async function insertWithin(db: Db, draft: PaymentDraft, transit: number | null = null): Promise<boolean> {
  const payerId = await insertPayer(db, { ...draft, ...(draft.payer ?? UNKNOWN_PAYER) });
  const { rowCount } = await db.query(
    `insert into payments (
       request_id, payer_id, workflow_id, plan, amount, return_url, time_to_capture, partial_capture,
       multiple_capture, merchant_category_code, actor, created_at, drafted_real_at, transit,
       metadata, key_id
     ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
     on conflict (request_id) do nothing`,
    [
      draft.requestId,
      payerId,
      draft.workflowId,
      draft.plan,
      draft.amount.value,
      draft.returnURL,
      draft.timeToCapture,
      draft.partialCapture,
      draft.multipleCapture,
      draft.merchantCategoryCode,
      draft.actor,
      instantToColumn(draft.createdAt),
      instantToColumn(draft.draftedRealAt),
      transit,
      jsonToColumn(draft.metadata ?? {}),
      draft.keyId ?? null,
    ],
  );
  if (rowCount === 0) await deletePayers(db, [payerId]);
  return rowCount === 1;
}

/** Null if the request has no draft, or its payer has been erased. */
export async function readPaymentDraft(db: Db, requestId: string): Promise<PaymentDraft | null> {
  return readRecord(
    db,
    `select p.request_id, p.workflow_id, p.plan, p.amount, p.return_url, p.time_to_capture, p.partial_capture,
       p.multiple_capture, p.merchant_category_code, y.billing_address, y.shipping_address, p.actor, p.key_id, p.created_at,
       p.drafted_real_at
     from payments p join payers y using (payer_id)
     where p.request_id = $1 and p.status = 'draft' and y.billing_address is not null`,
    [requestId],
  );
}

/**
 * The service has opened the consent session: the draft becomes a payment in `pending_consent`.
 * @returns false if that draft no longer exists or will not be opened, as it has an answer, or if it is a link and its
 * cycle can no longer be paid by one; then nothing is written.
 */
export async function openPayment(pool: Pool, opened: OpenedDraft & Pick<PaymentDraft, 'requestId'>): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    const link = await lockLinkOf(db, opened.requestId);
    if (link !== null && (await isClosedToLinks(db, link))) return false;
    const row = await openDraft<Pick<PaymentDraft, 'plan' | 'amount' | keyof Actor>>(
      db,
      'payments',
      opened.requestId,
      opened,
      'plan, amount, actor, key_id',
    );
    if (row === null) return false;
    const { paymentId, at } = opened;
    const about = { subscriptionId: null, paymentId, at };
    const requested = { plan: row.plan, amount: row.amount };
    await insertEvent(db, { ...about, ...actorOf(row), type: 'payment.requested', data: requested });
    await insertEvent(db, { ...about, actor: DUEDAY, type: 'consent.requested', data: { paymentId } });
    if (link !== null) await recordLinkCreated(db, { ...link, ...opened, ...row });
    return true;
  });
}
