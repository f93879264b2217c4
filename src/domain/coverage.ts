import type { Instant, Period } from './time';

/** A finished comparison of ledger and service over a period. */
export interface ComparedPeriod {
  readonly period: Period;
  /** Business time; later records were not included. */
  readonly startedAt: Instant;
}

/** A part of a period, and the comparison that covers it. */
export interface ComparedPart<R> {
  readonly period: Period;
  readonly by: R;
}

export interface Coverage<R> {
  /** The compared parts, in chronological order and without overlap. */
  readonly parts: readonly ComparedPart<R>[];
  /** Parts that no comparison covers, in chronological order. */
  readonly gaps: readonly Period[];
}

/** Which comparison covers which part of the period: for each instant, the newest one that covers it. */
export function coverPeriod<R extends ComparedPeriod>(period: Period, newestFirst: readonly R[]): Coverage<R> {
  const parts: ComparedPart<R>[] = [];
  let gaps: readonly Period[] = [period];
  for (const by of newestFirst) {
    if (gaps.length === 0) break;
    parts.push(...gaps.flatMap((gap) => overlap(gap, by.period)).map((part) => ({ period: part, by })));
    gaps = gaps.flatMap((gap) => without(gap, by.period));
  }
  return { parts: parts.sort((one, other) => one.period.from - other.period.from), gaps };
}

/** The instant up to which everything in the period has been compared; null if a part of it has never been compared. */
export function comparedUntil({ parts, gaps }: Coverage<ComparedPeriod>): Instant | null {
  return gaps.length > 0 ? null : Math.min(...parts.map(({ by }) => by.startedAt));
}

function overlap(one: Period, other: Period): Period[] {
  return unlessEmpty({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) });
}

function without(whole: Period, taken: Period): Period[] {
  return [
    ...unlessEmpty({ from: whole.from, to: Math.min(whole.to, taken.from) }),
    ...unlessEmpty({ from: Math.max(whole.from, taken.to), to: whole.to }),
  ];
}

function unlessEmpty(period: Period): Period[] {
  return period.from < period.to ? [period] : [];
}
