import type { Pool } from 'pg';
import type { PaymentRef } from '../../contract/activities';
import type { SubscriptionId } from '../../domain/ids';
import type { Repetition } from '../../domain/subscription/schedule';
import type { Standing, SubscriptionStatus } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { type Page, type PageOf, toPage } from '../sql/cursor';
import {
  instantToColumn,
  textToColumn,
  type Db,
  type Readable,
  readRecord,
  readRecords,
  type StatementPart,
  withParts,
} from '../sql/statements';
import { endUnreadable } from './consent-checks';
import {
  type ConsentState,
  IS_LIVE_SUBSCRIPTION,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRecord,
} from '../rows/subscription';
import {
  type CountedSum,
  isByDueDate,
  type ListOrder,
  readOrder,
  readSearched,
  type Searchable,
  sumSearched,
} from '../rows/search';

/** Null if there is none; a draft does not count. */
export async function getSubscription(db: Db, subscriptionId: SubscriptionId): Promise<SubscriptionRecord | null> {
  return readRecord(
    db,
    `select ${SUBSCRIPTION_COLUMNS} from subscriptions s join payers p using (payer_id)
     where s.subscription_id = $1 and s.status <> 'draft'`,
    [subscriptionId],
  );
}

export interface SubscriptionFilter extends ListOrder {
  readonly status?: SubscriptionStatus | undefined;
  readonly standing?: Standing | undefined;
  readonly repetition?: Repetition | undefined;
  /** Exclusive. */
  readonly dueBefore?: Instant | undefined;
  /** Only the subscriptions with these ids. */
  readonly subscriptionIds?: readonly SubscriptionId[] | undefined;
}

/** Lists subscriptions in the requested order; those with the same instant are ordered by id. */
export async function listSubscriptions(
  db: Db,
  filter: SubscriptionFilter,
  page: Page,
): Promise<PageOf<SubscriptionRecord>> {
  const found = await readSearched<SubscriptionRecord>(db, SEARCH, filter, page, ownOf(filter));
  const instant = isByDueDate(filter.sort) ? 'nextDueAt' : 'createdAt';
  return toPage(found, page.limit, (each) => [each[instant], each.subscriptionId]);
}

/** The ids of all listed subscriptions, in the order of the list. */
export function listSubscriptionIds(db: Db, filter: SubscriptionFilter): Promise<readonly string[]> {
  return readOrder(db, SEARCH, filter, ownOf(filter));
}

/** The subscriptions with these ids, in the given order and in their current state: some may no longer match the list. */
export function subscriptionsById(db: Db, ids: readonly string[]): Promise<readonly SubscriptionRecord[]> {
  return readRecords(
    db,
    `select ${SUBSCRIPTION_COLUMNS}
     from unnest($1::text[]) with ordinality as listed (id, position)
     join subscriptions s on s.subscription_id = listed.id left join payers p using (payer_id)
     order by listed.position`,
    [ids],
  );
}

/** The fields of a subscription that a selection shows. */
export type SelectedSubscription = Pick<
  SubscriptionRecord,
  'subscriptionId' | 'status' | 'standing' | 'stoppedBy' | 'amount' | 'nextDueAt' | 'createdAt'
>;

/** All subscriptions that match a filter, newest first; one more than `most` if there are more. */
export function selectSubscriptions(
  db: Db,
  filter: SubscriptionFilter,
  most: number,
): Promise<readonly SelectedSubscription[]> {
  return readSearched(db, SELECTION, filter, { limit: most, cursor: null }, ownOf(filter));
}

/** Nothing falls due before it is resumed. */
const IS_PAUSED_FOR_GOOD = `(s.status = 'paused' and s.paused_until is null)`;

/**
 * The number of subscriptions that match a filter, and the sum of what their next cycles collect, which is nothing for one that has
 * ended or is paused without an end; at most `most` are counted.
 */
export function sumSubscriptions(db: Db, filter: SubscriptionFilter, most: number): Promise<CountedSum> {
  const columns = `case when s.status ${IS_LIVE_SUBSCRIPTION} and not ${IS_PAUSED_FOR_GOOD} then s.amount else 0 end as amount`;
  return sumSearched(db, { ...SELECTION, columns }, filter, most, ownOf(filter));
}

function ownOf(filter: SubscriptionFilter): readonly unknown[] {
  const { status = null, standing = null, repetition = null, dueBefore = null, subscriptionIds = null } = filter;
  return [status, standing, repetition, instantToColumn(dueBefore), subscriptionIds];
}

