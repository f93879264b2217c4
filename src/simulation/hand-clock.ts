import type { Clock } from '../platform/clock';
import { type ClockSetting, realDelay, toBusiness, type Instant } from '../domain/time';

/** Business time runs at the speed of real time but has another date, so that mixing them up is noticed. */
const SETTING: ClockSetting = {
  virtualStart: Date.parse('2027-01-31T10:00:00.000Z'),
  realStart: Date.parse('2026-11-21T09:00:00.000Z'),
  speed: 1,
};

/**
 * A clock that shows the same time until it is advanced. Shared by dueday's components and the simulated payment
 * service.
 */
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

  /** Advances by real ms. */
  pass(ms: number): void {
    this.real += Math.max(0, Math.ceil(ms));
  }

  /** Advances to that real time, epoch ms; never back. */
  passUntilReal(realMs: number): void {
    this.pass(realMs - this.real);
  }

  passUntil(instant: Instant): void {
    this.pass(realDelay(this.setting, this.real, instant));
  }
}
