import type { Pool } from 'pg';
import type { PaymentId, SubscriptionId } from '../domain/ids';
import type { Money } from '../domain/money';
import { instantToColumn, jsonToColumn } from './column';
import type { Db } from './db';
import type { SubscriptionDraft } from './drafts';
import { insertPayer } from './payers';
import type { Frozen } from './subscription-facts';
import { inTransaction } from './transaction';

/** A subscription to be whose consent was granted elsewhere, before the service has been asked for it. Nobody sees it yet. */
export interface ImportDraft extends Omit<SubscriptionDraft, 'returnURL'> {
  readonly paymentId: PaymentId;
  /** What the next cycle collects. */
  readonly amount: Money;
}

/** A subscription or a draft in which an import finds its id or its payment. */
export interface MandateOnRecord {
  readonly subscriptionId: SubscriptionId;
  readonly paymentId: PaymentId | null;
  readonly isDraft: boolean;
  readonly warnings: readonly string[];
}

/** Whatever stands under this id, or under this payment: one row, two, or none. */
export async function findMandates(
  db: Db,
  { subscriptionId, paymentId }: Pick<ImportDraft, 'subscriptionId' | 'paymentId'>,
): Promise<MandateOnRecord[]> {
  const { rows } = await db.query<MandateRow>(
    `select subscription_id, payment_id, status, warnings from subscriptions
     where subscription_id = $1 or payment_id = $2 order by subscription_id`,
    [subscriptionId, paymentId],
  );
  return rows.map((row) => ({
    subscriptionId: row.subscription_id as SubscriptionId,
    paymentId: row.payment_id as PaymentId | null,
    isDraft: row.status === 'draft',
    warnings: row.warnings,
  }));
}

/** Which drafts that are in the way have been left behind, and are replaced. */
export interface Replaceable {
  /** That of the same id and payment. */
  readonly same: boolean;
  /** One of another id with the same payment, drafted before. Real time. */
  readonly otherDraftedBeforeReal: number;
}

/**
 * @param frozen what its workflow is begun with, for whoever begins it anew
 * @returns false where the id or the payment is taken; nothing was written then.
 */
export async function insertImportDraft(
  pool: Pool,
  draft: ImportDraft,
  replaceable: Replaceable,
  frozen: Frozen | null = null,
): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    await removeLeftBehind(db, draft, replaceable);
    const payerId = await insertPayer(db, { ...draft, ...draft.payer });
    const inserted = await insertSubscription(db, draft, payerId, frozen);
    if (!inserted) await db.query('delete from payers where payer_id = $1', [payerId]);
    return inserted;
  });
}

async function removeLeftBehind(db: Db, draft: ImportDraft, { same, otherDraftedBeforeReal }: Replaceable) {
  const { rows } = await db.query<{ payer_id: string }>(
    `delete from subscriptions
     where status = 'draft' and payment_id = $2
       and ((subscription_id = $1 and $3) or (subscription_id <> $1 and drafted_real_at < $4))
     returning payer_id`,
    [draft.subscriptionId, draft.paymentId, same, instantToColumn(otherDraftedBeforeReal)],
  );
  if (rows.length > 0) {
    await db.query('delete from payers where payer_id = any ($1)', [rows.map((row) => row.payer_id)]);
  }
}

async function insertSubscription(
  db: Db,
  draft: ImportDraft,
  payerId: string,
  frozen: Frozen | null,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into subscriptions (
       subscription_id, payment_id, payer_id, workflow_id, repetition, consent_amount, amount, start_at,
       first_payment_at, end_at, on_exhausted, replaces, warnings, created_at, drafted_real_at, retry_policy, spread
     ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
     on conflict do nothing`,
    [
      draft.subscriptionId,
      draft.paymentId,
      payerId,
      draft.workflowId,
      draft.repetition,
      draft.consentAmount.value,
      draft.amount.value,
      instantToColumn(draft.startAt),
      instantToColumn(draft.firstPaymentAt),
      instantToColumn(draft.endAt),
      draft.onExhausted,
      draft.replaces,
      jsonToColumn(draft.warnings),
      instantToColumn(draft.createdAt),
      instantToColumn(draft.draftedRealAt),
      jsonToColumn(frozen?.policy),
      frozen?.spread ?? null,
    ],
  );
  return rowCount === 1;
}

interface MandateRow {
  subscription_id: string;
  payment_id: string | null;
  status: string;
  warnings: string[];
}
