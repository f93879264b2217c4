const AMOUNT = /^(\d{1,9})(?:[.,](\d{1,2}))?$/;

/** `12.5` or `12,50` as 1250 cents; null where it is no amount. */
export function centsOf(text: string): number | null {
  const found = AMOUNT.exec(text.trim());
  if (found === null) return null;
  const [, whole = '', cents = ''] = found;
  return Number(whole) * 100 + Number(cents.padEnd(2, '0'));
}

/** `12.50`, as it is typed. */
export function typedCents(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

export const AMOUNT_EXPECTED = 'An amount in euros, such as 12.50.';

/** @throws Error that says what was expected */
export function amountOf(text: string): { value: number; currency: 'EUR' } {
  const value = centsOf(text);
  if (value === null) throw new Error(`Amount: expected euros such as 12.50; got "${text}".`);
  return { value, currency: 'EUR' };
}

/** The comma before another `key=`: values may hold commas themselves. */
const BETWEEN = /,(?=[^,=]+=)/;

/** `shop=north, team=a` as the pairs that it names; undefined where it names none. */
export function pairsOf(text: string | undefined): Record<string, string> | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  return Object.fromEntries(
    text.split(BETWEEN).map((pair) => {
      const [key = '', ...value] = pair.split('=');
      return [key.trim(), value.join('=').trim()];
    }),
  );
}
