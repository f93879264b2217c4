import type { Clock } from '../../src/platform/clock';

/** A clock that is stopped until it is moved; business and real time are moved separately. Epoch milliseconds. */
export class ManualClock implements Clock {
  readonly setting = null;
  private business: number;
  private real = Date.parse('2026-11-21T09:00:00.000Z');

  constructor(businessStart: string) {
    this.business = Date.parse(businessStart);
  }

  now(): number {
    return this.business;
  }

  realNow(): number {
    return this.real;
  }

  /** Sets business time; real time stays. */
  travelTo(instant: number | string): void {
    this.business = typeof instant === 'string' ? Date.parse(instant) : instant;
  }

  /** Lets real time pass; business time stays. */
  pass(ms: number): void {
    this.real += ms;
  }
}
