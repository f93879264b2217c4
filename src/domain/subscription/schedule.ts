import { DAY, type Instant, HOUR, isInstant, startOfDay } from '../time';

/**
 * The payment intervals of a subscription, under the reference's names, in days and calendar months. `cap`:
 * "Maximum amount for an increase", in cents (reference, Limits; rule 19).
 */
export const INTERVALS = {
  WEEKLY: { days: 7, months: 0, cap: 15_000 },
  MONTHLY: { days: 0, months: 1, cap: 50_000 },
  QUARTERLY: { days: 0, months: 3, cap: 150_000 },
  HALF_YEARLY: { days: 0, months: 6, cap: 250_000 },
  YEARLY: { days: 0, months: 12, cap: 500_000 },
};

/** The repetition never changes (rule 22). */
export type Repetition = keyof typeof INTERVALS;

export const REPETITIONS = Object.keys(INTERVALS) as [Repetition, ...Repetition[]];

/** As long as the longest month, so that a number of months estimated with it is never too high. */
const LONGEST_MONTH = 31 * DAY;

/** An upper bound, in ms, for the length of an interval of the repetition. */
export function longestInterval(repetition: Repetition): number {
  const { days, months } = INTERVALS[repetition];
  return days * DAY + months * LONGEST_MONTH;
}

const SHORTEST_MONTH = 28 * DAY;

/** A lower bound, in ms, for the length of an interval of the repetition. */
export function shortestInterval(repetition: Repetition): number {
  const { days, months } = INTERVALS[repetition];
  return days * DAY + months * SHORTEST_MONTH;
}

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

/** The fields that determine the calendar of a subscription. `endAt` is exclusive: a due date at or after it does not exist. */
export interface Calendar {
  readonly firstPaymentAt: Instant;
  readonly repetition: Repetition;
  readonly endAt: Instant | null;
}

/**
 * The due date of cycle `n`, 0 for the first: `firstPaymentAt + n × repetition`, always counted from the first payment and
 * never from the previous due date (rule 1). Ignores `endAt`; see {@link hasCycle}.
 */
export function dueAt(calendar: Calendar, n: number): Instant {
  const { days, months } = INTERVALS[calendar.repetition];
  return addMonths(calendar.firstPaymentAt, n * months) + n * days * DAY;
}

/** Whether cycle `n` exists: its due date is before `endAt`, and its window ends by the last representable instant (rule 3). */
export function hasCycle(calendar: Calendar, n: number): boolean {
  if (n < 0 || (calendar.endAt !== null && dueAt(calendar, n) >= calendar.endAt)) return false;
  return isInstant(collectionWindow(calendar, n).collectBy);
}

/** The first cycle whose due date is at or after `instant`. Estimated and corrected, without counting from cycle 0. */
export function firstCycleFrom(calendar: Calendar, instant: Instant): number {
  const elapsed = instant - calendar.firstPaymentAt;
  if (elapsed <= 0) return 0;
  let n = Math.floor(elapsed / longestInterval(calendar.repetition));
  while (dueAt(calendar, n) < instant) n += 1;
  return n;
}

/** "Deviation from the scheduled payment date: up to 5 days (120 hours)"; dueday only ever collects late, never early (rule 3). */
export const COLLECTION_WINDOW = 120 * HOUR;

/** `[dueAt, collectBy)`: when a cycle may be collected. */
export interface CollectionWindow {
  readonly dueAt: Instant;
  readonly collectBy: Instant;
}

/** `collectBy = min(due + 120 h, next due, endAt)` (rule 3). */
export function collectionWindow(calendar: Calendar, n: number): CollectionWindow {
  const due = dueAt(calendar, n);
  const collectBy = Math.min(due + COLLECTION_WINDOW, dueAt(calendar, n + 1), calendar.endAt ?? Infinity);
  return { dueAt: due, collectBy };
}

/** Whether the last cycle's window is shorter than 120 h: only `endAt` can shorten it, as every repetition is longer (rule 2). */
export function isLastWindowCut(calendar: Calendar, lastCycle: number): boolean {
  const { dueAt: due, collectBy } = collectionWindow(calendar, lastCycle);
  return collectBy - due < COLLECTION_WINDOW;
}

/** The time of day of the daily work, in UTC: after midnight's due dates, before office hours. */
export const DAILY_AT = 3 * HOUR;

/** How far ahead of due dates consents are checked (rule 8). */
export const CHECK_AHEAD = 7 * DAY;

/** How far back the daily reconciliation compares: it covers debits that were pending for weeks. */
export const COMPARE_BACK = 31 * DAY;

/** The first start of daily work strictly after `instant`. However many starts were missed, one makes up for them. */
export function nextDailyAfter(instant: Instant): Instant {
  const today = startOfDay(instant) + DAILY_AT;
  return today > instant ? today : today + DAY;
}

/** The first start of daily work at or after `instant`. */
export function firstDailyFrom(instant: Instant): Instant {
  return nextDailyAfter(instant - 1);
}

/**
 * The instant from which an authorization that the ledger lacks may be the debit of the cycle. The service allows 120 hours
 * before and after the due date, and what lies in the window of the previous cycle belongs to the previous cycle (rule 40).
 */
export function adoptionStart(calendar: Calendar, cycle: number): Instant {
  const earliest = dueAt(calendar, cycle) - COLLECTION_WINDOW;
  return cycle === 0 ? earliest : Math.max(earliest, collectionWindow(calendar, cycle - 1).collectBy);
}

/** The facts that determine the first attempt of a cycle within its window. */
export interface FirstTry {
  /** In the last `transit` ms of the window nothing is sent. Business time. */
  readonly transit: number;
  /** Ms after the due date. */
  readonly spread: number;
  /** Null if the payer has not asked for another time. */
  readonly postponedUntil: Instant | null;
}

/**
 * The time of the first attempt: as the payer has asked; otherwise attempts due at the same instant are spread over at most
 * half of the time to send.
 */
export function firstTryAt({ dueAt: due, collectBy }: CollectionWindow, first: FirstTry): Instant {
  const available = Math.max(0, collectBy - first.transit - due);
  return first.postponedUntil ?? due + Math.min(first.spread, Math.floor(available / 2));
}
