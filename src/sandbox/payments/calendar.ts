import { DateTime } from 'luxon';
import type { Clock } from '../../platform/clock';

/**
 * The clock of one payment. It shows the simulator's time until a control route moves it, so that days can pass for one
 * payment while the others, and the programs that use them, keep their time.
 */
export interface PaymentClock extends Clock {
  /** Stops business time at `instant`. @throws RangeError if that is before the payment's current time */
  holdAt(instant: number): void;
  /** Advances real time by `ms`; it continues to run. */
  passReal(ms: number): void;
}

export function createPaymentClock(clock: Clock): PaymentClock {
  let held: number | null = null;
  let ahead = 0;
  return {
    now: () => held ?? clock.now(),
    realNow: () => clock.realNow() + ahead,
    // Stopped business time has speed 0.
    get setting() {
      return held === null ? clock.setting : { virtualStart: held, realStart: clock.realNow(), speed: 0 };
    },
    holdAt: (instant) => {
      if (instant < (held ?? clock.now())) throw new RangeError('the time of a payment cannot run backwards');
      held = instant;
    },
    passReal: (ms) => {
      ahead += ms;
    },
  };
}

/** The payment intervals, each with its "Maximum amount for an increase" in cents. */
export const INTERVALS = {
  WEEKLY: { unit: 'weeks', count: 1, cap: 150_00 },
  MONTHLY: { unit: 'months', count: 1, cap: 500_00 },
  QUARTERLY: { unit: 'months', count: 3, cap: 1500_00 },
  HALF_YEARLY: { unit: 'months', count: 6, cap: 2500_00 },
  YEARLY: { unit: 'months', count: 12, cap: 5000_00 },
} as const;

export type Repetition = keyof typeof INTERVALS;

export const REPETITIONS = Object.keys(INTERVALS) as [Repetition, ...Repetition[]];

/** The terms that determine the dates of a subscription. Instants in epoch milliseconds; `endAt` is exclusive. */
export interface Schedule {
  readonly repetition: Repetition;
  readonly firstPaymentAt: number;
  readonly endAt: number | null;
}

/** A date on which the subscription is paid; the first is cycle 0. */
export interface ScheduledDate {
  readonly cycle: number;
  readonly scheduledAt: number;
}

function utc(instant: number): DateTime {
  return DateTime.fromMillis(instant, { zone: 'utc' });
}

export function iso(instant: number): string {
  return new Date(instant).toISOString();
}

/** Milliseconds of an ISO timestamp in UTC; digits past the millisecond are dropped. */
export function instantOf(timestamp: string): number {
  return DateTime.fromISO(timestamp, { zone: 'utc' }).toMillis();
}

export function plusMonths(instant: number, months: number): number {
  return utc(instant).plus({ months }).toMillis();
}

/** `firstPaymentAt + n × repetition`, always counted from the first: 31 January, 28 February, 31 March. */
export function scheduledAt(schedule: Schedule, n: number): number {
  const { unit, count } = INTERVALS[schedule.repetition];
  return utc(schedule.firstPaymentAt)
    .plus({ [unit]: n * count })
    .toMillis();
}

/** Every scheduled date within `deviation` of `instant`, oldest first. */
export function datesAround(schedule: Schedule, instant: number, deviation: number): ScheduledDate[] {
  const { unit, count } = INTERVALS[schedule.repetition];
  const elapsed = utc(instant - deviation)
    .diff(utc(schedule.firstPaymentAt), unit)
    .as(unit);
  const dates: ScheduledDate[] = [];
  // Starts one interval earlier than estimated, so that rounding cannot lose a date.
  for (let cycle = Math.max(0, Math.floor(elapsed / count) - 1); ; cycle += 1) {
    const at = scheduledAt(schedule, cycle);
    if (at > instant + deviation || (schedule.endAt !== null && at >= schedule.endAt)) return dates;
    if (at >= instant - deviation) dates.push({ cycle, scheduledAt: at });
  }
}
