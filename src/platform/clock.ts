import { type ClockSetting, toBusiness, type Instant } from '../domain/time';

/** The only source of the current time outside workflows. Durations are measured with `performance.now`. */
export interface Clock {
  /** Business time: due dates, windows, and the times that are shown or stored, unless named real. Epoch milliseconds. */
  now(): Instant;
  /** Real time: time-outs, back-off, settle time, lifetimes of tokens and keys. Epoch milliseconds. */
  realNow(): number;
  /** Passed to workflows, which map their own deterministic time with it. */
  readonly setting: ClockSetting | null;
}

export function createClock(setting: ClockSetting | null): Clock {
  return {
    now: () => toBusiness(setting, Date.now()),
    realNow: () => Date.now(),
    setting,
  };
}
