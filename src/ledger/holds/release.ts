import type { SubscriptionId } from '../../domain/ids';
import { type Instant, MINUTE } from '../../domain/time';
import { type Act, insertEventsOfMany } from '../audit/entries';
import type { ChangedRow } from '../deciding/steering';
import { IS_LIVE_SUBSCRIPTION } from '../rows/subscription';
import { inTransaction, type Pool } from '../sql/database';
import { type Db, instantToColumn, readRecord, readRecords, readValues } from '../sql/statements';
import { inParts } from './records';

/** How far the clocks of processes may differ, business time: a workflow may already wait for the hold by a clock that is ahead. */
const CLOCKS_DIFFER = MINUTE;

/**
 * Writes the audit entry of each held subscription that has not ended, and raises the revision of those whose time has come, as
 * their workflows wait for the end of the hold. Runs in a transaction after the one that lifted the hold: a workflow that decides
 * after the lift sees no hold, and one that decided before it is found here. If a process dies in between, {@link releaseLifted}
 * does the rest.
 * @param now business time, read after the hold was lifted
 * @returns the subscriptions whose workflows must be notified; none if the hold was not lifted, or was already released
 */
export function releaseHold(pool: Pool, holdId: string, now: Instant): Promise<readonly ChangedRow[]> {
  return inTransaction(pool, async (db) => {
    const by = await readRecord<Act>(
      db,
      `update holds set is_released = true where hold_id = $1 and lifted_by is not null and not is_released
       returning lifted_by as actor, lifted_key_id as key_id, ended_at as at`,
      [holdId],
    );
    return by === null ? [] : release(db, holdId, by, now + CLOCKS_DIFFER);
  });
}

/** Releases holds that another process has lifted but not released. @returns as {@link releaseHold} */
export async function releaseLifted(pool: Pool, now: Instant): Promise<readonly ChangedRow[]> {
  const lifted = await readValues<string>(
    pool,
    'select hold_id from holds where lifted_by is not null and not is_released order by hold_id',
  );
  const released: ChangedRow[] = [];
  for (const holdId of lifted) released.push(...(await releaseHold(pool, holdId, now)));
  return released;
}

async function release(db: Db, holdId: string, by: Act, dueBy: Instant): Promise<readonly ChangedRow[]> {
  const held = await readValues<SubscriptionId>(
    db,
    `select subscription_id from held_subscriptions join subscriptions using (subscription_id)
     where hold_id = $1 and status ${IS_LIVE_SUBSCRIPTION} order by subscription_id`,
    [holdId],
  );
  const lifted = { type: 'subscription.hold_lifted', data: { holdId } } as const;
  const waiting: ChangedRow[] = [];
  for (const ids of inParts(held)) {
    const entries = ids.map((subscriptionId) => ({ subscriptionId, ...lifted }));
    await insertEventsOfMany(db, by, entries);
    waiting.push(...(await raiseWaiting(db, ids, dueBy)));
  }
  return waiting;
}

/** Increments the revision of each subscription whose time has come, locking them in the order of their ids. */
function raiseWaiting(db: Db, among: readonly SubscriptionId[], dueBy: Instant): Promise<readonly ChangedRow[]> {
  return readRecords<ChangedRow>(
    db,
    `with waiting as (
       select s.subscription_id from subscriptions s
       where s.subscription_id = any ($1) and s.status = 'active' and (
         s.next_due_at <= $2 or exists (
           select from cycles c where c.subscription_id = s.subscription_id and c.status in ('collecting', 'dunning')
         )
       )
       order by s.subscription_id for update of s
     )
     update subscriptions s set revision = s.revision + 1 from waiting
     where s.subscription_id = waiting.subscription_id
     returning s.subscription_id, s.revision`,
    [among, instantToColumn(dueBy)],
  );
}