/** A list of subscriptions with the filters of {@link SubscriptionFilter}, and other columns. */
export function readSubscriptions<R extends Readable<R> & { readonly createdAt: Instant | null }>(
  db: Db,
  columns: Pick<Searchable, 'columns' | 'join'>,
  filter: SubscriptionFilter,
  page: Page,
): Promise<readonly R[]> {
  return readSearched<R>(db, { ...SEARCH, ...columns }, filter, page, ownOf(filter));
}

const SEARCH = {
  table: 'subscriptions',
  id: 'subscription_id',
  words: 'subscription_words',
  due: 'next_due_at',
  wanted: `s.status <> 'draft'
    and ($10::text is null or s.status = $10)
    and ($11::text is null or s.standing = $11)
    and ($12::text is null or s.repetition = $12)
    and ($13::timestamptz is null or s.next_due_at < $13)
    and ($14::text[] is null or s.subscription_id = any ($14))`,
  columns: SUBSCRIPTION_COLUMNS,
  join: 'left join payers p using (payer_id)',
} satisfies Searchable;

const SELECTION = {
  ...SEARCH,
  columns: `s.subscription_id, s.status, s.standing, s.stopped_by, s.amount, s.next_due_at, s.created_at`,
  join: '',
} satisfies Searchable;

export interface ConsentAnswer {
  readonly subscriptionId: SubscriptionId;
  readonly status: ConsentState;
  readonly at: Instant;
  readonly reason: string | null;
  /** The due date for which the daily check need not ask again; omitted for any other check. */
  readonly checkedFor?: Instant | null;
}

/**
 * Stores the answer of the service about the consent. An answer older than the stored one is ignored. If the consent was recorded
 * as unreadable before, that ends.
 */
export async function recordConsentAnswer(pool: Pool, answer: ConsentAnswer): Promise<void> {
  const { text, values } = withParts([consentPart(answer)], WAS_UNREADABLE);
  const { rowCount } = await pool.query(text, values);
  if (rowCount !== 0) await endUnreadable(pool, answer.subscriptionId, answer.status === 'pending');
}

/** Finds a row if the consent was recorded as unreadable before this answer; $1 is the id of the subscription. */
const WAS_UNREADABLE =
  'select from subscriptions where subscription_id = $1 and consent_unreadable_real_at is not null';

/** Records the answer as part of another statement. */
function consentPart({ subscriptionId, status, at, reason, checkedFor = null }: ConsentAnswer): StatementPart {
  const values = [subscriptionId, status, instantToColumn(at), textToColumn(reason), instantToColumn(checkedFor)];
  return (first) => {
    const [id, checkedAt] = [`$${first}`, `$${first + 2}`];
    const text = `answered as (
      update subscriptions
      set consent_status = $${first + 1}, consent_checked_at = ${checkedAt}, consent_reason = $${first + 3},
        consent_checked_for = coalesce($${first + 4}, consent_checked_for)
      where subscription_id = ${id} and status <> 'draft'
        and (consent_checked_at is null or consent_checked_at <= ${checkedAt})
    )`;
    return { text, values };
  };
}

/** A subscription whose consent must be checked, by its next due date. */
export interface DueConsent extends PaymentRef {
  readonly dueAt: Instant;
}

/** The position after which {@link readDueConsents} continues. */
export type DueConsentPosition = Pick<DueConsent, 'dueAt' | 'subscriptionId'>;

/**
 * Subscriptions that fall due at `dueBy` or before, active or paused, whose consent no daily check has found valid for that due
 * date; the next due first, those after `after`, which is null at the start. A subscription that is being cancelled is left out:
 * its consent is being deleted (rules 8, 24).
 */
export async function readDueConsents(
  db: Db,
  dueBy: Instant,
  after: DueConsentPosition | null,
  atOnce: number,
): Promise<readonly DueConsent[]> {
  return readRecords(
    db,
    `select subscription_id, payment_id, next_due_at as due_at from subscriptions
     where status in ('active', 'paused') and stopped_by is distinct from 'cancel' and payment_id is not null
       and consent_checked_for is distinct from next_due_at
       and next_due_at <= $1 and ($2::timestamptz is null or (next_due_at, subscription_id) > ($2, $3))
     order by next_due_at, subscription_id
     limit $4`,
    [instantToColumn(dueBy), instantToColumn(after?.dueAt ?? null), after?.subscriptionId ?? '', atOnce],
  );
}
