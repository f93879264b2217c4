import type { Description, Schema } from '../security-campaign/description';

type Schemas = Description['schemas'];

function resolved(schemas: Schemas, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : resolved(schemas, schemas[name] ?? {});
}

/** Whether a value may be text. */
export function isText(schemas: Schemas, schema: Schema): boolean {
  const { type, anyOf = [], oneOf = [] } = resolved(schemas, schema);
  return [type].flat().includes('string') || [...anyOf, ...oneOf].some((each) => isText(schemas, each));
}

/** Paths of all text fields of a body, with those in objects and lists; `0` is an element of a list. */
export function textFieldsOf(schemas: Schemas, given: Schema, depth = 0): readonly (readonly string[])[] {
  const schema = resolved(schemas, given);
  if (depth > 5) return [];
  const under = (name: string, inner: Schema) => textFieldsOf(schemas, inner, depth + 1).map((path) => [name, ...path]);
  const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? []), ...(schema.oneOf ?? [])];
  return [
    ...([schema.type].flat().includes('string') ? [[]] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => under(name, inner)),
    ...(schema.items === undefined ? [] : under('0', schema.items)),
    ...parts.flatMap((part) => textFieldsOf(schemas, part, depth)),
  ];
}

/** A body with nothing but this text in the field of this path. */
export function bodyWith(path: readonly string[], text: string): unknown {
  return path.reduceRight<unknown>((inner, name) => (name === '0' ? [inner] : { [name]: inner }), text);
}

const UUID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const HEX = 'a'.repeat(32);
/** For each start of a path, an id in the form that its calls accept. */
const IDS: readonly (readonly [string, string])[] = [
  ['/v1/audit/', '1'],
  ['/v1/attention/', `att_${HEX.slice(8)}`],
  ['/v1/holds/', `hold_${HEX}`],
  ['/v1/events/', `evt_${HEX}`],
  ['/v1/notices/', `msg_${HEX}`],
  ['/v1/webhook-endpoints/', 'env'],
];

/** The path of a call with valid ids in place of its `{names}`. */
export function withIds(path: string): string {
  const id = IDS.find(([beginning]) => path.startsWith(beginning))?.[1] ?? UUID;
  return path.replaceAll('{n}', '0').replaceAll(/\{[^}]+\}/g, id);
}
