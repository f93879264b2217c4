import { euros, type Money } from './money';

/** One number of a report: how much, and how many. */
export interface Figure {
  readonly amount: Money;
  readonly count: number;
}

export const NOTHING: Figure = { amount: euros(0), count: 0 };

/** @throws RangeError where the sum has no exact number. */
export function sumOf(figures: Iterable<Figure>): Figure {
  let [cents, count] = [0, 0];
  for (const figure of figures) {
    cents = addExactly(cents, figure.amount.value);
    count = addExactly(count, figure.count);
  }
  return { amount: euros(cents), count };
}

/** @throws RangeError where the sum of two exact numbers is none: a wrong one would look like any other. */
export function addExactly(a: number, b: number): number {
  const sum = a + b;
  if (!Number.isSafeInteger(sum)) throw new RangeError(`${a} and ${b} have no exact sum`);
  return sum;
}
