import { SECOND } from '../../src/domain/time';

/** The value that so many of a hundred do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0;
}

/** The arrivals of the busiest second; instants are in ms. */
export function busiestSecond<T extends { readonly at: number }>(came: readonly T[]): readonly T[] {
  const sorted = [...came].sort((one, other) => one.at - other.at);
  let [busiest, first]: [readonly T[], number] = [[], 0];
  sorted.forEach(({ at }, index) => {
    while (at - (sorted[first]?.at ?? at) >= SECOND) first += 1;
    if (index - first >= busiest.length) busiest = sorted.slice(first, index + 1);
  });
  return busiest;
}
