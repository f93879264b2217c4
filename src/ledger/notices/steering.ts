import type { Pool } from 'pg';
import { isForPayer, type NoticeKind, PAYER_NOTICES } from '../../contract/notices';
import type { NoticeId, PaymentId, SubscriptionId } from '../../domain/ids';
import { DAY, type Instant, toIso } from '../../domain/time';
import { actorOf } from '../../domain/audit/event';
import { type Page, type PageOf, noticeCursor, toPage } from '../sql/cursor';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, jsonToColumn, readRecord, readRecords, readValues } from '../sql/statements';
import type { Act, TimedAct } from '../audit/entries';
import {
  isAwaited,
  lockNotice,
  NOTICE_COLUMNS,
  type NoticeRecord,
  type NoticeState,
  overtaken,
  promises,
  raiseForNotice,
  recordAbout,
} from '../rows/notice';

export interface NoticeFilter {
  readonly state?: NoticeState | undefined;
  readonly type?: NoticeKind | undefined;
  readonly subscriptionId?: SubscriptionId | undefined;
  /** Of a one-time payment. */
  readonly paymentId?: PaymentId | undefined;
}

/** Newest first; those created at one instant by id, descending. */
export async function listNotices(db: Db, filter: NoticeFilter, page: Page): Promise<PageOf<NoticeRecord>> {
  const after = noticeCursor.read(page.cursor);
  const { state = null, type = null, subscriptionId = null, paymentId = null } = filter;
  const rows = await readRecords<NoticeRecord>(
    db,
    `select ${NOTICE_COLUMNS} from notices
     where ($1::text is null or state = $1) and ($2::text is null or type = $2)
       and ($3::text is null or subscription_id = $3) and ($4::text is null or payment_id = $4)
       and ($5::timestamptz is null or (created_at, notice_id) < ($5, $6))
     order by created_at desc, notice_id desc limit $7`,
    [
      ...[state, type, subscriptionId, paymentId],
      ...[instantToColumn(after?.createdAt ?? null), after?.id ?? null, page.limit + 1],
    ],
  );
  return toPage(rows, page.limit, ({ createdAt, noticeId }) => [createdAt, noticeId]);
}

/** Null where there is none of this id. */
export async function getNotice(db: Db, noticeId: NoticeId): Promise<NoticeRecord | null> {
  return readRecord(db, `select ${NOTICE_COLUMNS} from notices where notice_id = $1`, [noticeId]);
}

/** A person has notified the payer by other means. */
export interface ToldByPerson extends TimedAct {
  readonly noticeId: NoticeId;
  /** How: `phone`, `letter`. */
  readonly channel: string;
  readonly toldAt: Instant;
  readonly evidence: string;
}

export type ToldResult =
  /** Now, or by the same report before. */
  | { readonly kind: 'told'; readonly notice: NoticeRecord }
  /** It is delivered already, and what delivered it stands. */
  | { readonly kind: 'delivered'; readonly notice: NoticeRecord }
  /** It is for the merchant, not for the payer. */
  | { readonly kind: 'not_for_payer' }
  /** What the notice is about had not happened by then. */
  | { readonly kind: 'too_early'; readonly after: Instant };

/**
 * A person's report that the payer was notified counts as delivered at that time (rule 13), with its evidence and its
 * entry in the trail. @throws where the ledger has no such notice.
 */
export async function recordTold(pool: Pool, told: ToldByPerson): Promise<ToldResult> {
  return inTransaction(pool, async (db): Promise<ToldResult> => {
    const notice = await lockNotice(db, told.noticeId);
    if (!isForPayer(notice.type)) return { kind: 'not_for_payer' };
    if (notice.state === 'delivered') return { kind: isSameReport(notice, told) ? 'told' : 'delivered', notice };
    const after = await happenedAt(db, notice);
    if (told.toldAt <= after) return { kind: 'too_early', after };
    return { kind: 'told', notice: await writeReport(db, notice, told) };
  });
}

function isSameReport({ deliveredAt, channel, evidence }: NoticeRecord, told: ToldByPerson): boolean {
  const said = evidence as { readonly evidence?: unknown } | null;
  return deliveredAt === told.toldAt && channel === told.channel && said?.evidence === told.evidence;
}

/**
 * When the failure of the notice happened, by createdAt of its authorization or the answer's arrival (rule 14); else
 * its creation.
 */
async function happenedAt(db: Db, { subscriptionId, cycle, attempt, createdAt }: NoticeRecord): Promise<Instant> {
  const row = await readRecord<{ readonly at: Instant }>(
    db,
    `select coalesce(authorization_created_at, outcome_at, at) as at from attempts
     where (subscription_id, cycle, attempt) = ($1, $2, $3) order by send desc limit 1`,
    [subscriptionId, cycle, attempt],
  );
  return row?.at ?? createdAt;
}

async function writeReport(db: Db, notice: NoticeRecord, told: ToldByPerson): Promise<NoticeRecord> {
  const { noticeId, channel, toldAt, actor, evidence, at, realAt } = told;
  const row = await readRecord<NoticeRecord>(
    db,
    `update notices set state = 'delivered', delivered_at = $2, delivered_real_at = $3, channel = $4, evidence = $5,
       next_try_real_at = null
     where notice_id = $1 returning ${NOTICE_COLUMNS}`,
    [
      ...[noticeId, instantToColumn(toldAt), instantToColumn(realAt), channel],
      jsonToColumn({ toldBy: actor, evidence }),
    ],
  );
  if (row === null) throw new Error(`the notice ${noticeId} was locked and is gone`);
  const data = { channel, toldAt: toIso(toldAt), evidence };
  await recordAbout(db, notice, { ...actorOf(told), at, type: 'notice.delivered', data });
  await raiseForNotice(db, row);
  return row;
}

/** Has it delivered again, at once: one that was given up is open again. @throws if the ledger has no such notice. */
export async function reopenNotice(pool: Pool, noticeId: NoticeId, act: Act): Promise<NoticeRecord> {
  return inTransaction(pool, async (db) => {
    const before = await lockNotice(db, noticeId);
    await reopen(db, [noticeId], true);
    await recordAbout(db, before, { ...act, type: 'notice.resend_requested', data: { state: before.state } });
    return lockNotice(db, noticeId);
  });
}

/** How long a notice that nothing waits for is of use. */
const OF_USE_FOR = 7 * DAY;

/**
 * A new address: a payer's notices that are not delivered go to it at once, as far as they still hold; those that were given up
 * are open again. Within a transaction that goes on.
 */
export async function reopenUndelivered(db: Db, subscriptionId: SubscriptionId, now: Instant): Promise<void> {
  const undelivered = await readValues<NoticeId>(
    db,
    `select notice_id from notices n join subscriptions s using (subscription_id)
     where n.subscription_id = $1 and n.type = any ($2) and n.state <> 'delivered' and not ${overtaken('n')}
       and (${isAwaited('n')} or (not ${promises('n')} and n.created_at > $3))`,
    [subscriptionId, PAYER_NOTICES, instantToColumn(now - OF_USE_FOR)],
  );
  await reopen(db, undelivered, false);
}

/** Every channel is tried again: an operator may have fixed one. */
async function reopen(db: Db, noticeIds: readonly NoticeId[], isResent: boolean): Promise<void> {
  await db.query(
    `update notices set state = case state when 'undeliverable' then 'pending' else state end, gone_channels = '{}',
       next_try_real_at = 'epoch', first_try_real_at = null, tries = 0, is_resent = is_resent or $2
     where notice_id = any ($1)`,
    [noticeIds, isResent],
  );
}
