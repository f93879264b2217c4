import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { NoticeOrder } from '../deciding/change';
import { type NoticeKind, STATE_NOTICES } from '../../contract/notices';
import type { NoticeId, PaymentId, SubscriptionId } from '../../domain/ids';
import type { Instant } from '../../domain/time';
import { inTransaction } from '../database';
import { instantToColumn, jsonToColumn, type Db, readRecord, readValue, textToColumn, wordsOf } from '../statements';
import type { PayerRecord } from '../subscriptions/record';
import { type Act, DUEDAY, insertEvent, type NewEvent } from '../trail';

export type NoticeState = 'pending' | 'delivered' | 'undeliverable';

/** A notice as stored: without personal data. */
export interface NoticeRecord {
  readonly noticeId: NoticeId;
  /** Null for a notice about a one-time payment. */
  readonly subscriptionId: SubscriptionId | null;
  /** Of a one-time payment; of a subscription only where it is read for delivery. */
  readonly paymentId: PaymentId | null;
  readonly type: NoticeKind;
  readonly cycle: number | null;
  readonly attempt: number | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly state: NoticeState;
  /** Tries so far. */
  readonly deliveries: number;
  readonly createdAt: Instant;
  readonly deliveredAt: Instant | null;
  /** Real time. */
  readonly deliveredRealAt: number | null;
  readonly channel: string | null;
  readonly evidence: unknown;
  readonly lastError: string | null;
}

/** A notice with whom it is for; all null once the payer's data is erased. */
export interface NoticeForDelivery extends NoticeRecord {
  readonly payer: Omit<PayerRecord, 'payerId'>;
  /** They want no more of it, and are not tried again before a person has it delivered anew. */
  readonly goneChannels: readonly string[];
  /** See {@link overtaken}. */
  readonly isOvertaken: boolean;
}

/** Of {@link NoticeRecord}. */
export const NOTICE_COLUMNS = `
  notice_id, subscription_id, payment_id, type, cycle, attempt, data, state, deliveries, created_at, delivered_at,
  delivered_real_at, channel, evidence, last_error`;

/** @returns the new notice's id, or that of the same order stored before: a rejected attempt has one, for any order. */
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
  if (row === null) throw new Error(`a ${order.type} notice of ${subscriptionId} is in the way of another`);
  if (order.type === 'payment.failed') await renewUntried(db, row.noticeId, order.data);
  return row.noticeId;
}

/** Ordered anew, it says what holds by now: a cycle that ends late promises no retry. What was tried is kept as it was sent. */
async function renewUntried(db: Db, noticeId: NoticeId, data: NoticeOrder['data']): Promise<void> {
  await db.query(`update notices set data = $2 where notice_id = $1 and state = 'pending' and deliveries = 0`, [
    noticeId,
    jsonToColumn(data),
  ]);
}

/**
 * That a notice tells of a state that has passed: another one of the same subscription was ordered later (a cancellation and a
 * completion do not pass), or the increase that it announces was withdrawn, dropped or replaced.
 * @param notice its table in the query
 */
export function overtaken(notice: string): string {
  return `(case when ${notice}.type in ('subscription.paused', 'subscription.resumed') then exists (
     select from notices later
     where later.subscription_id = ${notice}.subscription_id and later.created_at > ${notice}.created_at
       and later.type in (${wordsOf(STATE_NOTICES)})
   )
   when ${notice}.type = 'payment.increase_announced' then not exists (
     select from notices announced
     join subscriptions changed using (subscription_id), jsonb_path_query(changed.pending_change, 'strict $.**') as pending
     where announced.notice_id = ${notice}.notice_id and ${announcementKeyOf('pending')} = announced.change_key
       and changed.status in ('active', 'paused') and changed.cancellation is null
   ) else false end)`;
}

/**
 * The key under which the notice of a pending change is ordered.
 * @param change the column that holds the change
 */
export function announcementKeyOf(change: string): string {
  return `format('increase/%s/%s/%s', ${change} ->> 'fromCycle',
        ${change} #>> '{amount,value}', ${change} ->> 'requestedAt')`;
}

/** Null where there is no such notice. The payer's e-mail is the one given for notices, else the billing address's. */
export async function readNoticeForDelivery(db: Db, noticeId: NoticeId): Promise<NoticeForDelivery | null> {
  return readRecord(
    db,
    `select n.*, coalesce(n.payment_id, s.payment_id) as payment_id, p.name as "payer.name", p.reference as "payer.reference",
       p.language as "payer.language",
       coalesce(p.email, p.billing_address ->> 'email') as "payer.email", ${overtaken('n')} as is_overtaken
     from (select ${NOTICE_COLUMNS}, gone_channels from notices where notice_id = $1) as n
     left join subscriptions s using (subscription_id)
     left join payments o on o.payment_id = n.payment_id
     join payers p on p.payer_id = coalesce(s.payer_id, o.payer_id)`,
    [noticeId],
  );
}

