import { DAY, HOUR, type Instant } from './instant';
import { startOfDay } from './span';

/** The time of day of the daily work, in UTC: after midnight's due dates, before people come in. */
export const DAILY_AT = 3 * HOUR;

/** How far ahead due dates are looked at (decisions 8). */
export const LOOK_AHEAD = 7 * DAY;

/** How far back the daily reconciliation looks: a debit that was pending for weeks is still held against the ledger. */
export const LOOK_BACK = 31 * DAY;

/** The first moment of daily work strictly after `instant`. However many were missed, one makes up for them. */
export function nextDailyAfter(instant: Instant): Instant {
  const today = startOfDay(instant) + DAILY_AT;
  return today > instant ? today : today + DAY;
}

/** The first moment of daily work at or after `instant`. */
export function firstDailyFrom(instant: Instant): Instant {
  return nextDailyAfter(instant - 1);
}
