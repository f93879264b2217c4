import type { Pool } from 'pg';
import type { NoticeId } from '../domain/ids';
import type { Instant } from '../domain/time';
import { instantToColumn, jsonToColumn, textToColumn } from './column';
import { type Db, queryOne } from './db';
import { DUEDAY, insertEvent } from './events';
import { type NoticeRecord, type NoticeRow, toNotice } from './notices';
import { inTransaction } from './transaction';

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
  /** To be tried again. */
  | { readonly kind: 'failed'; readonly error: string }
  /** Given up. */
  | { readonly kind: 'undeliverable'; readonly at: Instant; readonly error: string };

/**
 * Stores a try's result and, where the notice's state changes, an entry in the trail. Delivered stays delivered, with the
 * first evidence; given up may still turn out delivered by a try that was on its way.
 * @returns the notice as it stands. @throws where there is none.
 */
export async function recordDelivery(pool: Pool, noticeId: NoticeId, result: DeliveryResult): Promise<NoticeRecord> {
  return inTransaction(pool, async (db) => {
    const before = await lockNotice(db, noticeId);
    if (before.state === 'delivered') return before;
    const after = await updateNotice(db, noticeId, result);
    if (result.kind !== 'failed' && after.state !== before.state) await recordInTrail(db, after, result);
    return after;
  });
}

async function lockNotice(db: Db, noticeId: NoticeId): Promise<NoticeRecord> {
  const row = await queryOne<NoticeRow>(db, 'select * from notices where notice_id = $1 for update', [noticeId]);
  if (row === null) throw new Error(`the ledger has no notice ${noticeId}`);
  return toNotice(row);
}

async function updateNotice(db: Db, noticeId: NoticeId, result: DeliveryResult): Promise<NoticeRecord> {
  const delivered = result.kind === 'delivered' ? result : null;
  const row = await queryOne<NoticeRow>(
    db,
    `update notices set
       state = coalesce($2, state), deliveries = deliveries + 1,
       delivered_at = $3, delivered_real_at = $4, channel = $5, evidence = $6, last_error = coalesce($7, last_error)
     where notice_id = $1
     returning *`,
    [
      noticeId,
      result.kind === 'failed' ? null : result.kind,
      instantToColumn(delivered?.at ?? null),
      instantToColumn(delivered?.realAt ?? null),
      delivered?.channel ?? null,
      jsonToColumn(delivered?.evidence),
      result.kind === 'delivered' ? null : textToColumn(result.error),
    ],
  );
  if (row === null) throw new Error(`the notice ${noticeId} was locked and is gone`);
  return toNotice(row);
}

async function recordInTrail(
  db: Db,
  notice: NoticeRecord,
  result: Exclude<DeliveryResult, { readonly kind: 'failed' }>,
): Promise<void> {
  const { noticeId, type, cycle, attempt, subscriptionId, paymentId } = notice;
  const how =
    result.kind === 'delivered' ? { channel: result.channel, evidence: result.evidence } : { error: result.error };
  await insertEvent(db, {
    ...(subscriptionId === null && paymentId !== null ? { subscriptionId, paymentId } : { subscriptionId }),
    at: result.at,
    actor: DUEDAY,
    type: `notice.${result.kind}`,
    data: { noticeId, type, cycle, attempt, ...how },
  });
}
