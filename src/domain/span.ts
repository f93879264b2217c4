import { DAY, type Instant } from './instant';

/** `[from, to)`. */
export interface Span {
  readonly from: Instant;
  readonly to: Instant;
}

/** The beginning of the UTC day that `instant` lies in. */
export function startOfDay(instant: Instant): Instant {
  return Math.floor(instant / DAY) * DAY;
}

/** The UTC days of which the span holds at least a millisecond, each by its beginning, in order. */
export function daysOf({ from, to }: Span): Instant[] {
  const days: Instant[] = [];
  for (let day = startOfDay(from); day < to; day += DAY) days.push(day);
  return days;
}
