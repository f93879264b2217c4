import type { SubscriptionId } from '../../domain/ids';
import { REPLACED_BY_ANOTHER } from '../../domain/subscription/pauses';
import type { SubscriptionStatus } from '../../domain/subscription/state';
import { MINUTE } from '../../domain/time';
import { type Db, instantToColumn, readRecord } from '../sql/statements';

/** A subscription that is to take the place of another, or has taken it. */
export interface OtherReplacement {
  readonly subscriptionId: SubscriptionId;
  /** A draft is one whose consent session the service has not opened yet. */
  readonly status: SubscriptionStatus | 'draft';
  readonly redirectURL: string | null;
}

/** Real ms after which a draft has certainly been answered by the service, or given up. */
const LONGEST_DRAFT = 5 * MINUTE;

/**
 * The replacement that is pending or active already; null where there is none (rule 22). One that is being cancelled is
 * none, and neither is a draft whose process has gone.
 */
export async function findReplacement(
  db: Db,
  replaces: SubscriptionId,
  other: { readonly than: SubscriptionId; readonly draftedRealAt: number },
): Promise<OtherReplacement | null> {
  return readRecord(
    db,
    `select subscription_id, status, consent_redirect_url as "redirect_url" from subscriptions
     where replaces = $1 and subscription_id <> $2 and hold is distinct from 'cancel' and cancellation is null
       and (status in ('pending_consent', 'active', 'paused') or (status = 'draft' and drafted_real_at > $3))
     order by status = 'draft', created_at, subscription_id limit 1`,
    [replaces, other.than, instantToColumn(other.draftedRealAt - LONGEST_DRAFT)],
  );
}

interface NewReplacement {
  readonly subscriptionId: SubscriptionId;
  readonly replaces: SubscriptionId | null;
  readonly draftedRealAt: number;
}

/**
 * Locks the row of the subscription that a draft is to replace, so that of two drafts one comes first.
 * @returns what is in the draft's way; null where nothing is.
 */
export async function findReplacementInWay(db: Db, draft: NewReplacement): Promise<OtherReplacement | null> {
  const { subscriptionId, replaces, draftedRealAt } = draft;
  if (replaces === null) return null;
  await db.query('select from subscriptions where subscription_id = $1 for update', [replaces]);
  return findReplacement(db, replaces, { than: subscriptionId, draftedRealAt });
}

/** Locks the row, and that of the subscription that it is to replace, in the order of their ids (rule 22). */
export async function lockWithReplaced(db: Db, subscriptionId: SubscriptionId): Promise<void> {
  await db.query(
    `select from subscriptions
     where subscription_id = any (array(
       select unnest(array[subscription_id, replaces]) from subscriptions where subscription_id = $1
     ))
     order by subscription_id for update`,
    [subscriptionId],
  );
}

/** The grant that loses its place to another replacement. */
export interface LostGrant {
  /** The replacement that was granted first; null where that one has ended since. */
  readonly to: SubscriptionId | null;
  /** That it is lost is in the ledger already. */
  readonly isKnown: boolean;
}

/**
 * Whether another replacement was granted before this one; null where the place is free. The caller holds both rows'
 * locks. One that is being cancelled competes with none: it never takes the place.
 */
export async function judgeGrant(db: Db, subscriptionId: SubscriptionId): Promise<LostGrant | null> {
  const lost = await readRecord<LostGrant>(
    db,
    `select
       (
         select other.subscription_id from subscriptions other
         where other.replaces = s.replaces and other.subscription_id <> s.subscription_id
           and other.status in ('active', 'paused') and other.cancellation is null
         order by other.created_at, other.subscription_id limit 1
       ) as "to",
       s.cancellation is not null as is_known
     from subscriptions s
     where s.subscription_id = $1 and (s.cancellation is null or s.cancellation ->> 'reason' = $2)`,
    [subscriptionId, REPLACED_BY_ANOTHER],
  );
  return lost !== null && (lost.isKnown || lost.to !== null) ? lost : null;
}
