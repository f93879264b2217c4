import type { Pool } from 'pg';
import type { DiscardResult } from '../../contract/activities';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import type { Repetition } from '../../domain/subscription/schedule';
import type { OnExhausted } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { answerOnRecord, type RequestedRow } from '../answers-on-record';
import { instantToColumn, jsonToColumn, moneyFromColumn, type Db, queryOne, inTransaction } from '../database';
import { DUEDAY, insertEvent } from '../events';
import type { Frozen } from './facts';
import { insertPayer, type NewPayer, type PostalAddress } from './record';

/** A subscription before the service has answered `POST /payments`: all that the request needs. Nobody sees it yet. */
export interface SubscriptionDraft {
  readonly subscriptionId: SubscriptionId;
  /** By which the request that creates it is known when it is repeated; null or left out where it cannot be. */
  readonly requestId?: string | null;
  readonly workflowId: string;
  readonly repetition: Repetition;
  readonly consentAmount: Money;
  readonly startAt: Instant;
  readonly firstPaymentAt: Instant;
  readonly endAt: Instant | null;
  readonly onExhausted: OnExhausted;
  readonly returnURL: string;
  readonly payer: Pick<NewPayer, 'email' | 'reference'>;
  readonly billingAddress: PostalAddress;
  readonly shippingAddress: PostalAddress | null;
  readonly replaces: SubscriptionId | null;
  readonly warnings: readonly string[];
  readonly createdAt: Instant;
  /** Real time, epoch milliseconds. */
  readonly draftedRealAt: number;
}

export type InsertDraftResult =
  | { readonly kind: 'inserted'; readonly payerId: string }
  /** A subscription of this id, or a draft that somebody may still be asking for. */
  | { readonly kind: 'exists'; readonly status: string };

/**
 * Stores a draft and its payer together. A draft of the same id drafted before `staleBeforeReal` was left behind by
 * somebody who is gone, and is replaced; a younger one may still be on its way to the service, and counts as existing.
 * @param frozen what its workflow is begun with, for whoever begins it anew
 */
export async function insertDraft(
  pool: Pool,
  draft: SubscriptionDraft,
  staleBeforeReal: number,
  frozen: Frozen | null = null,
): Promise<InsertDraftResult> {
  return inTransaction(pool, async (db) => {
    await removeDraft(db, draft.subscriptionId, staleBeforeReal);
    const payerId = await insertPayer(db, { ...draft, ...draft.payer });
    if (await insertSubscription(db, draft, payerId, frozen)) return { kind: 'inserted', payerId };
    await db.query('delete from payers where payer_id = $1', [payerId]);
    return { kind: 'exists', status: await statusOf(db, draft.subscriptionId) };
  });
}

/** Null where there is no draft of this id (any more), or its payer has been erased. */
export async function readDraft(db: Db, subscriptionId: SubscriptionId): Promise<SubscriptionDraft | null> {
  const row = await queryOne<DraftRow>(
    db,
    `select s.*, p.email, p.reference, p.billing_address, p.shipping_address
     from subscriptions s join payers p using (payer_id)
     where s.subscription_id = $1 and s.status = 'draft' and p.billing_address is not null`,
    [subscriptionId],
  );
  return row === null ? null : toDraft(row);
}

export interface DraftedFor {
  readonly subscriptionId: SubscriptionId;
  readonly requestId: string;
  /** Real time, exclusive: one drafted then or before counts as another's. */
  readonly sinceReal: number;
}

/** Whether the subscription of this id, be it still a draft, was ordered by this request. */
export async function isDraftedFor(db: Db, { subscriptionId, requestId, sinceReal }: DraftedFor): Promise<boolean> {
  const row = await queryOne(
    db,
    'select 1 from subscriptions where subscription_id = $1 and request_id = $2 and drafted_real_at > $3',
    [subscriptionId, requestId, instantToColumn(sinceReal)],
  );
  return row !== null;
}

/**
 * Removes the draft, unless the service's answer is on record: that is told instead, and never deleted (rule 18). The
 * row is locked first, so that of a worker who is writing the answer at this moment the end is known.
 */
export async function deleteDraft(pool: Pool, subscriptionId: SubscriptionId): Promise<DiscardResult> {
  return inTransaction(pool, async (db) => {
    const row = await queryOne<RequestedRow>(
      db,
      `select status, payment_id, consent_requested_real_at from subscriptions where subscription_id = $1 for update`,
      [subscriptionId],
    );
    const answered = row === null ? null : answerOnRecord(row);
    if (answered !== null) return answered;
    await removeDraft(db, subscriptionId, null);
    return { kind: 'discarded' };
  });
}

