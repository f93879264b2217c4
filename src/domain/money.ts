/** Money in integer minor units: 1999 is 19.99 EUR. The service knows one currency. */
export interface Money {
  readonly value: number;
  readonly currency: 'EUR';
}

/** @throws RangeError if `cents` is not a whole number or is negative. */
export function euros(cents: number): Money {
  if (!Number.isSafeInteger(cents) || cents < 0) {
    throw new RangeError(`an amount is a whole number of cents, 0 or more; got ${cents}`);
  }
  return { value: cents, currency: 'EUR' };
}

/** `19.99`, for programs and input fields that read decimals. */
export function decimalOf({ value }: Pick<Money, 'value'>): string {
  return `${Math.floor(value / 100)}.${String(value % 100).padStart(2, '0')}`;
}

/** `19.99 EUR`: for logs, tables and notices. */
export function formatMoney(money: Money): string {
  return `${decimalOf(money)} ${money.currency}`;
}

/**
 * `1 payment`, `2 payments`, as part of a text.
 * @param many the plural, unless it is `one` with an s
 * @param format of the number; plain digits by default
 */
export function counted(n: number, one: string, many = `${one}s`, format: (n: number) => string = String): string {
  return `${format(n)} ${n === 1 ? one : many}`;
}

export function sameMoney(a: Money, b: Money): boolean {
  return a.value === b.value;
}

/** One figure of a report: an amount and a count. */
export interface Figure {
  readonly amount: Money;
  readonly count: number;
}

export const NOTHING: Figure = { amount: euros(0), count: 0 };

/** @throws RangeError if the sum is not a safe integer. */
export function sumOf(figures: Iterable<Figure>): Figure {
  let [cents, count] = [0, 0];
  for (const figure of figures) {
    cents = addExactly(cents, figure.amount.value);
    count = addExactly(count, figure.count);
  }
  return { amount: euros(cents), count };
}

/** @throws RangeError if the sum is not a safe integer: a wrong sum would go unnoticed. */
export function addExactly(a: number, b: number): number {
  const sum = a + b;
  if (!Number.isSafeInteger(sum)) throw new RangeError(`${a} and ${b} have no exact sum`);
  return sum;
}
