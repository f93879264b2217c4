import { LAST_INSTANT } from '../domain/time';

/** One field of what is sent to a workflow. */
export interface Field {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

export type Fields<T> = { readonly [K in keyof Required<T>]: Field };

/** What a message to a workflow has to be: people can send anything from Temporal's Web UI and command line. */
export interface MessageShape<T> {
  /** As `update pause`. */
  readonly name: string;
  readonly fields: Fields<T>;
}

/** What is wrong with the argument of a message: field, expectation and value; null where nothing is. */
export function faultIn({ name, fields }: MessageShape<unknown>, argument: unknown): string | null {
  if (!isRecord(argument)) return `${name} takes an object; got ${shown(argument)}`;
  const [wrong] = Object.entries<Field>(fields).filter(([field, { fits }]) => !fits(argument[field]));
  if (wrong === undefined) return null;
  const [field, { expected }] = wrong;
  return `${name}: ${field} must be ${expected}; got ${shown(argument[field])}`;
}

const LONGEST_SHOWN = 100;

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, LONGEST_SHOWN);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function wholeNumber(least: number, most: number, what = 'a whole number'): Field {
  return {
    expected: `${what} from ${least} to ${most}`,
    fits: (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
  };
}

/** As far as JavaScript's dates reach. */
const LONGEST = 8.64e15;

export const TEXT: Field = { expected: 'a text', fits: (value) => typeof value === 'string' };
const COUNT = wholeNumber(0, Number.MAX_SAFE_INTEGER);
export const FLAG: Field = { expected: 'true or false', fits: (value) => typeof value === 'boolean' };
export const INSTANT = wholeNumber(0, LAST_INSTANT, 'an instant in epoch milliseconds');
export const DURATION = wholeNumber(0, LONGEST, 'milliseconds');
export const MONEY: Field = {
  expected: 'an amount such as {"value":1999,"currency":"EUR"}',
  fits: (value) => isRecord(value) && COUNT.fits(value['value']) && value['currency'] === 'EUR',
};

/** @param name as people send it */
export const updateShape = <T>(name: string, fields: Fields<T>): MessageShape<T> => ({
  name: `update ${name}`,
  fields,
});
