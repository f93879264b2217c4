import { Option } from 'commander';
import { readFileSync } from 'node:fs';
import type { Field, Operation } from '../../client';
import { BadInputError } from '../../process/command-error';

/** The options as typed, keyed by commander's attribute names. */
export type Typed = Readonly<Record<string, unknown>>;

/** The command handles the list's cursor and length itself. */
const OWN: ReadonlySet<string> = new Set(['limit', 'cursor']);

/** The query fields of an operation that are options of its command. */
export function queryOf({ query }: Operation): readonly Field[] {
  return query.filter(({ name }) => !OWN.has(name));
}

/** All fields of an operation that are options of its command. */
export function optionsOf(operation: Operation): readonly Field[] {
  return [...queryOf(operation), ...operation.body];
}

/** `returnURL` is typed as `--return-url`. */
export function flagOf(name: string): string {
  return `--${name.replace(/([a-z0-9])([A-Z]+)/g, '$1-$2').toLowerCase()}`;
}

export function optionOf(field: Field): Option {
  const flag = flagOf(field.name);
  const form = joined(', ', field.isRequired ? 'required' : '', field.kind === 'flag' ? '' : FORMS[field.kind]);
  const description = joined('. ', form, field.description ?? '');
  if (field.kind === 'flag') return new Option(flag, description);
  const option = new Option(`${flag} <${PLACEHOLDERS[field.kind]}>`, description);
  return field.values === undefined ? option : option.choices(field.values);
}

function joined(separator: string, ...parts: readonly string[]): string {
  return parts.filter((each) => each !== '').join(separator);
}

type Valued = Exclude<Field['kind'], 'flag'>;

const PLACEHOLDERS: Readonly<Record<Valued, string>> = {
  text: 'text',
  number: 'number',
  money: 'euros',
  list: 'items',
  json: 'json',
};

const FORMS: Readonly<Record<Valued, string>> = {
  text: '',
  number: '',
  money: 'such as 19.99',
  list: 'separated by commas',
  json: 'as JSON, or @file',
};

/**
 * Converts the typed fields to what the API expects.
 * @throws BadInputError that names every unreadable option
 */
export function readFields(fields: readonly Field[], typed: Typed): Record<string, unknown> {
  const faults: string[] = [];
  const entries = fields.flatMap((field): [string, unknown][] => {
    const text = typed[optionOf(field).attributeName()];
    if (text === undefined) return [];
    const value = field.kind === 'flag' ? text : READERS[field.kind](text as string);
    if (value === UNREADABLE)
      faults.push(`${flagOf(field.name)}: expected ${EXPECTED[field.kind]}; got ${JSON.stringify(text)}`);
    return [[field.name, value]];
  });
  if (faults.length > 0) throw new BadInputError(faults);
  return Object.fromEntries(entries);
}

const UNREADABLE = Symbol('unreadable');

const READERS: Readonly<Record<Valued, (text: string) => unknown>> = {
  text: (text) => text,
  number: (text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : UNREADABLE),
  money: (text) => {
    const value = centsOf(text);
    return value === null ? UNREADABLE : { value, currency: 'EUR' };
  },
  list: (text) => text.split(',').map((each) => each.trim()),
  json: readJson,
};

const EXPECTED: Readonly<Record<Field['kind'], string>> = {
  text: 'text',
  number: 'a number',
  flag: 'nothing',
  money: 'euros with at most two decimals, such as 19.99',
  list: 'items separated by commas',
  json: 'JSON, or @ and the name of a file with JSON',
};

/** Euros with at most two decimals, in cents; null for any other text. */
export function centsOf(text: string): number | null {
  if (!/^\d{1,10}(\.\d{1,2})?$/.test(text)) return null;
  const [euros = '0', cents = ''] = text.split('.');
  return Number(euros) * 100 + Number(cents.padEnd(2, '0'));
}

/** Parses the contents of a file or standard input (`@-`), or the text itself. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('@') ? readFileSync(text === '@-' ? 0 : text.slice(1), 'utf8') : text);
  } catch {
    return UNREADABLE;
  }
}

/** Typed options override the fields of `--body`, which override the presets. */
export function bodyOf(
  { method, body }: Operation,
  typed: Typed,
  preset: Readonly<Record<string, true>> = {},
): unknown {
  if (method === 'get' || method === 'delete') return null;
  const text = typed['body'];
  const whole = text === undefined ? {} : readJson(text as string);
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole))
    throw new BadInputError([`--body: expected a JSON object, or @ and the name of a file with one`]);
  const given = { ...preset, ...whole, ...readFields(body, typed) };
  const missing = body.filter(({ name, isRequired }) => isRequired && !(name in given));
  if (missing.length > 0) throw new BadInputError(missing.map(({ name }) => `${flagOf(name)}: missing`));
  return given;
}

/** Collects the values of a repeatable option. */
export function severalTimes(value: string, before: string[] = []): string[] {
  return [...before, value];
}
