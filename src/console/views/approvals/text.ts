import { money, type MoneyValue, withAmounts } from '../../format';

/** A value of any type in a request or an answer, as text. */
export function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return withAmounts(value);
  if (isMoney(value)) return money(value);
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.map(withAmounts).join(' ');
  return JSON.stringify(value);
}

export function isMoney(value: unknown): value is MoneyValue {
  return (
    typeof value === 'object' &&
    value !== null &&
    'value' in value &&
    Number.isSafeInteger(value.value) &&
    'currency' in value &&
    typeof value.currency === 'string'
  );
}
