import fc, { type Arbitrary } from 'fast-check';
import type { Role } from '../../src/ledger';
import type { Description, Operation, Schema } from './description';
import { ODD_VALUES, recordsOf, valuesOf } from './values';

type Fields = Readonly<Record<string, unknown>>;

/** One request as it was drawn; ids of the run stand in it as `{payment:0}`. */
export interface Drawn {
  readonly operation: Operation;
  /** The role of the key; null: without a key. */
  readonly role: Role | null;
  readonly path: Fields;
  readonly query: Fields;
  readonly body: Body | null;
  readonly headers: Readonly<Record<string, string>>;
  /** What is wrong with it on purpose; `as described` if nothing is. */
  readonly twist: Twist;
}

interface Body {
  readonly type: string;
  /** The body, sent unchanged if it is text, otherwise as JSON. */
  readonly content: unknown;
}

/** How often each is drawn. */
const TWISTS = {
  'as described': 16,
  'a field left out': 2,
  'a field that is not described': 2,
  'an odd value': 6,
  'an odd query': 3,
  'an odd path': 2,
  'a body that is not JSON': 1,
  'another media type': 1,
} as const;
type Twist = keyof typeof TWISTS;

const roles = fc.oneof(
  ...(
    [
      ['viewer', 2],
      ['operator', 4],
      ['admin', 10],
      [null, 1],
    ] as const
  ).map(([role, weight]) => ({ arbitrary: fc.constant(role), weight })),
);

/** Requests of every operation, each as likely as another. */
export function requestsOf({ operations, schemas }: Description): Arbitrary<Drawn> {
  return fc.oneof(...operations.map((operation) => requestsTo(operation, schemas)));
}

function requestsTo(operation: Operation, schemas: Readonly<Record<string, Schema>>): Arbitrary<Drawn> {
  const twists = fc.oneof(
    ...Object.entries(TWISTS).map(([twist, weight]) => ({ arbitrary: fc.constant(twist as Twist), weight })),
  );
  return fc
    .record({
      role: roles,
      path: placed(operation, 'path', schemas),
      query: placed(operation, 'query', schemas),
      body: bodiesOf(operation, schemas),
      once: fc.nat(2 ** 31 - 1),
      isRepeatable: fc.boolean(),
      twist: twists,
      which: fc.nat(1_000),
      odd: fc.constantFrom(...ODD_VALUES),
    })
    .map(({ role, path, query, body, once, isRepeatable, twist, which, odd }) => {
      // Refunds and captures need a key; a stream with an invalid position is refused, and so ends.
      const headers = { ...(isRepeatable ? { 'idempotency-key': `drawn-${once}` } : {}), 'last-event-id': 'nowhere' };
      return twisted({ operation, role, path, query, body, headers, twist }, twist, which, odd);
    });
}

/** Values of the parameters of the path or of the query; optional ones are sometimes left out. */
function placed({ parameters, url }: Operation, place: 'path' | 'query', schemas: Readonly<Record<string, Schema>>) {
  const here = parameters.filter((each) => each.in === place);
  const fields = here.map(
    ({ name, schema }) =>
      [name, place === 'path' ? idsOf(url, name, schema, schemas) : valuesOf(schema, name, schemas)] as const,
  );
  const required = here.filter((each) => each.required === true || place === 'path');
  return recordsOf(
    Object.fromEntries(fields),
    required.map(({ name }) => name),
  );
}

/** Values of path parameters, mostly ids of existing records. */
function idsOf(
  url: string,
  name: string,
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
): Arbitrary<unknown> {
  const subject = url.split('/')[2];
  const plain = valuesOf(schema, name, schemas);
  if (name === 'n') return fc.integer({ min: 0, max: 2 });
  if (name !== 'id') return plain;
  const there: Readonly<Record<string, Arbitrary<unknown>>> = {
    subscriptions: valuesOf({}, 'subscriptionId', {}),
    payments: valuesOf({}, 'paymentId', {}),
    keys: fc.constantFrom('{key:0}', '{key:1}', '{key:2}'),
    'webhook-endpoints': fc.constantFrom('{endpoint:0}', '{endpoint:1}', '{endpoint:2}'),
    events: fc.constantFrom('{event:0}', '{event:1}'),
    jobs: fc.constant('{job:0}'),
  };
  const known = there[subject ?? ''];
  return known === undefined ? plain : fc.oneof({ arbitrary: known, weight: 5 }, { arbitrary: plain, weight: 1 });
}

function bodiesOf({ bodies }: Operation, schemas: Readonly<Record<string, Schema>>): Arbitrary<Body | null> {
  const drawn = Object.entries(bodies).map(([type, { schema = {} }]) => {
    const content = valuesOf(schema.contentSchema ?? schema, '', schemas);
    const isLines = type !== 'application/json';
    return (isLines ? fc.array(content, { maxLength: 3 }).map(linesOf) : content).map((each): Body => ({
      type,
      content: each,
    }));
  });
  return drawn.length === 0 ? fc.constant(null) : fc.oneof(...drawn);
}

function linesOf(values: readonly unknown[]): string {
  return values.map((each) => `${typeof each === 'string' ? each : JSON.stringify(each)}\n`).join('');
}

/** The request with one fault. @param which the number of the field that gets it, modulo the number of fields */
function twisted(drawn: Drawn, twist: Twist, which: number, odd: unknown): Drawn {
  const { path, query, body } = drawn;
  const content = body?.content;
  const fields =
    typeof content === 'object' && content !== null && !Array.isArray(content) ? (content as Fields) : null;
  const withContent = (to: unknown) => (body === null ? drawn : { ...drawn, body: { ...body, content: to } });
  const oneOf = (of: Fields) => Object.keys(of)[which % Math.max(1, Object.keys(of).length)];
  switch (twist) {
    case 'as described':
      return drawn;
    case 'a field left out':
      return fields === null ? drawn : withContent(without(fields, oneOf(fields)));
    case 'a field that is not described':
      return fields === null
        ? { ...drawn, query: { ...query, undescribed: odd } }
        : withContent({ ...fields, undescribed: odd });
    case 'an odd value':
      return fields === null ? withContent(odd) : withContent(changed(fields, which, odd));
    case 'an odd query':
      return { ...drawn, query: { ...query, [oneOf(query) ?? 'limit']: odd } };
    case 'an odd path':
      return { ...drawn, path: { ...path, [oneOf(path) ?? 'id']: odd } };
    case 'a body that is not JSON':
      return body === null ? drawn : { ...drawn, body: { ...body, content: `{"${JSON.stringify(odd)}` } };
    case 'another media type':
      return body === null
        ? drawn
        : { ...drawn, body: { ...body, type: which % 2 === 0 ? 'text/plain' : 'application/xml' } };
  }
}

function without(fields: Fields, left: string | undefined): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== left));
}

/** The fields with one value replaced by another. */
function changed(fields: Fields, which: number, to: unknown): Fields {
  const leaves = pathsOf(fields);
  const path = leaves[which % Math.max(1, leaves.length)] ?? ['undescribed'];
  return put(fields, path, to) as Fields;
}

function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([name, each]) => pathsOf(each, [...path, name]));
}

function put(value: unknown, [name, ...rest]: readonly string[], to: unknown): unknown {
  if (name === undefined) return to;
  const fields = value as Fields;
  return { ...fields, [name]: put(fields[name], rest, to) };
}
