import type { Pool } from 'pg';
import type { NoticeId } from '../../domain/ids';
import { inTransaction } from '../sql/database';
import { advance } from '../deciding/advance';
import type { ChangedRow } from '../deciding/steering';
import { IS_RESTORED } from '../sql/installation';
import { type Db, instantToColumn, readRecords, readValue } from '../sql/statements';
import type { NoticeRecord } from '../rows/notice';
import { type DeliveryResult, storeDelivery } from '../rows/notice-results';

/** A delivery try, to be made now by the process that claimed it. */
export interface ClaimedNotice {
  readonly noticeId: NoticeId;
  /** Identifies the claim: the real time from which other processes may claim it. */
  readonly claim: number;
}

export interface NoticeClaim {
  readonly realNow: number;
  /** Real ms after which other processes may claim it. */
  readonly lease: number;
  readonly limit: number;
}

/** Claims notices that are due; none in a restored or copied ledger that is not accepted yet (rule 45). */
export async function claimNotices(db: Db, { realNow, lease, limit }: NoticeClaim): Promise<readonly ClaimedNotice[]> {
  return readRecords<ClaimedNotice>(
    db,
    `update notices n set next_try_real_at = $2, tries = tries + 1, first_try_real_at = coalesce(first_try_real_at, $1)
     from (
       select notice_id from notices where next_try_real_at <= $1 and not ${IS_RESTORED}
       order by next_try_real_at, created_at limit $3 for update skip locked
     ) as due
     where n.notice_id = due.notice_id
     returning n.notice_id, n.next_try_real_at as claim`,
    [instantToColumn(realNow), instantToColumn(realNow + lease), limit],
  );
}

/** When the next try of any notice is due, real time; null if none is. */
export function nextNoticeTry(db: Db): Promise<number | null> {
  return readValue(db, 'select min(next_try_real_at) from notices where next_try_real_at is not null');
}

/** A recorded delivery try, and its consequence in the ledger. */
export interface RecordedDelivery {
  readonly notice: NoticeRecord;
  /** The subscription that waited for it: its workflow must be notified. */
  readonly changed: ChangedRow | null;
}

/**
 * Stores the result of a try and, if something waited for the notice, decides the next step, in one transaction.
 * @param claim the claim of the try; null if the result is not that of a try
 * @throws if there is no such notice.
 */
export async function recordDelivery(
  pool: Pool,
  noticeId: NoticeId,
  result: DeliveryResult,
  claim: number | null = null,
): Promise<RecordedDelivery> {
  return inTransaction(pool, async (db) => {
    const { notice, revision } = await storeDelivery(db, noticeId, result, claim);
    const { subscriptionId } = notice;
    if (result.kind !== 'delivered' || subscriptionId === null || revision === null) return { notice, changed: null };
    await advance(db, subscriptionId, result.at);
    return { notice, changed: { subscriptionId, revision } };
  });
}

/** Postpones the next try of a notice whose result could not be recorded. @param until real time */
export async function postponeNotice(db: Db, { noticeId, claim }: ClaimedNotice, until: number): Promise<void> {
  await db.query('update notices set next_try_real_at = $3 where notice_id = $1 and next_try_real_at = $2', [
    noticeId,
    instantToColumn(claim),
    instantToColumn(until),
  ]);
}
