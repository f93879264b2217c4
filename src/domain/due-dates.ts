import { addMonths } from './calendar';
import { DAY, type Instant } from './instant';
import { monthsOf, type Repetition } from './repetition';

/** What fixes the calendar of a subscription. `endAt` is exclusive: a due date at or after it does not exist. */
export interface Calendar {
  readonly firstPaymentAt: Instant;
  readonly repetition: Repetition;
  readonly endAt: Instant | null;
}

/** Longer than any month, so that an estimate by it never overshoots. */
const LONGEST_MONTH = 31 * DAY;

/**
 * The due date of cycle `n`, 0 for the first: `firstPaymentAt + n × repetition`, always from the anchor and never from
 * the last one (decisions 1). Says nothing of `endAt`; see {@link hasCycle}.
 */
export function dueAt(calendar: Calendar, n: number): Instant {
  const months = monthsOf(calendar.repetition);
  return months === null ? calendar.firstPaymentAt + n * 7 * DAY : addMonths(calendar.firstPaymentAt, n * months);
}

/** Whether cycle `n` exists: its due date lies before `endAt`. */
export function hasCycle(calendar: Calendar, n: number): boolean {
  return n >= 0 && (calendar.endAt === null || dueAt(calendar, n) < calendar.endAt);
}

/** The first cycle whose due date is at or after `instant`. Found by estimate, never by a scan from cycle 0. */
export function firstCycleFrom(calendar: Calendar, instant: Instant): number {
  const elapsed = instant - calendar.firstPaymentAt;
  if (elapsed <= 0) return 0;
  const months = monthsOf(calendar.repetition);
  const interval = months === null ? 7 * DAY : months * LONGEST_MONTH;
  let n = Math.floor(elapsed / interval);
  while (dueAt(calendar, n) < instant) n += 1;
  return n;
}