/** What one try to deliver a notice came to. No personal data in evidence or error. */
export type DeliveryResult =
  | {
      readonly kind: 'delivered';
      /** Business time. */
      readonly at: Instant;
      readonly realAt: number;
      readonly channel: string;
      /** Why it counts as delivered: status or the mail server's answer. */
      readonly evidence: Readonly<Record<string, unknown>>;
    }
  /** To be tried again, but not on these channels. */
  | { readonly kind: 'failed'; readonly error: string; readonly gone: readonly string[] }
  /** Given up. */
  | { readonly kind: 'undeliverable'; readonly at: Instant; readonly error: string };

/**
 * Stores a try's result and, where the notice's state changes, an entry in the trail. Delivered stays delivered, with the
 * first evidence; given up may still turn out delivered by a try that was on its way.
 * @returns the current notice. @throws where there is none.
 */
export async function recordDelivery(pool: Pool, noticeId: NoticeId, result: DeliveryResult): Promise<NoticeRecord> {
  return inTransaction(pool, (db) => keepDelivery(db, noticeId, result));
}

async function keepDelivery(db: Db, noticeId: NoticeId, result: DeliveryResult): Promise<NoticeRecord> {
  const before = await lockNotice(db, noticeId);
  if (before.state === 'delivered') return before;
  const after = await updateNotice(db, noticeId, result);
  if (result.kind === 'failed' || after.state === before.state) return after;
  const { kind, at } = result;
  const data = kind === 'delivered' ? { channel: result.channel, evidence: result.evidence } : { error: result.error };
  await recordAbout(db, after, { at, actor: DUEDAY, type: `notice.${kind}`, data });
  if (kind === 'delivered') await raiseForNotice(db, after);
  return after;
}

/** A retry or an increase may wait for the notice: the workflow has to be notified. */
export async function raiseForNotice(db: Db, { type, subscriptionId }: NoticeRecord): Promise<void> {
  if (subscriptionId === null || (type !== 'payment.failed' && type !== 'payment.increase_announced')) return;
  await db.query('update subscriptions set revision = revision + 1 where subscription_id = $1', [subscriptionId]);
}

/** The notice of a refused attempt, if it is still to be delivered: no retry can follow it any more. Within the caller's transaction. */
export async function giveUpNotice(
  db: Db,
  {
    subscriptionId,
    cycle,
    attempt,
  }: { readonly subscriptionId: SubscriptionId; readonly cycle: number; readonly attempt: number },
  at: Instant,
): Promise<void> {
  const noticeId = await readValue<NoticeId>(
    db,
    `select notice_id from notices
     where (subscription_id, cycle, attempt) = ($1, $2, $3) and type = 'payment.failed' and state = 'pending'`,
    [subscriptionId, cycle, attempt],
  );
  const error = 'not delivered as long as it mattered';
  if (noticeId !== null) await keepDelivery(db, noticeId, { kind: 'undeliverable', at, error });
}

/**
 * Behind the lock of its subscription or payment, as everything that writes both takes them: an entry in the audit log takes a
 * lock of that row too, which a change of it holds while it waits for the notice.
 * @throws where the ledger has no such notice.
 */
export async function lockNotice(db: Db, noticeId: NoticeId): Promise<NoticeRecord> {
  const of = (column: string) => `${column} = (select ${column} from notices where notice_id = $1)`;
  await db.query(`select from subscriptions where ${of('subscription_id')} for update`, [noticeId]);
  await db.query(`select from payments where ${of('payment_id')} for update`, [noticeId]);
  const row = await readRecord<NoticeRecord>(
    db,
    `select ${NOTICE_COLUMNS} from notices where notice_id = $1 for update`,
    [noticeId],
  );
  if (row === null) throw new Error(`the ledger has no notice ${noticeId}`);
  return row;
}

async function updateNotice(db: Db, noticeId: NoticeId, result: DeliveryResult): Promise<NoticeRecord> {
  const delivered = result.kind === 'delivered' ? result : null;
  const row = await readRecord<NoticeRecord>(
    db,
    `update notices set
       state = coalesce($2, state), deliveries = deliveries + 1,
       delivered_at = $3, delivered_real_at = $4, channel = $5, evidence = $6, last_error = coalesce($7, last_error),
       gone_channels = gone_channels || $8::text[]
     where notice_id = $1
     returning ${NOTICE_COLUMNS}`,
    [
      noticeId,
      result.kind === 'failed' ? null : result.kind,
      instantToColumn(delivered?.at ?? null),
      instantToColumn(delivered?.realAt ?? null),
      delivered?.channel ?? null,
      jsonToColumn(delivered?.evidence),
      result.kind === 'delivered' ? null : textToColumn(result.error),
      result.kind === 'failed' ? result.gone : [],
    ],
  );
  if (row === null) throw new Error(`the notice ${noticeId} was locked and is gone`);
  return row;
}

/** An entry of the trail about a notice: of its subscription, or of its one-time payment. */
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
