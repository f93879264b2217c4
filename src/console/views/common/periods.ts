import { utcDay } from '../../format';

export interface Range {
  readonly name: string;
  /** UTC days, both inclusive. */
  readonly from: string;
  readonly to: string;
}

/** Ranges that end today, and the present month so far. */
export function pastRanges(): readonly Range[] {
  const to = utcDay();
  return [
    { name: '7 days', from: utcDay(-6), to },
    { name: '30 days', from: utcDay(-29), to },
    { name: '90 days', from: utcDay(-89), to },
    { name: 'This month', from: `${to.slice(0, 'YYYY-MM'.length)}-01`, to },
  ];
}

/** Ranges that start today. */
export function comingRanges(): readonly Range[] {
  const from = utcDay();
  return [
    { name: '7 days', from, to: utcDay(6) },
    { name: '30 days', from, to: utcDay(29) },
    { name: '90 days', from, to: utcDay(89) },
  ];
}

/** The UTC day of the time that is `ms` after the instant; null if the text, which is from an address, is not an instant. */
export function dayOf(iso: string, ms: number): string | null {
  const at = new Date(Date.parse(iso) + ms);
  return Number.isNaN(at.getTime()) ? null : (at.toISOString().split('T')[0] ?? null);
}

/** The period of the same length that ends where this one starts; an invalid one is left to the API to refuse. */
export function periodBefore(from: string, to: string): { readonly from: string; readonly to: string } {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const before = new Date(start - (end - start));
  if (!(start < end) || Number.isNaN(before.getTime())) return { from, to };
  return { from: before.toISOString(), to: from };
}
