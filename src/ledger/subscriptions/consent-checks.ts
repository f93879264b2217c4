import type { Pool } from 'pg';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import type { Instant } from '../../domain/time';
import { endItem, type Evidence, openItem } from '../rows/attention-item';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, readRecord } from '../sql/statements';

/** Attention items about a consent, or about its end (rule 41). */
export type ConsentItemKind = 'cancellation_unconfirmed' | 'consent_unreadable' | 'consent_unsettled';

function itemKey(id: SubscriptionId | PaymentId, kind: ConsentItemKind): string {
  return `consent/${id}/${kind}`;
}

/** A check of a consent that permitted nothing. */
interface FailedCheck {
  readonly subscriptionId: SubscriptionId;
  /** Business time. */
  readonly at: Instant;
  readonly realAt: number;
  /** What the service answered. */
  readonly reason: string;
}

/** The subscription of a failed check, and the time since which its checks have failed. */
interface Progress {
  readonly status: string;
  readonly paymentId: PaymentId | null;
  /** Real time. */
  readonly since: number;
}

async function openConsentItem(
  db: Db,
  { subscriptionId, at, reason }: FailedCheck,
  kind: ConsentItemKind,
  { status, paymentId }: Pick<Progress, 'status' | 'paymentId'>,
): Promise<void> {
  const [ledger, service]: Evidence[] = [{ state: status }, { state: 'not confirmed', detail: reason }];
  const item = { source: 'consent', kind, subscriptionId, paymentId, ledger, service } as const;
  await openItem(db, { key: itemKey(subscriptionId, kind), ...item }, at);
}

/**
 * Records that the consent of a subscription in force could not be read, or does not read as granted: nothing is collected. A
 * single failure opens no item; an item opens once checks have failed for the settle time.
 * @param settle real ms
 */
export async function recordUnreadableConsent(pool: Pool, check: FailedCheck, settle: number): Promise<void> {
  const { subscriptionId, realAt } = check;
  await inTransaction(pool, async (db) => {
    const found = await readRecord<Progress>(
      db,
      `update subscriptions set consent_unreadable_real_at = coalesce(consent_unreadable_real_at, $2)
       where subscription_id = $1 and status in ('active', 'paused') and stopped_by is distinct from 'cancel'
       returning status, payment_id, consent_unreadable_real_at as since`,
      [subscriptionId, instantToColumn(realAt)],
    );
    if (found !== null && realAt - found.since >= settle) {
      await openConsentItem(db, check, 'consent_unreadable', found);
    }
  });
}

/** Records that the answer of the payer still cannot be read, long after the session. */
export async function recordUnsettledConsent(pool: Pool, check: FailedCheck): Promise<void> {
  await inTransaction(pool, async (db) => {
    const found = await readRecord<Progress>(
      db,
      `update subscriptions set consent_unreadable_real_at = coalesce(consent_unreadable_real_at, $2)
       where subscription_id = $1 and status = 'pending_consent'
       returning status, payment_id, consent_unreadable_real_at as since`,
      [check.subscriptionId, instantToColumn(check.realAt)],
    );
    if (found !== null) await openConsentItem(db, check, 'consent_unsettled', found);
  });
}

/**
 * Records that the consent can be read again. For a subscription in force, a consent that reads as pending changes nothing: it
 * permits nothing (rule 7).
 */
export async function endUnreadable(pool: Pool, subscriptionId: SubscriptionId, isPending: boolean): Promise<void> {
  await inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      `update subscriptions set consent_unreadable_real_at = null
       where subscription_id = $1 and (status = 'pending_consent' or not $2)`,
      [subscriptionId, isPending],
    );
    if (rowCount === 0) return;
    await endItem(db, itemKey(subscriptionId, 'consent_unsettled'));
    await endItem(db, itemKey(subscriptionId, 'consent_unreadable'));
  });
}

/** The progress of the deletion of a consent. */
export interface Deletion {
  /** Real time of the first DELETE. */
  readonly since: number;
  /** Whether a DELETE before this one may have ended the consent. */
  readonly mayHaveEnded: boolean;
}

/** Records that a DELETE is about to be sent: the end that it causes is attributed to the merchant (rule 7). */
export async function beginDeletion(db: Db, subscriptionId: SubscriptionId, realAt: number): Promise<Deletion> {
  const deletion = await readRecord<Deletion>(
    db,
    `update subscriptions s set merchant_deleted_consent = true,
       consent_deleting_real_at = coalesce(s.consent_deleting_real_at, $2)
     from (select merchant_deleted_consent from subscriptions where subscription_id = $1 for update) before
     where s.subscription_id = $1
     returning s.consent_deleting_real_at as since, before.merchant_deleted_consent as may_have_ended`,
    [subscriptionId, instantToColumn(realAt)],
  );
  if (deletion === null) throw new Error(`the ledger has no subscription ${subscriptionId}`);
  return deletion;
}

/** Records that the service has refused every DELETE so far: an end of the consent is not attributed to the merchant. */
export async function recordDeletionRefused(db: Db, subscriptionId: SubscriptionId): Promise<void> {
  await db.query('update subscriptions set merchant_deleted_consent = false where subscription_id = $1', [
    subscriptionId,
  ]);
}

/**
 * Opens an item: the service has refused to delete the consent, or has not confirmed it in time, and an operator must ask the
 * service.
 */
export async function recordUnconfirmedDeletion(pool: Pool, check: FailedCheck): Promise<void> {
  await inTransaction(pool, async (db) => {
    const found = await readRecord<Pick<Progress, 'status' | 'paymentId'>>(
      db,
      `select status, payment_id from subscriptions
       where subscription_id = $1 and status in ('pending_consent', 'active', 'paused') for update`,
      [check.subscriptionId],
    );
    if (found !== null) await openConsentItem(db, check, 'cancellation_unconfirmed', found);
  });
}

/**
 * Records that the consent was granted despite a DELETE after its session: that DELETE ended nothing, and a later end is not
 * attributed to it. Within the transaction of the grant; an open cancellation continues with its own DELETE.
 */
export async function endDeletion(db: Db, subscriptionId: SubscriptionId): Promise<void> {
  const { rowCount } = await db.query(
    `update subscriptions set merchant_deleted_consent = false, consent_deleting_real_at = null
     where subscription_id = $1 and stopped_by is distinct from 'cancel' and cancellation is null
       and (merchant_deleted_consent or consent_deleting_real_at is not null)`,
    [subscriptionId],
  );
  if (rowCount !== 0) await endItem(db, itemKey(subscriptionId, 'cancellation_unconfirmed'));
}

/** Closes the items about the consent, within the transaction in which the subscription ends. */
export async function endConsentItems(db: Db, subscriptionId: SubscriptionId): Promise<void> {
  for (const kind of ['cancellation_unconfirmed', 'consent_unreadable', 'consent_unsettled'] as const) {
    await endItem(db, itemKey(subscriptionId, kind));
  }
}
