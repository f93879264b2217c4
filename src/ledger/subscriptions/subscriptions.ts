import type { PaymentRef } from '../../contract/activities';
import type { SubscriptionId, PaymentId } from '../../domain/ids';
import type { Repetition } from '../../domain/subscription/schedule';
import type { Standing, SubscriptionStatus } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { type Page, type PageOf, toPage } from '../cursor';
import { instantToColumn, textToColumn, type Db, queryOne } from '../database';
import {
  type ConsentState,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRecord,
  type SubscriptionRow,
  toSubscription,
} from './record';
import { readNewest, searchOf } from './search';

/** Null where there is none; a draft is none. */
export async function getSubscription(db: Db, subscriptionId: SubscriptionId): Promise<SubscriptionRecord | null> {
  const row = await queryOne<SubscriptionRow>(
    db,
    `select ${SUBSCRIPTION_COLUMNS} from subscriptions s join payers p using (payer_id)
     where s.subscription_id = $1 and s.status <> 'draft'`,
    [subscriptionId],
  );
  return row === null ? null : toSubscription(row);
}

export interface SubscriptionFilter {
  readonly status?: SubscriptionStatus | undefined;
  readonly standing?: Standing | undefined;
  readonly repetition?: Repetition | undefined;
  /** Exclusive. */
  readonly dueBefore?: Instant | undefined;
  /** Beginnings of words of an id, or of the payer's name, e-mail or reference, in any case; all of them must be found. */
  readonly q?: string | undefined;
}

/** Newest first; those created at one instant by id, descending. */
export async function listSubscriptions(
  db: Db,
  filter: SubscriptionFilter,
  page: Page,
): Promise<PageOf<SubscriptionRecord>> {
  const { status = null, standing = null, repetition = null, dueBefore = null, q = null } = filter;
  const filters = [status, standing, repetition, instantToColumn(dueBefore)];
  const rows = await readNewest<SubscriptionRow>(db, SEARCH, page, q, filters);
  return toPage(rows.map(toSubscription), page.limit, ({ createdAt, subscriptionId }) => [createdAt, subscriptionId]);
}

const SEARCH = searchOf({
  ...{ table: 'subscriptions', id: 'subscription_id', words: 'subscription_words' },
  wanted: `s.status <> 'draft'
    and ($5::text is null or s.status = $5)
    and ($6::text is null or s.standing = $6)
    and ($7::text is null or s.repetition = $7)
    and ($8::timestamptz is null or s.next_due_at < $8)`,
  columns: SUBSCRIPTION_COLUMNS,
  join: 'left join payers p using (payer_id)',
});

export interface ConsentAnswer {
  readonly subscriptionId: SubscriptionId;
  readonly status: ConsentState;
  readonly at: Instant;
  readonly reason: string | null;
}

/** What the service said of the consent. An answer older than the one stored is left aside. */
export async function recordConsentAnswer(db: Db, answer: ConsentAnswer): Promise<void> {
  await db.query(
    `update subscriptions
     set consent_status = $2, consent_checked_at = $3, consent_reason = $4
     where subscription_id = $1 and status <> 'draft' and (consent_checked_at is null or consent_checked_at <= $3)`,
    [answer.subscriptionId, answer.status, instantToColumn(answer.at), textToColumn(answer.reason)],
  );
}

/** Before the DELETE is sent, so that the end that it brings counts as the merchant's (rule 7). */
export async function markConsentDeleted(db: Db, subscriptionId: SubscriptionId): Promise<void> {
  await db.query('update subscriptions set merchant_deleted_consent = true where subscription_id = $1', [
    subscriptionId,
  ]);
}

/**
 * Subscriptions that fall due at `dueBy` or before, active or paused, by id; those behind `after`, which is null at the
 * beginning. One that is being cancelled has its consent ended already (rules 8, 24).
 */
export async function readConsentsDue(
  db: Db,
  dueBy: Instant,
  after: SubscriptionId | null,
  atOnce: number,
): Promise<readonly PaymentRef[]> {
  const { rows } = await db.query<{ subscription_id: string; payment_id: string }>(
    `select subscription_id, payment_id from subscriptions
     where status in ('active', 'paused') and hold is distinct from 'cancel' and payment_id is not null
       and next_due_at <= $1 and subscription_id > $2
     order by subscription_id
     limit $3`,
    [instantToColumn(dueBy), after ?? '', atOnce],
  );
  return rows.map((row) => ({
    subscriptionId: row.subscription_id as SubscriptionId,
    paymentId: row.payment_id as PaymentId,
  }));
}
