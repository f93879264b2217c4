import type { Instant } from './instant';

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
 * Real milliseconds to wait at real instant `real` until business time has reached `until`; 0 where it has.
 * Rounded up and held against {@link toBusiness}, as a quotient is not exact: nothing wakes before its time, and nobody
 * who waits is told 0 while it has not come.
 */
export function realDelay(setting: ClockSetting | null, real: number, until: Instant): number {
  if (setting === null) return Math.max(0, Math.ceil(until - real));
  if (toBusiness(setting, real) >= until) return 0;
  const elapsed = real - setting.realStart;
  let delay = Math.max(0, Math.ceil((until - setting.virtualStart) / setting.speed - elapsed));
  for (let step = 1; toBusiness(setting, real + delay) < until; step *= 2) delay += step;
  return delay;
}
