import type { Clock } from '../platform/clock';
import { type ClockSetting, realDelay, toBusiness, type Instant } from '../domain/time';

/** Business time runs as fast as real time and shows another date, so that a mix-up shows. */
const SETTING: ClockSetting = {
  virtualStart: Date.parse('2027-01-31T10:00:00.000Z'),
  realStart: Date.parse('2026-11-21T09:00:00.000Z'),
  speed: 1,
};

/** Stands still until it is moved. Shared by what is tested and by the simulated payment service. */
export class HandClock implements Clock {
  readonly setting: ClockSetting;
  private real = SETTING.realStart;

  constructor(virtualStart: Instant = SETTING.virtualStart) {
    this.setting = { ...SETTING, virtualStart };
  }

  now(): Instant {
    return toBusiness(this.setting, this.real);
  }

  realNow(): number {
    return this.real;
  }

  /** Real ms. */
  pass(ms: number): void {
    this.real += Math.max(0, Math.ceil(ms));
  }

  /** Until that real time, epoch ms; not back. */
  passUntilReal(realMs: number): void {
    this.pass(realMs - this.real);
  }

  passUntil(instant: Instant): void {
    this.pass(realDelay(this.setting, this.real, instant));
  }
}
