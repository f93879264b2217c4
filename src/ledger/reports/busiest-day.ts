import { waitingTime } from '../../domain/findings';
import { type Cap, hoursAllowed, hoursToCollect } from '../../domain/hours-to-collect';
import { DAY, type Instant, type Period, startOfDay } from '../../domain/time';
import { readBacklog } from '../attention/overdue-terms';
import { POSTPONED_UNTIL, UNTRIED } from '../rows/subscription';
import { type Db, instantToColumn, readRecords, readValue } from '../sql/statements';
import { countRetries, countWaiting } from './expected';

/** What decides how long collecting may take. */
export interface CollectingLimits {
  /** Null without a cap. */
  readonly cap: Cap | null;
  /** Business ms over which the first attempts of one instant are spread. */
  readonly spread: number;
}

/** A day, and how long the cap on calls needs for what is due on it (rule 42). */
export interface BusyDay {
  /** Its beginning. */
  readonly day: Instant;
  /** First attempts and retries planned for it, of today only those still to come. */
  readonly attempts: number;
  /** Hours of business time, including the backlog of the previous day. */
  readonly hours: number;
  /** Alerts fire if the hours exceed this. */
  readonly allowed: number;
}

/** Today or tomorrow: the day that comes closest to the allowed hours, or exceeds them most; null without a cap. */
export async function readBusiestDay(db: Db, now: Instant, limits: CollectingLimits): Promise<BusyDay | null> {
  const { cap, spread } = limits;
  if (cap === null) return null;
  const from = startOfDay(now);
  const days = [from, from + DAY];
  // What was planned for earlier today is part of the backlog.
  const period = { from: now, to: from + 2 * DAY };
  const due = new Map((await countDue(db, period)).map((each) => [each.day, each]));
  const retries = new Map((await countRetries(db, period, now)).map(({ day, count }) => [day, count]));
  const loads = days.map((day) => ({ firstAttempts: due.get(day)?.count ?? 0, retries: retries.get(day) ?? 0 }));
  const hours = hoursToCollect(loads, await countWaiting(db, now, now), 0, cap);
  const found = days.map((day, n) => ({
    day,
    attempts: (due.get(day)?.count ?? 0) + (retries.get(day) ?? 0),
    hours: hours[n] ?? 0,
    allowed: hoursAllowed(spread, due.get(day)?.shortestWindow ?? null),
  }));
  const share = ({ hours: needed, allowed }: BusyDay) => needed / allowed;
  return found.reduce((worst, each) => (share(each) > share(worst) ? each : worst));
}

interface DueOnDay {
  readonly day: Instant;
  readonly count: number;
  /** The shortest time from a due date to the end of its agreement, business ms. Null if no agreement ends. */
  readonly shortestWindow: number | null;
}

/** First attempts that fall due in the period, by UTC day. */
async function countDue(db: Db, { from, to }: Period): Promise<readonly DueOnDay[]> {
  return readRecords<DueOnDay>(
    db,
    `select date_trunc('day', s.next_due_at, 'UTC') as day, count(*) as count,
       (min(extract(epoch from s.end_at - s.next_due_at)) * 1000)::double precision as shortest_window
     from ${UNTRIED} and s.status = 'active' and s.stopped_by is null and s.next_due_at >= $1 and s.next_due_at < $2
     group by 1`,
    [instantToColumn(from), instantToColumn(to)],
  );
}

/** How late first attempts are, and how late the cap on calls makes them. Business ms. */
export interface Lateness {
  /** The wait that the cap causes for what fell due together with the oldest due date without an attempt. */
  readonly capWait: number;
  /** The part of the delay of the oldest due date without an attempt that neither spread nor cap explains; 0 if there is none. */
  readonly beyond: number;
}

/** Condition on subscriptions `s`: nothing stops their attempts at $1, business time. */
const IS_FREE = `s.status = 'active' and s.stopped_by is null and coalesce(held_until(s.subscription_id), $1) <= $1`;

/**
 * When the most overdue first attempt should have been made: at its due date, or when its postponement ended; null if
 * none is due.
 */
const OLDEST_UNTRIED = `
  select min(at) from (
    (
      select s.next_due_at as at from ${UNTRIED} and s.next_due_at <= $1 and ${IS_FREE} and ${POSTPONED_UNTIL} is null
      order by s.next_due_at limit 1
    ) union all (
      select c.postponed_until from cycles c join subscriptions s on (s.subscription_id, s.next_due_at) = (c.subscription_id, c.due_at)
      where c.status = 'scheduled' and c.postponed_until <= $1 and ${IS_FREE}
      order by c.postponed_until limit 1
    )
  ) as oldest`;

export async function readLateness(db: Db, now: Instant, { cap, spread }: CollectingLimits): Promise<Lateness> {
  const dueAt = (await readValue<Instant>(db, OLDEST_UNTRIED, [instantToColumn(now)])) ?? now;
  const capWait = cap === null ? 0 : await readCapWait(db, now, dueAt, cap);
  return { capWait, beyond: Math.max(0, now - dueAt - spread - capWait) };
}

async function readCapWait(db: Db, now: Instant, dueAt: Instant, { callsPerSecond, speed }: Cap): Promise<number> {
  const backlog = await readBacklog(db, { now, callsPerSecond }, dueAt);
  return waitingTime(backlog, dueAt, callsPerSecond, speed);
}
