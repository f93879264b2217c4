import { SECOND } from '../../src/domain/time';

/** The value that so many of a hundred do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0;
}

/** The most instants, in ms, of any second. */
export function mostInASecond(instants: readonly number[]): number {
  const sorted = [...instants].sort((one, other) => one - other);
  let [most, first] = [0, 0];
  sorted.forEach((at, index) => {
    while (at - (sorted[first] ?? at) >= SECOND) first += 1;
    most = Math.max(most, index - first + 1);
  });
  return most;
}
