const AMOUNT = /^(\d{1,9})(?:[.,](\d{1,2}))?$/;

/** `12.5` or `12,50` as 1250 cents; null if it is not an amount. */
export function centsOf(text: string): number | null {
  const found = AMOUNT.exec(text.trim());
  if (found === null) return null;
  const [, whole = '', cents = ''] = found;
  return Number(whole) * 100 + Number(cents.padEnd(2, '0'));
}

export const AMOUNT_EXPECTED = 'Enter an amount in euros, such as 12.50.';

/** @throws Error if it is not an amount */
export function amountOf(text: string): { value: number; currency: 'EUR' } {
  const value = centsOf(text);
  if (value === null) throw new Error(`Amount: expected euros, such as 12.50; got "${text}".`);
  return { value, currency: 'EUR' };
}

/** The comma before another `key=`: values may contain commas. */
const BETWEEN = /,(?=[^,=]+=)/;

/** `shop=north, team=a` as pairs; undefined if empty. */
export function pairsOf(text: string | undefined): Record<string, string> | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  return Object.fromEntries(
    text.split(BETWEEN).map((pair) => {
      const [key = '', ...value] = pair.split('=');
      return [key.trim(), value.join('=').trim()];
    }),
  );
}
