import type { Pool } from 'pg';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import type { Adopted } from '../../domain/subscription/adoption';
import type { Terms } from '../../domain/subscription/state';
import { type Instant, isoOrNull, toIso } from '../../domain/time';
import { type Actor, actorOf } from '../../domain/trail/event';
import { inTransaction } from '../database';
import { instantToColumn, jsonToColumn, type Db, readRecord, readRecords } from '../statements';
import { removeDrafts } from './any-draft';
import { insertEvent } from '../trail';
import { type DraftedAdoption, insertSubscription, STANDARD, type SubscriptionDraft } from './drafts';
import { type Frozen, readState } from '../deciding/facts';
import type { SubscriptionRecord } from '../subscriptions/record';
import { notifyReplaced } from '../deciding/replaced';
import {
  findReplacementInWay,
  judgeGrant,
  lockWithReplaced,
  type OtherReplacement,
} from '../subscriptions/replacements';

/**
 * A subscription to be whose consent was granted elsewhere, before the service has been asked for it. No answer of the
 * API shows it yet.
 */
export interface ImportDraft extends Omit<SubscriptionDraft, 'returnURL'> {
  readonly paymentId: PaymentId;
  /** What the next cycle collects. */
  readonly amount: Money;
  readonly adoption: DraftedAdoption;
}

/** A subscription or a draft in which an import finds its id or its payment. */
export interface MandateOnRecord extends Pick<SubscriptionRecord, 'subscriptionId' | 'paymentId' | 'warnings'> {
  readonly isDraft: boolean;
}

/** The rows with this id or this payment: one, two, or none. */
export async function findMandates(
  db: Db,
  { subscriptionId, paymentId }: Pick<ImportDraft, 'subscriptionId' | 'paymentId'>,
): Promise<MandateOnRecord[]> {
  return readRecords(
    db,
    `select subscription_id, payment_id, status = 'draft' as is_draft, warnings from subscriptions
     where subscription_id = $1 or payment_id = $2 order by subscription_id`,
    [subscriptionId, paymentId],
  );
}

/** Which drafts that are in the way have expired, and are replaced. */
export interface Replaceable {
  /** That of the same id and payment. */
  readonly same: boolean;
  /** One of another id with the same payment, drafted before. Real time. */
  readonly otherDraftedBeforeReal: number;
}

/**
 * @param frozen what its workflow is begun with, for a process that starts it anew
 * @returns false where the id or the payment is taken, and the replacement that is in the way of this one (rule 22);
 * nothing was written then.
 */
export async function insertImportDraft(
  pool: Pool,
  draft: ImportDraft,
  replaceable: Replaceable,
  frozen: Frozen = STANDARD,
): Promise<boolean | OtherReplacement> {
  return inTransaction(pool, async (db) => {
    const other = await findReplacementInWay(db, draft);
    if (other !== null) return other;
    const { same, otherDraftedBeforeReal } = replaceable;
    await removeDrafts(
      db,
      'subscriptions',
      `payment_id = $2 and (
         draft_answer is not null or (subscription_id = $1 and $3) or (subscription_id <> $1 and drafted_real_at < $4)
       )`,
      [draft.subscriptionId, draft.paymentId, same, instantToColumn(otherDraftedBeforeReal)],
    );
    return (await insertSubscription(db, draft, frozen)) !== null;
  });
}

/** What a workflow has adopted: the ledger takes all of it from here, not from the draft. */
export interface Adoption extends Actor {
  readonly paymentId: PaymentId;
  readonly terms: Terms;
  readonly adopted: Adopted;
  /** What the next cycle collects, which one that is, and when it falls due. */
  readonly amount: Money;
  readonly cycle: number;
  readonly dueAt: Instant;
  readonly collectFrom: Instant;
  readonly at: Instant;
}

/**
 * The service has the consent: the import's draft becomes an active subscription, in one transaction with its trail.
 * @returns what it begins with, warnings of the draft included; null where there is no such draft, or another replacement
 * was granted first, see {@link judgeGrant}.
 */
export async function adoptDraft(pool: Pool, adoption: Adoption): Promise<AdoptedDraft | null> {
  return inTransaction(pool, async (db) => {
    await lockWithReplaced(db, adoption.terms.subscriptionId);
    if ((await judgeGrant(db, adoption.terms.subscriptionId)) !== null) return null;
    const row = await readRecord<Pick<Adopted, 'warnings'>>(db, ACTIVATE, activationOf(adoption));
    if (row === null) return null;
    await insertEvent(db, {
      subscriptionId: adoption.terms.subscriptionId,
      at: adoption.at,
      ...actorOf(adoption),
      type: 'subscription.imported',
      data: importedData(adoption),
    });
    const state = await readState(db, adoption.terms.subscriptionId, adoption.at);
    return { ...adoption.adopted, ...row, other: await notifyReplaced(db, state, 'granted', adoption.at) };
  });
}

export interface AdoptedDraft extends Adopted {
  /** The subscription that it replaces, whose workflow has to be notified; null if there is none. */
  readonly other: { readonly subscriptionId: SubscriptionId; readonly revision: number } | null;
}

const ACTIVATE = `
  update subscriptions
  set status = 'active', consent_status = 'successful', consent_checked_at = $3,
      repetition = $4, start_at = $5, first_payment_at = $6, end_at = $7, on_exhausted = $8,
      consent_amount = $9, amount = $10, next_due_at = $11, collect_from = $12, collected_elsewhere = $13,
      last_increase_at = $14, warnings = warnings || $15::jsonb
  where subscription_id = $1 and payment_id = $2 and status = 'draft'
  returning warnings`;

function activationOf({ paymentId, terms, adopted, amount, dueAt, collectFrom, at }: Adoption): unknown[] {
  return [
    terms.subscriptionId,
    paymentId,
    instantToColumn(at),
    terms.repetition,
    instantToColumn(terms.startAt),
    instantToColumn(terms.firstPaymentAt),
    instantToColumn(terms.endAt),
    terms.onExhausted,
    adopted.consentAmount.value,
    amount.value,
    instantToColumn(dueAt),
    instantToColumn(collectFrom),
    adopted.collectedOnce,
    instantToColumn(adopted.lastIncreaseAt),
    jsonToColumn(adopted.warnings),
  ];
}

function importedData({ paymentId, terms, adopted, amount, cycle, dueAt, collectFrom }: Adoption) {
  const { consentAmount, collectedOnce, lastIncreaseAt } = adopted;
  return {
    paymentId,
    repetition: terms.repetition,
    amount,
    consentAmount,
    firstPaymentAt: toIso(terms.firstPaymentAt),
    endAt: isoOrNull(terms.endAt),
    collectFrom: toIso(collectFrom),
    cycle,
    dueAt: toIso(dueAt),
    collectedElsewhere: collectedOnce,
    lastIncreaseAt: isoOrNull(lastIncreaseAt),
  };
}
