import type { Pool } from 'pg';
import type { SubscriptionId } from '../../domain/ids';
import type { Metadata } from '../../domain/metadata';
import type { Terms } from '../../domain/subscription/state';
import { HOUR, MINUTE } from '../../domain/time';
import { inTransaction } from '../sql/database';
import { instantToColumn, jsonToColumn, type Db, readRecord, readValue } from '../sql/statements';
import { openDraft, type OpenedDraft, removeStaleDraft } from '../rows/any-draft';
import { DUEDAY, insertEvent } from '../audit/entries';
import { type Frozen, readState } from '../deciding/facts';
import { deletePayers, insertPayer, type NewPayer, type SubscriptionRecord } from '../rows/subscription';
import { notifyReplaced } from '../deciding/replaced';
import { findBlockingReplacement, lockWithReplaced, type OtherReplacement } from '../subscriptions/replacements';

/**
 * A subscription before the service has answered `POST /payments`, with everything that the request needs. The API does not
 * show it yet.
 */
export interface SubscriptionDraft
  extends
    Terms,
    Pick<SubscriptionRecord, 'workflowId' | 'replaces' | 'warnings' | 'createdAt'>,
    Pick<NewPayer, 'billingAddress' | 'shippingAddress'> {
  /** Identifies a repeated creation request; null or omitted if it cannot be repeated. */
  readonly requestId?: string | null;
  readonly returnURL: string;
  readonly payer: Pick<NewPayer, 'email' | 'reference' | 'language'>;
  /** Empty by default. */
  readonly metadata?: Metadata;
  /** Real time, epoch milliseconds. */
  readonly draftedRealAt: number;
}

export type InsertDraftResult =
  | { readonly kind: 'inserted'; readonly payerId: string }
  /** There is a subscription with this id, or a draft that another process may still be sending. */
  | { readonly kind: 'exists'; readonly status: string }
  /** Another subscription is replacing the same one, or has replaced it (rule 22). */
  | { readonly kind: 'replaced_by_another'; readonly other: OtherReplacement };

/** The settings that a draft gets if the caller gives none. */
export const STANDARD: Frozen = {
  policy: { offsets: [24 * HOUR, 48 * HOUR, 71 * HOUR], transit: MINUTE, gap: 6 * HOUR },
  spread: 0,
};

/**
 * Stores a draft and its payer together. A draft with the same id is replaced if it has failed, or if it was drafted before
 * `staleBeforeReal`, as its process must have ended; a younger one may still be on its way to the service, and counts as existing.
 * @param frozen the settings that the subscription keeps, however the installation is configured later
 */
export async function insertDraft(
  pool: Pool,
  draft: SubscriptionDraft,
  staleBeforeReal: number,
  frozen: Frozen = STANDARD,
): Promise<InsertDraftResult> {
  return inTransaction(pool, async (db) => {
    const other = await findBlockingReplacement(db, draft);
    if (other !== null) return { kind: 'replaced_by_another', other };
    await removeStaleDraft(db, 'subscriptions', draft.subscriptionId, staleBeforeReal);
    const payerId = await insertSubscription(db, draft, frozen);
    if (payerId !== null) return { kind: 'inserted', payerId };
    return { kind: 'exists', status: await statusOf(db, draft.subscriptionId) };
  });
}

/** Null if there is no draft with this id (any more), or its payer has been erased. */
export async function readDraft(db: Db, subscriptionId: SubscriptionId): Promise<SubscriptionDraft | null> {
  return readRecord(
    db,
    `select s.subscription_id, s.workflow_id, s.repetition, s.consent_amount, s.start_at, s.first_payment_at, s.end_at,
       s.on_exhausted, s.return_url, s.replaces, s.warnings, s.created_at, s.drafted_real_at,
       p.email as "payer.email", p.reference as "payer.reference", p.language as "payer.language",
       p.billing_address, p.shipping_address
     from subscriptions s join payers p using (payer_id)
     where s.subscription_id = $1 and s.status = 'draft' and p.billing_address is not null`,
    [subscriptionId],
  );
}

export interface DraftedFor {
  readonly subscriptionId: SubscriptionId;
  readonly requestId: string;
  /** Real time, exclusive: a draft of that instant or before belongs to another request. */
  readonly sinceReal: number;
}

/** Whether the subscription with this id, or its draft, was created by this request. */
export async function isDraftedFor(db: Db, { subscriptionId, requestId, sinceReal }: DraftedFor): Promise<boolean> {
  const row = await readRecord(
    db,
    'select 1 from subscriptions where subscription_id = $1 and request_id = $2 and drafted_real_at > $3',
    [subscriptionId, requestId, instantToColumn(sinceReal)],
  );
  return row !== null;
}

/**
 * The service has opened the consent session: the draft becomes a subscription in `pending_consent`.
 * @returns null if that draft is not there (any more); nothing was written then.
 */
export async function openConsent(
  pool: Pool,
  opened: OpenedDraft & Pick<SubscriptionDraft, 'subscriptionId'>,
): Promise<OpenedConsent | null> {
  const { subscriptionId, paymentId, at } = opened;
  return inTransaction(pool, async (db) => {
    await lockWithReplaced(db, subscriptionId);
    if ((await openDraft(db, 'subscriptions', subscriptionId, opened, 'subscription_id')) === null) return null;
    const data = { paymentId };
    await insertEvent(db, { subscriptionId, at, actor: DUEDAY, type: 'consent.requested', data });
    const state = await readState(db, subscriptionId, at);
    return { other: await notifyReplaced(db, state, 'requested', at) };
  });
}

export interface OpenedConsent {
  /** The subscription that this one will replace, whose workflow has to be notified; null if there is none. */
  readonly other: { readonly subscriptionId: SubscriptionId; readonly revision: number } | null;
}

/** Inserts the row and its payer. @returns the id of the payer; null if the id of the subscription is taken. */
async function insertSubscription(db: Db, draft: SubscriptionDraft, frozen: Frozen): Promise<string | null> {
  const payerId = await insertPayer(db, { ...draft, ...draft.payer });
  const { rowCount } = await db.query(
    `insert into subscriptions (
       subscription_id, payer_id, workflow_id, repetition, consent_amount, amount, start_at, first_payment_at,
       end_at, on_exhausted, return_url, replaces, warnings, created_at, drafted_real_at, retry_policy, spread, request_id,
       metadata
     ) values ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
     on conflict do nothing`,
    [
      draft.subscriptionId,
      payerId,
      draft.workflowId,
      draft.repetition,
      draft.consentAmount.value,
      instantToColumn(draft.startAt),
      instantToColumn(draft.firstPaymentAt),
      instantToColumn(draft.endAt),
      draft.onExhausted,
      draft.returnURL,
      draft.replaces,
      jsonToColumn(draft.warnings),
      instantToColumn(draft.createdAt),
      instantToColumn(draft.draftedRealAt),
      jsonToColumn(frozen.policy),
      frozen.spread,
      draft.requestId ?? null,
      jsonToColumn(draft.metadata ?? {}),
    ],
  );
  if (rowCount === 1) return payerId;
  await deletePayers(db, [payerId]);
  return null;
}

async function statusOf(db: Db, subscriptionId: SubscriptionId): Promise<string> {
  const status = await readValue<string>(db, 'select status from subscriptions where subscription_id = $1', [
    subscriptionId,
  ]);
  return status ?? 'draft';
}
