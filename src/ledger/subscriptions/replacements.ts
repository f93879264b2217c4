import type { SubscriptionId } from '../../domain/ids';
import { REPLACED_BY_ANOTHER } from '../../domain/subscription/replacements';
import type { SubscriptionStatus } from '../../domain/subscription/state';
import { MINUTE } from '../../domain/time';
import { type Db, instantToColumn, readRecord } from '../sql/statements';

/** A subscription that is replacing another, or has replaced it. */
export interface OtherReplacement {
  readonly subscriptionId: SubscriptionId;
  /** `draft` if the service has not opened its consent session yet. */
  readonly status: SubscriptionStatus | 'draft';
  readonly redirectURL: string | null;
}

/** Real ms after which the service has certainly answered a draft, or it was given up. */
const MAX_DRAFT_AGE = 5 * MINUTE;

/**
 * The replacement that is pending or active already; null if there is none (rule 22). One that is being cancelled does not
 * count, nor does a draft whose process is gone.
 */
export async function findReplacement(
  db: Db,
  replaces: SubscriptionId,
  other: { readonly than: SubscriptionId; readonly draftedRealAt: number },
): Promise<OtherReplacement | null> {
  return readRecord(
    db,
    `select subscription_id, status, consent_redirect_url as "redirect_url" from subscriptions
     where replaces = $1 and subscription_id <> $2 and stopped_by is distinct from 'cancel' and cancellation is null
       and (status in ('pending_consent', 'active', 'paused') or (status = 'draft' and drafted_real_at > $3))
     order by status = 'draft', created_at, subscription_id limit 1`,
    [replaces, other.than, instantToColumn(other.draftedRealAt - MAX_DRAFT_AGE)],
  );
}

interface NewReplacement {
  readonly subscriptionId: SubscriptionId;
  readonly replaces: SubscriptionId | null;
  readonly draftedRealAt: number;
}

/**
 * Locks the row of the subscription that a draft replaces, so that two drafts are serialized.
 * @returns the replacement that blocks the draft; null if there is none.
 */
export async function findBlockingReplacement(db: Db, draft: NewReplacement): Promise<OtherReplacement | null> {
  const { subscriptionId, replaces, draftedRealAt } = draft;
  if (replaces === null) return null;
  await db.query('select from subscriptions where subscription_id = $1 for update', [replaces]);
  return findReplacement(db, replaces, { than: subscriptionId, draftedRealAt });
}

/** Locks the row of a subscription, and that of the subscription that it replaces, in the order of their ids (rule 22). */
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

/** A grant that loses to another replacement. */
export interface LostGrant {
  /** The replacement that was granted first; null if it has ended since. */
  readonly to: SubscriptionId | null;
  /** Whether the ledger has recorded the loss already. */
  readonly isKnown: boolean;
}

/**
 * The loss of a grant to a replacement that was granted before; null if there was none. The caller holds the locks of both rows.
 * A subscription that is being cancelled does not compete: it never replaces anything.
 */
export async function findLostGrant(db: Db, subscriptionId: SubscriptionId): Promise<LostGrant | null> {
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
