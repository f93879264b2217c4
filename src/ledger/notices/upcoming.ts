import { firstCycleFrom, type Repetition } from '../../domain/subscription/schedule';
import { type Instant, toIso } from '../../domain/time';
import { type Db, instantToColumn, jsonToColumn, readRecords } from '../sql/statements';
import type { UpcomingData } from '../rows/notice';
import type { SubscriptionRecord } from '../rows/subscription';

/** How long before a due date the payers of one repetition are notified of the coming debit. */
export interface UpcomingTerm {
  readonly repetition: Repetition;
  /** Ms of business time. */
  readonly ahead: number;
}

interface Coming extends Pick<
  SubscriptionRecord,
  'subscriptionId' | 'repetition' | 'firstPaymentAt' | 'endAt' | 'amount'
> {
  readonly dueAt: Instant;
  readonly postponedUntil: Instant | null;
}

/** The most notices created in one transaction; the next one creates the rest. */
const AT_ONCE = 500;

/**
 * Creates a `payment.upcoming` notice for each active subscription of the repetition whose next cycle falls due after `now` and
 * at most `ahead` later, each once for a due date. A notice that was given up because of a pause is delivered after all. Within
 * the caller's transaction.
 * @param now business time
 * @returns how many subscriptions were found; {@link AT_ONCE} if more may be left
 */
export async function orderUpcomingNotices(db: Db, now: Instant, term: UpcomingTerm): Promise<number> {
  const coming = await lockComing(db, now, term);
  if (coming.length > 0) await insertAll(db, coming, now);
  return coming.length;
}

/**
 * Locks and reads the subscriptions to notify; rows that others have locked are left to the next pass. The index of this query
 * has the same condition.
 */
function lockComing(db: Db, now: Instant, { repetition, ahead }: UpcomingTerm): Promise<readonly Coming[]> {
  return readRecords<Coming>(
    db,
    `select s.subscription_id, s.repetition, s.first_payment_at, s.end_at, s.amount, s.next_due_at as due_at, (
       select c.postponed_until from cycles c
       where c.subscription_id = s.subscription_id and c.due_at = s.next_due_at and c.status = 'scheduled'
     ) as postponed_until
     from subscriptions s
     where s.status = 'active' and s.stopped_by is null and s.payer_notified_for is distinct from s.next_due_at
       and s.repetition = $1 and s.next_due_at > $2 and s.next_due_at <= $3
     order by s.next_due_at limit ${AT_ONCE} for update of s skip locked`,
    [repetition, instantToColumn(now), instantToColumn(now + ahead)],
  );
}

async function insertAll(db: Db, coming: readonly Coming[], now: Instant): Promise<void> {
  const rows = coming.map((each) => {
    const { subscriptionId, amount, dueAt, postponedUntil } = each;
    const cycle = firstCycleFrom(each, dueAt);
    const postponed = postponedUntil === null ? {} : { postponedUntil: toIso(postponedUntil) };
    const data: UpcomingData = { cycle, amount, dueAt: toIso(dueAt), ...postponed };
    return { subscriptionId, cycle, changeKey: `upcoming/${dueAt}`, data };
  });
  await db.query(
    `with ordered as (
       select "subscriptionId", cycle, "changeKey", data
       from jsonb_to_recordset($1) as (
         "subscriptionId" text collate "C", cycle integer, "changeKey" text collate "C", data jsonb
       )
     ), marked as (
       update subscriptions s set payer_notified_for = s.next_due_at
       from ordered o where s.subscription_id = o."subscriptionId"
     )
     insert into notices as known (notice_id, subscription_id, change_key, type, cycle, data, created_at)
     select 'msg_' || replace(gen_random_uuid()::text, '-', ''), "subscriptionId", "changeKey", 'payment.upcoming', cycle, data, $2
     from ordered
     on conflict (subscription_id, change_key, type, coalesce(cycle, -1), coalesce(attempt, -1)) where change_key is not null
     do update set state = 'pending', next_try_real_at = 'epoch', first_try_real_at = null, tries = 0, data = excluded.data
     where known.state = 'undeliverable'`,
    [jsonToColumn(rows), instantToColumn(now)],
  );
}
