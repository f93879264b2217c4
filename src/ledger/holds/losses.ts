import type { SubscriptionId } from '../../domain/ids';
import { type HeldSubscription, lostByHour, type LostWindow, windowsLost } from '../../domain/reports/forecast';
import { DAY, type Instant, toIso } from '../../domain/time';
import { endItem, openItem } from '../rows/attention-item';
import { IS_LIVE_SUBSCRIPTION } from '../rows/subscription';
import { IS_COLLECTING, HAS_UNKNOWN_OUTCOME } from '../rows/any-send';
import { type Db, instantToColumn, jsonToColumn, readRecords } from '../sql/statements';
import { holdItemKey, type HoldRecord } from './records';

/** A hold becomes an attention item this long before the first window that it loses ends. Business time. */
const WARN_AHEAD = DAY;

/** How far ahead the windows that a hold loses are counted by hour, business time. */
const HOURS_AHEAD = 14 * DAY;

/**
 * Computes and stores which windows end while the hold is in force, if it is not lifted earlier. From a day before the first of
 * these ends, the hold has an attention item, as long as it loses any window.
 * @returns the hold as stored
 */
export async function followLosses(db: Db, hold: HoldRecord, now: Instant): Promise<HoldRecord> {
  const losses = await readLosses(db, hold, now);
  const { holdId, matched } = hold;
  const { firstWindowLostAt: firstAt, windowsLost: hours } = losses;
  await db.query(
    'update holds set first_window_lost_at = $2, windows_lost = $3, losses_read_at = $4 where hold_id = $1',
    [holdId, instantToColumn(firstAt), jsonToColumn(hours), instantToColumn(now)],
  );
  if (firstAt === null) await endItem(db, holdItemKey(holdId));
  else if (firstAt - WARN_AHEAD <= now) {
    const lost = hours.reduce((sum, { count }) => sum + count, 0);
    const detail = `held subscriptions: ${matched}; windows that end within 14 days while the hold is in force: ${lost}`;
    const ledger = { state: 'on_hold', at: toIso(firstAt), id: holdId, detail };
    const item = { key: holdItemKey(holdId), source: 'hold', kind: 'hold_loses_windows' } as const;
    await openItem(db, { ...item, deadline: firstAt, ledger }, now);
  }
  return { ...hold, ...losses };
}

type HoldLosses = Pick<HoldRecord, 'firstWindowLostAt' | 'windowsLost'>;

/** The windows that the hold will cost from `now` on. */
async function readLosses(db: Db, hold: HoldRecord, now: Instant): Promise<HoldLosses> {
  let firstWindowLostAt: Instant | null = null;
  const windows: LostWindow[] = [];
  for await (const page of readHeld(db, hold))
    for (const each of page)
      for (const window of windowsLost(each, now, hold.until)) {
        firstWindowLostAt = Math.min(firstWindowLostAt ?? window.at, window.at);
        if (window.at >= now + HOURS_AHEAD) break;
        windows.push(window);
      }
  return { firstWindowLostAt, windowsLost: lostByHour(windows) };
}

interface HeldRecord extends HeldSubscription {
  readonly subscriptionId: SubscriptionId;
}

const AT_ONCE = 2000;

/**
 * The held subscriptions that have not ended and are not being cancelled, in pages. One whose consent is pending is
 * included, because the consent may be granted at any time.
 */
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

/**
 * A page of held subscriptions. A cycle with an attempt under way is not lost, and neither is one that a pause stops beyond its
 * window. A cycle whose only attempt never arrived is still the next due date, which counts unless a pause covers it.
 */
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
    where c.subscription_id = s.subscription_id and c.status in ('collecting', 'dunning')
      and (s.next_due_at is null or c.due_at < s.next_due_at or s.status = 'paused') and not exists (
      select from attempts a where (a.subscription_id, a.cycle) = (c.subscription_id, c.cycle)
        and (a.state ${IS_COLLECTING} or a.state ${HAS_UNKNOWN_OUTCOME})
    )
    order by c.cycle desc limit 1
  ) as open on s.status <> 'paused' or s.paused_until < open.send_before
  where m.hold_id = $1 and m.subscription_id > $2 and s.status ${IS_LIVE_SUBSCRIPTION} and s.stopped_by is distinct from 'cancel'
  order by m.subscription_id limit ${AT_ONCE}`;
