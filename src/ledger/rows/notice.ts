import { randomUUID } from 'node:crypto';
import type { NoticeOrder } from './change';
import { type NoticeKind, STATE_NOTICES } from '../../contract/notices';
import type { NoticeId, PaymentId, SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import type { Instant } from '../../domain/time';
import { instantToColumn, jsonToColumn, type Db, readRecord, readValue, sqlListOf } from '../sql/statements';
import type { PayerDetails } from './subscription';
import { type Act, insertEvent, type NewEvent } from '../audit/entries';

export type NoticeState = 'pending' | 'delivered' | 'undeliverable';

/** A notice as stored: without personal data. */
export interface NoticeRecord {
  readonly noticeId: NoticeId;
  /** Null for a notice about a one-time payment. */
  readonly subscriptionId: SubscriptionId | null;
  /** Set for a one-time payment; for a subscription only when read for delivery. */
  readonly paymentId: PaymentId | null;
  readonly type: NoticeKind;
  readonly cycle: number | null;
  readonly attempt: number | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly state: NoticeState;
  /** Delivery attempts so far. */
  readonly deliveries: number;
  readonly createdAt: Instant;
  readonly deliveredAt: Instant | null;
  /** Real time. */
  readonly deliveredRealAt: number | null;
  readonly channel: string | null;
  readonly evidence: unknown;
  readonly lastError: string | null;
}

/** The `data` of a `payment.upcoming` notice. Instants as ISO text. */
export type UpcomingData = {
  readonly cycle: number;
  readonly amount: Money;
  readonly dueAt: string;
  readonly postponedUntil?: string;
};

/** A notice with its recipient, whose fields are all null once the payer is erased. */
export interface NoticeForDelivery extends NoticeRecord {
  readonly payer: PayerDetails;
  /** Channels that refuse further deliveries; not tried again before the notice is reopened. */
  readonly goneChannels: readonly string[];
  /** See {@link hasBeenOvertaken}. */
  readonly isOvertaken: boolean;
  /** Whether it announces something that will no longer happen: a retry, an increase, or a debit. */
  readonly isInVain: boolean;
  /** Whether an operator has resent it: it is then delivered even if it is out of date. */
  readonly isResent: boolean;
  /** Delivery attempts since it was created or reopened, including a claimed one that has not ended yet. */
  readonly tries: number;
  /** Real time of the first of these; null if there was none yet. */
  readonly firstTryRealAt: number | null;
}

/** The columns of {@link NoticeRecord}. */
export const NOTICE_COLUMNS = `
  notice_id, subscription_id, payment_id, type, cycle, attempt, data, state, deliveries, created_at, delivered_at,
  delivered_real_at, channel, evidence, last_error`;

/**
 * Stores a notice.
 * @returns its id, or that of the notice stored before for the same change; a rejected attempt has only one, whatever the change
 */
export async function insertNotice(
  db: Db,
  subscriptionId: SubscriptionId,
  changeKey: string | null,
  at: Instant,
  order: NoticeOrder,
): Promise<NoticeId> {
  const noticeId = `msg_${randomUUID().replaceAll('-', '')}` as NoticeId;
  const { rowCount } = await db.query(
    `insert into notices (notice_id, subscription_id, change_key, type, cycle, attempt, data, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict do nothing`,
    [
      noticeId,
      subscriptionId,
      changeKey,
      order.type,
      order.cycle,
      order.attempt,
      jsonToColumn(order.data),
      instantToColumn(at),
    ],
  );
  return rowCount === 1 ? noticeId : storedNotice(db, subscriptionId, changeKey, order);
}

async function storedNotice(
  db: Db,
  subscriptionId: SubscriptionId,
  changeKey: string | null,
  order: NoticeOrder,
): Promise<NoticeId> {
  const row = await readRecord<{ noticeId: NoticeId }>(
    db,
    `select notice_id from notices
     where subscription_id = $1 and type = $3 and cycle is not distinct from $4 and attempt is not distinct from $5
       and (change_key = $2 or type = 'payment.failed')`,
    [subscriptionId, changeKey, order.type, order.cycle, order.attempt],
  );
  if (row === null) throw new Error(`a ${order.type} notice of ${subscriptionId} conflicts with another`);
  if (order.type === 'payment.failed') await renewUntried(db, row.noticeId, order.data);
  return row.noticeId;
}

/**
 * Updates the content of a notice that is stored again: one whose cycle has ended meanwhile promises no retry. A notice that was
 * tried stays as it was sent.
 */
async function renewUntried(db: Db, noticeId: NoticeId, data: NoticeOrder['data']): Promise<void> {
  await db.query(`update notices set data = $2 where notice_id = $1 and state = 'pending' and deliveries = 0`, [
    noticeId,
    jsonToColumn(data),
  ]);
}

/**
 * Condition: a notice describes a state that has passed. A pause or a resumption has passed once a later notice about the state
 * of the subscription exists (a cancellation and a completion never pass); an increase, once it is no longer pending, or the
 * subscription is being cancelled or has ended.
 * @param notice its table in the query
 */
export function hasBeenOvertaken(notice: string): string {
  return `(case when ${notice}.type in ('subscription.paused', 'subscription.resumed') then exists (
     select from notices later
     where later.subscription_id = ${notice}.subscription_id and later.created_at > ${notice}.created_at
       and later.type in (${sqlListOf(STATE_NOTICES)})
   )
   when ${notice}.type = 'payment.increase_announced' then not exists (
     select from notices announced
     join subscriptions changed using (subscription_id), jsonb_path_query(changed.pending_change, 'strict $.**') as pending
     where announced.notice_id = ${notice}.notice_id and announcement_key(pending) = announced.change_key
       and changed.status in ('active', 'paused') and changed.cancellation is null
   ) else false end)`;
}

/**
 * Condition: a notice announces something to come; the last notice of a failed cycle does not.
 * @param notice its table in the query
 */
export function isPromise(notice: string): string {
  return `(${notice}.type in ('payment.increase_announced', 'payment.upcoming')
    or ${notice}.type = 'payment.failed' and ${notice}.data ->> 'retryAt' is not null)`;
}

/**
 * Condition: something waits for a notice of `subscriptions s`: its cycle is in dunning, its increase is pending, or
 * its debit is still to come.
 * @param notice its table in the query
 */
export function isAwaited(notice: string): string {
  return `(s.status in ('active', 'paused') and case ${notice}.type
    when 'payment.failed' then exists (
      select from cycles c
      where (c.subscription_id, c.cycle, c.status) = (${notice}.subscription_id, ${notice}.cycle, 'dunning') and not exists (
        select from attempts a
        where (a.subscription_id, a.cycle) = (${notice}.subscription_id, ${notice}.cycle) and a.attempt > ${notice}.attempt
      )
    )
    when 'payment.increase_announced' then coalesce((s.pending_change ->> 'fromCycle')::integer = ${notice}.cycle, false)
    when 'payment.upcoming' then
      s.status = 'active' and s.stopped_by is null and s.next_due_at = (${notice}.data ->> 'dueAt')::timestamptz
    else false
  end)`;
}

/**
 * Null if there is no such notice. The e-mail of the payer is the one given for notices, or else that of the billing address.
 */
export async function readNoticeForDelivery(db: Db, noticeId: NoticeId): Promise<NoticeForDelivery | null> {
  return readRecord(
    db,
    `select n.*, coalesce(n.payment_id, s.payment_id) as payment_id, p.name as "payer.name", p.reference as "payer.reference",
       p.language as "payer.language",
       coalesce(p.email, p.billing_address ->> 'email') as "payer.email", ${hasBeenOvertaken('n')} as is_overtaken,
       coalesce(${isPromise('n')} and not ${isAwaited('n')}, false) as is_in_vain
     from (
       select ${NOTICE_COLUMNS}, gone_channels, is_resent, tries, first_try_real_at from notices where notice_id = $1
     ) as n
     left join subscriptions s using (subscription_id)
     left join payments o on o.payment_id = n.payment_id
     join payers p on p.payer_id = coalesce(s.payer_id, o.payer_id)`,
    [noticeId],
  );
}

/**
 * Raises the revision if a retry or an increase may wait for the notice: the workflow must be notified.
 * @returns the new revision of its subscription; null if nothing waits
 */
export async function raiseForNotice(db: Db, { type, subscriptionId }: NoticeRecord): Promise<number | null> {
  if (subscriptionId === null || (type !== 'payment.failed' && type !== 'payment.increase_announced')) return null;
  return readValue(
    db,
    'update subscriptions set revision = revision + 1 where subscription_id = $1 returning revision',
    [subscriptionId],
  );
}

/**
 * Locks the subscription or payment before the notice, like everything that writes both: an audit entry also locks the row of
 * that subject, and a concurrent change may hold that row while it waits for the notice.
 * @throws if the ledger has no such notice.
 */
export async function lockNotice(db: Db, noticeId: NoticeId): Promise<NoticeRecord> {
  const isOfNotice = (column: string) => `${column} = (select ${column} from notices where notice_id = $1)`;
  await db.query(`select from subscriptions where ${isOfNotice('subscription_id')} for update`, [noticeId]);
  await db.query(`select from payments where ${isOfNotice('payment_id')} for update`, [noticeId]);
  const row = await readRecord<NoticeRecord>(
    db,
    `select ${NOTICE_COLUMNS} from notices where notice_id = $1 for update`,
    [noticeId],
  );
  if (row === null) throw new Error(`the ledger has no notice ${noticeId}`);
  return row;
}

/** Writes an audit entry about a notice, for its subscription or its one-time payment. */
export async function recordAbout(
  db: Db,
  { noticeId, type: about, cycle, attempt, subscriptionId, paymentId }: NoticeRecord,
  { data, ...entry }: Act & Pick<NewEvent, 'type' | 'data'>,
): Promise<void> {
  await insertEvent(db, {
    subscriptionId,
    paymentId: subscriptionId === null ? paymentId : null,
    ...entry,
    data: { noticeId, type: about, cycle, attempt, ...data },
  });
}
