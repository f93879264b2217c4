import { type Instant, toIso } from '../../domain/time';
import { DUEDAY, insertEvent } from '../audit/entries';
import type { ChangedRow } from '../deciding/steering';
import { endItem } from '../rows/attention-item';
import { inTransaction, type Pool } from '../sql/database';
import { type Db, instantToColumn, readRecord, readValue } from '../sql/statements';
import { followLosses } from './losses';
import { holdItemKey, type HoldRecord, requireHold } from './records';
import { releaseLifted } from './release';

/** How long a hold is kept after its end, business time. */
const KEPT_DAYS = 90;

/** The most holds that one round removes. */
const AT_ONCE = 10;

/**
 * Notes the end of holds whose time has passed, releases holds that another process has lifted but not released, warns of windows
 * that holds in force lose, and removes old holds (rule 16).
 * @returns subscriptions whose workflow waits for the end of a hold that was released, and must be notified
 */
export async function followHolds(pool: Pool, now: Instant): Promise<readonly ChangedRow[]> {
  while (await inTransaction(pool, (db) => endPassed(db, now)));
  const released = await releaseLifted(pool, now);
  while (await inTransaction(pool, (db) => followNext(db, now)));
  await pool.query(
    `delete from holds where hold_id in (
       select hold_id from holds where ended_at < $1::timestamptz - interval '${KEPT_DAYS} days' limit ${AT_ONCE}
     )`,
    [instantToColumn(now)],
  );
  return released;
}

/** Ends one hold whose time has passed. False if there is none, or if other processes are ending all of them. */
async function endPassed(db: Db, now: Instant): Promise<boolean> {
  const ended = await readRecord<Pick<HoldRecord, 'holdId' | 'until'>>(
    db,
    `update holds set ended_at = until where hold_id = (
       select hold_id from holds where ended_at is null and until <= $1 order by until limit 1 for update skip locked
     ) returning hold_id, until`,
    [instantToColumn(now)],
  );
  if (ended === null) return false;
  const { holdId, until } = ended;
  const data = { holdId, until: toIso(until) };
  await insertEvent(db, { actor: DUEDAY, at: now, subscriptionId: null, type: 'hold.ended', data });
  await endItem(db, holdItemKey(holdId));
  return true;
}

/**
 * Computes the lost windows of one hold. False if none is due: they are computed every hour, a day before the first one
 * ends, and when it has ended.
 */
async function followNext(db: Db, now: Instant): Promise<boolean> {
  const holdId = await readValue<string>(
    db,
    `select hold_id from holds
     where ended_at is null and until > $1 and (
       losses_read_at <= $1::timestamptz - interval '1 hour' or first_window_lost_at <= $1
       or (losses_read_at < first_window_lost_at - interval '1 day' and first_window_lost_at - interval '1 day' <= $1)
     )
     order by losses_read_at limit 1 for update skip locked`,
    [instantToColumn(now)],
  );
  if (holdId === null) return false;
  await followLosses(db, await requireHold(db, holdId), now);
  return true;
}
