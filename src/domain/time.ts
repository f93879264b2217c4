/** An instant of business time: milliseconds since 1970-01-01T00:00:00.000Z. */
export type Instant = number;

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The last representable instant: a later year has more than four digits, and PostgreSQL refuses it (rule 3). */
export const LAST_INSTANT: Instant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** The first representable instant: PostgreSQL has no year 0. */
const FIRST_INSTANT: Instant = Date.parse('0001-01-01T00:00:00.000Z');

/** Whether the instant can be stored and formatted; false for NaN. */
export function isInstant(value: number): value is Instant {
  return value >= FIRST_INSTANT && value <= LAST_INSTANT;
}

/** `YYYY-MM-DDThh:mm:ss.sssZ`, the only format in which instants leave the program. */
export function toIso(instant: Instant): string {
  return new Date(instant).toISOString();
}

export function isoOrNull(instant: Instant | null): string | null {
  return instant === null ? null : toIso(instant);
}

/** `[from, to)`. */
export interface Period {
  readonly from: Instant;
  readonly to: Instant;
}

/** The start of the UTC day of `instant`. */
export function startOfDay(instant: Instant): Instant {
  return Math.floor(instant / DAY) * DAY;
}

/** The UTC days that overlap with the period, each by its start, in order. */
export function daysOf({ from, to }: Period): Instant[] {
  const days: Instant[] = [];
  for (let day = startOfDay(from); day < to; day += DAY) days.push(day);
  return days;
}

/**
 * A test clock: business time = `virtualStart` + (real − `realStart`) × `speed`. Both starts in epoch milliseconds.
 * Without a test clock, business time is real time.
 */
export interface ClockSetting {
  readonly virtualStart: Instant;
  readonly realStart: number;
  readonly speed: number;
}

/** Business time at a real instant. Whole milliseconds. */
export function toBusiness(setting: ClockSetting | null, real: number): Instant {
  if (setting === null) return real;
  return Math.floor(setting.virtualStart + (real - setting.realStart) * setting.speed);
}

/**
 * Real milliseconds to wait at real instant `real` until business time reaches `until`; 0 if it already has. Rounded up and
 * verified with {@link toBusiness}, because a quotient is not exact: nothing wakes too early, and the result is never 0 before
 * the instant.
 */
export function realDelay(setting: ClockSetting | null, real: number, until: Instant): number {
  if (setting === null) return Math.max(0, Math.ceil(until - real));
  if (toBusiness(setting, real) >= until) return 0;
  const elapsed = real - setting.realStart;
  let delay = Math.max(0, Math.ceil((until - setting.virtualStart) / setting.speed - elapsed));
  for (let step = 1; toBusiness(setting, real + delay) < until; step *= 2) delay += step;
  return delay;
}

/** Business time within which the death of a process must be noticed, even on a fast test clock. */
const NOTICED_WITHIN = 12 * HOUR;
/** A shorter time-out would take busy processes for dead ones. Real ms. */
const MIN_TIMEOUT = 3 * SECOND;

/**
 * A time-out in real ms, shortened on a fast test clock. Twenty seconds are negligible for a collection window, but at four
 * hours a second they amount to three days.
 */
export function scaledTimeout(setting: ClockSetting | null, wait: number): number {
  if (setting === null) return wait;
  return Math.min(wait, Math.max(MIN_TIMEOUT, NOTICED_WITHIN / setting.speed));
}
