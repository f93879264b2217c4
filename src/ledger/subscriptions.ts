import type { SubscriptionId } from '../domain/ids';
import type { Instant } from '../domain/instant';
import type { Repetition } from '../domain/repetition';
import type { Standing } from '../domain/standing';
import type { SubscriptionStatus } from '../domain/subscription';
import { instantToColumn, textToColumn } from './column';
import { type Page, type PageOf, readCreationCursor, toPage } from './cursor';
import { type Db, queryOne } from './db';
import {
  type ConsentState,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRecord,
  type SubscriptionRow,
  toSubscription,
} from './subscription-record';

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
  /** Part of an id, or of the payer's name, e-mail or reference, in any case. */
  readonly q?: string | undefined;
}

/** Newest first; those created at one instant by id, descending. */
export async function listSubscriptions(
  db: Db,
  filter: SubscriptionFilter,
  page: Page,
): Promise<PageOf<SubscriptionRecord>> {
  const after = readCreationCursor(page.cursor);
  const { rows } = await db.query<SubscriptionRow>(
    `select ${SUBSCRIPTION_COLUMNS} from subscriptions s join payers p using (payer_id)
     where s.status <> 'draft'
       and ($1::text is null or s.status = $1)
       and ($2::text is null or s.standing = $2)
       and ($3::text is null or s.repetition = $3)
       and ($4::timestamptz is null or s.next_due_at < $4)
       and ($5::text is null or concat_ws(E'\\n', s.subscription_id, s.payment_id, p.name, p.email, p.reference) ilike $5)
       and ($6::timestamptz is null or (s.created_at, s.subscription_id) < ($6, $7))
     order by s.created_at desc, s.subscription_id desc
     limit $8`,
    [
      filter.status ?? null,
      filter.standing ?? null,
      filter.repetition ?? null,
      instantToColumn(filter.dueBefore ?? null),
      filter.q === undefined ? null : containing(filter.q),
      instantToColumn(after?.createdAt ?? null),
      after?.id ?? null,
      page.limit + 1,
    ],
  );
  return toPage(rows.map(toSubscription), page.limit, ({ createdAt, subscriptionId }) => [createdAt, subscriptionId]);
}

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

/** Before the DELETE is sent, so that the end that it brings counts as the merchant's (decisions 7). */
export async function markConsentDeleted(db: Db, subscriptionId: SubscriptionId): Promise<void> {
  await db.query('update subscriptions set merchant_deleted_consent = true where subscription_id = $1', [
    subscriptionId,
  ]);
}

function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
