import type { NoticeId } from '../../domain/ids';
import { COLLECTION_WINDOW } from '../../domain/subscription/schedule';
import { type Db, instantToColumn, readRecords } from '../sql/statements';
import type { Act } from '../audit/entries';
import { NOTICE_COLUMNS, type NoticeRecord, recordAbout } from './notice';

/** The columns of a notice, qualified by its table. */
const COLUMNS = NOTICE_COLUMNS.split(',')
  .map((column) => `n.${column.trim()}`)
  .join(', ');

/**
 * Notices that are out of date at the instant $1, business time: the retry or debit that they announce, or the window of their
 * cycle or capture, has passed. Also notices whose cycle the ledger does not have (rule 41).
 */
const PASSED = `
  select ${COLUMNS} from notices n
  left join cycles c on (c.subscription_id, c.cycle) = (n.subscription_id, n.cycle)
  left join payments p on p.payment_id = n.payment_id
  where n.state = 'pending' and case
    -- The cycle that it is about is gone.
    when n.type in ('payment.failed', 'cycle.missed', 'cycle.failed', 'cycle.unresolved') and c.cycle is null then true
    when n.type = 'payment.failed' then (n.data ->> 'retryAt')::timestamptz <= $1 or least(c.retry_until, c.collect_by) <= $1
    when n.type = 'payment.increase_announced' then
      coalesce(c.collect_by, (n.data ->> 'dueAt')::timestamptz + ${COLLECTION_WINDOW} * interval '1 millisecond') <= $1
    when n.type = 'payment.upcoming' then (n.data ->> 'dueAt')::timestamptz <= $1
    when n.type = 'capture.deadline_near' then p.capture_by <= $1
    else false
  end
  order by n.created_at, n.notice_id`;

/** Closes notices whose retry time or window has passed or whose cycle is gone, each with an audit entry. @returns which */
export async function closePassedNotices(db: Db, act: Act): Promise<readonly NoticeId[]> {
  const passed = await readRecords<NoticeRecord>(db, PASSED, [instantToColumn(act.at)]);
  return close(
    db,
    passed,
    act,
    'its retry time or window had passed, or its cycle was gone, when the restored ledger was accepted',
  );
}

/**
 * Closes all undelivered notices, each with an audit entry, and forgets that a delivered one was to be sent again.
 * @returns which were closed
 */
export async function closeAllNotices(db: Db, act: Act): Promise<readonly NoticeId[]> {
  await db.query(
    `update notices set next_try_real_at = null where state = 'delivered' and next_try_real_at is not null`,
  );
  const pending = `select ${COLUMNS} from notices n where n.state = 'pending' order by n.created_at, n.notice_id`;
  return close(db, await readRecords<NoticeRecord>(db, pending), act, 'this ledger is a copy');
}

async function close(db: Db, notices: readonly NoticeRecord[], act: Act, error: string): Promise<readonly NoticeId[]> {
  const ids = notices.map(({ noticeId }) => noticeId);
  await db.query(
    `update notices set state = 'undeliverable', next_try_real_at = null, last_error = $2 where notice_id = any ($1)`,
    [ids, error],
  );
  for (const notice of notices)
    await recordAbout(db, notice, { ...act, type: 'notice.undeliverable', data: { error } });
  return ids;
}
