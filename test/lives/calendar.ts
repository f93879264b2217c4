import { DateTime } from 'luxon';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export type Repetition = 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';

/** The terms of a life. Written from the reference alone, like the whole model; instants in epoch ms. */
export interface Agreement {
  readonly repetition: Repetition;
  readonly first: number;
  readonly end: number | null;
  readonly cents: number;
  readonly onExhausted: 'continue' | 'pause' | 'cancel';
}

const STEPS = {
  WEEKLY: { days: 7 },
  MONTHLY: { months: 1 },
  QUARTERLY: { months: 3 },
  HALF_YEARLY: { months: 6 },
  YEARLY: { months: 12 },
} as const;

const MAX_DEVIATION = 120 * HOUR;

export function dueOf({ repetition, first }: Pick<Agreement, 'repetition' | 'first'>, cycle: number): number {
  const [[unit, count]] = Object.entries(STEPS[repetition]) as [[string, number]];
  return DateTime.fromMillis(first, { zone: 'utc' })
    .plus({ [unit]: count * cycle })
    .toMillis();
}

/** The instant from which the cycle may not be collected any more. */
export function closeOf(agreement: Agreement, cycle: number): number {
  const due = dueOf(agreement, cycle);
  return Math.min(due + MAX_DEVIATION, dueOf(agreement, cycle + 1), agreement.end ?? Infinity);
}

/** Every cycle that falls due before the instant, and before the end. */
export function cyclesBefore(agreement: Agreement, instant: number): number[] {
  const limit = Math.min(instant, agreement.end ?? Infinity);
  const cycles: number[] = [];
  for (let cycle = 0; dueOf(agreement, cycle) < limit; cycle += 1) cycles.push(cycle);
  return cycles;
}

export function plusMonths(instant: number, months: number): number {
  return DateTime.fromMillis(instant, { zone: 'utc' }).plus({ months }).toMillis();
}

export function words(instant: number): string {
  return new Date(instant).toISOString().slice(0, 16);
}
