import type { Pool } from 'pg';
import { isForPayer, type NoticeKind, PAYER_NOTICES } from '../../contract/notices';
import type { NoticeId, PaymentId, SubscriptionId } from '../../domain/ids';
import { DAY, type Instant, toIso } from '../../domain/time';
import { actorOf } from '../../domain/audit/event';
import { type Page, type PageOf, noticeCursor, toPage } from '../sql/cursor';
import { DELIVERING_NOTICE, endUnrecordableItem } from '../attention/unrecordable';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, jsonToColumn, readRecord, readRecords, readValues } from '../sql/statements';
import type { Act, TimedAct } from '../audit/entries';
import { followUpcoming } from '../rows/notice-results';
import {
  isAwaited,
  lockNotice,
  NOTICE_COLUMNS,
  type NoticeRecord,
  type NoticeState,
  hasBeenOvertaken,
  isPromise,
  raiseForNotice,
  recordAbout,
} from '../rows/notice';

export interface NoticeFilter {
  readonly state?: NoticeState | undefined;
  readonly type?: NoticeKind | undefined;
  readonly subscriptionId?: SubscriptionId | undefined;
  /** The id of a one-time payment. */
  readonly paymentId?: PaymentId | undefined;
}

/** Newest first; those created at the same instant by id, descending. */
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
      state,
      type,
      subscriptionId,
      paymentId,
      instantToColumn(after?.createdAt ?? null),
      after?.id ?? null,
      page.limit + 1,
    ],
  );
  return toPage(rows, page.limit, ({ createdAt, noticeId }) => [createdAt, noticeId]);
}

/** Null if there is none with this id. */
export async function getNotice(db: Db, noticeId: NoticeId): Promise<NoticeRecord | null> {
  return readRecord(db, `select ${NOTICE_COLUMNS} from notices where notice_id = $1`, [noticeId]);
}

/** An operator's report that the payer was notified by other means. */
export interface ManualNotification extends TimedAct {
  readonly noticeId: NoticeId;
  /** How the payer was notified, such as `phone` or `letter`. */
  readonly channel: string;
  readonly toldAt: Instant;
  readonly evidence: string;
}

export type ManualNotificationResult =
  /** The report was recorded now, or the same report was recorded before. */
  | { readonly kind: 'recorded'; readonly notice: NoticeRecord }
  /** The notice was already delivered, and that delivery remains. */
  | { readonly kind: 'delivered'; readonly notice: NoticeRecord }
  /** The notice is for the merchant, not for the payer. */
  | { readonly kind: 'not_for_payer' }
  /** What the notice reports had not happened by the given time. */
  | { readonly kind: 'too_early'; readonly after: Instant };

/**
 * Records the report: the notice counts as delivered at the time given (rule 13), with the evidence and an audit entry.
 * @throws if the ledger has no such notice.
 */
export async function recordManualNotification(
  pool: Pool,
  report: ManualNotification,
): Promise<ManualNotificationResult> {
  return inTransaction(pool, async (db): Promise<ManualNotificationResult> => {
    const notice = await lockNotice(db, report.noticeId);
    if (!isForPayer(notice.type)) return { kind: 'not_for_payer' };
    if (notice.state === 'delivered') return { kind: isSameReport(notice, report) ? 'recorded' : 'delivered', notice };
    const after = await happenedAt(db, notice);
    if (report.toldAt <= after) return { kind: 'too_early', after };
    return { kind: 'recorded', notice: await writeReport(db, notice, report) };
  });
}

function isSameReport({ deliveredAt, channel, evidence }: NoticeRecord, report: ManualNotification): boolean {
  const stored = evidence as { readonly evidence?: unknown } | null;
  return deliveredAt === report.toldAt && channel === report.channel && stored?.evidence === report.evidence;
}

/**
 * When the failure that the notice reports happened: createdAt of its authorization, or the arrival of the answer (rule 14);
 * otherwise when the notice was created.
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

async function writeReport(db: Db, notice: NoticeRecord, report: ManualNotification): Promise<NoticeRecord> {
  const { noticeId, channel, toldAt, actor, evidence, at, realAt } = report;
  const row = await readRecord<NoticeRecord>(
    db,
    `update notices set state = 'delivered', delivered_at = $2, delivered_real_at = $3, channel = $4, evidence = $5,
       next_try_real_at = null
     where notice_id = $1 returning ${NOTICE_COLUMNS}`,
    [noticeId, instantToColumn(toldAt), instantToColumn(realAt), channel, jsonToColumn({ toldBy: actor, evidence })],
  );
  if (row === null) throw new Error(`the notice ${noticeId} was locked and no longer exists`);
  const data = { channel, toldAt: toIso(toldAt), evidence };
  await recordAbout(db, notice, { ...actorOf(report), at, type: 'notice.delivered', data });
  if (row.type === 'payment.upcoming') await followUpcoming(db, row, at);
  await endUnrecordableItem(db, { activity: DELIVERING_NOTICE, id: noticeId });
  await raiseForNotice(db, row);
  return row;
}

/**
 * Has the notice delivered again immediately; one that was given up becomes pending again.
 * @throws if the ledger has no such notice.
 */
export async function reopenNotice(pool: Pool, noticeId: NoticeId, act: Act): Promise<NoticeRecord> {
  return inTransaction(pool, async (db) => {
    const before = await lockNotice(db, noticeId);
    await reopen(db, [noticeId], true);
    await recordAbout(db, before, { ...act, type: 'notice.resend_requested', data: { state: before.state } });
    return lockNotice(db, noticeId);
  });
}

/** How long a notice that nothing waits for stays useful. */
const USEFUL_FOR = 7 * DAY;

/**
 * Called when the payer has a new address: undelivered notices that are still valid are delivered to it immediately, including those
 * that were given up, which become pending again. Runs within the caller's transaction.
 */
export async function reopenUndelivered(db: Db, subscriptionId: SubscriptionId, now: Instant): Promise<void> {
  const undelivered = await readValues<NoticeId>(
    db,
    `select notice_id from notices n join subscriptions s using (subscription_id)
     where n.subscription_id = $1 and n.type = any ($2) and n.state <> 'delivered' and not ${hasBeenOvertaken('n')}
       and (${isAwaited('n')} or (not ${isPromise('n')} and n.created_at > $3))`,
    [subscriptionId, PAYER_NOTICES, instantToColumn(now - USEFUL_FOR)],
  );
  await reopen(db, undelivered, false);
}

/** Every channel is tried again, as an operator may have fixed one. */
async function reopen(db: Db, noticeIds: readonly NoticeId[], isResent: boolean): Promise<void> {
  await db.query(
    `update notices set state = case state when 'undeliverable' then 'pending' else state end, gone_channels = '{}',
       next_try_real_at = 'epoch', first_try_real_at = null, tries = 0, is_resent = is_resent or $2
     where notice_id = any ($1)`,
    [noticeIds, isResent],
  );
}
