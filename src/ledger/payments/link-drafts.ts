import type { Pool } from 'pg';
import type { Metadata } from '../../domain/metadata';
import { type LinkableCycle, refuseLink } from '../../domain/payment/link';
import { conflict, type Refusal } from '../../domain/subscription/requests';
import type { Actor } from '../../domain/audit/event';
import { lockSubscription } from '../deciding/changes';
import { DRAFT_LIFE } from '../payers/unfinished';
import { removeDrafts, removeStaleDraft } from '../rows/any-draft';
import type { LinkedCycle } from '../rows/payment';
import type { NewPayer } from '../rows/subscription';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, readRecord, textToColumn } from '../sql/statements';
import { insertWithin, type PaymentDraft } from './drafts';

/**
 * A payment link before the service has answered, with the amount that the caller saw for the cycle. Payer and metadata are those
 * of its subscription.
 */
export interface LinkDraft
  extends
    Actor,
    LinkedCycle,
    Pick<
      PaymentDraft,
      'requestId' | 'workflowId' | 'amount' | 'returnURL' | 'merchantCategoryCode' | 'createdAt' | 'draftedRealAt'
    > {
  readonly reason: string | null;
}

export type LinkDrafted =
  /** `exists`: the request already has a payment, or a draft that another process may still be sending. */
  { readonly kind: 'inserted' | 'exists' } | { readonly kind: 'not_allowed'; readonly refusal: Refusal };

/**
 * Stores the draft of a link, if the cycle may be paid by one: judged under the subscription's lock, so that of two concurrent
 * requests one is refused (rules 15, 25).
 * @param staleBeforeReal see {@link insertPaymentDraft}
 * @throws if the subscription is not in the ledger.
 */
export async function insertLinkDraft(pool: Pool, draft: LinkDraft, staleBeforeReal: number): Promise<LinkDrafted> {
  return inTransaction(pool, async (db): Promise<LinkDrafted> => {
    const { subscriptionId, cycle, requestId, reason } = draft;
    await lockSubscription(db, subscriptionId);
    await removeStaleDraft(db, 'payments', requestId, staleBeforeReal);
    if (await isRequested(db, requestId)) return { kind: 'exists' };
    await removeAbandoned(db, draft);
    const refusal = await judgeLink(db, draft);
    if (refusal !== null) return { kind: 'not_allowed', refusal };
    const terms = await readTerms(db, draft);
    if (terms === null) return { kind: 'not_allowed', refusal: conflict('the personal data of the payer was erased') };
    await insertWithin(db, { ...SINGLE, ...draft, ...terms });
    await db.query('insert into payment_links (request_id, subscription_id, cycle, reason) values ($1, $2, $3, $4)', [
      requestId,
      subscriptionId,
      cycle,
      textToColumn(reason),
    ]);
    return { kind: 'inserted' };
  });
}

const SINGLE = { plan: 'SINGLE', timeToCapture: null, partialCapture: false, multipleCapture: false } as const;

async function isRequested(db: Db, requestId: string): Promise<boolean> {
  return (await readRecord(db, 'select from payments where request_id = $1', [requestId])) !== null;
}

/** Removes abandoned drafts of the cycle's links: their process must have ended before any caller got the address. */
async function removeAbandoned(db: Db, { subscriptionId, cycle, draftedRealAt }: LinkDraft): Promise<void> {
  const ofCycle = 'request_id in (select request_id from payment_links where subscription_id = $1 and cycle = $2)';
  const abandonedBefore = instantToColumn(draftedRealAt - DRAFT_LIFE);
  await removeDrafts(db, 'payments', `${ofCycle} and drafted_real_at < $3`, [subscriptionId, cycle, abandonedBefore]);
}

/** Why the cycle may not be paid by a link now; null if it may. The caller holds the lock of the subscription. */
async function judgeLink(db: Db, { subscriptionId, cycle, amount, createdAt }: LinkDraft): Promise<Refusal | null> {
  const found = await readRecord<LinkableCycle>(
    db,
    `select c.cycle, c.status, c.amount, c.collect_by, has_unknown_outcome(c.subscription_id, c.cycle) as has_unknown_outcome,
       l.state as "link?.state", p.payment_id as "link?.payment_id"
     from cycles c
     left join payment_links l on (l.subscription_id, l.cycle) = (c.subscription_id, c.cycle) and l.state <> 'ended'
     left join payments p using (request_id)
     where c.subscription_id = $1 and c.cycle = $2`,
    [subscriptionId, cycle],
  );
  return found === null ? conflict(`cycle ${cycle} has not fallen due yet`) : refuseLink(found, amount, createdAt);
}

interface LinkTerms extends Pick<NewPayer, 'billingAddress' | 'shippingAddress'> {
  readonly metadata: Metadata;
  readonly payer: Pick<NewPayer, 'email' | 'reference' | 'language'>;
}

/** Null if the payer was erased. Locks the payer: an erasure waits, and then finds the copy. */
async function readTerms(db: Db, { subscriptionId }: LinkedCycle): Promise<LinkTerms | null> {
  return readRecord(
    db,
    `select s.metadata, p.billing_address, p.shipping_address, p.email as "payer.email",
       p.reference as "payer.reference", p.language as "payer.language"
     from subscriptions s join payers p using (payer_id)
     where s.subscription_id = $1 and p.billing_address is not null
     for share of p`,
    [subscriptionId],
  );
}
