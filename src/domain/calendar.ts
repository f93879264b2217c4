import { DAY, type Instant } from './instant';

/**
 * `instant` plus calendar months in UTC. The time of day stays to the millisecond; a day that the target month lacks
 * becomes its last one (31 January + 1 month = 28 or 29 February).
 */
export function addMonths(instant: Instant, months: number): Instant {
  const date = new Date(instant);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() + months;
  const year = Math.floor(month / 12);
  const monthOfYear = month - year * 12;
  const day = Math.min(date.getUTCDate(), daysInMonth(year, monthOfYear));
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, monthOfYear, day);
  return midnight.getTime() + timeOfDay(instant);
}

function daysInMonth(year: number, month: number): number {
  const lastDay = new Date(0);
  lastDay.setUTCFullYear(year, month + 1, 0);
  return lastDay.getUTCDate();
}

function timeOfDay(instant: Instant): number {
  return ((instant % DAY) + DAY) % DAY;
}
