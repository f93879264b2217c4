import type { SubscriptionId } from '../../domain/ids';
import {
  type HeldSubscription,
  lostByHour,
  type LostInHour,
  type LostWindow,
  windowsLost,
} from '../../domain/subscription/forecast';
import { DAY, type Instant, toIso } from '../../domain/time';
import { endItem, openItem } from '../rows/attention-item';
import { IS_LIVE_SUBSCRIPTION } from '../rows/subscription';
import { IS_ON_ITS_WAY, HAS_UNKNOWN_OUTCOME } from '../rows/any-send';
import { type Db, instantToColumn, readRecords } from '../sql/statements';
import { holdItemKey, type HoldRecord } from './records';

/** How long before its first window ends a hold becomes an attention item, business time. */
const WARN_AHEAD = DAY;

/** How far ahead the hours are listed in which windows end, business time. */
const HOURS_AHEAD = 14 * DAY;

/** What a hold costs if it stays until its end. */
export interface HoldLosses {
  /** When the first window ends while the hold is in force; null if none does. */
  readonly firstAt: Instant | null;
  /** Of the next 14 days. */
  readonly byHour: readonly LostInHour[];
}

/** Of the time from `now` on; nothing is lost by a hold that has ended. */
export async function readLosses(db: Db, hold: HoldRecord, now: Instant): Promise<HoldLosses> {
  let firstAt: Instant | null = null;
  const windows: LostWindow[] = [];
  if (hold.endedAt !== null || hold.until <= now) return { firstAt, byHour: [] };
  for await (const page of readHeld(db, hold))
    for (const each of page)
      for (const window of windowsLost(each, now, hold.until)) {
        firstAt = Math.min(firstAt ?? window.at, window.at);
        if (window.at >= now + HOURS_AHEAD) break;
        windows.push(window);
      }
  return { firstAt, byHour: lostByHour(windows) };
}

/**
 * Stores when the first window ends. From a day before on, the hold is an attention item, as long as it loses any.
 * @returns the hold as stored
 */
export async function followLosses(db: Db, hold: HoldRecord, now: Instant): Promise<HoldRecord> {
  const { firstAt, byHour } = await readLosses(db, hold, now);
  const { holdId, matched } = hold;
  await db.query('update holds set first_window_lost_at = $2, losses_read_at = $3 where hold_id = $1', [
    holdId,
    instantToColumn(firstAt),
    instantToColumn(now),
  ]);
  if (firstAt === null) await endItem(db, holdItemKey(holdId));
  else if (firstAt - WARN_AHEAD <= now) {
    const lost = byHour.reduce((sum, { count }) => sum + count, 0);
    const detail = `held subscriptions: ${matched}; windows that end within 14 days while the hold is in force: ${lost}`;
    const ledger = { state: 'on_hold', at: toIso(firstAt), id: holdId, detail };
    const item = { key: holdItemKey(holdId), source: 'hold', kind: 'hold_loses_windows' } as const;
    await openItem(db, { ...item, deadline: firstAt, ledger }, now);
  }
  return { ...hold, firstWindowLostAt: firstAt };
}

interface HeldRecord extends HeldSubscription {
  readonly subscriptionId: SubscriptionId;
}

const AT_ONCE = 2000;

/** The held subscriptions that are neither over nor being cancelled, in pages. A pending consent may be granted at any time. */
async function* readHeld(db: Db, { holdId, until }: HoldRecord): AsyncGenerator<readonly HeldRecord[], void> {
  let after = '';
  for (;;) {
    const page = await readRecords<HeldRecord>(db, HELD, [holdId, after, instantToColumn(until)]);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.subscriptionId;
  }
}

/** A cycle of which an attempt is under way is not lost; nor is one that a pause holds beyond its time. */
const HELD = `
  select s.subscription_id, case s.status when 'paused' then 'paused' else 'active' end as status, s.first_payment_at,
    s.repetition, s.end_at, s.next_due_at, s.paused_until, s.amount, s.pending_change,
    coalesce((s.retry_policy ->> 'transit')::integer, 0) as transit,
    array(
      select (extract(epoch from c.due_at) * 1000)::double precision from cycles c
      where c.subscription_id = s.subscription_id and c.status = 'skipped' and c.due_at >= s.next_due_at and c.due_at < $3
    ) as skipped,
    open.send_before as "open?.send_before", open.amount as "open?.amount"
  from held_subscriptions m join subscriptions s using (subscription_id)
  left join lateral (
    select coalesce(
        c.retry_until, c.collect_by - coalesce((s.retry_policy ->> 'transit')::integer, 0) * interval '1 millisecond'
      ) as send_before, c.amount
    from cycles c
    where c.subscription_id = s.subscription_id and c.status in ('collecting', 'dunning') and not exists (
      select from attempts a where (a.subscription_id, a.cycle) = (c.subscription_id, c.cycle)
        and (a.state ${IS_ON_ITS_WAY} or a.state ${HAS_UNKNOWN_OUTCOME})
    )
    order by c.cycle desc limit 1
  ) as open on s.status <> 'paused' or s.paused_until < open.send_before
  where m.hold_id = $1 and m.subscription_id > $2 and s.status ${IS_LIVE_SUBSCRIPTION} and s.hold is distinct from 'cancel'
  order by m.subscription_id limit ${AT_ONCE}`;
