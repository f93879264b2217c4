import { euros, type Money } from './money';

/** One number of a report: how much, and how many. */
export interface Figure {
  readonly amount: Money;
  readonly count: number;
}

export const NOTHING: Figure = { amount: euros(0), count: 0 };

/** @throws RangeError where the sum has no exact number. */
export function sumOf(figures: Iterable<Figure>): Figure {
  let [cents, count] = [0n, 0];
  for (const figure of figures) {
    cents += BigInt(figure.amount.value);
    count += figure.count;
  }
  return { amount: exactSum(cents), count };
}

/** @throws RangeError where the sum has no exact number: a wrong one would look like any other. */
export function exactSum(cents: bigint): Money {
  if (cents > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError(`a sum of ${cents} cents has no exact number`);
  return euros(Number(cents));
}
