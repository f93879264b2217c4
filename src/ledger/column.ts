import type { Instant } from '../domain/instant';
import { toIso } from '../domain/instant';
import type { Money } from '../domain/money';

/** How values enter and leave columns; {@link createPool} reads `timestamptz` and `bigint` by the same rules. */

/** Epoch milliseconds, business or real, as `timestamptz` takes them. */
export function instantToColumn(instant: Instant): string;
export function instantToColumn(instant: Instant | null): string | null;
export function instantToColumn(instant: Instant | null): string | null {
  return instant === null ? null : toIso(instant);
}

/** Arrays and text alike: without this, the driver writes a JavaScript array as an SQL one. */
export function jsonToColumn(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

export function moneyFromColumn(cents: number): Money {
  return { value: cents, currency: 'EUR' };
}

/** @throws RangeError where a number has no exact JavaScript equal, or a time is no instant (`infinity`). */
export function exactNumber(value: number, text: string): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`a column holds ${text}, which is no exact number here`);
  return value;
}
