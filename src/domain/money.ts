/** Money in integer minor units: 1999 is 19.99 EUR. The service knows one currency. */
export interface Money {
  readonly value: number;
  readonly currency: 'EUR';
}

/** @throws RangeError where `cents` is no whole number, or is negative. */
export function euros(cents: number): Money {
  if (!Number.isSafeInteger(cents) || cents < 0) {
    throw new RangeError(`an amount is a whole number of cents, 0 or more; got ${cents}`);
  }
  return { value: cents, currency: 'EUR' };
}

/** `19.99 EUR`: for logs, tables and notices. */
export function formatMoney(money: Money): string {
  const cents = String(money.value % 100).padStart(2, '0');
  return `${Math.floor(money.value / 100)}.${cents} ${money.currency}`;
}

export function sameMoney(a: Money, b: Money): boolean {
  return a.value === b.value;
}
