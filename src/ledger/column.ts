import { type Instant, toIso } from '../domain/time';
import type { Money } from '../domain/money';

/** How values enter and leave columns; {@link createPool} reads `timestamptz` and `bigint` by the same rules. */

/** Epoch milliseconds, business or real, as `timestamptz` takes them. */
export function instantToColumn(instant: Instant): string;
export function instantToColumn(instant: Instant | null): string | null;
export function instantToColumn(instant: Instant | null): string | null {
  return instant === null ? null : toIso(instant);
}

/**
 * Words of others, such as the service's: PostgreSQL takes no NUL, and a refusal that could not be written would be met
 * again and again.
 */
export function textToColumn(text: string | null): string | null {
  return text === null ? null : text.replaceAll('\0', REPLACEMENT);
}

/** Arrays and text alike: without this, the driver writes a JavaScript array as an SQL one. */
export function jsonToColumn(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value).replace(UNSTORABLE, '$1\\ufffd');
}

const REPLACEMENT = '\ufffd';

/** Escapes that `jsonb` refuses: NUL and half a surrogate pair; not a backslash that is followed by such letters. */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

export function moneyFromColumn(cents: number): Money {
  return { value: cents, currency: 'EUR' };
}

/** @throws RangeError where a number has no exact JavaScript equal, or a time is no instant (`infinity`). */
export function exactNumber(value: number, text: string): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`a column holds ${text}, which is no exact number here`);
  return value;
}
