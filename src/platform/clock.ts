import { type ClockSetting, toBusiness, type Instant } from '../domain/time';

/** The only source of time in the program outside workflows. */
export interface Clock {
  /** Business time: due dates, windows, everything shown or stored. Epoch milliseconds. */
  now(): Instant;
  /** Real time: time-outs, back-off, settle seconds, lives of tokens and keys. Epoch milliseconds. */
  realNow(): number;
  /** Handed to workflows, which map their own deterministic time through it. */
  readonly setting: ClockSetting | null;
}

export function createClock(setting: ClockSetting | null): Clock {
  return {
    now: () => toBusiness(setting, Date.now()),
    realNow: () => Date.now(),
    setting,
  };
}
