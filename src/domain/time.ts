/** An instant of business time: milliseconds since 1970-01-01T00:00:00.000Z. */
export type Instant = number;

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Instants end here: a later one has no text of four digits for its year, and PostgreSQL refuses it (rule 3). */
export const LAST_INSTANT: Instant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** Nothing that an instant is read from lies before it: PostgreSQL has no year 0. */
const FIRST_INSTANT: Instant = Date.parse('0001-01-01T00:00:00.000Z');

/** Whether it can be stored and written out; not a number cannot. */
export function isInstant(value: number): value is Instant {
  return value >= FIRST_INSTANT && value <= LAST_INSTANT;
}

/** `YYYY-MM-DDThh:mm:ss.sssZ`, the one form in which instants leave the program. */
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

/** The beginning of the UTC day that `instant` lies in. */
export function startOfDay(instant: Instant): Instant {
  return Math.floor(instant / DAY) * DAY;
}

/** The UTC days of which the period holds at least a millisecond, each by its beginning, in order. */
export function daysOf({ from, to }: Period): Instant[] {
  const days: Instant[] = [];
  for (let day = startOfDay(from); day < to; day += DAY) days.push(day);
  return days;
}

/**
 * A test clock: business time = `virtualStart` + (real − `realStart`) × `speed`. Both starts in epoch milliseconds.
 * Without one, business time is real time.
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
 * Real milliseconds to wait at real instant `real` until business time has reached `until`; 0 if it already has.
 * Rounded up and held against {@link toBusiness}, as a quotient is not exact: nothing wakes before its time, and the
 * answer is never 0 before the instant has come.
 */
export function realDelay(setting: ClockSetting | null, real: number, until: Instant): number {
  if (setting === null) return Math.max(0, Math.ceil(until - real));
  if (toBusiness(setting, real) >= until) return 0;
  const elapsed = real - setting.realStart;
  let delay = Math.max(0, Math.ceil((until - setting.virtualStart) / setting.speed - elapsed));
  for (let step = 1; toBusiness(setting, real + delay) < until; step *= 2) delay += step;
  return delay;
}

/** Business time within which the death of a process is noticed, on a fast test clock. */
const NOTICED_WITHIN = 12 * HOUR;
/** Anything shorter would take busy processes for dead ones. Real ms. */
const SHORTEST = 3 * SECOND;

/**
 * How long to wait, in real ms, before a process counts as dead or something is tried again. Twenty seconds are nothing to a
 * collection window, but four hours a second make three days of them: on a fast test clock the waits get shorter.
 */
export function scaledTimeout(setting: ClockSetting | null, wait: number): number {
  if (setting === null) return wait;
  return Math.min(wait, Math.max(SHORTEST, NOTICED_WITHIN / setting.speed));
}