/**
 * Removes drafts with their payers: those drafted before `olderThanReal`, but for one that somebody is at just then.
 * @returns how many were removed, `limit` at most.
 */
export async function purgeDrafts(pool: Pool, olderThanReal: number, limit: number): Promise<number> {
  return inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ payer_id: string }>(
      `delete from subscriptions where subscription_id in (
         select subscription_id from subscriptions where status = 'draft' and drafted_real_at < $1
         limit $2 for update skip locked
       ) returning payer_id`,
      [instantToColumn(olderThanReal), limit],
    );
    await db.query('delete from payers where payer_id = any ($1)', [rows.map((row) => row.payer_id)]);
    return rows.length;
  });
}

export interface OpenedConsent {
  readonly subscriptionId: SubscriptionId;
  /** Of the draft that the service was asked with: another one that has taken its place is not opened. */
  readonly draftedRealAt: number;
  readonly paymentId: PaymentId;
  readonly redirectURL: string;
  /** Real time: the session's 10 minutes run from here. */
  readonly requestedRealAt: number;
  readonly at: Instant;
}

/**
 * The service has opened the consent session: the draft becomes a subscription in `pending_consent`.
 * @returns false where that draft is not there (any more); nothing was written then.
 */
export async function openConsent(pool: Pool, opened: OpenedConsent): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      `update subscriptions
       set status = 'pending_consent', payment_id = $2, consent_status = 'pending', consent_redirect_url = $3,
           consent_requested_real_at = $4, next_due_at = first_payment_at
       where subscription_id = $1 and status = 'draft' and drafted_real_at = $5`,
      [
        ...[opened.subscriptionId, opened.paymentId, opened.redirectURL],
        ...[instantToColumn(opened.requestedRealAt), instantToColumn(opened.draftedRealAt)],
      ],
    );
    if (rowCount === 0) return false;
    await insertEvent(db, {
      subscriptionId: opened.subscriptionId,
      at: opened.at,
      actor: DUEDAY,
      type: 'consent.requested',
      data: { paymentId: opened.paymentId },
    });
    return true;
  });
}

async function removeDraft(db: Db, subscriptionId: SubscriptionId, draftedBefore: number | null): Promise<void> {
  const { rows } = await db.query<{ payer_id: string }>(
    `delete from subscriptions
     where subscription_id = $1 and status = 'draft' and ($2::timestamptz is null or drafted_real_at < $2)
     returning payer_id`,
    [subscriptionId, instantToColumn(draftedBefore)],
  );
  await db.query('delete from payers where payer_id = any ($1)', [rows.map((row) => row.payer_id)]);
}

async function insertSubscription(
  db: Db,
  draft: SubscriptionDraft,
  payerId: string,
  frozen: Frozen | null,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into subscriptions (
       subscription_id, payer_id, workflow_id, repetition, consent_amount, amount, start_at, first_payment_at, end_at,
       on_exhausted, return_url, replaces, warnings, created_at, drafted_real_at, retry_policy, spread, request_id
     ) values ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
     on conflict (subscription_id) do nothing`,
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
      jsonToColumn(frozen?.policy),
      frozen?.spread ?? null,
      draft.requestId ?? null,
    ],
  );
  return rowCount === 1;
}

async function statusOf(db: Db, subscriptionId: SubscriptionId): Promise<string> {
  const row = await queryOne<{ status: string }>(db, 'select status from subscriptions where subscription_id = $1', [
    subscriptionId,
  ]);
  return row?.status ?? 'draft';
}

interface DraftRow {
  subscription_id: string;
  workflow_id: string;
  repetition: Repetition;
  consent_amount: number;
  start_at: number;
  first_payment_at: number;
  end_at: number | null;
  on_exhausted: OnExhausted;
  return_url: string;
  replaces: string | null;
  warnings: string[];
  created_at: number;
  drafted_real_at: number;
  email: string | null;
  reference: string | null;
  billing_address: PostalAddress;
  shipping_address: PostalAddress | null;
}

function toDraft(row: DraftRow): SubscriptionDraft {
  return {
    subscriptionId: row.subscription_id as SubscriptionId,
    workflowId: row.workflow_id,
    repetition: row.repetition,
    consentAmount: moneyFromColumn(row.consent_amount),
    startAt: row.start_at,
    firstPaymentAt: row.first_payment_at,
    endAt: row.end_at,
    onExhausted: row.on_exhausted,
    returnURL: row.return_url,
    payer: { email: row.email, reference: row.reference },
    billingAddress: row.billing_address,
    shippingAddress: row.shipping_address,
    replaces: row.replaces as SubscriptionId | null,
    warnings: row.warnings,
    createdAt: row.created_at,
    draftedRealAt: row.drafted_real_at,
  };
}
