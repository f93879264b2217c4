import type { Instant } from '../domain/time';

/** A typed value, or what is wrong with it. */
export type Reading<T> = { readonly value: T } | { readonly fault: string };

export function isFault<T>(reading: Reading<T>): reading is { readonly fault: string } {
  return 'fault' in reading;
}

export function readCount(text: string, least: number, most: number): Reading<number> {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most
    ? { value }
    : { fault: `expected a whole number from ${least} to ${most}; got ${quoted(text)}` };
}

const FORM = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** `2027-01-31T09:00:00.000Z`, any offset; a date alone is its midnight in UTC. */
export function readInstant(text: string): Reading<Instant> {
  const day = FORM.exec(text)?.[1];
  const value = day === undefined ? NaN : Date.parse(text);
  // Date.parse takes the 31st of February for the 3rd of March.
  const isReal = day !== undefined && !Number.isNaN(value) && new Date(`${day}T00:00Z`).toISOString().startsWith(day);
  return isReal
    ? { value }
    : { fault: `expected a date such as 2027-01-31T09:00:00.000Z or 2027-01-31; got ${quoted(text)}` };
}

export function quoted(text: string): string {
  return text === '' ? 'nothing' : JSON.stringify(text);
}
