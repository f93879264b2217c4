import fc, { type Arbitrary } from 'fast-check';
import { DAY, HOUR, toIso } from '../../src/domain/time';
import type { Schema } from './description';
import { OPENED_AT, SUBSCRIPTIONS } from './stage';

/** Kinds of things whose ids the run has given. */
export type Kind = 'payment' | 'key' | 'endpoint' | 'event' | 'job';

/** A placeholder for an id of the run, which is known only when the request is sent: `{payment:0}` is the first payment. */
export const PLACE = /^\{(payment|key|endpoint|event|job):(\d+)\}$/;

/** Levels of objects and lists. */
const DEEPEST = 6;
const MAX_LENGTH = 60;

const instants = fc
  .constantFrom(-400 * DAY, -DAY, -HOUR, 0, HOUR, DAY, 30 * DAY, 60 * DAY, 400 * DAY)
  .map((offset) => toIso(OPENED_AT + offset));

/** What fields of a name are likely to be, beside what their schema permits. Nothing of it leads to another machine. */
const LIKELY: readonly (readonly [name: RegExp, values: Arbitrary<unknown>])[] = [
  [/^subscriptionId$|^replaces$/, fc.constantFrom(...SUBSCRIPTIONS, 'security-new', 'none')],
  [/^paymentId$/, fc.constantFrom('{payment:0}', '{payment:1}', 'none')],
  [/^(at|from|to|since|until|\w+(At|From|To|Until|Before|After))$/, instants],
  [/^returnURL$/, fc.constantFrom('https://shop.example/back', 'http://127.0.0.1:1/back')],
  [/^url$/, fc.constantFrom('http://127.0.0.1:1/events', 'http://[::1]:1/events', 'https://10.0.0.1/events')],
  [/^country$/, fc.constantFrom('DE', 'FR', 'XX')],
  [/^email$/, fc.constantFrom('wallet+approves+auto@example.test', 'ada@payer.example')],
  [/^types$/, fc.constantFrom('*', 'cycle.*', 'subscription.created')],
  [/^reference$/, fc.constantFrom('customer-1', 'customer-2')],
  [/^value$/, fc.integer({ min: 1, max: 6_000 })],
];

/** Values that the schema permits, of the field that has the name. */
export function valuesOf(
  schema: Schema,
  name: string,
  schemas: Readonly<Record<string, Schema>>,
  depth = 0,
): Arbitrary<unknown> {
  const inner = (each: Schema, as = name) => valuesOf(each, as, schemas, depth + 1);
  if (schema.$ref !== undefined)
    return valuesOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, name, schemas, depth);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms !== undefined) return fc.oneof(...forms.map((each) => inner(each)));
  if (schema.allOf !== undefined) return inner(merged(schema.allOf));
  const likely = LIKELY.find(([form]) => form.test(name))?.[1];
  const [type] = [schema.type ?? 'string'].flat();
  if (depth > DEEPEST) return fc.constant(null);
  if (type === 'object') return objectsOf(schema, inner);
  if (type === 'array') return listsOf(schema, inner(schema.items ?? {}));
  const plain = plainValues(schema, type ?? 'string');
  return likely === undefined ? plain : fc.oneof({ arbitrary: likely, weight: 6 }, { arbitrary: plain, weight: 1 });
}

function merged(parts: readonly Schema[]): Schema {
  return parts.reduce((one, other) => ({ ...one, ...other }), {});
}

type Inner = (schema: Schema, name?: string) => Arbitrary<unknown>;

function objectsOf({ properties, required = [], additionalProperties, propertyNames }: Schema, inner: Inner) {
  if (properties === undefined) {
    const values = typeof additionalProperties === 'object' ? additionalProperties : {};
    return fc.dictionary(inner(propertyNames ?? { type: 'string', minLength: 1 }) as Arbitrary<string>, inner(values), {
      maxKeys: 3,
    });
  }
  const fields = Object.entries(properties).map(([name, each]) => [name, inner(each, name)] as const);
  return recordsOf(Object.fromEntries(fields), required);
}

/** Records with all required fields and sometimes one optional field, because several rarely fit together. */
export function recordsOf(
  fields: Readonly<Record<string, Arbitrary<unknown>>>,
  required: readonly string[],
): Arbitrary<Readonly<Record<string, unknown>>> {
  const drawn = Object.entries(fields).map(([name, values]) => [
    name,
    required.includes(name) ? values : seldom(values),
  ]);
  return fc
    .record(Object.fromEntries(drawn) as Readonly<Record<string, Arbitrary<unknown>>>, { noNullPrototype: true })
    .map((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)));
}

function seldom(values: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc.oneof({ arbitrary: fc.constant(undefined), weight: 4 }, { arbitrary: values, weight: 1 });
}

function listsOf({ minItems = 0, maxItems = 3 }: Schema, items: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc.array(items, { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) });
}

function plainValues(schema: Schema, type: string): Arbitrary<unknown> {
  const { minimum = -1_000_000, maximum = 1_000_000, exclusiveMinimum, exclusiveMaximum } = schema;
  const least = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1;
  const most = exclusiveMaximum === undefined ? maximum : exclusiveMaximum - 1;
  switch (type) {
    case 'integer':
      return fc.integer({ min: Math.max(least, -(2 ** 31)), max: Math.min(most, 2 ** 31 - 1) });
    case 'number':
      return fc.double({ min: least, max: Math.max(least, most), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return textsOf(schema);
  }
}

function textsOf({ format, pattern, minLength = 0, maxLength = MAX_LENGTH }: Schema): Arbitrary<string> {
  if (format === 'date-time') return instants;
  if (format === 'uuid') return fc.uuid();
  if (format === 'idn-email') return fc.constant('ada@payer.example');
  if (format === 'uri') return fc.constant('http://127.0.0.1:1/');
  if (pattern !== undefined) return matching(pattern, maxLength);
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, MAX_LENGTH)), unit: 'grapheme' });
}

/**
 * Generators by pattern, cached because there are few patterns, each in hundreds of places, and creating one takes milliseconds.
 */
const byPattern = new Map<string, Arbitrary<string>>();

function ofPattern(pattern: string): Arbitrary<string> {
  const texts = byPattern.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'));
  byPattern.set(pattern, texts);
  return texts;
}

/** Text of the pattern. If it has a lookahead no text can be generated: then any text, which is mostly refused. */
function matching(pattern: string, maxLength: number): Arbitrary<string> {
  const looksAhead = pattern.includes('(?!') || pattern.includes('(?=');
  if (looksAhead) return fc.string({ minLength: 1, maxLength: Math.min(maxLength, MAX_LENGTH) });
  return ofPattern(pattern).map((text) => text.slice(0, maxLength));
}

/** Values that no caller would send on purpose. */
export const ODD_VALUES: readonly unknown[] = [
  ...[null, '', ' ', 0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 63), true, false, [], {}, [[[[]]]], { a: { b: {} } }],
  ...['\u0000', '\ud83d', '\u202e', '💥', 'ﬀ', 'x'.repeat(5_000), '../../etc/passwd', '%00', '%', '+', '&a=b', '#'],
  ...["'; drop table subscriptions;--", '<script>alert(1)</script>', '${7*7}', '{{7*7}}', '__proto__', 'constructor'],
  ...['2027-02-31T00:00:00Z', '9999-12-31T23:59:59.999Z', '+275760-09-13T00:00:00Z', '-000001-01-01T00:00:00Z'],
  ...['0001-01-01T00:00:00Z', '2027-01-31T10:00:00+99:99', 'NaN', 'Infinity', '1e9', '0x10', '١٢٣', 'true', 'null'],
];
